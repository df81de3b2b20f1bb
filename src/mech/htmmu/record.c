/* SPDX-License-Identifier: MIT */
/* htmmu: the record. Equations, assumptions and sources: README.md. */
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"
#include "mech/htmmu/stream.h"

#define SET(name, text)                                                                            \
    {                                                                                              \
        .param = name, .value = text                                                               \
    }

static const msw_preset_value BASELINE[] = {
    SET("streams", "1"),      SET("router", "none"),      SET("l1_entries", "64"),
    SET("l2_entries", "512"), SET("merge_entries", "16"), SET("merge_items", "4"),
    SET("tpc_entries", "32"), SET("l2_coalesce", "1"),    {0},
};
static const msw_preset_value BASELINE_COALESCED[] = {
    SET("streams", "1"),      SET("router", "none"),      SET("l1_entries", "64"),
    SET("l2_entries", "512"), SET("merge_entries", "16"), SET("merge_items", "4"),
    SET("tpc_entries", "32"), SET("l2_coalesce", "8"),    {0},
};
static const msw_preset_value HTMMU[] = {
    SET("streams", "4"),      SET("router", "adaptive"),  SET("l1_entries", "32"),
    SET("l2_entries", "544"), SET("merge_entries", "16"), SET("merge_items", "8"),
    SET("tpc_entries", "28"), SET("l2_coalesce", "1"),    {0},
};
static const msw_preset_value HTMMU_COALESCED[] = {
    SET("streams", "4"),      SET("router", "adaptive"),  SET("l1_entries", "32"),
    SET("l2_entries", "544"), SET("merge_entries", "16"), SET("merge_items", "8"),
    SET("tpc_entries", "28"), SET("l2_coalesce", "8"),    {0},
};
static const msw_preset_value TBU[] = {
    SET("streams", "4"),        SET("router", "adaptive"),
    SET("l1_entries", "32"),    SET("l2_entries", "544"),
    SET("merge_entries", "16"), SET("merge_items", "4"),
    SET("tpc_entries", "32"),   {0},
};
/* What a search over the unpublished choices found (README.md, "Measured against the paper"). */
static const msw_preset_value REGION[] = {
    SET("streams", "4"),      SET("router", "adaptive"),  SET("l1_entries", "32"),
    SET("l2_entries", "544"), SET("merge_entries", "16"), SET("merge_items", "8"),
    SET("tpc_entries", "28"), SET("l2_coalesce", "1"),    SET("register_holds", "page"),
    SET("l1_mshrs", "6"),     SET("ptu_queue", "0"),      SET("items_full", "wait"),
    SET("item_bytes", "2"),   SET("bank_gates", "1450"),  {0},
};
static const msw_preset PRESETS[] = {
    {.name = "baseline", .doc = "table 1, second TLB of 128 sets x 4 ways", .values = BASELINE},
    {.name = "baseline_coalesced",
     .doc = "table 1, second TLB of 16 sets x 4 ways of 8 pages",
     .values = BASELINE_COALESCED},
    {.name = "tbu", .doc = "baseline with 4 streams and entries split 32 / 544", .values = TBU},
    {.name = "htmmu", .doc = "tbu with 8 merge items and 28 paths", .values = HTMMU},
    {.name = "htmmu_coalesced",
     .doc = "htmmu with 8 pages in an entry of the second TLB",
     .values = HTMMU_COALESCED},
    {.name = "region",
     .doc = "htmmu with the unpublished choices of a region in which many of its results hold",
     .values = REGION},
    {0},
};

/* What the paper changes is put back; what it does not publish stays as it is. */
static void change_baseline(void *config)
{
    htmmu_config *c = config;
    c->streams = 1;
    c->router = HTMMU_ROUTER_NONE;
    c->router_by = HTMMU_BY_ADDRESS;
    c->router_bit = 30;
    c->free_choice = HTMMU_FREE_NEXT;
    c->divert = HTMMU_DIVERT_BUSY;
    c->l1_entries = 64;
    c->l1_ways = 4;
    c->l2_entries = 512;
    c->l2_ways = 4;
    c->merge_entries = 16;
    c->merge_items = 4;
    c->path_cache = HTMMU_PATH_SHARED;
    c->tpc_entries = 32;
    c->tpc_ways = 0;
    c->node = 45;
    c->bank_gates = 2000;
    c->item_bytes = 8;
}

/* 1: more ways than lines of the table cost what as many do as there are lines. */
static uint32_t revision(const void *config, msw_fidelity fidelity)
{
    const htmmu_config *c = config;
    (void)fidelity;
    return c->table_lines > 0 && c->table_line_ways > c->table_lines ? 1 : 0;
}

static const msw_reference REFERENCES[] = {
    {.name = "baseline",
     .doc = "the MMU of table 1 with the same unpublished choices",
     .change = change_baseline},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "large_page", "large_share", "router_by",
                                             NULL};
static const msw_artifact ARTIFACTS[] = {
    [HTMMU_ARTIFACT_STREAM] = {.name = "stream",
                               .depends = STREAM_DEPENDS,
                               .build = htmmu_build_stream},
    {0},
};

static const char *const BANK_COLUMNS[] = {"bank",     "requests",       "hits",  "misses",
                                           "diverted", "blocked_cycles", "share", NULL};
static const char *const BANK_UNITS[] = {"",         "requests", "requests", "requests",
                                         "requests", "cycles",   ""};
static const msw_detail DETAILS[] = {
    {.name = "banks",
     .doc = "requests of each bank of the first TLB at full, those diverted to it, and the time "
            "that a miss without a register held it up",
     .columns = BANK_COLUMNS,
     .units = BANK_UNITS},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles", .quantile = 0.95, .tolerance = 0.16, .share = 1},
    {.metric = "relative_time",
     .quantile = 0.9,
     .excess = true,
     .points = 0.01,
     .tolerance = 0.15,
     .share = 1},
    {.metric = "mean_wait", .quantile = 0.75, .tolerance = 0.025, .share = 1},
    {.metric = "requests", .quantile = 1, .tolerance = 1e-9, .share = 1},
    {0},
};
static const msw_monotone MONOTONE[] = {
    {.param = "level_cycles", .metric = "cycles", .sign = +1},
    {0},
};

static const char *const HISTOGRAMS[] = {"wait", NULL};

static const char *const SOURCES[] = {
    "Ding, Li, HTMMU: a memory management unit for irregular memory access in deep learning", NULL};

static const msw_part *const PARTS_CLOSED[] = {
    &msw_part_cache, &msw_part_cost,      &msw_part_dram,        &msw_part_dram_map,
    &msw_part_event, &msw_part_pagetable, &msw_part_translation, NULL};
static const msw_part *const PARTS_MACHINE[] = {
    &msw_part_cache, &msw_part_cost,      &msw_part_dram,        &msw_part_dram_map,
    &msw_part_event, &msw_part_pagetable, &msw_part_translation, NULL};

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {
    "page_size", "level_cycles", "memory_model", "merge_entries", "table_lines", "l2_entries",
    "l1_mshrs",  "path_cache",   "l2_mshrs",     "router",        NULL};

const msw_mech msw_mech_htmmu = {
    .name = "htmmu",
    .title = "Multi-stream MMU for irregular access: banked TLB, merge buffer, path cache",
    .foremost = FOREMOST,
    .omits = "the instruction side, page faults, invalidations, and the data that share "
             "memory with the page tables",
    .version_closed = 16,
    .version_machine = 12,
    .revision = revision,
    .parts_closed = PARTS_CLOSED,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = htmmu_params,
    .config_size = sizeof(htmmu_config),
    .metrics = htmmu_metrics,
    .metric_count = HTMMU_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_ACCESSES,
    .default_workload = "dlrm/b128",
    .random = false,
    .budgeted = true,
    .histograms = HISTOGRAMS,
    .artifacts = ARTIFACTS,
    .references = REFERENCES,
    .details = DETAILS,
    .agreement = AGREEMENT,
    .monotone = MONOTONE,
    .checks = htmmu_checks,
    .laws = htmmu_laws,
    .learn_workloads = "dlrm/b1, dlrm/b128, dlrm/b2048, deepfm/b2048, neumf/b64, neumf/b2048, "
                       "kgcn/b128, karate, pruned, jumps, strides, dense, big, large, trace/lackey",
    .law_workloads = "trace/example, trace/lackey, karate, neumf/b64, dlrm/b1",
    .check = htmmu_check,
    .lint = htmmu_lint,
    .lint_depends = htmmu_lint_depends,
    .analytic = htmmu_analytic,
    .order = MSW_UNITS_FORWARD,
    .strata_max = HTMMU_STRATA,
    .state_bytes = htmmu_state_bytes,
    .strata = htmmu_strata,
    .begin = htmmu_begin,
    .advance = htmmu_advance,
    .lead = htmmu_lead,
    .measure = htmmu_measure,
    .derive = htmmu_derive,
    .price = htmmu_price_parts,
    .bounds = htmmu_bounds,
    .sram_bits = htmmu_sram_bits,
};
