/* SPDX-License-Identifier: MIT */
/* slices: the time that the slices of a cache take: latency and bandwidth of each.
 *
 * A slice passes the bytes of its accesses in the order of the calls, `bytes` per `cycles`, and
 * answers `latency_cycles` after the last; times are kept in exact fractions of a cycle. Which
 * slice an address belongs to: msw_cache_slice.
 *
 * Waiting: msw_slices_* for camdn. */
#ifndef MEMSWEEP_SIM_SLICES_H
#define MEMSWEEP_SIM_SLICES_H

#include "memsweep/sim/link.h"

typedef struct msw_slices_config {
    uint32_t slices;
    uint64_t bytes, cycles; /* bandwidth of each: bytes per cycles; both below 2^20 */
    uint32_t latency_cycles;
} msw_slices_config;

typedef struct msw_slices {
    msw_link *links; /* by slice, one direction in use */
    uint32_t slices;
} msw_slices;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_slices_bytes(const msw_slices_config *config);

/* Starts idle. Returns 0, or -1 with what is wrong with the configuration. */
int msw_slices_init(msw_slices *slices, const msw_slices_config *config, void *memory,
                    msw_err *err);

/* Passes `count` accesses of `bytes` each, all asked for at `time`, which does not go back. Returns
 * when the last is answered. */
uint64_t msw_slices_pass(msw_slices *slices, uint32_t slice, uint64_t time, uint64_t count,
                         uint64_t bytes);

/* Returns the bytes that a slice has passed. */
uint64_t msw_slices_passed(const msw_slices *slices, uint32_t slice);

#endif
