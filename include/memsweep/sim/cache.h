/* SPDX-License-Identifier: MIT */
/* cache: a set-associative, optionally sliced, write-back cache: what hits, what is evicted, what
 * must be written back. No time: links, banks and miss registers (mshr.h) add it.
 *
 * A line number is address / line_bytes; its slice is line mod slices, its set within the slice
 * (line / slices) mod sets. A requester's way mask limits where its misses are filled; hits count
 * in any way. Replacement: see assoc.h. Rules: docs/models/sim-cache.md. */
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
    const uint64_t *way_masks; /* by requester, msw_ways_words each; NULL: all ways. Copied */
    uint64_t seed;
    msw_rrip rrip;
} msw_cache_config;

typedef struct msw_cache_stats {
    uint64_t reads, writes, hits, misses;
    uint64_t fills, bypasses, evictions, writebacks;
} msw_cache_stats;

typedef struct msw_cache {
    msw_assoc lines;
    uint8_t *dirty;         /* by line */
    uint64_t *masks;        /* by requester */
    const uint64_t **ways;  /* by requester: its mask, or MSW_WAYS_ALL */
    msw_cache_stats *stats; /* by requester */
    uint32_t requesters;
    unsigned line_shift;
    bool write_around;
} msw_cache;

typedef struct msw_cache_answer {
    bool hit, filled;
    bool evicted, writeback; /* `victim` lost its place; it was dirty */
    bool dirtied;            /* a write made its line dirty, which it was not */
    uint64_t victim;         /* address of the line that lost its place */
} msw_cache_answer;

typedef struct msw_cache_request {
    uint64_t address;
    uint32_t requester;
    bool write;
    bool bypass;       /* a miss fills nothing */
    msw_insert insert; /* a miss: how soon the line is used again */
} msw_cache_request;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_cache_bytes(const msw_cache_config *config);

/* Starts an empty cache. Returns 0, or -1 with what is wrong with the configuration. */
int msw_cache_init(msw_cache *cache, const msw_cache_config *config, void *memory, msw_err *err);

/* Changes which ways a requester may fill; what it holds elsewhere stays. Returns 0, or -1 when it
 * names no way. */
int msw_cache_mask(msw_cache *cache, uint32_t requester, const uint64_t *mask, msw_err *err);

/* Says that a line will be asked for soon: what the look-up reads is fetched, nothing changes. Only
 * where sets are scanned (up to 16 ways). */
static inline void msw_cache_prefetch(const msw_cache *cache, uint64_t address)
{
    const msw_assoc *lines = &cache->lines;
    if (lines->table)
        return;
    uint32_t set = msw_assoc_set(lines, address >> cache->line_shift), base = set * lines->ways;
    __builtin_prefetch(&lines->tags[base], 1);
    __builtin_prefetch(&lines->tags[base + lines->ways - 1], 1);
    __builtin_prefetch(&cache->dirty[base], 1);
    __builtin_prefetch(&lines->filled[set]);
    if (lines->state)
        __builtin_prefetch(&lines->state[(size_t)set * lines->words], 1);
}

/* Reads or writes one line for a requester, filling it on a miss. Returns what happened. */
msw_cache_answer msw_cache_ask(msw_cache *cache, const msw_cache_request *request);

#endif
