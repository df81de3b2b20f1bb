/* SPDX-License-Identifier: MIT */
/* dram_lines: a near-bank channel, whose requests are the same column of some of its banks, or of
 * all of them, at the cost of one request.
 *
 * The timing rules within and between banks are those of dram.h. What differs: a request takes one
 * decision, not one per command, and its bursts in different banks stay together; reads and writes
 * share one queue; an open row can lie in any of a bank's row buffers.
 * docs/models/sim-dram-lines.md.
 *
 * It waits for mpu, whose near-bank units read a line of a warp from all their banks. Times are
 * cycles of the memory. Nothing here allocates. */
#ifndef MEMSWEEP_SIM_DRAM_LINES_H
#define MEMSWEEP_SIM_DRAM_LINES_H

#include "memsweep/sim/dram.h"

enum {
    MSW_DRAM_LINES_BANKS = 16,
    MSW_DRAM_LINES_BUFFERS = 8,
    MSW_DRAM_LINES_GROUPS = 4,
    MSW_DRAM_LINES_WINDOW = 64
};

typedef enum msw_dram_lines_placing {
    MSW_DRAM_LINES_MOD, /* row r is opened in buffer r mod buffers (MASA) */
    MSW_DRAM_LINES_LRU, /* in an empty buffer, or that used least recently */
} msw_dram_lines_placing;

typedef struct msw_dram_lines_config {
    uint32_t banks, buffers; /* at most MSW_DRAM_LINES_BANKS, MSW_DRAM_LINES_BUFFERS */
    uint32_t groups;         /* at most MSW_DRAM_LINES_GROUPS; bank b is in group b mod groups */
    msw_dram_lines_placing placing;
    bool own_buses;  /* every bank has buses of its own; else all share one */
    bool ahead;      /* rows are opened while other requests are served */
    uint32_t window; /* oldest requests that the scheduler sees, at most MSW_DRAM_LINES_WINDOW */
    msw_dram_closing closing; /* with hit_cap, as in msw_dram_config */
    uint32_t hit_cap;
    uint32_t controller; /* cycles from arrival to the first possible command */
    uint32_t capacity;   /* requests that can wait, a power of two */
    msw_dram_timing t;
} msw_dram_lines_config;

typedef struct msw_dram_lines_request {
    uint64_t arrival, tag;
    uint32_t row;
    uint16_t banks; /* bit per bank; at least one */
    bool is_write;
    bool updates; /* a write that reads the burst first, and merges */
} msw_dram_lines_request;

typedef struct msw_dram_lines_completion {
    uint64_t time, tag; /* end of the data */
    bool is_write;
} msw_dram_lines_completion;

/* Totals since the start. Per bank: a line of four banks counts four times. Hits, closed and
 * conflicts as in msw_dram_stats; they add up to reads + writes. */
typedef struct msw_dram_lines_stats {
    uint64_t lines;         /* requests */
    uint64_t reads, writes; /* that were asked for */
    uint64_t update_reads;  /* in front of writes */
    uint64_t hits, closed, conflicts;
    uint64_t acts, pres, refreshes; /* a refresh counts once per bank */
    uint64_t wait_cycles;           /* arrival to column command, of requests */
    uint64_t data_cycles;           /* of the shared bus, or of all buses */
} msw_dram_lines_stats;

typedef struct msw_dram_lines msw_dram_lines;

/* Checks a configuration. Returns 0, or -1 with what is wrong and what is allowed. */
int msw_dram_lines_check(const msw_dram_lines_config *config, msw_err *err);

/* Returns the bytes of memory that a channel needs; the configuration has passed the check. */
size_t msw_dram_lines_bytes(const msw_dram_lines_config *config);

/* Starts idle in `memory` (aligned to 64). `config` stays the caller's. Returns the channel. */
msw_dram_lines *msw_dram_lines_init(void *memory, const msw_dram_lines_config *config);

/* Puts the next refresh, and with it all later ones, off by some cycles. */
void msw_dram_lines_put_off(msw_dram_lines *lines, uint64_t cycles);

/* Offers a request that arrives at its time, which is not before the last `now`. Returns false, and
 * takes nothing, when `capacity` wait. */
bool msw_dram_lines_push(msw_dram_lines *lines, const msw_dram_lines_request *request);

/* Returns the next time at which something is decided; MSW_DRAM_NEVER: nothing waits. */
uint64_t msw_dram_lines_when(const msw_dram_lines *lines);

/* Decides, in the order of time, what is due by `now`, up to the next request whose column command
 * is issued. Returns whether there was one; its data may end later than `now`. */
bool msw_dram_lines_next(msw_dram_lines *lines, uint64_t now,
                         msw_dram_lines_completion *completion);

/* Returns how many requests were taken whose column command is not issued. While there are any,
 * msw_dram_lines_when is not MSW_DRAM_NEVER. */
uint32_t msw_dram_lines_waiting(const msw_dram_lines *lines);

/* Returns the totals; they stay valid. */
const msw_dram_lines_stats *msw_dram_lines_totals(const msw_dram_lines *lines);

#endif
