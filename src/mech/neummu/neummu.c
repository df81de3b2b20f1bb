/* neummu: the record. Equations, assumptions and sources: README.md. */
#include "neummu.h"

static const msw_preset_value IOMMU[] = {
    {"ptw_count", "8"}, {"scoreboard", "off"}, {"prmb_slots", "0"}, {"path_cache", "none"}, {0}};
static const msw_preset_value NEUMMU[] = {{"ptw_count", "128"},
                                          {"scoreboard", "on"},
                                          {"prmb_slots", "32"},
                                          {"path_cache", "register"},
                                          {0}};
static const msw_preset_value ORACLE[] = {{"oracle", "on"}, {0}};
static const msw_preset_value MNPUSIM[] = {
    {"ptw_count", "8"},     {"prmb_slots", "unlimited"}, {"return_cycles", "0"},
    {"path_cache", "none"}, {"walk_cycles", "400"},      {"issue_width", "unlimited"},
    {"dma_bytes", "64"},    {"bandwidth", "256"},        {0}};
static const msw_preset PRESETS[] = {
    {"iommu", "8 walkers, no merging, no path cache", IOMMU},
    {"neummu", "128 walkers with 32 merge slots and a path register each", NEUMMU},
    {"oracle", "every translation is known at once", ORACLE},
    {"mnpusim", "what a public cycle simulator models: walks of one length, all merged, any issue",
     MNPUSIM},
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
    c->issue_width = own.issue_width;
    c->frequency = own.frequency;
    c->bandwidth = own.bandwidth;
    c->memory_cycles = own.memory_cycles;
    c->memory_model = own.memory_model;
    c->memory_channels = own.memory_channels;
}

static const msw_reference REFERENCES[] = {
    {"oracle", "every translation is known at once", change_oracle},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "large_page_size", "dma_bytes", NULL};
static const msw_artifact ARTIFACTS[] = {
    {"stream", STREAM_DEPENDS, false, neummu_build_stream, false},
    {0},
};

static const char *const BURST_COLUMNS[] = {"step", "layer", "window", "requests",
                                            "low",  "high",  NULL};
static const char *const BURST_UNITS[] = {"", "", "", "requests", "B", "B"};
static const msw_detail DETAILS[] = {
    {"bursts",
     "translations asked for in each profile_window of each step, and their range of addresses",
     BURST_COLUMNS, BURST_UNITS},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {"cycles", 0.05, NULL}, {"slowdown", 0.05, NULL}, {"translations", 1e-9, NULL}, {0}};
static const msw_monotone MONOTONE[] = {{"walk_level_cycles", "cycles", +1},
                                        {"memory_cycles", "cycles", +1},
                                        {"bandwidth", "cycles", -1},
                                        {0}};

static const char *const SOURCES[] = {"Hyun et al., NeuMMU, ASPLOS 2020 (arXiv:1911.06859)",
                                      "casys-kaist/mNPUsim: TLB and walker defaults", NULL};

static int check_power(int64_t value, const char *name, msw_err *err)
{
    if (value & (value - 1))
        return msw_fail(err, "%s = %lld is not a power of two", name, (long long)value);
    return 0;
}

static int check_ways(int64_t entries, int64_t ways, const char *name, msw_err *err)
{
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%s_entries = %lld is not a multiple of %s_ways = %lld", name,
                        (long long)entries, name, (long long)ways);
    return 0;
}

int neummu_check(const void *config, msw_err *err)
{
    const neummu_config *c = config;
    if (check_power(c->page_size, "page_size", err) ||
        check_power(c->large_page_size, "large_page_size", err) ||
        check_power(c->dma_bytes, "dma_bytes", err) ||
        check_ways(c->tlb_entries, c->tlb_ways, "tlb", err) ||
        check_ways(c->tlb2_entries, c->tlb2_ways, "tlb2", err))
        return -1;
    if (c->large_page_size && c->large_page_size <= c->page_size)
        return msw_fail(err, "large_page_size = %lld is not above page_size = %lld",
                        (long long)c->large_page_size, (long long)c->page_size);
    if (c->path_cache == NEUMMU_PATH_UNIFIED)
        return check_ways(c->path_entries, c->path_ways, "path", err);
    return 0;
}

const msw_mech msw_mech_neummu = {
    .name = "neummu",
    .title = "Address translation of a scratchpad accelerator: merging, many walkers, paths kept",
    .version = 5,
    .sources = SOURCES,
    .params = neummu_params,
    .config_size = sizeof(neummu_config),
    .metrics = neummu_metrics,
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
    .check = neummu_check,
    .analytic = neummu_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = 16384,
    .state_bytes = neummu_state_bytes,
    .strata = neummu_strata,
    .begin = neummu_begin,
    .warm = neummu_warm,
    .measure = neummu_measure,
    .derive = neummu_derive,
};
