/* SPDX-License-Identifier: MIT */
/* Private to dram: what can be set, the numbers of the metrics, the functions of the record. */
#ifndef MSW_MECH_DRAM_DRAM_H
#define MSW_MECH_DRAM_DRAM_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/dram.h"

/* One field per parameter. */
typedef struct dram_config {
    int64_t memory, stacks, page, window, order, most;
    double bandwidth;
} dram_config;

enum { DRAM_TIMED, DRAM_ASAP };
enum { DRAM_MEMORIES = 11 };

/* In the order of the columns. */
enum {
    DRAM_CYCLES,
    DRAM_TRANSFER,
    DRAM_OVERHEAD,
    DRAM_TIME,
    DRAM_REQUESTS,
    DRAM_LEFT_OUT,
    DRAM_READS,
    DRAM_WRITES,
    DRAM_BYTES,
    DRAM_COLUMNS,
    DRAM_HITS,
    DRAM_CLOSED,
    DRAM_CONFLICTS,
    DRAM_HIT_RATE,
    DRAM_ACTS,
    DRAM_REFRESHES,
    DRAM_BANDWIDTH,
    DRAM_PEAK,
    DRAM_USE,
    DRAM_WAITED,
    DRAM_LATENCY,
    DRAM_LATENCY_50,
    DRAM_LATENCY_99,
    DRAM_LATENCY_MOST,
    DRAM_ENERGY_ROWS,
    DRAM_ENERGY_BITS,
    DRAM_ENERGY_READY,
    DRAM_ENERGY,
    DRAM_EDP,
    DRAM_PER_BIT,
    DRAM_POWER,
    DRAM_LEAST_BUS,
    DRAM_BOUND_SHARE,
    DRAM_METRICS,
};

extern const msw_param dram_params[];
extern const msw_metric dram_metrics[];
extern const msw_self_check dram_checks[];
extern const msw_law dram_laws[];

/* The memory of a config: the preset, with the channels of all stacks. Returns it. */
msw_dram_config dram_memory_of(const dram_config *config);

/* Its index in msw_dram_presets. */
size_t dram_preset_of(const dram_config *config);

/* Requests of a product in order. Returns whether there is one more; `time` is its cycle, or 0. */
typedef struct dram_request {
    uint64_t address, bytes, time;
    bool is_write;
} dram_request;
typedef struct dram_reader {
    const msw_product *product;
    uint64_t layer, repeat, tile, segment, row, next; /* of tiles; of accesses: next */
    bool storing;
} dram_reader;
bool dram_next_request(dram_reader *reader, dram_request *request);

/* A task's stream up to most_bytes. */
typedef struct dram_stream {
    const msw_task *task;
    dram_reader reader;
    msw_dram_player *player; /* whose clock goes on to the time of each request; NULL: none */
    dram_request request;    /* the present one */
} dram_stream;

/* Starts a stream from its first request. Returns it. */
dram_stream dram_start(const msw_task *task, msw_dram_player *player);

/* Goes to the next request: requests, bytes and what is left out are counted in `totals`. Returns
 * whether there is one. */
bool dram_take(dram_stream *stream, double *totals);

/* Whether requests come at their own times. */
bool dram_is_timed(const msw_task *task);

/* Starts the memory of a config. Returns 0, or -1 with `err`. */
int dram_player_start(const msw_task *task, const msw_dram_config *memory, msw_dram_player *player,
                      msw_err *err);

/* Fills in what all channels have counted until `now`. Returns it. */
msw_dram_stats dram_fill_stats(const msw_dram_player *player, const msw_dram_config *memory,
                               uint64_t now, double *totals);

int dram_check(const void *config, msw_err *err);
int dram_analytic(const msw_task *task, double *metrics, msw_err *err);
int dram_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int dram_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err);
void dram_derive(const msw_task *task, double *metrics);
void dram_price(const void *config, double *metrics);
void dram_bounds(const msw_task *task, double *metrics);

/* Fills in what follows from counts: columns, activations, refreshes, cycles are there. */
void dram_fill(const dram_config *config, const msw_dram_config *memory, double *totals);

#endif
