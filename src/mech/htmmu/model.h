/* SPDX-License-Identifier: MIT */
/* Private to htmmu: what can be set, the numbers of its metrics, the functions of its record, and
 * what its structures cost. */
#ifndef MSW_MECH_HTMMU_MODEL_H
#define MSW_MECH_HTMMU_MODEL_H

#include "memsweep/base/bits.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/param/metric.h"
#include "memsweep/param/param.h"

/* What can be set. */

/* A field for each parameter; meaning, unit and source of each are in params.c. Choices hold the
 * numbers of the enums below. */
typedef struct htmmu_config {
    int64_t requester, window;
    double rate;
    int64_t burst;
    double peak_rate;
    int64_t streams, router, router_by, router_bit, free_choice, divert;
    int64_t l1_entries, l1_ways, l1_coalesce, l1_cycles, l1_mshrs, register_holds, mshr_merge;
    int64_t l2_entries, l2_ways, l2_coalesce, l2_cycles, l2_ports, l2_mshrs;
    int64_t policy, coalesce_fill;
    int64_t ptu_queue, merge_entries, merge_items, items_full, reprobe;
    int64_t path_cache, tpc_entries, tpc_ways, tpc_cycles;
    int64_t page_size, large_page;
    double large_share;
    int64_t table_levels, level_cycles;
    int64_t memory_model, memory_preset, memory_channels, memory_banks, memory_path;
    double dram_pj_per_bit, node;
    int64_t tlb_entry_bytes, item_bytes, tpc_entry_bytes, bank_gates;
    int64_t walker_choice, table_lines, table_line_ways, table_line_cycles;
} htmmu_config;

enum { HTMMU_CLOSED, HTMMU_OPEN, HTMMU_TIMED };
enum { HTMMU_ROUTER_NONE, HTMMU_ROUTER_BITS, HTMMU_ROUTER_ADAPTIVE };
enum { HTMMU_BY_ADDRESS, HTMMU_BY_REQUESTER };
enum { HTMMU_FREE_NEXT, HTMMU_FREE_LOWEST, HTMMU_FREE_LEAST };
enum { HTMMU_DIVERT_BUSY, HTMMU_DIVERT_STALLED };
enum { HTMMU_HOLDS_MISS, HTMMU_HOLDS_PAGE };
enum { HTMMU_FILL_PAGE, HTMMU_FILL_BLOCK };
enum { HTMMU_FULL_WALK, HTMMU_FULL_WAIT };
enum { HTMMU_MEMORY_FIXED, HTMMU_MEMORY_BANKS };
enum { HTMMU_PATH_NONE, HTMMU_PATH_REGISTER, HTMMU_PATH_SHARED, HTMMU_PATH_UNIFIED };

enum { HTMMU_LINE_BYTES = 64 }; /* of the page table */
enum { HTMMU_BANKS = 16 };      /* of the first TLB, at most */

extern const msw_param htmmu_params[];

/* Rules across parameters. Returns 0, or -1 with why the config cannot exist. */
int htmmu_check(const void *config, msw_err *err);

/* Entries of one bank of the first TLB. */
static inline int64_t htmmu_bank_entries(const htmmu_config *config)
{
    return config->l1_entries / config->streams;
}

/* In the order of the columns. */
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
    HTMMU_LEAST_REQUESTER,
    HTMMU_LEAST_PORTS,
    HTMMU_LEAST_WINDOW,
    HTMMU_LEAST_L2_PORTS,
    HTMMU_LEAST_REGISTERS,
    HTMMU_LEAST_WALKERS,
    HTMMU_LEAST_MEMORY,
    HTMMU_BOUND_SHARE,
    HTMMU_METRICS,
};

extern const msw_metric htmmu_metrics[];
extern const msw_self_check htmmu_checks[];

/* Why a request is not dispatched yet: in the order of the cycle stack. */
typedef enum htmmu_cause {
    HTMMU_CAUSE_ISSUE,
    HTMMU_CAUSE_IDLE,
    HTMMU_CAUSE_BANK,
    HTMMU_CAUSE_MSHR,
    HTMMU_CAUSE_MERGE,
    HTMMU_CAUSE_WALKERS,
    HTMMU_CAUSE_MEMORY,
} htmmu_cause;

enum { HTMMU_CAUSES = HTMMU_STALL_MEMORY - HTMMU_ISSUE + 1 };

/* The closed form: closed/analytic.c. */
int htmmu_analytic(const msw_task *task, double *metrics, msw_err *err);

/* The cycle model: machine/units.c. */
size_t htmmu_state_bytes(const msw_task *task);
int htmmu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int htmmu_begin(const msw_task *task, void *state, msw_err *err);
double htmmu_lead(const msw_task *task, const void *state);
int htmmu_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int htmmu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err);

extern const msw_law htmmu_laws[];
void htmmu_bounds(const msw_task *task, double *metrics);

/* Energy of translation, and what the structures cost. */

/* Picojoules of one event each. */
typedef struct htmmu_prices {
    double l1, l2, fill_l1, fill_l2, scoreboard, item, path, access;
    double line_hit, line_miss; /* of the cache of table lines; miss: with the line brought in */
} htmmu_prices;

/* Prices of a config. Returns 0, or -1. */
int htmmu_price(const htmmu_config *config, htmmu_prices *prices, msw_err *err);

/* Energy of translation, in nJ, from the counts among the metrics and the page-table accesses that
 * path caches did not save. */
double htmmu_energy(const htmmu_prices *prices, const double *metrics, double accesses);

/* Returns the bits of SRAM that a config adds. */
double htmmu_sram_bits(const void *config);

/* Fills DERIVED slots. */
void htmmu_derive(const msw_task *task, double *metrics);

/* Fills SRAM, area and leakage. */
void htmmu_price_parts(const void *config, double *metrics);

#endif
