/* SPDX-License-Identifier: MIT */
/* link: latency and bandwidth between two places, with the size-dependent efficiency of real ones.
 *
 * A transfer of s bytes occupies its channel for setup_cycles + wire(s) / bandwidth, where wire(s)
 * = s + overhead_bytes x ceil(s / packet_bytes), and is delivered latency_cycles after its last
 * byte left. So the effective bandwidth of single transfers is s / (setup + wire(s) / bandwidth),
 * which approaches packet / (packet + overhead) of the bandwidth for large s.
 *
 * With `curves` the time on the channel is that of a table of measured bandwidths by size
 * (link_curve.h) instead, in ticks of 2^-16 cycle.
 *
 * Several masters may share a channel by weights: among the waiting transfers of a priority that
 * with the smallest start tag goes first, S = max(virtual time of its priority, end of its master's
 * last), a transfer of d ticks lengthening its master's by d / weight (start-time fair queueing).
 * So masters that always wait share the channel's time as their weights, whatever their sizes; what
 * one does not use the others get.
 *
 * Bandwidth is the ratio of two integers and channel time is kept in exact fractions of a cycle:
 * nothing is rounded before a delivery is reported (upwards, in whole cycles). Two ways to use it:
 * msw_link_reserve serves in the order of the calls and answers at once, series in one step;
 * msw_link_send queues by priority (0 first; within one first come first served, or the masters'
 * shares; not preemptive) and msw_link_take delivers. Times given to one link never go back and
 * stay below 2^43.
 *
 * Waiting: msw_link_send, msw_link_next and msw_link_take for uvm, where demanded pages overtake
 * prefetched ones; msw_link_wire and msw_link_effective for its closed form. */
#ifndef MEMSWEEP_SIM_LINK_H
#define MEMSWEEP_SIM_LINK_H

#include "memsweep/base/err.h"
#include "memsweep/sim/link_curve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_LINK_DIRECTIONS = 2, MSW_LINK_PRIORITIES = 8, MSW_LINK_MASTERS = 16 };

typedef struct msw_link_config {
    uint64_t bytes, cycles; /* bandwidth: bytes per cycles; both below 2^20; unused with curves */
    const msw_link_curve *curves[MSW_LINK_DIRECTIONS]; /* by direction; both or none; they stay the
                                                          caller's */
    uint32_t latency_cycles;
    uint32_t setup_cycles;              /* per transfer, on the channel */
    uint32_t packet_bytes;              /* most payload per packet; 0: no packets */
    uint32_t overhead_bytes;            /* per packet */
    bool half_duplex;                   /* both directions share one channel */
    uint32_t priorities;                /* 1 to 8 */
    uint32_t masters;                   /* up to 16; 0 counts as 1 */
    uint32_t weights[MSW_LINK_MASTERS]; /* 1 to 65535, of each master; unused with one */
    uint32_t queue; /* transfers that can wait or be under way at once (send, take) */
} msw_link_config;

typedef struct msw_link_stats {
    uint64_t transfers, bytes, wire_bytes; /* handed to the channel */
    uint64_t delivered_bytes;              /* taken (send, take) or reserved */
    uint64_t busy_ticks, wait_ticks;       /* see ticks_per_cycle */
} msw_link_stats;

typedef struct msw_transfer {
    uint64_t time; /* sent; when taken: delivered */
    uint64_t bytes;
    uint64_t data; /* the caller's */
    uint8_t direction, priority, master;
} msw_transfer;

typedef struct msw_link_slot {
    msw_transfer transfer;
    uint64_t tag; /* with several masters: when it may start, in virtual time */
    uint32_t next;
} msw_link_slot;

/* What waits for a channel at one priority. Virtual time is in 2^-16 ticks per unit of weight. */
typedef struct msw_link_class {
    uint32_t first[MSW_LINK_MASTERS], last[MSW_LINK_MASTERS];
    uint64_t end[MSW_LINK_MASTERS]; /* virtual end of the master's last transfer */
    uint32_t rest[MSW_LINK_MASTERS];
    uint64_t now, latest; /* virtual time; the latest of all ends */
    uint32_t waiting;
} msw_link_class;

/* One channel: what waits for it, by priority and master, and what is on its way. */
typedef struct msw_link_channel {
    uint64_t free;    /* ticks: when it can take the next transfer */
    uint32_t serving; /* priority of the last that started */
    msw_link_class classes[MSW_LINK_PRIORITIES];
    uint32_t flying_first, flying_last; /* started, in order of delivery */
} msw_link_channel;

typedef struct msw_link {
    msw_link_config config;
    msw_link_channel channels[MSW_LINK_DIRECTIONS];
    msw_link_slot *slots;
    uint32_t free_slot;
    bool in_order; /* one priority and one master: what is sent starts after what was sent before */
    uint64_t ticks_per_cycle;
    msw_link_stats stats[MSW_LINK_DIRECTIONS];
} msw_link;

/* Returns the bytes of memory that this configuration needs (for send and take). */
size_t msw_link_bytes(const msw_link_config *config);

/* Starts idle. Returns 0, or -1 with what is wrong with the configuration. */
int msw_link_init(msw_link *link, const msw_link_config *config, void *memory, msw_err *err);

/* Returns the bytes on the wire for a payload. */
uint64_t msw_link_wire(const msw_link_config *config, uint64_t bytes);

/* Returns bytes per cycle that back-to-back transfers of this size achieve (of direction 0). */
double msw_link_effective(const msw_link_config *config, uint64_t bytes);

/* Shares of a channel's time that masters get when each asks for `demand` of it (1: all of it, more
 * counts as 1): weighted max-min, so nobody gets more than asked and what is left goes to the
 * others by weight. Fills `got`. */
void msw_link_shares(const double *demand, const uint32_t *weights, size_t count, double *got);

typedef struct msw_link_series {
    uint64_t time;  /* the first transfer is asked for */
    uint64_t gap;   /* cycles from one to the next; 0: all at once */
    uint64_t count; /* at least 1 */
    uint64_t bytes; /* each */
    uint32_t direction;
} msw_link_series;

/* Passes a series through in the order of calls, at a cost that does not grow with it. Returns when
 * the last is delivered. */
uint64_t msw_link_reserve(msw_link *link, const msw_link_series *series);

/* Queues a transfer. Returns false, and queues nothing, when `queue` transfers wait already. */
bool msw_link_send(msw_link *link, const msw_transfer *transfer);

/* Returns when the next delivery is due if nothing more is sent, UINT64_MAX when nothing is. */
uint64_t msw_link_next(const msw_link *link);

/* Delivers the earliest transfer due by `now`. Returns whether there was one. */
bool msw_link_take(msw_link *link, uint64_t now, msw_transfer *transfer);

#endif
