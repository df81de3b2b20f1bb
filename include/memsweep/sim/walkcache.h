/* SPDX-License-Identifier: MIT */
/* walkcache: what lets a page walk skip its upper levels.
 *
 *   register  one path (the indices of all levels above the leaf) per walker: its last one
 *   path      a cache of such paths shared by all walkers (translation path cache)
 *   table     one cache of page-table entries, tagged by their physical addresses (unified)
 *   levels    one cache per upper level, of its own size, tagged by the address bits above the
 *             level: a hit at a level saves it and all above it, and the lowest hit counts
 *
 * A path that agrees in its first n indices saves the first n accesses. `levels` limits how many
 * upper levels are kept. What walkers share is learnt when a walk ends. */
#ifndef MEMSWEEP_SIM_WALKCACHE_H
#define MEMSWEEP_SIM_WALKCACHE_H

#include "memsweep/sim/assoc.h"
#include "memsweep/sim/pagetable.h"

typedef enum msw_walkcache_kind {
    MSW_WALKCACHE_NONE,
    MSW_WALKCACHE_REGISTER,
    MSW_WALKCACHE_PATH,
    MSW_WALKCACHE_TABLE,
    MSW_WALKCACHE_LEVELS,
} msw_walkcache_kind;

typedef struct msw_walkcache_config {
    msw_walkcache_kind kind;
    uint32_t entries; /* path and table */
    uint32_t ways;    /* table; 0: fully associative, as path always is */
    msw_policy policy;
    uint32_t levels; /* upper levels kept, from the top; 0: none, 4 or more: all */
    bool leaves;     /* table: keep entries of the last level too */
    uint64_t seed;
    uint32_t level_entries[MSW_PAGETABLE_LEVELS + 1]; /* levels: by level, fully associative */
} msw_walkcache_config;

typedef struct msw_walkcache {
    msw_walkcache_kind kind;
    uint32_t levels;
    bool leaves;
    uint64_t *registers; /* by walker */
    msw_assoc cache;
    msw_assoc level[MSW_PAGETABLE_LEVELS + 1]; /* levels kind; 0 ways where none is kept */
} msw_walkcache;

/* Returns the bytes of memory that this configuration needs for a number of walkers. */
size_t msw_walkcache_bytes(const msw_walkcache_config *config, uint32_t walkers);

/* Starts empty. Returns 0, or -1 with what is wrong with the configuration. */
int msw_walkcache_init(msw_walkcache *cache, const msw_walkcache_config *config, uint32_t walkers,
                       void *memory, msw_err *err);

/* Matches a path with `upper` levels (register and path kinds). Returns how many it can skip. */
unsigned msw_walkcache_match(msw_walkcache *cache, const msw_pagetable *table, uint32_t walker,
                             uint64_t path, unsigned upper);

/* Learns the path a walker has walked (register and path kinds). */
void msw_walkcache_learn(msw_walkcache *cache, uint32_t walker, uint64_t path);

/* Looks for an address in the caches of the levels above `leaf` (levels kind). Returns how many
 * levels a walk can skip. */
unsigned msw_walkcache_match_levels(msw_walkcache *cache, const msw_pagetable *table,
                                    uint64_t address, unsigned leaf);

/* Learns what a walk of an address has read above `leaf` (levels kind). */
void msw_walkcache_learn_levels(msw_walkcache *cache, const msw_pagetable *table, uint64_t address,
                                unsigned leaf);

/* Looks up the page-table entry a walk needs at its step `step` (0 = top) of `steps` (table kind).
 * Returns whether it is there. */
bool msw_walkcache_holds(msw_walkcache *cache, uint64_t entry, unsigned step, unsigned steps);

/* Enters the page-table entry a walk has read at a step (table kind). */
void msw_walkcache_enter(msw_walkcache *cache, uint64_t entry, unsigned step, unsigned steps);

#endif
