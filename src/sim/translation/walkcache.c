/* SPDX-License-Identifier: MIT */
/* Walk caches: the entries of upper page-table levels that a walk can skip. */
#include "memsweep/sim/walkcache.h"

#include "sim/block.h"

#include "memsweep/base/bits.h"

static msw_assoc_config cache_config(const msw_walkcache_config *config)
{
    bool wide = config->kind == MSW_WALKCACHE_PATH || config->ways == 0;
    uint32_t ways = wide ? config->entries : config->ways;
    return (msw_assoc_config){.sets = ways ? config->entries / ways : 0,
                              .ways = ways,
                              .policy = config->policy,
                              .seed = config->seed};
}

static bool is_cache(const msw_walkcache_config *config)
{
    return config->kind == MSW_WALKCACHE_PATH || config->kind == MSW_WALKCACHE_TABLE;
}

static msw_assoc_config level_config(const msw_walkcache_config *config, unsigned level)
{
    return (msw_assoc_config){.sets = 1,
                              .ways = config->level_entries[level],
                              .policy = config->policy,
                              .seed = config->seed + level};
}

/* Cuts memory into the caches of the levels; without memory it only adds up. */
static int init_levels(msw_walkcache *cache, const msw_walkcache_config *config,
                       msw_memory_block *block, msw_err *err)
{
    for (unsigned level = 2; level <= MSW_PAGETABLE_LEVELS; level++) {
        msw_assoc_config assoc = level_config(config, level);
        if (assoc.ways == 0)
            continue;
        void *memory = msw_memory_block_take(block, msw_assoc_bytes(&assoc));
        if (memory && msw_assoc_init(&cache->level[level], &assoc, memory, err))
            return msw_fail_prefix(err, "path cache of one level: ");
    }
    return 0;
}

size_t msw_walkcache_bytes(const msw_walkcache_config *config, uint32_t walkers)
{
    msw_assoc_config assoc = cache_config(config);
    msw_memory_block count = {NULL, 0};
    if (is_cache(config))
        return msw_assoc_bytes(&assoc);
    if (config->kind == MSW_WALKCACHE_LEVELS) {
        init_levels(NULL, config, &count, NULL);
        return count.used;
    }
    return config->kind == MSW_WALKCACHE_REGISTER ? walkers * sizeof(uint64_t) : 0;
}

int msw_walkcache_init(msw_walkcache *cache, const msw_walkcache_config *config, uint32_t walkers,
                       void *memory, msw_err *err)
{
    msw_assoc_config assoc = cache_config(config);
    *cache =
        (msw_walkcache){.kind = config->kind, .levels = config->levels, .leaves = config->leaves};
    if (is_cache(config)) {
        if (assoc.ways == 0 || config->entries % assoc.ways)
            return msw_fail(err, "walk cache of %u entries in %u ways: entries must be a multiple",
                            config->entries, config->ways);
        return msw_assoc_init(&cache->cache, &assoc, memory, err);
    }
    if (config->kind == MSW_WALKCACHE_LEVELS)
        return init_levels(cache, config, &(msw_memory_block){memory, 0}, err);
    if (config->kind == MSW_WALKCACHE_REGISTER)
        cache->registers = memset(memory, 0, walkers * sizeof *cache->registers);
    return 0;
}

/* Returns the path that shares most with `path`: the one with the smallest difference as a number.
 * Which one it is cannot be predicted, and each comparison waits for the one before: no branch but
 * the loop's, and two at a time. */
static uint64_t closest(const msw_assoc *cache, uint64_t path)
{
    uint64_t even = UINT64_MAX, odd = UINT64_MAX;
    uint32_t line = 0;
    for (; line + 2 <= cache->ways; line += 2) {
        even = msw_min_u64(cache->tags[line] ^ path, even);
        odd = msw_min_u64(cache->tags[line + 1] ^ path, odd);
    }
    if (line < cache->ways)
        even = msw_min_u64(cache->tags[line] ^ path, even);
    return msw_min_u64(even, odd) ^ path;
}

/* Returns how many levels the path that shares most with `path` saves, and marks it as used. */
static unsigned match_path(msw_assoc *cache, const msw_pagetable *table, uint64_t path,
                           unsigned limit)
{
    uint32_t line = msw_assoc_find(cache, 0, path);
    if (line != MSW_ASSOC_NONE) {
        if (limit)
            msw_assoc_touch(cache, 0, line);
        return limit;
    }
    uint64_t found = closest(cache, path);
    unsigned shared = (unsigned)msw_min_u64(msw_pagetable_shared(table, found, path), limit);
    if (shared)
        msw_assoc_touch(cache, 0, msw_assoc_find(cache, 0, found));
    return shared;
}

unsigned msw_walkcache_match(msw_walkcache *cache, const msw_pagetable *table, uint32_t walker,
                             uint64_t path, unsigned upper)
{
    unsigned limit = (unsigned)msw_min_u64(upper, cache->levels);
    if (cache->kind == MSW_WALKCACHE_REGISTER)
        return (unsigned)msw_min_u64(msw_pagetable_shared(table, cache->registers[walker], path),
                                     limit);
    if (cache->kind != MSW_WALKCACHE_PATH)
        return 0;
    return match_path(&cache->cache, table, path, limit);
}

void msw_walkcache_learn(msw_walkcache *cache, uint32_t walker, uint64_t path)
{
    uint64_t evicted;
    if (cache->kind == MSW_WALKCACHE_REGISTER)
        cache->registers[walker] = path;
    else if (cache->kind == MSW_WALKCACHE_PATH &&
             msw_assoc_find(&cache->cache, 0, path) == MSW_ASSOC_NONE)
        msw_assoc_insert(&cache->cache, 0, path, MSW_WAYS_ALL, &evicted);
}

unsigned msw_walkcache_match_levels(msw_walkcache *cache, const msw_pagetable *table,
                                    uint64_t address, unsigned leaf)
{
    unsigned lowest = table->levels + 1;
    for (unsigned level = table->levels; level > leaf; level--) {
        msw_assoc *kept = &cache->level[level];
        uint32_t line = MSW_ASSOC_NONE;
        if (kept->ways)
            line = msw_assoc_find(kept, 0, address >> table->shift[level]);
        if (line == MSW_ASSOC_NONE)
            continue;
        msw_assoc_touch(kept, 0, line);
        lowest = level;
    }
    return table->levels + 1 - lowest;
}

void msw_walkcache_learn_levels(msw_walkcache *cache, const msw_pagetable *table, uint64_t address,
                                unsigned leaf)
{
    uint64_t evicted;
    for (unsigned level = table->levels; level > leaf; level--) {
        msw_assoc *kept = &cache->level[level];
        uint64_t key = address >> table->shift[level];
        if (kept->ways && msw_assoc_find(kept, 0, key) == MSW_ASSOC_NONE)
            msw_assoc_insert(kept, 0, key, MSW_WAYS_ALL, &evicted);
    }
}

static bool is_kept(const msw_walkcache *cache, unsigned step, unsigned steps)
{
    if (cache->kind != MSW_WALKCACHE_TABLE)
        return false;
    return step + 1 == steps ? cache->leaves : step < cache->levels;
}

bool msw_walkcache_holds(msw_walkcache *cache, uint64_t entry, unsigned step, unsigned steps)
{
    if (!is_kept(cache, step, steps))
        return false;
    uint64_t number = entry / MSW_PAGETABLE_ENTRY_BYTES;
    uint32_t set = msw_assoc_set(&cache->cache, number);
    uint32_t line = msw_assoc_find(&cache->cache, set, number);
    if (line != MSW_ASSOC_NONE)
        msw_assoc_touch(&cache->cache, set, line);
    return line != MSW_ASSOC_NONE;
}

void msw_walkcache_enter(msw_walkcache *cache, uint64_t entry, unsigned step, unsigned steps)
{
    uint64_t number = entry / MSW_PAGETABLE_ENTRY_BYTES, evicted;
    if (!is_kept(cache, step, steps))
        return;
    uint32_t set = msw_assoc_set(&cache->cache, number);
    if (msw_assoc_find(&cache->cache, set, number) == MSW_ASSOC_NONE)
        msw_assoc_insert(&cache->cache, set, number, MSW_WAYS_ALL, &evicted);
}
