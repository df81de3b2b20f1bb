/* SPDX-License-Identifier: MIT */
/* utility: misses by number of ways, for all numbers in one pass over a stream (LRU).
 *
 * A set keeps its last keys in order; what hits at position p hits in every cache of more than p
 * ways (Mattson et al. 1970; as monitors of caches shared by several: Qureshi and Patt 2006). Exact
 * for a cache of as many sets. Sizes instead of ways, and many ways: reuse.h. */
#ifndef MEMSWEEP_SIM_UTILITY_H
#define MEMSWEEP_SIM_UTILITY_H

#include "memsweep/base/err.h"

#include <stddef.h>
#include <stdint.h>

typedef struct msw_utility_config {
    uint32_t sets;
    uint32_t ways;  /* the most that are asked for */
    uint32_t every; /* one set in so many is watched: those of numbers 0, every, ...; 0: all */
} msw_utility_config;

typedef struct msw_utility {
    uint64_t *keys; /* by watched set, `ways` each, the newest first */
    uint32_t *held; /* by watched set */
    uint64_t *hits; /* by position in that order */
    uint32_t sets, ways, every;
    uint64_t accesses; /* to watched sets */
} msw_utility;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_utility_bytes(const msw_utility_config *config);

/* Starts with nothing seen. Returns 0, or -1 with what is wrong with the configuration. */
int msw_utility_init(msw_utility *utility, const msw_utility_config *config, void *memory,
                     msw_err *err);

/* Adds an access to a key of a set. */
void msw_utility_add(msw_utility *utility, uint32_t set, uint64_t key);

/* Returns the misses of the watched sets with that many ways, 0 to `ways`: exact. */
uint64_t msw_utility_misses(const msw_utility *utility, uint32_t ways);

#endif
