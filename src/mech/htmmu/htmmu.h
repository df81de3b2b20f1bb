/* Private to htmmu: the typed config, the numbers of the metrics, the shared page runs and what the
 * model files share. Equations: README.md. */
#ifndef MSW_MECH_HTMMU_HTMMU_H
#define MSW_MECH_HTMMU_HTMMU_H

#include "memsweep/mech.h"
#include "memsweep/sim/cost.h"
#include "memsweep/sim/tlb.h"
#include "memsweep/workload/accesses.h"

typedef struct htmmu_config {
    int64_t requester, window;
    double rate;
    int64_t burst;
    double peak_rate;
    int64_t streams, router, router_by, router_bit, free_choice, divert;
    int64_t l1_entries, l1_ways, l1_coalesce, l1_cycles, l1_mshrs, mshr_merge;
    int64_t l2_entries, l2_ways, l2_coalesce, l2_cycles, l2_ports, l2_mshrs;
    int64_t policy, coalesce_fill;
    int64_t ptu_queue, merge_entries, merge_items, items_full, reprobe;
    int64_t path_cache, tpc_entries, tpc_ways, tpc_cycles;
    int64_t page_size, large_page;
    double large_share;
    int64_t table_levels, level_cycles;
    int64_t memory_model, memory_channels, memory_banks, memory_path;
    double dram_pj_per_bit, node;
    int64_t tlb_entry_bytes, item_bytes, tpc_entry_bytes, bank_gates;
} htmmu_config;

enum { HTMMU_CLOSED, HTMMU_OPEN, HTMMU_TIMED };
enum { HTMMU_ROUTER_NONE, HTMMU_ROUTER_BITS, HTMMU_ROUTER_ADAPTIVE };
enum { HTMMU_BY_ADDRESS, HTMMU_BY_REQUESTER };
enum { HTMMU_FREE_NEXT, HTMMU_FREE_LOWEST, HTMMU_FREE_LEAST };
enum { HTMMU_DIVERT_BUSY, HTMMU_DIVERT_STALLED };
enum { HTMMU_FILL_PAGE, HTMMU_FILL_BLOCK };
enum { HTMMU_FULL_WALK, HTMMU_FULL_WAIT };
enum { HTMMU_MEMORY_FIXED, HTMMU_MEMORY_BANKS };
enum { HTMMU_PATH_NONE, HTMMU_PATH_REGISTER, HTMMU_PATH_SHARED, HTMMU_PATH_UNIFIED };

/* Metric numbers, in the order of the table in htmmu_metrics.c. */
enum {
    HTMMU_CYCLES,
    HTMMU_RELATIVE_TIME,
    HTMMU_SPEEDUP,
    HTMMU_ISSUE,
    HTMMU_IDLE,
    HTMMU_STALL_BANK,
    HTMMU_STALL_MSHR,
    HTMMU_STALL_MERGE,
    HTMMU_STALL_WALKERS,
    HTMMU_STALL_MEMORY,
    HTMMU_REQUESTS,
    HTMMU_THROUGHPUT,
    HTMMU_WAIT,
    HTMMU_WAIT_ACCEPTED,
    HTMMU_MEAN_WAIT,
    HTMMU_MEAN_WAIT_ACCEPTED,
    HTMMU_RELATIVE_WAIT,
    HTMMU_WAIT_P50,
    HTMMU_WAIT_P99,
    HTMMU_WAIT_MAX,
    HTMMU_DIVERTED,
    HTMMU_BUSIEST_BANK,
    HTMMU_IMBALANCE,
    HTMMU_L1_HITS,
    HTMMU_L1_MISSES,
    HTMMU_L1_HIT_RATE,
    HTMMU_HELD,
    HTMMU_L2_LOOKUPS,
    HTMMU_L2_HITS,
    HTMMU_L2_HIT_RATE,
    HTMMU_REPLAYED,
    HTMMU_PTU_REQUESTS,
    HTMMU_MERGED,
    HTMMU_WALKS,
    HTMMU_REDUNDANT,
    HTMMU_MERGED_SHARE,
    HTMMU_REPEATED,
    HTMMU_REPEATED_SHARE,
    HTMMU_WALK_STEPS,
    HTMMU_WALK_ACCESSES,
    HTMMU_PATH_RATE,
    HTMMU_ACCESSES_PER_WALK,
    HTMMU_READS,
    HTMMU_ROW_HITS,
    HTMMU_READ_CYCLES,
    HTMMU_ROW_HIT_RATE,
    HTMMU_READ_LATENCY,
    HTMMU_MEMORY_BUSY,
    HTMMU_ENERGY,
    HTMMU_SRAM,
    HTMMU_AREA,
    HTMMU_LEAKAGE,
    HTMMU_METRICS,
};

/* Artifacts, in the order of the record's list. */
enum { HTMMU_ARTIFACT_STREAM, HTMMU_ARTIFACT_PROFILE, HTMMU_ARTIFACT_BANKS, HTMMU_ARTIFACT_ROWS };

/* ---- the page runs of a workload: one artifact per choice of page sizes ---- */

/* Consecutive requests on one page, with router_by: requester of one requester. */
typedef struct htmmu_run {
    uint64_t page; /* msw_page_key: page number and log2 of its size */
    uint32_t requests;
    uint32_t first; /* number of its first access in the stream */
} htmmu_run;

enum { HTMMU_UNIT_LEAST = 256, HTMMU_UNITS_MOST = 4000 };

/* No run lies in two units. */
typedef struct htmmu_stream {
    const htmmu_run *runs;
    const uint64_t *units; /* first run of each unit; run_count after the last */
    uint64_t run_count, unit_count, requests;
    uint64_t unit_requests; /* of every unit but the last */
} htmmu_stream;

int htmmu_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);

static inline msw_page htmmu_page_of(uint64_t key)
{
    unsigned shift = (unsigned)(key & 63);
    return (msw_page){key >> 6 << shift, shift};
}

/* Requesters by access, where they name the bank. Returns them, or NULL: there is one, number 0. */
static inline const uint16_t *htmmu_requesters(const msw_task *task)
{
    const msw_accesses *accesses = task->product->data;
    bool named = ((const htmmu_config *)task->config)->router_by == HTMMU_BY_REQUESTER;
    return named ? accesses->streams : NULL;
}

/* Returns the bank that the requests of a run name. */
static inline uint32_t htmmu_named_bank(const htmmu_config *config, const htmmu_run *run,
                                        const uint16_t *requesters)
{
    uint32_t streams = (uint32_t)config->streams;
    uint64_t number = htmmu_page_of(run->page).address >> config->router_bit;
    if (config->router == HTMMU_ROUTER_NONE)
        return 0;
    if (config->router_by == HTMMU_BY_REQUESTER)
        number = requesters ? requesters[run->first] : 0;
    return (uint32_t)((streams & (streams - 1)) == 0 ? number & (streams - 1) : number % streams);
}

/* ---- tables, closed form, cycle model, cost ---- */

extern const msw_param htmmu_params[];
extern const msw_metric htmmu_metrics[];

int htmmu_check(const void *config, msw_err *err);
int htmmu_analytic(const msw_task *task, double *metrics, msw_err *err);

size_t htmmu_state_bytes(const msw_task *task);
int htmmu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int htmmu_begin(const msw_task *task, void *state, msw_err *err);
int htmmu_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int htmmu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err);

/* Picojoules of one event each. */
typedef struct htmmu_prices {
    double l1, l2, fill_l1, fill_l2, scoreboard, item, path, access;
} htmmu_prices;

/* Entries of one bank of the first TLB. */
static inline int64_t htmmu_bank_entries(const htmmu_config *config)
{
    return config->l1_entries / config->streams;
}

/* Prices of a config. Returns 0, or -1. */
int htmmu_price(const htmmu_config *config, htmmu_prices *prices, msw_err *err);

/* Energy of translation, in nJ, from the counts among the metrics. */
double htmmu_energy(const htmmu_prices *prices, const double *metrics);

void htmmu_derive(const msw_task *task, double *metrics);

#endif
