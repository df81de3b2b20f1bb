/* SPDX-License-Identifier: MIT */
/* camdn: the record. Equations, assumptions and sources: README.md. */
#include "mech/camdn/closed/visits.h"
#include "mech/camdn/model.h"
#include "mech/camdn/plan/plan.h"

static const msw_artifact ARTIFACTS[] = {
    {.name = "tables",
     .depends = camdn_tables_depends,
     .build = camdn_build_tables,
     .flatten = camdn_flatten_table,
     .unflatten = camdn_unflatten_table,
     .version = 1,
     .part_count = camdn_table_count,
     .part_key = camdn_table_key,
     .build_part = camdn_build_table},
    {.name = "levels", .depends = camdn_levels_depends, .build = camdn_build_levels},
    {.name = "plans", .depends = camdn_plans_depends, .build = camdn_build_plans},
    {.name = "visits",
     .depends = camdn_visits_depends,
     .needed = camdn_visits_needed,
     .build = camdn_visits_build,
     .fidelities = MSW_AT(MSW_ANALYTIC)},
    {0},
};

static const char *const SOURCES[] = {"Cai et al., CaMDN, DAC 2025 (arXiv:2505.06625)",
                                      "ucb-bar/gemmini: the NPU", NULL};

static const char *const NETWORK_COLUMNS[] = {"network", "tasks",   "mean",       "p50",
                                              "p99",     "traffic", "pages_wait", NULL};
static const char *const NETWORK_UNITS[] = {"",       "tasks", "cycles", "cycles",
                                            "cycles", "B",     "cycles", NULL};
static const char *const LAYER_COLUMNS[] = {"network", "operator", "runs",  "cycles",
                                            "read",    "written",  "pages", NULL};
static const char *const LAYER_UNITS[] = {"", "", "runs", "cycles", "B", "B", "pages", NULL};
static const char *const SPAN_COLUMNS[] = {"time", "pages", NULL};
static const char *const SPAN_UNITS[] = {"cycles", "pages", NULL};

static const char *const TASK_COLUMNS[] = {"task", "network", "latency", "traffic", NULL};
static const char *const TASK_UNITS[] = {"", "", "cycles", "B", NULL};
static const char *const SERVED_COLUMNS[] = {"network", "tasks", "targeted", "in_time", "mean",
                                             "p99",     "alone", "progress", NULL};
static const char *const SERVED_UNITS[] = {"",       "tasks",  "tasks", "tasks", "cycles",
                                           "cycles", "cycles", "",      NULL};
static const char *const SERVICE_COLUMNS[] = {"networks",    "targeted", "in_time",  "unmet", "sla",
                                              "sla_geomean", "stp",      "fairness", "p99",   NULL};
static const char *const SERVICE_UNITS[] = {"networks", "tasks", "tasks", "networks", "",
                                            "",         "",      "",      "cycles",   NULL};
static const char *const BATCH_COLUMNS[] = {"quantity", "batches", "tasks", "mean",
                                            "hw",       "lag1",    NULL};
static const char *const BATCH_UNITS[] = {"", "batches", "tasks", "", "", "", NULL};

static const char *const BANK_COLUMNS[] = {"channel", "reads",     "writes", "hits",
                                           "closed",  "conflicts", "busy",   NULL};
static const char *const BANK_UNITS[] = {"",         "requests", "requests", "requests",
                                         "requests", "requests", "cycles",   NULL};

static const char *const TRANSLATED_COLUMNS[] = {
    "tenant", "tasks",  "translations",  "tlb_hits", "tlb_misses",
    "walks",  "merged", "walk_accesses", "wait",     NULL};
static const char *const TRANSLATED_UNITS[] = {"",         "tasks", "requests", "requests",
                                               "requests", "walks", "requests", "requests",
                                               "cycles",   NULL};

static const msw_detail DETAILS[] = {
    [CAMDN_DETAIL_NETWORKS] = {.name = "networks",
                               .doc = "tasks of a network, numbered as in the mix: latency, and "
                                      "means of a task",
                               .columns = NETWORK_COLUMNS,
                               .units = NETWORK_UNITS},
    [CAMDN_DETAIL_LAYERS] = {.name = "layers",
                             .doc = "operators of a network: means of a run",
                             .columns = LAYER_COLUMNS,
                             .units = LAYER_UNITS},
    [CAMDN_DETAIL_SPANS] = {.name = "spans",
                            .doc = "pages that tenants hold, over time",
                            .columns = SPAN_COLUMNS,
                            .units = SPAN_UNITS},
    [CAMDN_DETAIL_TASKS] = {.name = "tasks",
                            .doc = "counted tasks with their network: the same ones for every "
                                   "configuration, so that they pair",
                            .columns = TASK_COLUMNS,
                            .units = TASK_UNITS},
    [CAMDN_DETAIL_BATCHES] = {.name = "batches",
                              .doc = "batch means of latency (0) and traffic (1), where 40 tasks "
                                     "or more are counted: half-width at 95 %, correlation of "
                                     "neighbouring batches",
                              .columns = BATCH_COLUMNS,
                              .units = BATCH_UNITS},
    [CAMDN_DETAIL_SERVED] = {.name = "served",
                             .doc = "tasks of a network: with a target, in time, "
                                    "cycles of one alone, progress (alone / mean latency)",
                             .columns = SERVED_COLUMNS,
                             .units = SERVED_UNITS},
    [CAMDN_DETAIL_SERVICE] = {.name = "service",
                              .doc = "all of them: networks of whose tasks none is in time, SLA "
                                     "rate as MoCA and as AuRORA count it, STP, fairness",
                              .columns = SERVICE_COLUMNS,
                              .units = SERVICE_UNITS},
    [CAMDN_DETAIL_BANKS] = {.name = "banks",
                            .doc = "channels of a memory with banks: rows that were open, closed, "
                                   "or another one's, cycles of the data bus",
                            .columns = BANK_COLUMNS,
                            .units = BANK_UNITS},
    [CAMDN_DETAIL_TRANSLATED] = {.name = "translated",
                                 .doc = "translations of a tenant, or of an NPU where tasks come "
                                        "from outside: sums over its counted tasks",
                                 .columns = TRANSLATED_COLUMNS,
                                 .units = TRANSLATED_UNITS},
    {0},
};

#define SOC                                                                                        \
    {.param = "tenants", .value = "16"}, {.param = "array_rows", .value = "32"},                   \
        {.param = "array_cols", .value = "32"}, {.param = "scratchpad", .value = "256KiB"},        \
        {.param = "cache_size", .value = "16MiB"}, {.param = "cache_slices", .value = "8"},        \
        {.param = "cache_ways", .value = "16"}, {.param = "npu_ways", .value = "12"},              \
        {.param = "cache_pages", .value = "512"}, {.param = "memory_bandwidth", .value = "102.4"}, \
        {.param = "memory_channels", .value = "4"},                                                \
    {                                                                                              \
        .param = "frequency", .value = "1"                                                         \
    }
#define PAGES                                                                                      \
    {.param = "cache_control", .value = "pages"},                                                  \
    {                                                                                              \
        .param = "bypass", .value = "on"                                                           \
    }

static const msw_preset_value SHARED[] = {SOC, {0}};
static const msw_preset_value HARDWARE[] = {
    SOC, PAGES, {.param = "allocation", .value = "equal"}, {0}};
static const msw_preset_value FULL[] = {
    SOC, PAGES, {.param = "allocation", .value = "dynamic"}, {0}};
#define CHIP                                                                                       \
    {.param = "translation", .value = "shared_walkers"}, {.param = "tlb_ways", .value = "8"},      \
    {                                                                                              \
        .param = "tlb2_entries", .value = "4096"                                                   \
    }
/* arch_tpu_small of casys-kaist/mNPUsim: no cache, one memory. It asks for all
 * lines of a tile at once. */
#define MNPUSIM_RUN                                                                                \
    {.param = "array_rows", .value = "128"}, {.param = "array_cols", .value = "128"},              \
        {.param = "bypass", .value = "on"}, {.param = "cache_cycles", .value = "0"},               \
        {.param = "slice_bytes", .value = "1024"}, {.param = "cache_slices", .value = "64"},       \
        {.param = "port_bytes", .value = "1024"}, {.param = "in_flight", .value = "65536"},        \
        {.param = "burst", .value = "1"}, {.param = "stores", .value = "waited"},                  \
        {.param = "memory_model", .value = "banks"}, {.param = "memory_preset", .value = "hbm2"},  \
        {.param = "memory_channels", .value = "8"}, {.param = "frames", .value = "first_touch"},   \
        {.param = "translate_width", .value = "4096"},                                             \
        {.param = "translate_ahead", .value = "65536"}, {.param = "tlb_ways", .value = "8"},       \
        {.param = "tlb_policy", .value = "bit"}, {.param = "tlb_fill", .value = "claims"},         \
        {.param = "walk_cycles", .value = "400"}, {.param = "walk_queue", .value = "16384"},       \
        {.param = "path_cache", .value = "none"}, {.param = "return_cycles", .value = "0"},        \
    {                                                                                              \
        .param = "prmb_slots", .value = "unlimited"                                                \
    }
static const msw_preset_value SOC_CHIP[] = {SOC, CHIP, {0}};
static const msw_preset_value MNPUSIM_D[] = {
    MNPUSIM_RUN, {.param = "translation", .value = "private"}, {0}};
static const msw_preset_value MNPUSIM_DW[] = {
    MNPUSIM_RUN, {.param = "translation", .value = "shared_walkers"}, {0}};
static const msw_preset_value MNPUSIM_DWT[] = {
    MNPUSIM_RUN, {.param = "translation", .value = "shared"}, {0}};
static const msw_preset PRESETS[] = {
    {.name = "camdn_soc",
     .doc = "the system of CaMDN's Table II with a cache that all NPUs share",
     .values = SHARED},
    {.name = "camdn_hw", .doc = "the same with pages, an equal share each", .values = HARDWARE},
    {.name = "camdn_full", .doc = "the same with Algorithm 1", .values = FULL},
    {.name = "chip",
     .doc = "camdn_soc with a TLB for each NPU and a pool of walkers",
     .values = SOC_CHIP},
    {.name = "mnpusim_d",
     .doc = "casys-kaist/mNPUsim with tile lists: shared memory, private TLBs and walkers",
     .values = MNPUSIM_D},
    {.name = "mnpusim_dw", .doc = "the same with a pool of walkers", .values = MNPUSIM_DW},
    {.name = "mnpusim_dwt", .doc = "the same with one TLB", .values = MNPUSIM_DWT},
    {0},
};

static bool is_power(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

static int check_pages(const camdn_config *c, msw_err *err)
{
    int64_t sets = c->cache / (c->line * c->ways * c->slices), lines = sets * c->ways;
    if (lines % c->pages || !is_power(lines / c->pages) || sets % (lines / c->pages))
        return msw_fail(err,
                        "cache_pages %lld: pages of %lld sets x %lld ways must be a power of two "
                        "of sets, one way each",
                        (long long)c->pages, (long long)sets, (long long)c->ways);
    return 0;
}

static int check_banks(const camdn_config *c, msw_err *err)
{
    char text[CAMDN_MAP_BYTES];
    msw_dram_config dram = camdn_banks_of(c, text);
    msw_dram_map map;
    unsigned shift, bits;
    if (msw_dram_check(&dram, err) || msw_dram_map_init(&map, &dram, err))
        return -1;
    bits = camdn_colour_bits(&map, &shift);
    if (!is_power(c->colours) || c->colours > (int64_t)1 << bits)
        return msw_fail(err,
                        "bank_colours %lld: a power of two is allowed, up to the banks of a "
                        "channel that follow the row in addresses (%lld)",
                        (long long)c->colours, 1LL << bits);
    return 0;
}

int camdn_check(const void *config, msw_err *err)
{
    const camdn_config *c = config;
    int64_t row = c->line * c->ways * c->slices;
    if (!is_power(c->line))
        return msw_fail(err, "cache_line %lld: not a power of two", (long long)c->line);
    if (c->cache % row || c->cache < row)
        return msw_fail(err,
                        "cache_size %lld: not a multiple of cache_line x cache_ways x "
                        "cache_slices (%lld)",
                        (long long)c->cache, (long long)row);
    if (c->cache / c->line >= (int64_t)1 << 30)
        return msw_fail(err, "cache_size / cache_line: %lld lines, allowed: below 2^30",
                        (long long)(c->cache / c->line));
    if (c->requests * c->tenants * camdn_gang_most(c) > CAMDN_LINES_MOST)
        return msw_fail(
            err, "in_flight %lld: %lld tenants have %lld lines under way; allowed: %d of all",
            (long long)c->requests, (long long)c->tenants,
            (long long)(c->requests * c->tenants * camdn_gang_most(c)), CAMDN_LINES_MOST);
    if (c->npu_ways > c->ways || (c->control == CAMDN_PAGED && c->npu_ways == c->ways))
        return msw_fail(err, "npu_ways %lld of %lld: pages leave one way at least",
                        (long long)c->npu_ways, (long long)c->ways);
    if (c->share == CAMDN_SHARE_UTILITY && c->tenants > camdn_tagged_ways(c))
        return msw_fail(err, "share utility: %lld tenants, %lld ways: each needs one",
                        (long long)c->tenants, (long long)camdn_tagged_ways(c));
    if (c->draw == CAMDN_DRAW_PINNED && c->arrivals != CAMDN_CLOSED)
        return msw_fail(err,
                        "draw pinned: tasks that arrive have no tenant; allowed: with arrivals "
                        "closed");
    if (c->npu_policy != CAMDN_GANG_ONE && c->arrivals == CAMDN_CLOSED)
        return msw_fail(err, "npu_policy: tasks of tenants run on one NPU each; allowed with "
                             "arrivals closed: one");
    if (c->gang == 3 || (c->npu_policy == CAMDN_GANG_STATIC && c->gang > camdn_running(c)))
        return msw_fail(err,
                        "gang %lld: allowed: 1, 2, 4, and with npu_policy static not more than "
                        "npus and tenants (%lld)",
                        (long long)c->gang, (long long)camdn_running(c));
    msw_memory_size size = camdn_memory_size(c);
    MSW_TRY(msw_memory_check(msw_memory_of(c->memory_preset), &size, err));
    if (c->memory == CAMDN_MEMORY_BANKS && check_banks(c, err))
        return -1;
    if (camdn_check_translation(c, err))
        return -1;
    return c->control == CAMDN_PAGED ? check_pages(c, err) : 0;
}

/* A walk of fixed length takes a walker for at least so long. */
static double least_walk(const camdn_config *c, const double *metrics)
{
    const camdn_translation *t = &c->translation;
    if (t->kind <= CAMDN_TRANSLATE_IDEAL || t->memory != CAMDN_WALKS_FIXED)
        return 0;
    double cycles = t->walk_cycles ? metrics[CAMDN_WALKS] * (double)t->walk_cycles
                                   : metrics[CAMDN_WALK_ACCESSES] * (double)t->level_cycles;
    return cycles / (double)t->walkers;
}

static void set_bounds(const msw_task *task, double *metrics)
{
    const camdn_config *c = task->config;
    double npus = camdn_gang_most(c), slots = (double)(c->burst * camdn_groups(c)) * npus;
    metrics[CAMDN_LEAST_ARRAY] = metrics[CAMDN_COMPUTE];
    metrics[CAMDN_LEAST_PORT] =
        metrics[CAMDN_REQUESTS] * (double)c->line / ((double)c->port_bytes * npus);
    metrics[CAMDN_LEAST_MEMORY] = metrics[CAMDN_READ] / camdn_memory_rate(c);
    metrics[CAMDN_LEAST_WALK] = least_walk(c, metrics);
    metrics[CAMDN_LEAST_FLIGHT] = (metrics[CAMDN_REQUESTS] * (double)c->cache_cycles +
                                   metrics[CAMDN_READ] / (double)c->line * camdn_nearest(c)) /
                                  slots;
}

/* Microseconds, of networks of middle size: there is no product yet. */
static double cost_of(const msw_task *task)
{
    const camdn_config *c = task->config;
    double each = task->fidelity == MSW_ANALYTIC ? 1 : 1e5;
    return each * (double)(c->tenants * (c->tasks + c->first + 1));
}

/* Mixes of real networks. A point of the larger ones takes seconds at `full`, so that tests measure
 * small ones; what a sweep said about others: docs/internals/agreement-camdn.md. */
#define STATED_WHERE                                                                               \
    "arrivals = 'closed' AND memory_model = 'fixed' AND throttle = 0 AND npu_policy = 'one' AND "  \
    "residents = 0 AND mesh_width = 0"
static const char *const NEUTRAL[] = {"arrivals",  "memory_model", "throttle", "npu_policy",
                                      "residents", "mesh_width",   NULL};
#define MEASURED                                                                                   \
    "mix/small, mix:mobilenet_v2, mix:efficientnet_b0, mix:mobilenet_v2+efficientnet_b0"
static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .workloads = "mix/*, mix:*",
     .measured = MEASURED,
     .quantile = 0.7,
     .tolerance = 0.15,
     .region = STATED_WHERE,
     .share = 1,
     .neutral = NEUTRAL},
    {.metric = "traffic",
     .workloads = "mix/*, mix:*",
     .measured = MEASURED,
     .quantile = 0.8,
     .tolerance = 0.1,
     .region = STATED_WHERE,
     .share = 1,
     .neutral = NEUTRAL},
    {0},
};

static const msw_part *const PARTS_CLOSED[] = {&msw_part_dram_map, &msw_part_dram_analytic, NULL};
static const msw_part *const PARTS_MACHINE[] = {&msw_part_cache, &msw_part_dram, &msw_part_dram_map,
                                                NULL};

/* What configs with translation use beyond: in their keys alone. */
static const msw_part *const PARTS_MACHINE_TRANSLATED[] = {&msw_part_event, &msw_part_pagetable,
                                                           &msw_part_translation, NULL};

/* In these keys alone: version of the closed form of translation; stores that wait for banks, which
 * earlier rows call infeasible. */
enum { CLOSED_TRANSLATED = 2, WAITED_AT_BANKS = 1 << 24 };

static uint32_t revision_of(const void *config, msw_fidelity fidelity)
{
    const camdn_config *c = config;
    bool banks = c->memory == CAMDN_MEMORY_BANKS;
    uint32_t revision = 0;
    if (fidelity == MSW_ANALYTIC && c->translation.kind != CAMDN_TRANSLATE_NONE)
        revision = CLOSED_TRANSLATED;
    else if (c->translation.kind > CAMDN_TRANSLATE_IDEAL)
        for (const msw_part *const *part = PARTS_MACHINE_TRANSLATED; *part; part++)
            revision = 256 * revision + (uint32_t)(*part)->version;
    return revision + (banks && c->stores == CAMDN_STORES_WAITED ? WAITED_AT_BANKS : 0);
}

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {
    "tenants",      "tasks",         "memory_bandwidth", "frequency",  "in_flight", "slice_bytes",
    "cache_slices", "memory_cycles", "cache_cycles",     "cache_size", NULL};

const msw_mech msw_mech_camdn = {
    .name = "camdn",
    .title = "Networks on NPUs that share a cache and the memory behind it",
    .foremost = FOREMOST,
    .omits = "cache pages that are chosen by the bank behind them, and links from slices "
             "to the memory",
    .version_closed = 10,
    .version_machine = 6,
    .revision = revision_of,
    .parts_closed = PARTS_CLOSED,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = camdn_params,
    .config_size = sizeof(camdn_config),
    .metrics = camdn_metrics,
    .metric_count = CAMDN_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_GRAPH,
    .default_workload = "mix/small",
    .random = true,
    .budgeted = true,
    .artifacts = ARTIFACTS,
    .details = DETAILS,
    .agreement = AGREEMENT,
    .checks = camdn_checks,
    .laws = camdn_laws,
    .learn_workloads =
        "mix/small, mix:ncf, mix:dlrm_rm1, mix:dlrm_rm1+ncf, mix:ncf/b16, mix:dlrm_rm1/b32, "
        "mix:dlrm_rm1/b4+ncf/b64+ncf, mix:ncf:3+dlrm_rm1/b2, mix:ncf/b256, "
        "mix:dlrm_rm1/b8+ncf/b8+dlrm_rm1, mix:dlrm_rm2, mix:dlrm_rm2+ncf:2, "
        "mix:dlrm_rm2/b4+dlrm_rm1:2",
    .law_workloads = "mix/small",
    .check = camdn_check,
    .analytic = camdn_analytic,
    .order = MSW_UNITS_FORWARD,
    .once = camdn_once,
    .strata_max = 1,
    .strata = camdn_strata,
    .state_bytes = camdn_state_bytes,
    .begin = camdn_begin,
    .advance = camdn_advance,
    .measure = camdn_measure,
    .finish = camdn_finish,
    .derive = camdn_derive,
    .bounds = set_bounds,
    .sram_bits = camdn_sram_bits,
    .mapping = camdn_mapping,
    .cost = cost_of,
};
