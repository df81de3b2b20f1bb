/* SPDX-License-Identifier: MIT */
/* neummu_sparse: the record. Equations, assumptions and sources: README.md. */
#include "mech/neummu/cost.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/neummu_sparse/model.h"
#include "mech/neummu_sparse/stream.h"

enum { NEUMMU_SPARSE_STRATA = 24 };

static const msw_preset PRESETS[] = {
    {NEUMMU_IOMMU_ROW},
    {NEUMMU_NEUMMU_ROW},
    {NEUMMU_ORACLE_PRESET_ROW},
    {0},
};

/* The MMU goes, what it translates for stays. */
static void change_oracle(void *config)
{
    neummu_sparse_config *c = config, own = *c;
    msw_params_defaults(neummu_sparse_params, c);
    neummu_config mmu = c->mmu;
    *c = own;
    c->mmu = mmu;
    c->mmu.oracle = 1;
    c->mmu.page_size = own.mmu.page_size;
    c->mmu.frequency = own.mmu.frequency;
    c->mmu.bandwidth = own.mmu.bandwidth;
    c->mmu.memory_cycles = own.mmu.memory_cycles;
}

/* No pages, no links but the one to the CPU. Pages decide where data lie that are not made of rows:
 * both sides have them in the same memories. */
static void change_copy(void *config)
{
    neummu_sparse_config *c = config, plain = {0};
    change_oracle(c);
    msw_params_defaults(neummu_sparse_params, &plain);
    c->mode = NEUMMU_SPARSE_COPY;
    c->fast_bandwidth = plain.fast_bandwidth;
    c->fast_cycles = plain.fast_cycles;
    c->page_link = plain.page_link;
    c->fault_latency = plain.fault_latency;
    c->fault_parallel = plain.fault_parallel;
}

static const msw_reference REFERENCES[] = {
    {.name = "oracle", .doc = "every translation is known at once", .change = change_oracle},
    {.name = "copy",
     .doc = "without an MMU: rows of other devices are copied through the CPU",
     .change = change_copy},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "devices", "placement", NULL};
static const msw_artifact ARTIFACTS[] = {
    {.name = "stream", .depends = STREAM_DEPENDS, .build = neummu_sparse_build},
    {0},
};

static const char ARGUED[] = "the other half is the oracle, which is nearly exact";
static const char ARGUED_WAIT[] =
    "the rest translates nothing: the oracle, and rows that are copied";
static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .quantile = 0.95,
     .tolerance = 0.005,
     .region = "NOT oracle",
     .share = 0.5,
     .argued = ARGUED},
    {.metric = "slowdown",
     .quantile = 0.95,
     .excess = true,
     .points = 0.001,
     .tolerance = 0.04,
     .region = "NOT oracle AND mode <> 'copy'",
     .share = 0.375,
     .argued = ARGUED_WAIT},
    {.metric = "translation",
     .quantile = 0.8,
     .tolerance = 0.06,
     .region = "NOT oracle AND mode <> 'copy'",
     .share = 0.375,
     .argued = ARGUED_WAIT},
    {.metric = "requests", .quantile = 1, .tolerance = 1e-9, .share = 1},
    {0},
};
static const msw_monotone MONOTONE[] = {
    {.param = "fast_cycles", .metric = "cycles", .sign = +1},
    {.param = "fast_bandwidth", .metric = "cycles", .sign = -1},
    {.param = "mlp_macs", .metric = "cycles", .sign = +1},
    {0},
};

static const char *const SOURCES[] = {"Hyun et al., NeuMMU, ASPLOS 2020 (arXiv:1911.06859)",
                                      "facebookresearch/dlrm: layers of DLRM", NULL};

static int check(const void *config, msw_err *err)
{
    neummu_config mmu = neummu_sparse_mmu(config);
    return neummu_check(&mmu, err);
}

/* The copy through the CPU takes no MMU. Widths of entries are those of neummu. */
static msw_storage storage(const neummu_sparse_config *config)
{
    neummu_config mmu = neummu_sparse_mmu(config);
    return config->mode == NEUMMU_SPARSE_COPY ? (msw_storage){0} : neummu_storage(&mmu);
}

static double sram_bits(const void *config)
{
    return storage(config).bits;
}

static void price(const void *config, double *metrics)
{
    metrics[NEUMMU_SPARSE_SRAM] = storage(config).bytes;
}

static const msw_part *const PARTS_MACHINE[] = {&msw_part_cache,       &msw_part_event,
                                                &msw_part_link,        &msw_part_pagetable,
                                                &msw_part_translation, NULL};

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {
    "mode",      "mlp_macs",       "mlp_utilization", "array_cells", "walk_level_cycles",
    "ptw_count", "fast_bandwidth", "fast_cycles",     "frequency",   "path_cache",
    NULL};

const msw_mech msw_mech_neummu_sparse = {
    .name = "neummu_sparse",
    .title = "Embedding rows on several devices: copied by the CPU, read in place, paged in",
    .foremost = FOREMOST,
    .omits = "memory that is full: a page that came stays",
    .version_closed = 9,
    .version_machine = 6,
    .parts_closed = PARTS_MACHINE,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = neummu_sparse_params,
    .config_size = sizeof(neummu_sparse_config),
    .metrics = neummu_sparse_metrics,
    .metric_count = NEUMMU_SPARSE_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_ACCESSES,
    .default_workload = "neumf/b64",
    .random = false,
    .budgeted = true,
    .artifacts = ARTIFACTS,
    .references = REFERENCES,
    .agreement = AGREEMENT,
    .monotone = MONOTONE,
    .checks = neummu_sparse_checks,
    .laws = neummu_sparse_laws,
    .learn_workloads =
        "dlrm/b1, dlrm/b128, deepfm/b2048, neumf/b64, neumf/b2048, kgcn/b128, karate, "
        "pruned, jumps, strides, dense, big, large, trace/lackey",
    .law_workloads = "trace/example, karate, neumf/b64, dlrm/b1",
    .check = check,
    .analytic = neummu_sparse_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = NEUMMU_SPARSE_STRATA,
    .state_bytes = neummu_sparse_state_bytes,
    .strata = neummu_sparse_strata,
    .begin = neummu_sparse_begin,
    .warm = neummu_sparse_warm,
    .measure = neummu_sparse_measure,
    .derive = neummu_sparse_derive,
    .price = price,
    .bounds = neummu_sparse_bounds,
    .sram_bits = sram_bits,
};
