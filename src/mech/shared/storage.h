/* SPDX-License-Identifier: MIT */
/* Private to mech: the SRAM that a design point adds, counted one way by all mechanisms.
 *
 * A structure has entries of a stated width: data, tag, valid and replacement bits. Its bits are
 * rounded up to whole bytes; sram_bytes is the sum over the structures. What holds a request that
 * waits (miss registers, queues) counts, walkers and control are logic and do not. */
#ifndef MSW_MECH_SHARED_STORAGE_H
#define MSW_MECH_SHARED_STORAGE_H

#include "memsweep/sim/cost.h"

#include <stdint.h>

enum {
    MSW_STORAGE_PAGE_BITS = 36, /* page number: a 48-bit address less the 12 bits of a 4 KiB page */
    MSW_STORAGE_ENTRY_BITS = 64, /* a page-table entry of x86-64 */
    MSW_STORAGE_VALID_BITS = 1,
    MSW_STORAGE_ORDER_BITS = 1, /* pseudo-LRU: a tree has one bit less than ways in a set */
    MSW_STORAGE_TLB_BITS = MSW_STORAGE_PAGE_BITS + MSW_STORAGE_ENTRY_BITS + MSW_STORAGE_VALID_BITS +
                           MSW_STORAGE_ORDER_BITS
};

typedef struct msw_storage {
    double bits;  /* of all entries, for what one more of them takes */
    double bytes; /* each structure in whole bytes */
} msw_storage;

/* Adds a structure. */
static inline void msw_storage_add(msw_storage *s, double entries, double entry_bits)
{
    s->bits += entries * entry_bits;
    s->bytes += msw_cost_bytes(entries, entry_bits);
}

/* Adds miss registers or places in a queue: page number, the request, a valid bit. */
static inline void msw_storage_add_waiting(msw_storage *s, double entries, int64_t request_bytes)
{
    msw_storage_add(s, entries,
                    MSW_STORAGE_PAGE_BITS + 8 * (double)request_bytes + MSW_STORAGE_VALID_BITS);
}

#endif
