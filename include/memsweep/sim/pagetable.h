/* SPDX-License-Identifier: MIT */
/* pagetable: a radix page table as far as its shape goes: how many levels a page of a given size
 * needs and where in physical memory each of its entries lies.
 *
 * No table is stored. The table that covers an address at some level is a fixed function of the
 * address bits above it, so neighbouring pages share tables, and lines of entries, as real ones do.
 * Level 1 holds base pages; a walk starts at the top level and ends at the level whose reach is the
 * page size (x86-64: 4 levels for 4 KiB, 3 for 2 MiB, 2 for 1 GiB). Sizes between two levels (16
 * and 64 KiB) are series of equal entries and end at the level below. */
#ifndef MEMSWEEP_SIM_PAGETABLE_H
#define MEMSWEEP_SIM_PAGETABLE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { MSW_PAGETABLE_LEVELS = 5, MSW_PAGETABLE_ENTRY_BYTES = 8 };

typedef struct msw_pagetable_config {
    unsigned address_bits; /* 48, or 57 for five levels */
    unsigned level_bits;   /* 9: 512 entries, 4 KiB per table */
    unsigned base_shift;   /* 12: the smallest page is 4 KiB */
    uint64_t base;         /* physical address of the region that holds the tables */
    bool scattered;        /* tables shuffled over the region, not in address order */
} msw_pagetable_config;

typedef struct msw_pagetable {
    msw_pagetable_config config;
    unsigned levels;                          /* of the whole tree */
    unsigned shift[MSW_PAGETABLE_LEVELS + 2]; /* by level: address bits below its index */
    unsigned frame_bits;                      /* tables of the region: 2^frame_bits */
    uint64_t first[MSW_PAGETABLE_LEVELS + 1]; /* by level: number of its first table */
    uint64_t address_mask;
    uint8_t leaf[64]; /* by page shift: level at which the walk ends */
} msw_pagetable;

/* Fills in x86-64 with four levels. */
msw_pagetable_config msw_pagetable_x86(void);

/* Checks a shape and prepares it. Returns 0, or -1 with what is wrong. */
int msw_pagetable_init(msw_pagetable *table, const msw_pagetable_config *config, msw_err *err);

/* Returns the level at which the walk for a page of 2^page_shift bytes ends; page_shift < 64. */
static inline unsigned msw_pagetable_leaf(const msw_pagetable *table, unsigned page_shift)
{
    return table->leaf[page_shift];
}

/* Returns how many entries the walk for a page of 2^page_shift bytes reads; page_shift < 64. */
static inline unsigned msw_pagetable_steps(const msw_pagetable *table, unsigned page_shift)
{
    return table->levels - table->leaf[page_shift] + 1;
}

/* Returns the physical address of the entry that a walk reads at a level. */
uint64_t msw_pagetable_entry(const msw_pagetable *table, uint64_t address, unsigned level);

/* Packs the indices of the levels above `leaf` into one number, top level first, such that paths
 * that share their first n indices, and only those, share its first n fields. Returns it. */
uint64_t msw_pagetable_path(const msw_pagetable *table, uint64_t address, unsigned leaf);

/* Compares two paths. Returns how many indices from the top they share. */
unsigned msw_pagetable_shared(const msw_pagetable *table, uint64_t path, uint64_t other);

#endif
