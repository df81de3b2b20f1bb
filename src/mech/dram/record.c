/* SPDX-License-Identifier: MIT */
/* dram: the tables, what must hold between answers, and the record. Equations: README.md. */
#include "mech/dram/dram.h"

#include "mech/shared/rows.h"
#include "mech/shared/tables.h"

#include <assert.h>

/* Dram: what must hold between its answers. */

#define ALONE  CHANGES(SET("in_flight", "1"), SET("arrivals", "asap"))
#define STACKS CHANGES(SET("least_bandwidth", "0"))

const msw_law dram_laws[] = {
    FULL_LAW(.name = "bits_of_stacks", .doc = "more stacks move the same bits",
             .region = "stacks <= 8", .fixed = STACKS, .change = CHANGES(TWICE("stacks")),
             .metric = "energy_bits_nj", .tolerance = 1e-9),
    FULL_LAW(.name = "peak_of_stacks", .doc = "twice as many stacks have twice the peak",
             .region = "stacks <= 8", .fixed = STACKS, .change = CHANGES(TWICE("stacks")),
             .metric = "peak_bandwidth", .than = "2 * peak_bandwidth"),
    FULL_LAW(.name = "one_at_a_time", .doc = "one burst at a time is not faster than many",
             .region = "in_flight > 1", .fixed = CHANGES(SET("arrivals", "asap")),
             .change = CHANGES(SET("in_flight", "1")), .metric = "cycles",
             .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "closed_rows", .doc = "rows that are closed at once are never hit",
             .fixed = ALONE, .change = CHANGES(SET("page", "closed")), .metric = "hits",
             .than = "0"),
    {0},
};

#define FIELD(name) offsetof(dram_config, name)
#define CHOSEN      "a choice; presets and their sources: docs/models/dram-presets.md"

static const msw_choice MEMORIES[] = {
    {.name = "hbm2", .doc = "HBM2, 2 Gb/s a pin, 256 GB/s a stack"},
    {.name = "hbm2e", .doc = "HBM2E, 3.2 Gb/s, 410 GB/s a stack"},
    {.name = "hbm3", .doc = "HBM3, 6.4 Gb/s, 819 GB/s a stack"},
    {.name = "hbm3_5200", .doc = "HBM3, 5.2 Gb/s, 666 GB/s a stack"},
    {.name = "ddr3", .doc = "DDR3-1600, 12.8 GB/s a channel"},
    {.name = "ddr4", .doc = "DDR4-3200, 25.6 GB/s a channel"},
    {.name = "ddr5", .doc = "DDR5-4800, 38.4 GB/s a module"},
    {.name = "lpddr5", .doc = "LPDDR5-6400, 51.2 GB/s a package"},
    {.name = "gddr6", .doc = "GDDR6, 14 Gb/s, 56 GB/s a device"},
    {.name = "gddr6_16", .doc = "GDDR6, 16 Gb/s, 64 GB/s a device"},
    {.name = "mpu_nbu", .doc = "a near-bank unit of MPU, 16 GB/s"},
    {0},
};
static_assert(sizeof MEMORIES / sizeof *MEMORIES == DRAM_MEMORIES + 1, "one per preset");

static const msw_choice PAGES[] = {
    [MSW_DRAM_OPEN_PAGE] = {.name = "open", .doc = "a row stays open until another is wanted"},
    [MSW_DRAM_CLOSED_PAGE] = {.name = "closed", .doc = "every column command closes its row"},
    [MSW_DRAM_CLOSED_LAST] = {.name = "closed_last",
                              .doc = "the last column command that waits for a row closes it"},
    {0},
};
static const msw_choice ORDERS[] = {
    [DRAM_TIMED] = {.name = "timed", .doc = "at the cycles of a trace that has them, else asap"},
    [DRAM_ASAP] = {.name = "asap", .doc = "as soon as the window has room"},
    {0},
};

const msw_param dram_params[] = {
    MSW_ROW(.name = "memory", .kind = MSW_CHOICE, .unit = "", .def = 0, .neutral = MSW_NO_NEUTRAL,
            MSW_CHOICES(MEMORIES), .doc = "kind of memory", .source = MSW_PUBLIC,
            .reference = "docs/models/dram-presets.md", .offset = FIELD(memory)),
    MSW_ROW(.name = "stacks", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = MSW_STACKS_MAX,
            .def = 1, .neutral = MSW_NEUTRAL(1), .scale = MSW_POW2,
            .doc = "of it: stacks, channels, packages or devices; a power of two",
            .source = MSW_UNKNOWN, .reference = CHOSEN, .plausible_min = 1, .plausible_max = 8,
            .offset = FIELD(stacks)),
    MSW_ROW(.name = "least_bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 0, .max = 16384,
            .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "stacks are doubled until they have this peak; 0: as many as stacks says",
            .source = MSW_UNKNOWN, .reference = CHOSEN, .plausible_min = 0, .plausible_max = 150,
            .offset = FIELD(bandwidth)),
    MSW_ROW(.name = "page", .kind = MSW_CHOICE, .unit = "", .def = MSW_DRAM_OPEN_PAGE,
            .neutral = MSW_NEUTRAL(MSW_DRAM_OPEN_PAGE), MSW_CHOICES(PAGES),
            .doc = "when rows are closed", .source = MSW_UNKNOWN, .reference = CHOSEN,
            .offset = FIELD(page)),
    MSW_ROW(.name = "in_flight", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = 65536,
            .def = 256, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "bursts under way together; 0: as many as the queues take",
            .source = MSW_UNKNOWN, .reference = CHOSEN, .plausible_min = 8, .plausible_max = 1024,
            .offset = FIELD(window)),
    MSW_ROW(.name = "arrivals", .kind = MSW_CHOICE, .unit = "", .def = DRAM_TIMED,
            .neutral = MSW_NEUTRAL(DRAM_TIMED), MSW_CHOICES(ORDERS), .doc = "when requests come",
            .source = MSW_UNKNOWN, .reference = CHOSEN, .offset = FIELD(order)),
    MSW_ROW(.name = "most_bytes", .kind = MSW_SIZE, .unit = "B", .min = 0,
            .max = (double)((int64_t)1 << 46), .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "of a longer stream only so much of its beginning; 0: all",
            .source = MSW_UNKNOWN, .reference = "a choice: how long one waits",
            .plausible_min = 65536, .plausible_max = 1048576, .offset = FIELD(most)),
    {0},
};

#define NJ(...) TOTAL(.unit = "nJ", __VA_ARGS__)

const msw_metric dram_metrics[] = {
    [DRAM_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                          .doc = "cycles of the memory until the last burst is moved"),
    [DRAM_TRANSFER] = CAUSE(.name = "transfer", .doc = "what the bursts take on all channels"),
    [DRAM_OVERHEAD] =
        CAUSE(.name = "overhead", .doc = "rows, refresh, turning round, idle channels"),
    [DRAM_TIME] = TOTAL(.name = "time_ns", .unit = "ns", .goal = MSW_GOAL_LOWER, .doc = "the same"),
    [DRAM_REQUESTS] =
        TOTAL(.name = "requests", .unit = "requests", .doc = "requests of the stream"),
    [DRAM_LEFT_OUT] =
        TOTAL(.name = "left_out", .unit = "B", .doc = "bytes that most_bytes leaves out"),
    [DRAM_READS] = TOTAL(.name = "reads", .unit = "requests", .doc = "bursts that are read"),
    [DRAM_WRITES] = TOTAL(.name = "writes", .unit = "requests", .doc = "bursts that are written"),
    [DRAM_BYTES] = TOTAL(.name = "bytes", .unit = "B", .doc = "bytes asked for"),
    [DRAM_COLUMNS] =
        TOTAL(.name = "columns", .unit = "requests", .doc = "bursts that banks give or take"),
    [DRAM_HITS] =
        TOTAL(.name = "hits", .unit = "requests", .doc = "of them in a row that was open"),
    [DRAM_CLOSED] = TOTAL(.name = "closed", .unit = "requests", .doc = "in a bank without a row"),
    [DRAM_CONFLICTS] =
        TOTAL(.name = "conflicts", .unit = "requests", .doc = "in a bank with another row open"),
    [DRAM_HIT_RATE] = RATIO(.name = "hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "hits",
                            .den = "columns", .max = 1, .doc = "row hits of bursts"),
    [DRAM_ACTS] = TOTAL(.name = "activations", .unit = "requests", .doc = "rows that are opened"),
    [DRAM_REFRESHES] = TOTAL(.name = "refreshes", .unit = "requests", .doc = "of ranks"),
    [DRAM_BANDWIDTH] =
        RATIO(.name = "bandwidth", .unit = "GB/s", .goal = MSW_GOAL_HIGHER, .num = "bytes",
              .den = "time_ns", .max = 1e6, .doc = "bytes asked for, by the time"),
    [DRAM_PEAK] = DERIVED(.name = "peak_bandwidth", .unit = "GB/s", .exact = true, .priced = true,
                          .max = 1e6, .doc = "what the pins carry at most"),
    [DRAM_USE] = DERIVED(.name = "bus_use", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1,
                         .doc = "share of the time that the pins carry data, mean of channels"),
    [DRAM_WAITED] = TOTAL(.name = "read_ns", .unit = "ns", .doc = "sum of the latencies of reads"),
    [DRAM_LATENCY] = RATIO(.name = "latency_ns", .unit = "ns", .goal = MSW_GOAL_LOWER,
                           .num = "read_ns", .den = "reads", .max = 1e12, .doc = "mean of a read"),
    [DRAM_LATENCY_50] =
        QUANTILE(.name = "latency_p50", .unit = "ns", .goal = MSW_GOAL_LOWER, .num = "latency",
                 .level = 0.5, .max = 1e12, .doc = "median latency of a read, to an eighth"),
    [DRAM_LATENCY_99] =
        QUANTILE(.name = "latency_p99", .unit = "ns", .goal = MSW_GOAL_LOWER, .num = "latency",
                 .level = 0.99, .max = 1e12, .doc = "99 % of reads are not slower, to an eighth"),
    [DRAM_LATENCY_MOST] = MAXIMUM(.name = "latency_max", .unit = "ns", .goal = MSW_GOAL_LOWER,
                                  .max = 1e12, .doc = "of the slowest read"),
    [DRAM_ENERGY_ROWS] =
        NJ(.name = "energy_rows_nj", .energy = true, .doc = "rows that are opened"),
    [DRAM_ENERGY_BITS] = NJ(.name = "energy_bits_nj", .energy = true, .doc = "bits that are moved"),
    [DRAM_ENERGY_READY] =
        NJ(.name = "energy_ready_nj", .energy = true, .doc = "refresh and standby"),
    [DRAM_ENERGY] = NJ(.name = "energy_nj", .goal = MSW_GOAL_LOWER, .doc = "the three together"),
    [DRAM_EDP] = EDP,
    [DRAM_PER_BIT] = DERIVED(.name = "pj_per_bit", .unit = "pJ/bit", .goal = MSW_GOAL_LOWER,
                             .max = 1e12, .doc = "energy of a bit that is moved"),
    [DRAM_POWER] = RATIO(.name = "power_w", .unit = "W", .goal = MSW_GOAL_LOWER, .num = "energy_nj",
                         .den = "time_ns", .max = 1e6, .doc = "energy by the time"),
    [DRAM_LEAST_BUS] =
        LEAST(.name = "least_bus", .doc = "the pins need at least so many cycles for all bursts"),
    [DRAM_BOUND_SHARE] = BOUND_SHARE,
    [DRAM_METRICS] = {0},
};
static_assert(sizeof dram_metrics / sizeof *dram_metrics == DRAM_METRICS + 1, "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check dram_checks[] = {
    {.left = "transfer + overhead", .right = "cycles", .equal = true},
    {.left = "hits + closed + conflicts", .right = "columns", .equal = true},
    {.left = "energy_rows_nj + energy_bits_nj + energy_ready_nj",
     .right = "energy_nj",
     .equal = true},
    {0},
};

static const char *const HISTOGRAMS[] = {"latency", NULL};
static const char *const SOURCES[] = {
    "JESD79-4, JESD235, JESD238, JESD209-5, JESD250: rules of DRAM (docs/models/sim-dram.md)",
    "DRAMsim3 and Ramulator 2.1, which the model of banks is compared with", NULL};
static const char *const FOREMOST[] = {"memory", "stacks", "in_flight", "page", "arrivals", NULL};

static const msw_part *const PARTS[] = {&msw_part_cost, &msw_part_dram, &msw_part_dram_map, NULL};

static const msw_agreement AGREEMENT[] = {
    {.metric = "cycles",
     .workloads = "trace/lackey, karate, neumf/b64, alexnet/b1",
     .quantile = 0.9,
     .tolerance = 0.05,
     .share = 1},
    {.metric = "reads",
     .workloads = "trace/lackey, karate, neumf/b64, alexnet/b1",
     .quantile = 1,
     .tolerance = 1e-9,
     .share = 1},
    {0},
};

static bool carried(const msw_task *task)
{
    (void)task;
    return true;
}

const msw_mech msw_mech_dram = {
    .name = "dram",
    .title = "Main memory alone: row hits, bandwidth, latencies and energy of a stream",
    .version_closed = 2,
    .version_machine = 1,
    .parts_closed = PARTS,
    .parts_machine = PARTS,
    .sources = SOURCES,
    .omits = "caches, and what a requester does with the answers",
    .foremost = FOREMOST,
    .params = dram_params,
    .config_size = sizeof(dram_config),
    .metrics = dram_metrics,
    .metric_count = DRAM_METRICS,
    .primary = "cycles",
    .accepts = MSW_PRODUCT_ACCESSES | MSW_PRODUCT_TILES,
    .default_workload = "trace/lackey",
    .budgeted = true,
    .histograms = HISTOGRAMS,
    .agreement = AGREEMENT,
    .checks = dram_checks,
    .laws = dram_laws,
    .law_workloads = "trace/example, karate, neumf/b64",
    .check = dram_check,
    .analytic = dram_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .carried = carried,
    .strata_max = 1,
    .strata = dram_strata,
    .measure = dram_measure,
    .derive = dram_derive,
    .price = dram_price,
    .bounds = dram_bounds,
};
