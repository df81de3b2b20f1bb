/* SPDX-License-Identifier: MIT */
/* tlb: translation look-aside buffer with several page sizes, coalesced entries and banks.
 *
 * An entry covers `coalesce` contiguous aligned pages of one size, with a valid bit per page. A
 * look-up tries every enabled page size. Banks are separate TLBs side by side: a page is looked up
 * only in the bank that its request goes to, so it can sit in several. Each entry remembers when
 * its last fill arrives, so that a hit on a translation still on its way waits for it.
 *
 * No model calls, but tests do: msw_tlb_lookup. */
#ifndef MEMSWEEP_SIM_TLB_H
#define MEMSWEEP_SIM_TLB_H

#include "memsweep/sim/assoc.h"

enum { MSW_TLB_SIZES = 4, MSW_TLB_BANKS = 64, MSW_TLB_COALESCE = 64 };

typedef struct msw_tlb_config {
    uint32_t banks, sets, ways; /* sets and ways: per bank */
    msw_policy policy;
    bool tree_fills;
    uint32_t sizes;                    /* enabled page sizes */
    uint8_t page_shift[MSW_TLB_SIZES]; /* log2 of each, all different */
    uint32_t coalesce;                 /* pages per entry, power of two; 1: plain */
    uint64_t seed;
} msw_tlb_config;

typedef struct msw_tlb_stats {
    uint64_t requests, hits, misses;
    uint64_t fills, evictions, invalidations;
} msw_tlb_stats;

/* A virtual page: any address within it, and log2 of its size. */
typedef struct msw_page {
    uint64_t address;
    unsigned shift;
} msw_page;

/* Returns a number that is different for different pages of any size. */
static inline uint64_t msw_page_key(msw_page page)
{
    return page.address >> page.shift << 6 | page.shift;
}

typedef struct msw_tlb {
    msw_assoc entries;
    uint64_t *valid;      /* by entry: one bit per page it covers */
    uint64_t *ready;      /* by entry: when its last fill arrives */
    msw_tlb_stats *stats; /* by bank */
    uint32_t banks, sets_per_bank, sizes;
    uint32_t coalesce;
    unsigned block_shift[MSW_TLB_SIZES]; /* page shift + log2 coalesce */
    uint8_t page_shift[MSW_TLB_SIZES];
    uint32_t set_mask; /* as in assoc, within a bank */
    bool plain;        /* one page size, one page per entry */
} msw_tlb;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_tlb_bytes(const msw_tlb_config *config);

/* Starts an empty TLB. Returns 0, or -1 with what is wrong with the configuration. */
int msw_tlb_init(msw_tlb *tlb, const msw_tlb_config *config, void *memory, msw_err *err);

/* Returns the set of bank 0 that a page of an enabled size belongs to. */
uint32_t msw_tlb_set(const msw_tlb *tlb, msw_page page);

/* Where a block of pages can be. */
typedef struct msw_tlb_location {
    uint64_t key;
    uint32_t set;
} msw_tlb_location;

static inline msw_tlb_location msw_tlb_locate(const msw_tlb *tlb, uint32_t bank, uint64_t address,
                                              uint32_t size)
{
    uint64_t block = address >> tlb->block_shift[size];
    uint32_t set = tlb->set_mask || tlb->sets_per_bank == 1
                       ? (uint32_t)block & tlb->set_mask
                       : (uint32_t)(block % tlb->sets_per_bank);
    return (msw_tlb_location){block << 8 | bank << 2 | size, bank * tlb->sets_per_bank + set};
}

/* msw_tlb_probe of a TLB that is not plain. */
uint64_t msw_tlb_probe_sizes(msw_tlb *tlb, uint32_t bank, uint64_t address);

/* Looks an address up and marks its entry as used; no statistics. With one page size and one page
 * per entry there is nothing to loop over or to check but the tag. Returns the time its fill
 * arrived or arrives, or UINT64_MAX on a miss. */
static inline uint64_t msw_tlb_probe(msw_tlb *tlb, uint32_t bank, uint64_t address)
{
    if (!tlb->plain)
        return msw_tlb_probe_sizes(tlb, bank, address);
    msw_tlb_location at = msw_tlb_locate(tlb, bank, address, 0);
    uint32_t entry = msw_assoc_find(&tlb->entries, at.set, at.key);
    if (entry == MSW_ASSOC_NONE)
        return UINT64_MAX;
    msw_assoc_touch(&tlb->entries, at.set, entry);
    return tlb->ready[entry];
}

/* Counts requests that hit or missed in a bank. */
static inline void msw_tlb_count(msw_tlb *tlb, uint32_t bank, uint64_t hits, uint64_t misses)
{
    tlb->stats[bank].requests += hits + misses;
    tlb->stats[bank].hits += hits;
    tlb->stats[bank].misses += misses;
}

/* Probes and counts one request. Returns whether it hit. */
bool msw_tlb_lookup(msw_tlb *tlb, uint32_t bank, uint64_t address);

/* Enters a page of an enabled size, arriving at `ready`; with coalesced entries `neighbours` has a
 * bit for each page of the block that comes with it (0: the page alone). */
void msw_tlb_fill(msw_tlb *tlb, uint32_t bank, msw_page page, uint64_t neighbours, uint64_t ready);

/* Gives a page that is not there an entry whose fill is still to come (tlb->ready): one size, one
 * page per entry. `free` becomes when the fill of what it replaces has come, or 0. Returns the
 * entry. */
uint32_t msw_tlb_claim(msw_tlb *tlb, uint32_t bank, msw_page page, uint64_t *free);

/* Drops a page from a bank. Returns whether it was there. */
bool msw_tlb_invalidate(msw_tlb *tlb, uint32_t bank, msw_page page);

#endif
