/* cache: a set-associative, optionally sliced, write-back cache: what hits, what is evicted, what
 * must be written back. No time: links, banks and miss registers (mshr.h) add it.
 *
 * A line number is address / line_bytes; slice = line mod slices, set within the slice = (line /
 * slices) mod sets. A requester's way mask limits where its misses are filled; hits count in any
 * way. Replacement: see assoc.h.
 *
 * Waiting: msw_cache_* for camdn (a shared cache in slices). */
#ifndef MEMSWEEP_SIM_CACHE_H
#define MEMSWEEP_SIM_CACHE_H

#include "memsweep/sim/assoc.h"

enum { MSW_CACHE_REQUESTERS = 64 };

typedef struct msw_cache_config {
    uint32_t line_bytes;         /* power of two */
    uint32_t slices, sets, ways; /* sets: per slice */
    msw_policy policy;
    bool tree_fills;
    bool write_around;         /* a write miss fills nothing */
    uint32_t requesters;       /* 0: one, without a mask */
    const uint64_t *way_masks; /* by requester; NULL: all ways. Copied */
    uint64_t seed;
} msw_cache_config;

typedef struct msw_cache_stats {
    uint64_t reads, writes, hits, misses;
    uint64_t fills, evictions, writebacks, invalidations;
} msw_cache_stats;

typedef struct msw_cache {
    msw_assoc lines;
    uint8_t *dirty; /* by line */
    uint64_t way_masks[MSW_CACHE_REQUESTERS];
    msw_cache_stats *stats; /* by requester */
    uint32_t requesters, slices;
    unsigned line_shift;
    bool write_around;
} msw_cache;

typedef struct msw_cache_answer {
    bool hit, filled;
    bool evicted, writeback; /* `victim` lost its place; it was dirty */
    uint64_t victim;         /* address of the line that lost its place */
} msw_cache_answer;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_cache_bytes(const msw_cache_config *config);

/* Starts an empty cache. Returns 0, or -1 with what is wrong with the configuration. */
int msw_cache_init(msw_cache *cache, const msw_cache_config *config, void *memory, msw_err *err);

/* Reads or writes one line for a requester, filling it on a miss. Returns what happened. */
msw_cache_answer msw_cache_access(msw_cache *cache, uint32_t requester, uint64_t address,
                                  bool write);

/* Reads or writes `count` times one line, as that many accesses. Returns what the first did. */
msw_cache_answer msw_cache_run(msw_cache *cache, uint32_t requester, uint64_t address, bool write,
                               uint64_t count);

/* Looks without changing anything. Returns whether the line is there. */
bool msw_cache_holds(const msw_cache *cache, uint64_t address);

/* Drops a line, if it is there. Returns whether it was dirty and must be written back. */
bool msw_cache_invalidate(msw_cache *cache, uint32_t requester, uint64_t address);

/* Returns the slice of an address. */
uint32_t msw_cache_slice(const msw_cache *cache, uint64_t address);

/* Sums the statistics over requesters. Returns the sum. */
msw_cache_stats msw_cache_total(const msw_cache *cache);

#endif
