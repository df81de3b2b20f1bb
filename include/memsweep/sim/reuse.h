/* SPDX-License-Identifier: MIT */
/* reuse: closed-form counterparts of the cycle-level caches and TLBs.
 *
 * The LRU stack distance of an access is the number of different keys since the last access to the
 * same key; a fully associative LRU cache of C lines hits exactly the accesses of distance below C
 * (Mattson et al. 1970), so one pass over a stream gives the hits of every size.
 *
 * No model calls, but `memsweep describe` does: msw_reuse_bytes, msw_reuse_init,
 * msw_reuse_add, msw_reuse_hits. */
#ifndef MEMSWEEP_SIM_REUSE_H
#define MEMSWEEP_SIM_REUSE_H

#include "memsweep/base/err.h"
#include "memsweep/sim/lru_stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_REUSE_COLD UINT32_MAX

typedef struct msw_reuse {
    uint64_t *keys;   /* hash table: key, */
    uint32_t *last;   /* and its time of last access (0: free) */
    uint32_t *owner;  /* by time: table position + 1 of the key accessed last then, or 0 */
    uint64_t *counts; /* by distance */
    msw_lru_stack used;
    uint32_t capacity, mask;
    uint64_t accesses, cold;
} msw_reuse;

/* Returns the bytes of memory that a profile of at most `capacity` different keys needs. */
size_t msw_reuse_bytes(uint32_t capacity);

/* Starts an empty profile. Returns 0, or -1 when the capacity is 0 or above 2^28. */
int msw_reuse_init(msw_reuse *reuse, uint32_t capacity, void *memory, msw_err *err);

/* Adds an access. Returns 0, or -1 when there are more different keys than the capacity. */
int msw_reuse_add(msw_reuse *reuse, uint64_t key, msw_err *err);

/* Returns how many of the accesses a fully associative LRU cache of `lines` hits: exact. */
uint64_t msw_reuse_hits(const msw_reuse *reuse, uint32_t lines);

#endif
