/* SPDX-License-Identifier: MIT */
/* neummu: the record. Equations, assumptions and sources: README.md. */
#include "mech/neummu/cost.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/neummu/model.h"
#include "mech/neummu/stream.h"

/* For the list of presets. */
#define NEUMMU_MACHINES                                                                            \
    {.name = "tpu_v1",                                                                             \
     .doc = "TPU v1: 256 x 256 cells of 8 bits, 0.7 GHz, 34 GB/s (arXiv:1704.04760)",              \
     .values = neummu_preset_tpu_v1},                                                              \
        {.name = "tpu_v3",                                                                         \
         .doc = "TPU v3 chip: 4 x 128 x 128 cells, 140 Tops, 900 GB/s (JAX scaling book)",         \
         .values = neummu_preset_tpu_v3},                                                          \
        {.name = "tpu_v4",                                                                         \
         .doc = "TPU v4 chip: 8 x 128 x 128 cells, 275 Tops, 1200 GB/s (JAX scaling book)",        \
         .values = neummu_preset_tpu_v4},                                                          \
        {.name = "tpu_v5e",                                                                        \
         .doc = "TPU v5e chip: 4 x 128 x 128 cells, 197 Tops, 820 GB/s (JAX scaling book)",        \
         .values = neummu_preset_tpu_v5e},                                                         \
        {.name = "tpu_v5p",                                                                        \
         .doc = "TPU v5p chip: 8 x 128 x 128 cells, 459 Tops, 2800 GB/s (JAX scaling book)",       \
         .values = neummu_preset_tpu_v5p},                                                         \
        {.name = "gaudi2",                                                                         \
         .doc = "Gaudi 2: 2 x 256 x 256 cells, 432 Tops, 2460 GB/s (Intel, Hot Chips 2024)",       \
         .values = neummu_preset_gaudi2},                                                          \
        {.name = "gaudi3",                                                                         \
         .doc = "Gaudi 3: 8 x 256 x 256 cells, 1835 Tops, 3670 GB/s, 96 MB (Intel, Hot Chips "     \
                "2024)",                                                                           \
         .values = neummu_preset_gaudi3},                                                          \
    {                                                                                              \
        .name = "h100_copy",                                                                       \
        .doc = "a copy engine of an H100-class GPU: PCIe 5.0 x16, 64 GB/s one way, 1.98 GHz "      \
               "(NVIDIA's data sheet)",                                                            \
        .values = neummu_preset_h100_copy                                                          \
    }

const msw_preset_value neummu_preset_iommu[] = {
    {.param = "ptw_count", .value = "8"},
    {.param = "scoreboard", .value = "off"},
    {.param = "prmb_slots", .value = "0"},
    {.param = "path_cache", .value = "none"},
    {0},
};
const msw_preset_value neummu_preset_neummu[] = {
    {.param = "ptw_count", .value = "128"},
    {.param = "scoreboard", .value = "on"},
    {.param = "prmb_slots", .value = "32"},
    {.param = "path_cache", .value = "register"},
    {0},
};
const msw_preset_value neummu_preset_oracle[] = {
    {.param = "oracle", .value = "on"},
    {0},
};
static const msw_preset_value MNPUSIM[] = {
    {.param = "ptw_count", .value = "8"},
    {.param = "prmb_slots", .value = "unlimited"},
    {.param = "return_cycles", .value = "0"},
    {.param = "path_cache", .value = "none"},
    {.param = "walk_cycles", .value = "400"},
    {.param = "issue_width", .value = "unlimited"},
    {.param = "dma_bytes", .value = "64"},
    {.param = "bandwidth", .value = "256"},
    {.param = "tlb_ways", .value = "8"},
    {.param = "tlb_policy", .value = "bit"},
    {.param = "memory_model", .value = "banks"},
    {.param = "memory_channels", .value = "8"},
    {0},
};
static const msw_preset PRESETS[] = {
    {NEUMMU_IOMMU_ROW},
    {NEUMMU_NEUMMU_ROW},
    {NEUMMU_ORACLE_PRESET_ROW},
    {.name = "mnpusim",
     .doc = "what a public cycle simulator models: walks of one length, all merged, any issue, "
            "bit pseudo-LRU over 8 ways, 8 channels of HBM2",
     .values = MNPUSIM},
    NEUMMU_MACHINES,
    {0},
};

/* All that cannot matter is dropped, so that all MMUs share one reference. */
static void change_oracle(void *config)
{
    neummu_config *c = config, own = *c;
    msw_params_defaults(neummu_params, c);
    c->oracle = 1;
    c->page_size = own.page_size;
    c->large_page_size = own.large_page_size;
    c->dma_bytes = own.dma_bytes;
    c->boundary = own.boundary;
    c->issue_width = own.issue_width;
    c->frequency = own.frequency;
    c->bandwidth = own.bandwidth;
    c->memory_cycles = own.memory_cycles;
    c->memory_model = own.memory_model;
    c->memory_preset = own.memory_preset;
    c->memory_channels = own.memory_channels;
    c->memory_stacks = own.memory_stacks;
    c->memory_least = own.memory_least;
}

/* 1: an oracle's look-ups take no energy, as its TLB takes no area. 2: where accesses are timed one
 * by one no walker begins before its last walk has ended, and a unit's history is as long. */
static uint32_t revision(const void *config, msw_fidelity fidelity)
{
    const neummu_config *c = config;
    (void)fidelity;
    return c->oracle ? 1 : neummu_times_accesses(c) ? 2 : 0;
}

static const msw_reference REFERENCES[] = {
    {.name = "oracle", .doc = "every translation is known at once", .change = change_oracle},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "large_page_size", "dma_bytes",
                                             "boundary", NULL};
static const msw_artifact ARTIFACTS[] = {
    {.name = "stream", .depends = STREAM_DEPENDS, .build = neummu_build_stream},
    {0},
};

static const char *const BURST_COLUMNS[] = {"step", "layer", "window", "requests",
                                            "low",  "high",  NULL};
static const char *const BURST_UNITS[] = {"", "", "", "requests", "B", "B"};
static const char *const LAYER_COLUMNS[] = {
    "layer",        "tiles",      "cycles",  "layer_start",   "fill",
    "translation",  "memory",     "compute", "write_back",    "store_translation",
    "translations", "tlb_misses", "walks",   "walk_accesses", NULL};
static const char *const LAYER_UNITS[] = {"",         "tiles",    "cycles", "cycles",  "cycles",
                                          "cycles",   "cycles",   "cycles", "cycles",  "cycles",
                                          "requests", "requests", "walks",  "accesses"};
static const char *const LATENCY_COLUMNS[] = {"low", "high", "walks", NULL};
static const char *const LATENCY_UNITS[] = {"cycles", "cycles", "walks"};
static const char *const WALKER_COLUMNS[] = {"step", "layer", "window", "busy", NULL};
static const char *const WALKER_UNITS[] = {"", "", "", "walkers"};
static const msw_detail DETAILS[] = {
    {.name = "bursts",
     .doc =
         "translations asked for in each profile_window of each step, and their range of addresses",
     .columns = BURST_COLUMNS,
     .units = BURST_UNITS},
    {.name = "layers",
     .doc = "cycles, where they went, and walks of each layer; sampled: estimated from the units "
            "measured of its strata",
     .columns = LAYER_COLUMNS,
     .units = LAYER_UNITS},
    {.name = "walk_latency",
     .doc = "walks by the time from reaching the walkers to the end; analytic: means of flows",
     .columns = LATENCY_COLUMNS,
     .units = LATENCY_UNITS},
    {.name = "walkers",
     .doc = "busy walkers, mean over each profile_window of each step; analytic: over the step",
     .columns = WALKER_COLUMNS,
     .units = WALKER_UNITS},
    {0},
};

/* The space that the paper varies: formulas alone answer it. */
static const char ARGUED[] = "the other half is the oracle, which is exact";
static const char ARGUED_PAPER[] =
    "what the paper varies; the statement of cycles is about the rest, too";
static const char *const PAPER[] = {"walk_cycles",   "large_page_size", "tlb2_entries",
                                    "tlb_policy",    "walk_queue",      "outstanding",
                                    "walker_choice", "walk_traffic",    "walk_memory",
                                    "table_lines",   "tlb_prefetch",    NULL};
static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .workloads = "*/b1",
     .quantile = 0.95,
     .tolerance = 0.06,
     .region = "NOT oracle",
     .share = 0.5,
     .argued = ARGUED},
    {.metric = "slowdown",
     .workloads = "*/b1",
     .quantile = 0.9,
     .excess = true,
     .points = 0.01,
     .tolerance = 0.012,
     .region = "NOT oracle AND path_cache <> 'unified' AND walk_cycles = 0 AND "
               "large_page_size = 0 AND tlb2_entries = 0 AND tlb_policy = 'lru' AND "
               "walk_queue = 0 AND outstanding = 0 AND walker_choice = 'longest_idle' AND "
               "NOT walk_traffic AND walk_memory = 'fixed' AND table_lines = 0 AND "
               "tlb_prefetch = 'none'",
     .neutral = PAPER,
     .share = 0.4,
     .argued = ARGUED_PAPER},
    {.metric = "translations", .quantile = 1, .tolerance = 1e-9, .share = 1},
    {0},
};
static const msw_monotone MONOTONE[] = {
    {.param = "walk_level_cycles", .metric = "cycles", .sign = +1},
    {.param = "memory_cycles", .metric = "cycles", .sign = +1},
    {.param = "bandwidth", .metric = "cycles", .sign = -1},
    {0},
};

static const char *const SOURCES[] = {"Hyun et al., NeuMMU, ASPLOS 2020 (arXiv:1911.06859)",
                                      "casys-kaist/mNPUsim: TLB and walker defaults", NULL};

/* The closed form runs the cycle model on a few steps: both use the same parts. */
static const msw_part *const PARTS_CLOSED[] = {
    &msw_part_cache, &msw_part_cost,      &msw_part_dram_analytic, &msw_part_dram_map,
    &msw_part_event, &msw_part_pagetable, &msw_part_translation,   NULL};
static const msw_part *const PARTS_MACHINE[] = {
    &msw_part_cache, &msw_part_cost,      &msw_part_dram_analytic, &msw_part_dram_map,
    &msw_part_event, &msw_part_pagetable, &msw_part_translation,   NULL};

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {
    "outstanding", "ptw_count",  "walk_cycles", "walk_level_cycles", "page_size", "table_lines",
    "scoreboard",  "prmb_slots", "dma_bytes",   "tlb_prefetch",      NULL};

const msw_mech msw_mech_neummu = {
    .name = "neummu",
    .title = "Address translation of a scratchpad accelerator: merging, many walkers, paths kept",
    .foremost = FOREMOST,
    .omits = "page faults, invalidations, and other masters of the IOMMU",
    .version_closed = 15,
    .version_machine = 11,
    .revision = revision,
    .parts_closed = PARTS_CLOSED,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = neummu_params,
    .config_size = sizeof(neummu_config),
    .metrics = neummu_metrics,
    .metric_count = NEUMMU_METRICS,
    .primary = "slowdown",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_TILES,
    .default_workload = "alexnet/b1",
    .random = false,
    .budgeted = true,
    .artifacts = ARTIFACTS,
    .references = REFERENCES,
    .details = DETAILS,
    .agreement = AGREEMENT,
    .monotone = MONOTONE,
    .checks = neummu_checks,
    .laws = neummu_laws,
    .learn_workloads =
        "ncf/b1, alexnet/b1, googlenet/b1, resnet50/b1, rnn1/b1, rnn2/b1, rnn3/b4, dlrm_rm1/b1, "
        "dlrm_rm2/b1, dlrm_rm3/b1, mobilenet_v2/b1, efficientnet_b0/b1, bert_base_s128/b1, "
        "gnmt_s1/b1, vgg16/b1, alexnet/b8, gpt2/decode, vit_b16/b1",
    .law_workloads = "workloads/npu/tiles/example.csv, workloads/npu/tiles/streaming.csv, ncf/b1, "
                     "dlrm_kaggle/b1, dlrm_rm1/b1",
    .check = neummu_check,
    .analytic = neummu_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .carried = neummu_carried,
    .strata_max = 16384,
    .state_bytes = neummu_state_bytes,
    .strata = neummu_strata,
    .predictable = neummu_predictable,
    .predict_begin = neummu_predict_begin,
    .predict = neummu_predict,
    .begin = neummu_begin,
    .warm = neummu_warm,
    .measure = neummu_measure,
    .finish = neummu_finish_details,
    .derive = neummu_derive,
    .price = neummu_price_parts,
    .bounds = neummu_bounds,
    .sram_bits = neummu_sram_bits,
};
