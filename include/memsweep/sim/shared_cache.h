/* SPDX-License-Identifier: MIT */
/* shared_cache: a cache whose ways are given to two sides, as CaMDN (DAC 2025) does.
 *
 * The general side is a tagged cache (cache.h) in its ways. The other ways are pages without tags,
 * named by number, with an owner per page and a dirty bit per line; what is where is their owners'
 * plan. A page is one way of `page_sets` neighbouring sets of all slices; its number is
 * (set / page_sets) << way bits | way. Line l of a page lies in slice l mod slices. Reaching into
 * the other side, or into another owner's page, is an error and changes nothing. No time. Rules:
 * docs/models/sim-cache.md.
 *
 * No model calls, but tests do: msw_shared_cache_mask, msw_page_dirty. */
#ifndef MEMSWEEP_SIM_SHARED_CACHE_H
#define MEMSWEEP_SIM_SHARED_CACHE_H

#include "memsweep/sim/cache.h"

enum { MSW_PAGES_OWNERS = 65535 };

typedef struct msw_shared_cache_config {
    msw_cache_config cache;    /* of all ways; masks NULL: the general side's. Masks name ways of
                                  the whole cache */
    const uint64_t *page_ways; /* mask of the ways that hold pages */
    uint32_t page_sets;        /* sets of each slice per page: a power of two that divides them */
    uint32_t owners;           /* who may own pages: numbers 0 up */
} msw_shared_cache_config;

typedef enum msw_page_operation {
    MSW_PAGE_FILL,       /* from memory */
    MSW_PAGE_WRITE_BACK, /* to memory what is dirty; it stays */
    MSW_PAGE_READ,
    MSW_PAGE_WRITE,
} msw_page_operation;

typedef struct msw_page_stats {
    uint64_t filled, written_back, read, written; /* lines */
} msw_page_stats;

typedef struct msw_shared_cache {
    msw_cache general;
    uint16_t *owner_of;    /* by page number: owner + 1, 0: nobody */
    uint64_t *dirty;       /* by page, `words` each */
    uint32_t *page_way;    /* by way: its position among those of pages, or MSW_ASSOC_NONE */
    uint64_t *mask;        /* scratch: a mask of general ways */
    msw_page_stats *stats; /* by owner */
    uint32_t ways, way_bits, page_way_count;
    uint32_t numbers; /* page numbers, those that name no page included */
    uint32_t pages, lines_per_page, words, owners;
} msw_shared_cache;

/* Lines [line, line + count) of a page. */
typedef struct msw_page_use {
    uint32_t owner, page, line, count;
    msw_page_operation operation;
} msw_page_use;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_shared_cache_bytes(const msw_shared_cache_config *config);

/* Starts with an empty general side and pages that are nobody's. Returns 0, or -1 with what is
 * wrong with the configuration: a requester with a way of the pages among it. */
int msw_shared_cache_init(msw_shared_cache *shared, const msw_shared_cache_config *config,
                          void *memory, msw_err *err);

/* Changes which ways a requester of the general side may fill; the mask names ways of the whole
 * cache. Returns 0, or -1 when it has a way of the pages or none. */
int msw_shared_cache_mask(msw_shared_cache *shared, uint32_t requester, const uint64_t *mask,
                          msw_err *err);

/* Returns whether a number names a page. */
bool msw_page_exists(const msw_shared_cache *shared, uint32_t page);

/* Gives a page that is nobody's to an owner, with no line dirty. Returns 0, or -1. */
int msw_page_take(msw_shared_cache *shared, uint32_t owner, uint32_t page, msw_err *err);

/* Takes a page from its owner; `dirty` becomes the lines whose data is lost. Returns 0, or -1. */
int msw_page_release(msw_shared_cache *shared, uint32_t owner, uint32_t page, uint64_t *dirty,
                     msw_err *err);

/* Fills, writes back, reads or writes lines of a page; `moved` becomes the lines that went from or
 * to memory. Returns 0, or -1 when they are not the owner's. */
int msw_page_operate(msw_shared_cache *shared, const msw_page_use *use, uint64_t *moved,
                     msw_err *err);

/* Returns the dirty lines of a page. */
uint64_t msw_page_dirty(const msw_shared_cache *shared, uint32_t page);

#endif
