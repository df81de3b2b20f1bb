/* SPDX-License-Identifier: MIT */
/* Private to mpu: read-only caches for blocks that one core reads of another, as the authors'
 * released simulator has them: one at the reader's network interface, one at LSU-Remote of the core
 * that holds them. Both are fully associative, LRU, of remote_cache_bytes. Stores of the reader,
 * and stores that LSU-Remote serves, drop a block; those of others are not seen: what is cached is
 * read-only. A launch begins with empty caches. */
#ifndef MSW_MECH_MPU_COUNT_REMOTE_CACHE_H
#define MSW_MECH_MPU_COUNT_REMOTE_CACHE_H

#include "mech/mpu/count/count.h"
#include "memsweep/sim/assoc.h"

enum { MPU_CACHE_READER, MPU_CACHE_OWNER, MPU_CACHES };

typedef struct mpu_remote_caches {
    msw_assoc_config config;
    msw_assoc *of; /* [core * MPU_CACHES + which]; NULL: there are none */
    uint32_t cores;
} mpu_remote_caches;

/* Returns the blocks of one cache. */
static inline uint64_t mpu_cache_blocks(const mpu_config *c)
{
    return (uint64_t)(c->remote_cache_bytes / c->bank_io_bytes);
}

/* Prepares empty caches; memory comes from the arena. Returns 0, or -1. */
int mpu_caches_init(mpu_remote_caches *caches, const mpu_config *config, msw_arena *arena,
                    msw_err *err);

/* Empties all. */
void mpu_caches_clear(mpu_remote_caches *caches);

/* Returns the number of a block. */
uint64_t mpu_block_number(const mpu_config *config, const mpu_location *at);

/* Looks for a block of a cache that there is. Returns whether it is there. */
bool mpu_cache_find(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Puts a block there that may be there. */
void mpu_cache_insert(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Drops a block that is written. */
void mpu_cache_drop(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Takes the blocks that a cache answers back out of the totals: what they read and what crosses the
 * TSVs; at the reader, `from` != `to`, the links, too. */
void mpu_uncount_blocks(const mpu_config *config, uint32_t from, uint32_t to, double blocks,
                        double *totals);

#endif
