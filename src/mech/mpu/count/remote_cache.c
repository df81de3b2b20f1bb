/* SPDX-License-Identifier: MIT */
#include "mech/mpu/count/count.h"

#include "memsweep/base/bits.h"

int mpu_caches_init(mpu_remote_caches *caches, const mpu_config *c, msw_arena *arena, msw_err *err)
{
    *caches = (mpu_remote_caches){.cores = (uint32_t)mpu_core_count(c)};
    caches->config = (msw_assoc_config){
        .sets = 1, .ways = (uint32_t)mpu_cache_blocks(c), .policy = MSW_POLICY_LRU};
    if (!caches->config.ways)
        return 0;
    size_t count = (size_t)caches->cores * MPU_CACHES;
    caches->of = msw_arena_zero(arena, count, sizeof *caches->of);
    if (!caches->of)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        void *memory = msw_arena_take(arena, msw_assoc_bytes(&caches->config));
        if (!memory)
            return msw_fail_memory(err);
        if (msw_assoc_init(&caches->of[i], &caches->config, memory, err))
            return -1;
    }
    return 0;
}

static void clear_one(msw_assoc *cache)
{
    for (uint32_t line = 0; line < cache->ways && cache->filled[0]; line++)
        if (cache->tags[line] != MSW_ASSOC_EMPTY)
            msw_assoc_remove(cache, 0, line);
}

void mpu_caches_clear(mpu_remote_caches *caches)
{
    for (size_t i = 0; caches->of && i < (size_t)caches->cores * MPU_CACHES; i++)
        clear_one(&caches->of[i]);
}

uint64_t mpu_block_number(const mpu_config *c, const mpu_location *at)
{
    uint64_t columns = (uint64_t)(c->row_bytes / c->bank_io_bytes);
    uint64_t bank =
        ((uint64_t)at->core * (uint64_t)c->subcores + at->unit) * (uint64_t)c->banks + at->bank;
    uint64_t rows = (uint64_t)(c->bank_bytes / c->row_bytes);
    return (bank * rows + at->row) * columns + at->column;
}

static msw_assoc *cache_of(mpu_remote_caches *caches, uint32_t core, int which)
{
    return &caches->of[(size_t)core * MPU_CACHES + (unsigned)which];
}

bool mpu_cache_find(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block)
{
    msw_assoc *cache = cache_of(caches, core, which);
    uint32_t line = msw_assoc_find(cache, 0, block);
    if (line == MSW_ASSOC_NONE)
        return false;
    msw_assoc_touch(cache, 0, line);
    return true;
}

void mpu_cache_insert(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block)
{
    uint64_t evicted;
    if (!mpu_cache_find(caches, core, which, block))
        msw_assoc_insert(cache_of(caches, core, which), 0, block, MSW_WAYS_ALL, &evicted);
}

void mpu_cache_drop(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block)
{
    msw_assoc *cache = cache_of(caches, core, which);
    uint32_t line = msw_assoc_find(cache, 0, block);
    if (line != MSW_ASSOC_NONE)
        msw_assoc_remove(cache, 0, line);
}

void mpu_uncount_blocks(const mpu_config *c, uint32_t from, uint32_t to, double blocks,
                        double *totals)
{
    double bytes = blocks * (double)c->bank_io_bytes;
    totals[MPU_READS] -= blocks;
    totals[MPU_DRAM_BYTES] -= bytes;
    if (c->pipeline != MPU_PIPELINE_DRAM) {
        totals[MPU_TSV_DATA] -= bytes;
        totals[MPU_TSV_REQUEST] -= blocks * (double)c->request_bytes;
    }
    if (from != to)
        mpu_count_links(c, from, to, -blocks, totals);
}
