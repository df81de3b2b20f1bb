/* SPDX-License-Identifier: MIT */
/* uvm: page migration between host and device, and what fetches pages ahead: the record, the
 * rules across its parameters, and what must hold between its answers (README.md, "Laws,
 * tested"). */
#include "mech/uvm/learn/record.h"

#include "mech/shared/rules.h"
#include "mech/shared/tables.h"
#include "mech/uvm/closed/closed.h"
#include "mech/uvm/model.h"
#include "mech/uvm/stream/stream.h"

extern const msw_law uvm_laws[];

/* Rules across parameters. Returns 0, or -1 with why the config cannot exist. */
static int uvm_check(const void *config, msw_err *err)
{
    const uvm_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err))
        return -1;
    if (c->sm_warps % c->schedulers)
        return msw_fail(err, "sm_warps = %lld is not a multiple of schedulers = %lld",
                        (long long)c->sm_warps, (long long)c->schedulers);
    if (msw_rule_power(c->counter_granularity, "counter_granularity", err))
        return -1;
    if (c->smart_runtime && c->eviction != UVM_LRU_CHUNK && c->eviction != UVM_LFU_CHUNK &&
        c->eviction != UVM_EVICT_TREE)
        return msw_fail(err,
                        "smart_runtime chooses between chunks and trees: eviction is lru_chunk, "
                        "lfu_chunk or tree");
    return c->prefetcher == UVM_LEARNED ? uvm_predictor_check(config, err) : 0;
}

/* Pages come when they fault and stay until memory is short; all of the program runs. */
#define WHOLE SET("run_share", "1"), SET("host_access", "ignored"), SET("migration", "first_touch")
static const msw_law_change ALL_RUN[] = {WHOLE, {0}};

/* Every page faults for itself, in one order. */
static const msw_law_change STACK[] = {
    WHOLE, SET("prefetcher", "none"), SET("eviction", "lru_page"), SET("sync", "waits"), {0}};
static const msw_law_change ROOMY[] = {WHOLE, SET("oversubscription", "1"), {0}};

/* Nothing moves; nothing faults. */
static const msw_law_change PINNED[] = {
    SET("migration", "zero_copy"), SET("prefetcher", "none"), {0}};
static const msw_law_change COUNTED[] = {SET("migration", "counters"), {0}};

const msw_law uvm_laws[] = {
    FULL_LAW(.name = "bytes_of_touched", .doc = "touched pages have come over the link",
             .fixed = ALL_RUN, .metric = "bytes_in", .relation = MSW_LAW_NOT_BELOW,
             .than = "pages_touched * page_size"),
    CLOSED_LAW(.name = "bytes_of_touched_closed", .doc = "the same in the closed form",
               .fixed = ALL_RUN, .metric = "bytes_in", .relation = MSW_LAW_NOT_BELOW,
               .than = "pages_touched * page_size"),
    CLOSED_LAW(.name = "stack", .doc = "less memory does not fault less under LRU of pages",
               .fixed = STACK, .change = CHANGES(TWICE("oversubscription")), .metric = "far_faults",
               .relation = MSW_LAW_NOT_BELOW),
    CLOSED_LAW(.name = "stack_pages", .doc = "and does not move fewer pages", .fixed = STACK,
               .change = CHANGES(TWICE("oversubscription")), .metric = "pages_in",
               .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "used_are_migrated", .doc = "used migrations are migrations", .fixed = ALL_RUN,
             .metric = "pages_used", .relation = MSW_LAW_NOT_ABOVE, .than = "pages_in"),
    FULL_LAW(.name = "pinned_stay", .doc = "pages that are pinned to the host stay there",
             .fixed = PINNED, .metric = "bytes_in", .relation = MSW_LAW_NOT_ABOVE, .than = "0"),
    FULL_LAW(.name = "counted_do_not_fault", .doc = "with access counters nothing faults",
             .fixed = COUNTED, .metric = "far_faults", .relation = MSW_LAW_NOT_ABOVE, .than = "0"),
    CLOSED_LAW(.name = "wider_link", .doc = "a wider link is not slower", .fixed = ROOMY,
               .region = "link = 'fixed'", .change = CHANGES(TWICE("link_bandwidth")),
               .metric = "cycles", .relation = MSW_LAW_NOT_ABOVE),
    {0},
};

/* What the open driver does, and what it does with access counters: presets share it. */
#define DRIVER_LEAVES                                                                              \
    {.param = "victims", .value = "any"},                                                          \
    {                                                                                              \
        .param = "victims_leave", .value = "chosen"                                                \
    }
#define DRIVER_VALUES                                                                              \
    DRIVER_LEAVES, {.param = "prefetcher", .value = "tree_driver"},                                \
        {.param = "tree_share", .value = "0.51"}, {.param = "fault_charge", .value = "batched"},   \
        {.param = "batch_faults", .value = "256"}, {.param = "replay", .value = "batch"},          \
        {.param = "replay_walks", .value = "on"}, {.param = "thrash", .value = "host"},            \
        {.param = "sync", .value = "waits"}, {.param = "host_access", .value = "migrates"},        \
    {                                                                                              \
        .param = "eviction", .value = "root_chunk"                                                 \
    }
#define COUNTER_VALUES                                                                             \
    DRIVER_LEAVES, {.param = "migration", .value = "counters"},                                    \
        {.param = "counter_threshold", .value = "256"},                                            \
        {.param = "counter_granularity", .value = "2MiB"},                                         \
        {.param = "counter_batch", .value = "256"}, {.param = "prefetcher", .value = "none"},      \
        {.param = "sync", .value = "waits"},                                                       \
    {                                                                                              \
        .param = "eviction", .value = "root_chunk"                                                 \
    }

static const msw_preset_value DRIVER[] = {DRIVER_VALUES, {0}};
/* Pages of any allocation, in the size of the host's; what the driver does with them is the same.
 */
static const msw_preset_value HMM[] = {{.param = "page_size", .value = "4KiB"},
                                       DRIVER_VALUES,
                                       {.param = "write_back", .value = "dirty"},
                                       {0}};
static const msw_preset_value COUNTERS[] = {
    COUNTER_VALUES, {.param = "host_access", .value = "migrates"}, {0}};
static const msw_preset_value COHERENT[] = {{.param = "page_size", .value = "64KiB"},
                                            {.param = "link", .value = "fixed"},
                                            {.param = "link_bandwidth", .value = "375"},
                                            {.param = "remote_bandwidth", .value = "375"},
                                            COUNTER_VALUES,
                                            {0}};
static const msw_preset_value HARD_PIN[] = {
    {.param = "migration", .value = "zero_copy"},
    {.param = "prefetcher", .value = "none"},
    {.param = "sync", .value = "waits"},
    {0},
};
static const msw_preset_value TABLE[] = {
    {.param = "prefetcher", .value = "markov2"}, {.param = "predict_on", .value = "walk"},
    {.param = "predict_by", .value = "sm"},      {.param = "predict_distance", .value = "1"},
    {.param = "predict_unit", .value = "block"}, {0},
};
static const msw_preset_value SOFT_PIN[] = {
    {.param = "migration", .value = "adaptive"},
    {.param = "eviction", .value = "lfu_chunk"},
    {0},
};
static const msw_preset_value DEMAND[] = {
    {.param = "prefetcher", .value = "none"},
    {.param = "sync", .value = "waits"},
    {0},
};
/* Options of UVMSmart that its two papers share; 16.0GB/s is pcie3. */
#define UVMSMART_VALUES                                                                            \
    {.param = "prefetcher", .value = "tree"}, {.param = "tree_share", .value = "0.5"},             \
        {.param = "prefetch_when_full", .value = "on"}, {.param = "link", .value = "pcie3"},       \
        {.param = "page_size", .value = "4KiB"}, {.param = "tlb_entries", .value = "4096"},        \
        {.param = "walk_cycles", .value = "100"}, {.param = "fault_charge", .value = "excluded"},  \
        {.param = "write_back", .value = "all"}, {.param = "victims", .value = "idle"},            \
        {.param = "victims_leave", .value = "begin"}, {.param = "block_order", .value = "trees"},  \
        {.param = "sync", .value = "dirty"}, {.param = "migration", .value = "first_touch"},       \
    {                                                                                              \
        .param = "launch_cycles", .value = "222150"                                                \
    }
static const msw_preset_value ISCA19[] = {
    UVMSMART_VALUES, {.param = "eviction", .value = "tree"}, {0}};
static const msw_preset_value DATE21[] = {UVMSMART_VALUES,
                                          {.param = "eviction", .value = "lru_chunk"},
                                          {.param = "smart_runtime", .value = "on"},
                                          {.param = "migrate_threshold", .value = "8"},
                                          {.param = "migrate_penalty", .value = "2"},
                                          {0}};
static const msw_preset PRESETS[] = {
    {.name = "driver",
     .doc = "the open driver of NVIDIA: its tree, batches of 256 faults, the host's accesses "
            "migrate, pages that thrash nap and are pinned, 2 MiB that came first leave first",
     .values = DRIVER},
    {.name = "hmm",
     .doc = "the same driver for memory of the operating system: pages of 4 KiB",
     .values = HMM},
    {.name = "counters",
     .doc = "the same driver with pages mapped to the host and access counters on, which x86 "
            "with pages of 4 KiB leaves off: 2 MiB after 256 accesses",
     .values = COUNTERS},
    {.name = "coherent",
     .doc = "a coherent link (GH200): lines of the host's memory without a fault, 375 GB/s, then "
            "access counters",
     .values = COHERENT},
    {.name = "pinned", .doc = "all pages are pinned to the host (zero-copy)", .values = HARD_PIN},
    {.name = "table",
     .doc = "a predictor that is a table: what followed the last two differences of an SM's walks",
     .values = TABLE},
    {.name = "adaptive",
     .doc = "UVMSmart under short memory: cold blocks are read where they are, the least used "
            "2 MiB leave",
     .values = SOFT_PIN},
    {.name = "uvmsmart_isca19",
     .doc = "UVMSmart as its logs of prefetchers and evictions print it: tree both ways",
     .values = ISCA19},
    {.name = "uvmsmart_date21",
     .doc = "UVMSmart's file for the GTX 1080 Ti with its smart runtime on",
     .values = DATE21},
    {.name = "demand", .doc = "pages come when they fault, and stay", .values = DEMAND},
    {0},
};

/* 1: rules of a memory that is short; 2: what is sampled is run whole. */
static uint32_t revision(const void *config, msw_fidelity fidelity)
{
    return (((const uvm_config *)config)->oversubscription > 1 ? 1u : 0u) |
           (fidelity == MSW_SAMPLED ? 2u : 0u);
}

static bool learned(const void *config)
{
    return ((const uvm_config *)config)->prefetcher == UVM_LEARNED;
}

static bool learned_itself(const void *config)
{
    return learned(config) && ((const uvm_config *)config)->learner.protocol != UVM_P3;
}

static bool learned_corpus(const void *config)
{
    return learned(config) && !learned_itself(config);
}

static bool learned_tuned(const void *config)
{
    return learned(config) && uvm_is_tuned(&((const uvm_config *)config)->learner);
}

static const char *const NOTHING[] = {NULL};
static const char *const PAGES[] = {"page_size", NULL};
static const char *const LINK[] = {"link", "clock", NULL};
static const char *const WAVES[] = {"page_size", "sms",          "sm_ctas",    "sm_warps",
                                    "sm_shared", "sm_registers", "fault_wait", NULL};

static bool needs_future(const void *config)
{
    return ((const uvm_config *)config)->prefetcher == UVM_ORACLE;
}

/* What happens after its first touch matters where a page leaves, is read where it is, or walks for
 * it make predictions. */
static bool needs_visits(const void *config)
{
    const uvm_config *c = config;
    bool walks = c->prefetcher >= UVM_SEQUENTIAL && c->predict_on == UVM_ON_WALK;
    return c->oversubscription > 1 || c->migration != UVM_FIRST_TOUCH || c->thrash || walks;
}

static bool needs_order(const void *config)
{
    return !needs_visits(config);
}

static const char *const FUTURE[] = {"prefetcher",   "page_size",  "sms",
                                     "sm_ctas",      "sm_warps",   "sm_shared",
                                     "sm_registers", "fault_wait", NULL};
static const char *const TRACE[] = {UVM_TRACE_DEPENDS, NULL};
static const char *const NETWORK[] = {UVM_NETWORK_DEPENDS, NULL};
static const char *const TUNED[] = {UVM_TUNED_DEPENDS, NULL};
static const msw_artifact ARTIFACTS[] = {
    [UVM_ARTIFACT_STREAM] = {.name = "stream", .depends = NOTHING, .build = uvm_build_stream},
    [UVM_ARTIFACT_LAYOUT] = {.name = "layout", .depends = PAGES, .build = uvm_build_layout},
    [UVM_ARTIFACT_LINK] = {.name = "link", .depends = LINK, .build = uvm_build_link},
    [UVM_ARTIFACT_ORDER] = {.name = "order",
                            .depends = WAVES,
                            .needed = needs_order,
                            .build = uvm_build_order,
                            .fidelities = MSW_AT(MSW_ANALYTIC)},
    [UVM_ARTIFACT_VISITS] = {.name = "visits",
                             .depends = WAVES,
                             .needed = needs_visits,
                             .build = uvm_build_visits,
                             .fidelities = MSW_AT(MSW_ANALYTIC)},
    [UVM_ARTIFACT_FUTURE] = {.name = "future",
                             .depends = FUTURE,
                             .needed = needs_future,
                             .build = uvm_build_future},
    [UVM_ARTIFACT_TRACE] = {.name = "trace",
                            .depends = TRACE,
                            .needed = learned,
                            .build = uvm_build_trace},
    [UVM_ARTIFACT_NETWORK] = {.name = "network",
                              .depends = NETWORK,
                              .needed = learned_itself,
                              .build = uvm_build_network,
                              .flatten = uvm_network_flatten,
                              .unflatten = uvm_read_network,
                              .version = 1,
                              .cost = uvm_network_cost},
    [UVM_ARTIFACT_CORPUS_NETWORK] = {.name = "corpus_network",
                                     .depends = NETWORK,
                                     .any_workload = true,
                                     .corpus = true,
                                     .needed = learned_corpus,
                                     .build = uvm_build_corpus,
                                     .flatten = uvm_network_flatten,
                                     .unflatten = uvm_read_network,
                                     .version = 1,
                                     .cost = uvm_network_cost},
    [UVM_ARTIFACT_TUNED_NETWORK] = {.name = "tuned_network",
                                    .depends = TUNED,
                                    .corpus = true,
                                    .needed = learned_tuned,
                                    .build = uvm_build_tuned,
                                    .flatten = uvm_tuned_flatten,
                                    .unflatten = uvm_read_tuned,
                                    .version = 1,
                                    .cost = uvm_tuned_cost},
    [UVM_ARTIFACT_PREDICTIONS] = {.name = "predictions",
                                  .depends = TUNED,
                                  .corpus = true,
                                  .needed = learned,
                                  .build = uvm_build_predictions},
    {0},
};

static const char *const LINK_COLUMNS[] = {"start_cycle", "bytes",    "to_host",
                                           "cause",       "duration", NULL};
static const char *const LINK_UNITS[] = {"cycles", "B", "", "", "cycles"};
static const char *const PAGE_COLUMNS[] = {"time",  "sm",  "warp",   "pc",     "page",
                                           "write", "cta", "launch", "access", NULL};
static const char *const PAGE_UNITS[] = {"cycles", "", "", "", "", "", "", "", ""};
static const msw_detail DETAILS[] = {
    [UVM_DETAIL_LINK] = {.name = "link",
                         .doc = "transfers; cause: 0 a fault, 1 ahead of one, 2 synchronisation, 3 "
                                "handling of a fault, 4 eviction",
                         .columns = LINK_COLUMNS,
                         .units = LINK_UNITS},
    [UVM_DETAIL_PAGES] =
        {.name = "pages",
         .doc = "what page_trace asks for: a page trace as the front end pages "
                "reads it, rows in order of time for each warp, not over all SMs; pc: 64 x the "
                "kernel + which access of it",
         .columns = PAGE_COLUMNS,
         .units = PAGE_UNITS},
    {0},
};

/* Small programs: full ones take seconds a point. Most of these are run whole, the largest by their
 * order (README.md, "The closed form"). */
#define STATED_ON                                                                                  \
    "uvm/streamtriad/n=16Ki, uvm/bicg/n=64, uvm/srad_v2/side=128, uvm/nw/n=64, "                   \
    "uvm/hotspot/side=128, uvm/atax/n=64, uvm/2dconv/h=64, uvm/addvectors/n=64Ki"
#define STATED_WHERE "run_share = 1"
#define STATED_FITS  "oversubscription = 1 AND migration = 'first_touch' AND " STATED_WHERE
static const char *const NOT_CUT[] = {"run_share", NULL};
static const char *const NEUTRAL[] = {"oversubscription", "migration", "run_share", NULL};
static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .workloads = STATED_ON,
     .quantile = 0.8,
     .tolerance = 0.1,
     .region = STATED_WHERE,
     .share = 1,
     .neutral = NOT_CUT},
    {.metric = "bytes_in",
     .workloads = STATED_ON,
     .quantile = 0.95,
     .tolerance = 1e-9,
     .region = STATED_FITS " AND predict_on = 'fault'",
     .share = 0.5,
     .neutral = NEUTRAL},
    {.metric = "pages_touched",
     .workloads = STATED_ON,
     .quantile = 1,
     .tolerance = 1e-9,
     .region = STATED_FITS,
     .share = 1,
     .neutral = NEUTRAL},
    {0},
};

static const char *const SOURCES[] = {
    "Long, Gong, Zhou, Zhang, Deep Learning based Data Prefetching in CPU-GPU Unified Virtual "
    "Memory, arXiv:2203.12672",
    "DebashisGanguly/gpgpu-sim_UVMSmart: options, rules, bandwidth of the link",
    "NVIDIA/open-gpu-kernel-modules: tree prefetching, batches of faults, pages that thrash, "
    "access "
    "counters",
    "Schieffer et al., Harnessing Integrated CPU-GPU System Memory for HPC: a first look into "
    "Grace "
    "Hopper, arXiv:2407.07850: bandwidth of a coherent link",
    NULL};

static const msw_part *const PARTS_CLOSED[] = {&msw_part_link, NULL};
static const msw_part *const PARTS_MACHINE[] = {&msw_part_cache, &msw_part_link,
                                                &msw_part_translation, NULL};

/* As scripts/foremost prints them. */
static const char *const FOREMOST[] = {"migration",  "fault_charge",  "run_share", "clock",
                                       "prefetcher", "page_size",     "link",      "remote_cycles",
                                       "sms",        "fault_latency", NULL};

const msw_mech msw_mech_uvm = {
    .name = "uvm",
    .title = "Pages that migrate between host and GPU: faults, prefetching, the link",
    .foremost = FOREMOST,
    .omits = "data caches, and naps of the host",
    .version_closed = 9,
    .version_machine = 8,
    .revision = revision,
    .parts_closed = PARTS_CLOSED,
    .parts_machine = PARTS_MACHINE,
    .sources = SOURCES,
    .params = uvm_params,
    .guests_from = "cluster",
    .guests_of = "uvm_predictor",
    .config_size = sizeof(uvm_config),
    .metrics = uvm_metrics,
    .metric_count = UVM_METRICS,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_PROGRAM | MSW_PRODUCT_PAGES,
    .default_workload = "uvm/streamtriad/n=64Ki",
    .random = false,
    .artifacts = ARTIFACTS,
    .details = DETAILS,
    .agreement = AGREEMENT,
    .checks = uvm_checks,
    .laws = uvm_laws,
    .learn_workloads =
        "uvm/streamtriad/n=16Ki, uvm/streamtriad/n=256Ki, uvm/bicg/n=64, uvm/bicg/n=256, "
        "uvm/srad_v2/side=128, uvm/nw/n=64, uvm/nw/n=256, uvm/hotspot/side=128, uvm/atax/n=64, "
        "uvm/mvt/n=256, uvm/2dconv/h=64, uvm/addvectors/n=64Ki, uvm/addvectors, uvm/pathfinder",
    .law_workloads = "uvm/streamtriad/n=16Ki, uvm/bicg/n=64, uvm/srad_v2/side=128, uvm/nw/n=64",
    .check = uvm_check,
    .analytic = uvm_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = 1,
    .strata = uvm_strata,
    .measure = uvm_measure,
    .derive = uvm_derive,
};
