/* SPDX-License-Identifier: MIT */
/* Cutting one block of caller memory into arrays; with no block it only adds up the sizes, so that
 * "how many bytes" and "where is what" are one function. */
#ifndef MSW_SIM_BLOCK_H
#define MSW_SIM_BLOCK_H

#include "memsweep/base/bits.h"

#include <stddef.h>
#include <string.h>

typedef struct msw_memory_block {
    char *memory; /* NULL: count only */
    size_t used;
} msw_memory_block;

/* Takes `bytes`, aligned to 64 relative to the block. Returns NULL when only counting. */
static inline void *msw_memory_block_take(msw_memory_block *block, size_t bytes)
{
    void *part = block->memory ? block->memory + block->used : NULL;
    block->used += msw_align_line(bytes);
    return part;
}

/* Takes `bytes` and zeroes them. */
static inline void *msw_memory_block_zero(msw_memory_block *block, size_t bytes)
{
    void *part = msw_memory_block_take(block, bytes);
    return part ? memset(part, 0, bytes) : NULL;
}

#endif
