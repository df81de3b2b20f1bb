/* SPDX-License-Identifier: MIT */
/* dram: main memory as a passive part, driven by events, in memory that the caller owns.
 *
 * One configuration, two models. `fixed`: every channel is a server with a latency and a bandwidth.
 * `banks`: channels, ranks, bank groups, banks and row buffers under the usual timing rules, an
 * FR-FCFS scheduler with a window, write draining and refresh. Equations, definitions and the laws
 * that the tests assert: docs/models/sim-dram.md.
 *
 * Times are clock cycles of the memory (`clock_ps` turns them into seconds). A mechanism pushes one
 * burst at a time and takes completions in time order; the time it pushes at must not go
 * backwards. Nothing here allocates, locks or does I/O; different objects may be used by different
 * threads.
 *
 * No model calls, but tests do: msw_dram_trace and msw_dram_traced (the timing rules, checked on
 * the commands), msw_dram_preset_find, msw_dram_stats_sum, msw_dram_rates_of, msw_dram_bin_floor,
 * msw_dram_drain. */
#ifndef MEMSWEEP_SIM_DRAM_H
#define MEMSWEEP_SIM_DRAM_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_DRAM_NEVER UINT64_MAX

typedef enum msw_dram_kind { MSW_DRAM_BANKS, MSW_DRAM_FIXED } msw_dram_kind;

typedef enum msw_dram_page {
    MSW_DRAM_OPEN_PAGE,   /* a row stays open until another one is wanted */
    MSW_DRAM_CLOSED_PAGE, /* every column command precharges its row */
    MSW_DRAM_CLOSED_LAST, /* the last column command that waits for a row precharges it */
} msw_dram_page;

/* When a waiting request may close the row that is open in its buffer (FR-FCFS). */
typedef enum msw_dram_closing {
    MSW_DRAM_CLOSE_OLDER, /* unless an older request waits for the open row */
    MSW_DRAM_CLOSE_LAST,  /* unless any request waits for it, or hit_cap is reached */
} msw_dram_closing;

typedef enum msw_dram_hash {
    MSW_DRAM_HASH_NONE,
    MSW_DRAM_HASH_BANK, /* bank and group bits are XORed with as many low row bits */
} msw_dram_hash;

/* Cycles between commands, named as in the JEDEC standards. `bl` is the time a burst holds the data
 * bus (burst length / 2); `rtw` and `rtrs` are idle data-bus cycles between a read and a write and
 * between two ranks; `swap` is what a column command pays for using another row buffer of its bank
 * than the one before. With several row buffers per bank (MASA): `sel` from SEL, the command that
 * connects another open one, to its column command (0: there is no such command); `ra` and `wa`
 * from a read and a write to an ACT or SEL of another row buffer of the bank. refi = 0 switches
 * refresh off. */
typedef struct msw_dram_timing {
    uint32_t bl, cl, cwl, rcd, rp, ras, rc;
    uint32_t ccd_s, ccd_l, rtp, rrd_s, rrd_l, faw;
    uint32_t wr, wtr_s, wtr_l, rtw, rtrs;
    uint32_t rfc, refi, swap;
    uint32_t sel, ra, wa;
} msw_dram_timing;

typedef struct msw_dram_config {
    msw_dram_kind kind;
    uint32_t clock_ps, burst_bytes;
    uint32_t channels, ranks, groups,
        banks;              /* ranks per channel, groups per rank, banks per group */
    uint32_t rows, columns; /* per bank; bursts per row */
    uint32_t buffers;       /* open rows per bank: row r uses buffer r mod buffers */
    const char *map;        /* msw_dram_map_init */
    msw_dram_hash hash;
    msw_dram_page page;
    msw_dram_closing closing;
    uint32_t hit_cap; /* CLOSE_LAST: column commands since ACT after which an older request may
                         close the row all the same; 0: none */
    uint32_t read_depth, write_depth; /* entries of a channel's queues */
    uint32_t window;                  /* oldest entries the scheduler sees; 0: the whole queue */
    uint32_t write_high, write_low;   /* fill of the write queue that starts and ends a drain */
    uint32_t controller;              /* cycles from arrival to the first possible command */
    uint32_t command_buses;           /* 1, or 2: row and column commands in the same cycle (HBM) */
    bool posted_writes;               /* a write is answered when accepted, not when written */
    bool forward;      /* a read of a burst in the write queue is answered from there */
    bool select_early; /* a row buffer is selected as soon as that is allowed, whether or not it can
                          be read then and whoever waits in the one selected */
    msw_dram_timing t;
    uint32_t fixed_latency;       /* fixed model: cycles added to the transfer */
    double fixed_bytes_per_cycle; /* fixed model: bandwidth of a channel */
} msw_dram_config;

/* What kind of source a number of a preset has. DERIVED: computed from such a source, for another
 * clock or from another number, or a choice of size (channels, ranks). */
typedef enum msw_dram_source {
    MSW_DRAM_STANDARD,
    MSW_DRAM_DATASHEET,
    MSW_DRAM_PAPER,
    MSW_DRAM_SIMULATOR,
    MSW_DRAM_DERIVED,
    MSW_DRAM_UNKNOWN,
} msw_dram_source;

typedef struct msw_dram_number {
    const char *name; /* of a field of msw_dram_config or msw_dram_timing */
    uint32_t value;
    msw_dram_source source_class;
} msw_dram_number;

/* A named configuration with the source of its numbers. */
typedef struct msw_dram_preset {
    const char *name, *doc, *source;
    msw_dram_config config;
    const msw_dram_number *numbers; /* sizes and times; the last one has a NULL name */
} msw_dram_preset;

/* All presets; the last one has a NULL name. */
extern const msw_dram_preset msw_dram_presets[];

/* Looks a preset up. Returns its configuration, or NULL with the nearest name in `err`. */
const msw_dram_config *msw_dram_preset_find(const char *name, msw_err *err);

/* The same memory in cycles of another clock: times are rounded up, sums of times stay sums (rc,
 * faw), so a clock that is not a multiple costs up to a cycle per rule. Returns it. */
msw_dram_config msw_dram_at_clock(const msw_dram_config *config, uint32_t clock_ps);

/* Checks a configuration as a whole. Returns 0, or -1 with what was found and what is allowed. */
int msw_dram_check(const msw_dram_config *config, msw_err *err);

/* ---- address map ---- */

enum { MSW_DRAM_MAP_PIECES = 16 };

typedef struct msw_dram_location {
    uint32_t channel, bank, row, column; /* bank: (rank, group, bank) as one number */
} msw_dram_location;

typedef struct msw_dram_piece {
    uint8_t shift, to, field;
    uint32_t mask;
} msw_dram_piece;

/* An address map in compiled form: the first piece of channel, bank, row and column, then the rest
 * of split fields. */
typedef struct msw_dram_map {
    msw_dram_piece first[4], more[MSW_DRAM_MAP_PIECES];
    uint32_t more_count, hash_mask;
} msw_dram_map;

/* Compiles `config->map`: fields from the most to the least significant bit, separated by blanks,
 * out of row, rank, bg, bank, col, ch, off. A field may be followed by its bits ("col:3") and then
 * appear again; without bits it takes what is left of it. Bits above the map are ignored. Returns
 * 0, or -1 with the field that is wrong and the bits it should have. */
int msw_dram_map_init(msw_dram_map *map, const msw_dram_config *config, msw_err *err);

/* Splits an address. Returns where it lies. */
msw_dram_location msw_dram_locate(const msw_dram_map *map, uint64_t address);

/* ---- a server with latency and bandwidth (the fixed model's channel, usable alone) ---- */

typedef struct msw_dram_server {
    uint64_t latency;        /* cycles */
    uint64_t ticks_per_byte; /* a tick is 2^-20 cycle */
    uint64_t free_tick;      /* when the bus is free again */
} msw_dram_server;

/* Prepares a server; bytes_per_cycle > 0. */
void msw_dram_server_init(msw_dram_server *server, uint64_t latency, double bytes_per_cycle);

enum { MSW_DRAM_TICK_BITS = 20 };

/* Takes one transfer that arrives at `time`. Returns the cycle at which it is complete. */
static inline uint64_t msw_dram_server_take(msw_dram_server *server, uint64_t time, uint64_t bytes)
{
    uint64_t arrival = time << MSW_DRAM_TICK_BITS;
    uint64_t start = server->free_tick > arrival ? server->free_tick : arrival;
    server->free_tick = start + bytes * server->ticks_per_byte;
    return ((server->free_tick + (1 << MSW_DRAM_TICK_BITS) - 1) >> MSW_DRAM_TICK_BITS) +
           server->latency;
}

/* ---- statistics ---- */

enum { MSW_DRAM_LATENCY_BINS = 128 };

/* Totals of one channel since the start (msw_dram_stats_sum adds channels). A request is a hit when
 * its column command is not the first since its row was opened; the first is a conflict when a PRE
 * made room for the row, else closed: an opening that is used counts once. Queueing is the time
 * from arrival to the first command issued for the request, service from there to the end of the
 * data. */
typedef struct msw_dram_stats {
    uint64_t reads, writes; /* requests accepted */
    uint64_t bytes_read,
        bytes_written; /* bytes asked for, counted when their data has been scheduled */
    union {            /* add up to the column commands; forwarded reads are in none */
        struct {
            uint64_t hits, closed, conflicts;
        };
        uint64_t by_outcome[3]; /* by msw_dram_outcome */
    };
    uint64_t forwarded; /* reads answered from the write queue */
    uint64_t commands_act, commands_pre, commands_rd, commands_wr; /* auto-precharges not in pre */
    uint64_t commands_sel;
    uint64_t auto_precharges, commands_prea, commands_ref;
    uint64_t drains;                        /* times the scheduler turned from reads to writes */
    uint64_t read_queueing, read_service;   /* sums over reads, cycles */
    uint64_t write_queueing, write_service; /* sums over writes until written, cycles */
    uint64_t read_latency_max;              /* cycles */
    uint64_t data_cycles;                   /* cycles the data bus was busy */
    uint64_t refresh_cycles;           /* cycles from the due time to the end of each refresh */
    uint64_t first_arrival, last_data; /* cycle of the first arrival, end of the last data */
    uint64_t latency_bin[MSW_DRAM_LATENCY_BINS]; /* reads by latency: msw_dram_bin_floor */
} msw_dram_stats;

/* Smallest latency that falls into a bin (8 bins per octave; exact below 16). */
uint64_t msw_dram_bin_floor(unsigned bin);

/* What follows from the totals. Latencies are means over reads, in cycles. */
typedef struct msw_dram_rates {
    double hit_rate, bandwidth_gbs, peak_gbs, utilisation;
    double read_latency, read_queueing, read_service, refresh_share;
} msw_dram_rates;

/* Returns GB/s that the pins of so many channels carry at most. */
static inline double msw_dram_peak_gbs(const msw_dram_config *config, uint32_t channels)
{
    return (double)channels * config->burst_bytes * 1000 /
           ((double)config->t.bl * config->clock_ps);
}

/* Derives rates over the time from the first arrival to the last data; undefined ones are NaN. */
msw_dram_rates msw_dram_rates_of(const msw_dram_stats *stats, const msw_dram_config *config,
                                 uint32_t channels);

/* ---- the memory ---- */

typedef struct msw_dram msw_dram;

typedef enum msw_dram_outcome {
    MSW_DRAM_HIT,
    MSW_DRAM_CLOSED,
    MSW_DRAM_CONFLICT,
    MSW_DRAM_QUEUED, /* answered by the queue: posted write or forwarded read */
} msw_dram_outcome;

typedef struct msw_dram_completion {
    uint64_t time, tag, arrival;
    uint16_t channel;
    bool is_write;
    uint8_t outcome;
} msw_dram_completion;

/* Bytes of memory an object needs; the configuration must have passed msw_dram_check. */
size_t msw_dram_bytes(const msw_dram_config *config);

/* Prepares an object in `memory` (msw_dram_bytes, aligned to 64). Returns it, or NULL with `err`.
 */
msw_dram *msw_dram_init(void *memory, const msw_dram_config *config, msw_err *err);

/* Offers a request that lies within one burst at `time`. Returns whether it was accepted; it is
 * refused while its queue is full or too many completions have not been taken. */
bool msw_dram_push(msw_dram *dram, uint64_t time, uint64_t address, uint32_t bytes, bool is_write,
                   uint64_t tag);

/* Runs the channel of `address` until its queue has room. Returns the cycle at which it has, or
 * MSW_DRAM_NEVER when completions must be taken first. */
uint64_t msw_dram_room(msw_dram *dram, uint64_t address, bool is_write);

/* Runs until the next completion at or before `limit` and takes it; of those of the same cycle data
 * come first, by channel, then what the queues answer, as it was offered. Later pushes must not be
 * earlier than a completion taken or a limit reached. Returns whether there was one. */
bool msw_dram_next(msw_dram *dram, uint64_t limit, msw_dram_completion *completion);

/* Finishes everything that has been accepted, posted writes too; completions stay to be taken.
 * Returns the cycle at which the last data has been moved. */
uint64_t msw_dram_drain(msw_dram *dram);

/* Reads the totals of a channel. Returns a pointer that stays valid. */
const msw_dram_stats *msw_dram_channel_stats(const msw_dram *dram, uint32_t channel);

/* Adds `from` to `to`, which starts zeroed. */
void msw_dram_stats_sum(msw_dram_stats *to, const msw_dram_stats *from);

/* ---- whole streams ---- */

/* Requests in order. Closed loop: at most `window` unanswered, offered at most one per cycle.
 * Open loop (`arrival` given): offered at their time, or as soon after as the queue has room. A
 * request longer than a burst is offered as its bursts. */
typedef struct msw_dram_stream {
    const uint64_t *address;
    const uint8_t *is_write; /* NULL: all reads */
    const uint64_t *arrival; /* NULL: closed loop */
    size_t count;
    uint32_t bytes;  /* of each request */
    uint32_t window; /* closed loop; 0: limited by the queues only */
} msw_dram_stream;

/* Runs a stream that starts at `start` and drains it. Returns the cycle at which it is over. */
uint64_t msw_dram_replay(msw_dram *dram, const msw_dram_stream *stream, uint64_t start);

/* The same, request by request. Starts with `dram`, `window`, `timed` (open loop) and `now`, the
 * cycle of the first; of an open loop the caller raises `now` to a request's time. */
typedef struct msw_dram_player {
    msw_dram *dram;
    uint64_t now;  /* cycle at which the next burst is offered */
    uint64_t last; /* latest completion taken */
    size_t open;
    uint32_t window;
    bool timed;
    uint32_t width;   /* bursts offered in a cycle; 0: one */
    uint32_t offered; /* in the present cycle */
} msw_dram_player;

/* Offers a request of any length. */
void msw_dram_play(msw_dram_player *player, uint64_t address, uint64_t bytes, bool is_write);

/* Drains. Returns the cycle at which all is over. */
uint64_t msw_dram_play_end(msw_dram_player *player);

/* ---- command trace ---- */

typedef enum msw_dram_command_kind {
    MSW_DRAM_ACT,
    MSW_DRAM_PRE,
    MSW_DRAM_RD,
    MSW_DRAM_WR,
    MSW_DRAM_PREA,
    MSW_DRAM_REF,
    MSW_DRAM_SEL, /* connects an open row buffer to the column path of its bank */
} msw_dram_command_kind;

typedef struct msw_dram_command {
    uint64_t time;
    uint32_t channel, bank, buffer,
        row; /* bank: (rank, group, bank); PREA, REF: first of the rank */
    uint8_t kind;
    bool auto_precharge;
} msw_dram_command;

/* Records commands in `trace`; those beyond `capacity` are only counted. */
void msw_dram_trace(msw_dram *dram, msw_dram_command *trace, size_t capacity);

/* Commands issued since msw_dram_trace. Returns their number, which may exceed the capacity. */
size_t msw_dram_traced(const msw_dram *dram);

#endif
