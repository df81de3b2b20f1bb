/* link: latency and bandwidth between two places, with the size-dependent efficiency of real ones.
 *
 * A transfer of s bytes occupies its channel for setup_cycles + wire(s) / bandwidth, where wire(s)
 * = s + overhead_bytes x ceil(s / packet_bytes), and is delivered latency_cycles after its last
 * byte left. So the effective bandwidth of single transfers is s / (setup + wire(s) / bandwidth),
 * which approaches packet / (packet + overhead) of the bandwidth for large s.
 *
 * Bandwidth is the ratio of two integers and channel time is kept in exact fractions of a cycle:
 * nothing is rounded before a delivery is reported (upwards, in whole cycles). Two ways to use it:
 * msw_link_reserve serves in the order of the calls and answers at once, runs in one step;
 * msw_link_send queues by priority (0 first, first come first served within one, not preemptive)
 * and msw_link_take delivers. Times given to one link never go back and stay below
 * 2^43.
 *
 * Waiting: msw_link_send, msw_link_next and msw_link_take for uvm, where demanded pages overtake
 * prefetched ones; msw_link_wire and msw_link_effective for its closed form. */
#ifndef MEMSWEEP_SIM_LINK_H
#define MEMSWEEP_SIM_LINK_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_LINK_DIRECTIONS = 2, MSW_LINK_PRIORITIES = 8 };

typedef struct msw_link_config {
    uint64_t bytes, cycles; /* bandwidth: bytes per cycles; both below 2^20 */
    uint32_t latency_cycles;
    uint32_t setup_cycles;   /* per transfer, on the channel */
    uint32_t packet_bytes;   /* most payload per packet; 0: no packets */
    uint32_t overhead_bytes; /* per packet */
    bool half_duplex;        /* both directions share one channel */
    uint32_t priorities;     /* 1 to 8 */
    uint32_t queue;          /* transfers that can wait or be under way at once (send, take) */
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
    uint8_t direction, priority;
} msw_transfer;

typedef struct msw_link_slot {
    msw_transfer transfer;
    uint32_t next;
} msw_link_slot;

/* One channel: what waits for it, by priority, and what is on its way. */
typedef struct msw_link_channel {
    uint64_t free; /* ticks: when it can take the next transfer */
    uint32_t first[MSW_LINK_PRIORITIES], last[MSW_LINK_PRIORITIES];
    uint32_t flying_first, flying_last; /* started, in order of delivery */
} msw_link_channel;

typedef struct msw_link {
    msw_link_config config;
    msw_link_channel channels[MSW_LINK_DIRECTIONS];
    msw_link_slot *slots;
    uint32_t free_slot;
    uint64_t ticks_per_cycle;
    msw_link_stats stats[MSW_LINK_DIRECTIONS];
} msw_link;

/* Returns the bytes of memory that this configuration needs (for send and take). */
size_t msw_link_bytes(const msw_link_config *config);

/* Starts idle. Returns 0, or -1 with what is wrong with the configuration. */
int msw_link_init(msw_link *link, const msw_link_config *config, void *memory, msw_err *err);

/* Returns the bytes on the wire for a payload. */
uint64_t msw_link_wire(const msw_link_config *config, uint64_t bytes);

/* Returns bytes per cycle that back-to-back transfers of this size achieve. */
double msw_link_effective(const msw_link_config *config, uint64_t bytes);

typedef struct msw_link_run {
    uint64_t time;  /* the first transfer is asked for */
    uint64_t gap;   /* cycles from one to the next; 0: all at once */
    uint64_t count; /* at least 1 */
    uint64_t bytes; /* each */
    uint32_t direction;
} msw_link_run;

/* Passes a run through in the order of calls, at a cost that does not grow with it. Returns when
 * the last is delivered. */
uint64_t msw_link_reserve(msw_link *link, const msw_link_run *run);

/* Queues a transfer. Returns false, and queues nothing, when `queue` transfers wait already. */
bool msw_link_send(msw_link *link, const msw_transfer *transfer);

/* Returns when the next delivery is due if nothing more is sent, UINT64_MAX when nothing is. */
uint64_t msw_link_next(const msw_link *link);

/* Delivers the earliest transfer due by `now`. Returns whether there was one. */
bool msw_link_take(msw_link *link, uint64_t now, msw_transfer *transfer);

#endif
