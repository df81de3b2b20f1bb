/* SPDX-License-Identifier: MIT */
/* link: latency and bandwidth between two places, with the size-dependent efficiency of real ones.
 *
 * A transfer of s bytes occupies its channel for setup_cycles + wire(s) / bandwidth, where wire(s)
 * = s + overhead_bytes x ceil(s / packet_bytes), and is delivered latency_cycles after its last
 * byte left. So the effective bandwidth of single transfers is s / (setup + wire(s) / bandwidth),
 * which approaches packet / (packet + overhead) of the bandwidth for large s.
 *
 * Bandwidth is the ratio of two integers and channel time is stored in exact fractions of a cycle:
 * nothing is rounded before a delivery is reported (upwards, in whole cycles). Transfers are served
 * in the order of the calls, series in one step. Times passed to one link never go back and stay
 * below 2^43. */
#ifndef MEMSWEEP_SIM_LINK_H
#define MEMSWEEP_SIM_LINK_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_LINK_DIRECTIONS = 2 };

typedef struct msw_link_config {
    uint64_t bytes, cycles; /* bandwidth: bytes per cycles; both below 2^20 */
    uint32_t latency_cycles;
    uint32_t setup_cycles;   /* per transfer, on the channel */
    uint32_t packet_bytes;   /* most payload per packet; 0: no packets */
    uint32_t overhead_bytes; /* per packet */
    bool half_duplex;        /* both directions share one channel */
} msw_link_config;

typedef struct msw_link_stats {
    uint64_t transfers, bytes, wire_bytes;
    uint64_t busy_ticks, wait_ticks; /* of 1 / config.bytes cycle */
} msw_link_stats;

typedef struct msw_link {
    msw_link_config config;
    uint64_t free[MSW_LINK_DIRECTIONS]; /* ticks: when a channel can take the next transfer */
    msw_link_stats stats[MSW_LINK_DIRECTIONS];
} msw_link;

/* Starts idle. Returns 0, or -1 with what is wrong with the configuration. */
int msw_link_init(msw_link *link, const msw_link_config *config, msw_err *err);

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

#endif
