/* htmmu: the record. Equations, assumptions and sources: README.md. */
#include "htmmu_profile.h"

#define TABLE_1                                                                                    \
    {"streams", "1"}, {"router", "none"}, {"l1_entries", "64"}, {"l2_entries", "512"},             \
        {"merge_entries", "16"}, {"merge_items", "4"},                                             \
    {                                                                                              \
        "tpc_entries", "32"                                                                        \
    }
#define FINAL                                                                                      \
    {"streams", "4"}, {"router", "adaptive"}, {"l1_entries", "32"}, {"l2_entries", "544"},         \
        {"merge_entries", "16"}, {"merge_items", "8"},                                             \
    {                                                                                              \
        "tpc_entries", "28"                                                                        \
    }
#define PLAIN                                                                                      \
    {                                                                                              \
        "l2_coalesce", "1"                                                                         \
    }
#define COALESCED                                                                                  \
    {                                                                                              \
        "l2_coalesce", "8"                                                                         \
    }

static const msw_preset_value BASELINE[] = {TABLE_1, PLAIN, {0}};
static const msw_preset_value HTMMU[] = {FINAL, PLAIN, {0}};
static const msw_preset_value BASELINE_COALESCED[] = {TABLE_1, COALESCED, {0}};
static const msw_preset_value HTMMU_COALESCED[] = {FINAL, COALESCED, {0}};
static const msw_preset_value TBU[] = {
    {"streams", "4"},        {"router", "adaptive"}, {"l1_entries", "32"},  {"l2_entries", "544"},
    {"merge_entries", "16"}, {"merge_items", "4"},   {"tpc_entries", "32"}, {0}};
static const msw_preset PRESETS[] = {
    {"baseline", "table 1, second TLB of 128 sets x 4 ways", BASELINE},
    {"baseline_coalesced", "table 1, second TLB of 16 sets x 4 ways of 8 pages",
     BASELINE_COALESCED},
    {"tbu", "baseline with 4 streams and entries split 32 / 544", TBU},
    {"htmmu", "tbu with 8 merge items and 28 paths", HTMMU},
    {"htmmu_coalesced", "htmmu with 8 pages in an entry of the second TLB", HTMMU_COALESCED},
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

static const msw_reference REFERENCES[] = {
    {"baseline", "the MMU of table 1 with the same unpublished choices", change_baseline},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "large_page", "large_share", "router_by",
                                             NULL};
static const char *const PROFILE_DEPENDS[] = {
    "page_size",    "large_page",  "large_share",   "router_by",
    "table_levels", "l2_coalesce", "coalesce_fill", NULL};
static const char *const BANKS_DEPENDS[] = {
    "page_size",  "large_page",  "large_share", "streams",     "router",        "router_by",
    "router_bit", "free_choice", "divert",      "l1_coalesce", "coalesce_fill", NULL};
static const char *const ROWS_DEPENDS[] = {
    "page_size",    "large_page",      "large_share",  "router_by",  "table_levels",
    "memory_model", "memory_channels", "memory_banks", "path_cache", NULL};
static const msw_artifact ARTIFACTS[] = {
    {"stream", STREAM_DEPENDS, false, htmmu_build_stream, false},
    {"profile", PROFILE_DEPENDS, false, htmmu_build_profile, true},
    {"banks", BANKS_DEPENDS, false, htmmu_build_banks, true},
    {"rows", ROWS_DEPENDS, false, htmmu_build_rows, true},
    {0},
};

static const char *const BANK_COLUMNS[] = {"bank",     "requests",       "hits",  "misses",
                                           "diverted", "blocked_cycles", "share", NULL};
static const char *const BANK_UNITS[] = {"",         "requests", "requests", "requests",
                                         "requests", "cycles",   ""};
static const msw_detail DETAILS[] = {
    {"banks",
     "requests of each bank of the first TLB at full, those diverted to it, and the time that a "
     "miss without a register held it up",
     BANK_COLUMNS, BANK_UNITS},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {"cycles", 0.4, NULL}, {"mean_wait", 0.4, NULL}, {"requests", 1e-9, NULL}, {0}};
static const msw_monotone MONOTONE[] = {{"level_cycles", "cycles", +1}, {0}};

static const char *const HISTOGRAMS[] = {"wait", NULL};

static const char *const SOURCES[] = {
    "Ding, Li, HTMMU: a memory management unit for irregular memory access in deep learning", NULL};

static int check_power(int64_t value, const char *name, msw_err *err)
{
    if (value & (value - 1))
        return msw_fail(err, "%s = %lld is not a power of two", name, (long long)value);
    return 0;
}

static int check_tlb(int64_t pages, int64_t ways, int64_t coalesce, const char *name, msw_err *err)
{
    int64_t entries = pages / coalesce;
    if (pages % coalesce)
        return msw_fail(err, "%lld pages in a bank of %s are not a multiple of %s_coalesce = %lld",
                        (long long)pages, name, name, (long long)coalesce);
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%lld entries in a bank of %s are not a multiple of %s_ways = %lld",
                        (long long)entries, name, name, (long long)ways);
    return 0;
}

static int check_tree(const htmmu_config *c, int64_t entries, int64_t ways, const char *name,
                      msw_err *err)
{
    int64_t set = ways && ways < entries ? ways : entries;
    if (c->policy == MSW_POLICY_TREE && set & (set - 1))
        return msw_fail(err, "%lld ways of %s are not a power of two, as policy = tree needs",
                        (long long)set, name);
    return 0;
}

int htmmu_check(const void *config, msw_err *err)
{
    const htmmu_config *c = config;
    if (check_power(c->page_size, "page_size", err) ||
        check_power(c->large_page, "large_page", err) ||
        check_power(c->l1_coalesce, "l1_coalesce", err) ||
        check_power(c->l2_coalesce, "l2_coalesce", err) ||
        check_power(c->memory_channels, "memory_channels", err) ||
        check_power(c->memory_banks, "memory_banks", err))
        return -1;
    if (c->l1_entries % c->streams)
        return msw_fail(err, "l1_entries = %lld is not a multiple of streams = %lld",
                        (long long)c->l1_entries, (long long)c->streams);
    if (c->large_page && c->large_page <= c->page_size)
        return msw_fail(err, "large_page is not larger than page_size");
    if (check_tlb(htmmu_bank_entries(c), c->l1_ways, c->l1_coalesce, "l1", err) ||
        check_tree(c, htmmu_bank_entries(c) / c->l1_coalesce, c->l1_ways, "l1", err))
        return -1;
    if (c->l2_entries && (check_tlb(c->l2_entries, c->l2_ways, c->l2_coalesce, "l2", err) ||
                          check_tree(c, c->l2_entries / c->l2_coalesce, c->l2_ways, "l2", err)))
        return -1;
    if (c->path_cache == HTMMU_PATH_UNIFIED && c->tpc_ways && c->tpc_entries > c->tpc_ways &&
        c->tpc_entries % c->tpc_ways)
        return msw_fail(err, "tpc_entries is not a multiple of tpc_ways");
    return 0;
}

const msw_mech msw_mech_htmmu = {
    .name = "htmmu",
    .title = "Multi-stream MMU for irregular access: banked TLB, merge buffer, path cache",
    .version = 4,
    .sources = SOURCES,
    .params = htmmu_params,
    .config_size = sizeof(htmmu_config),
    .metrics = htmmu_metrics,
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
    .check = htmmu_check,
    .analytic = htmmu_analytic,
    .order = MSW_UNITS_FORWARD,
    .strata_max = 3,
    .state_bytes = htmmu_state_bytes,
    .strata = htmmu_strata,
    .begin = htmmu_begin,
    .advance = htmmu_advance,
    .measure = htmmu_measure,
    .derive = htmmu_derive,
};
