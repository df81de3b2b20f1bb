#include "memsweep/sim/cache.h"

#include "sim/block.h"

static msw_assoc_config lines_config(const msw_cache_config *config)
{
    uint64_t sets = (uint64_t)config->slices * config->sets;
    return (msw_assoc_config){.sets = sets < UINT32_MAX ? (uint32_t)sets : UINT32_MAX,
                              .ways = config->ways,
                              .policy = config->policy,
                              .tree_fills = config->tree_fills,
                              .seed = config->seed};
}

static uint32_t requester_count(const msw_cache_config *config)
{
    return config->requesters ? config->requesters : 1;
}

static size_t layout(msw_cache *cache, const msw_cache_config *config, void *memory, void **lines)
{
    msw_assoc_config assoc = lines_config(config);
    msw_memory_block block = {memory, 0};
    *cache = (msw_cache){.requesters = requester_count(config),
                         .slices = config->slices,
                         .write_around = config->write_around};
    *lines = msw_memory_block_take(&block, msw_assoc_bytes(&assoc));
    cache->dirty = msw_memory_block_zero(&block, (size_t)assoc.sets * assoc.ways);
    cache->stats = msw_memory_block_zero(&block, cache->requesters * sizeof *cache->stats);
    return block.used;
}

size_t msw_cache_bytes(const msw_cache_config *config)
{
    msw_cache cache;
    void *lines;
    return layout(&cache, config, NULL, &lines);
}

static int check(const msw_cache_config *config, msw_err *err)
{
    if (config->line_bytes == 0 || (config->line_bytes & (config->line_bytes - 1)))
        return msw_fail(err, "cache lines of %u bytes: must be a power of two", config->line_bytes);
    if (config->requesters > MSW_CACHE_REQUESTERS)
        return msw_fail(err, "%u cache requesters: at most %d", config->requesters,
                        MSW_CACHE_REQUESTERS);
    if (config->way_masks && config->ways > 64)
        return msw_fail(err, "way masks need at most 64 ways, not %u", config->ways);
    return 0;
}

static int take_masks(msw_cache *cache, const msw_cache_config *config, msw_err *err)
{
    uint64_t all = config->ways >= 64 ? MSW_WAYS_ALL : ((uint64_t)1 << config->ways) - 1;
    for (uint32_t i = 0; i < cache->requesters; i++) {
        uint64_t mask = config->way_masks ? config->way_masks[i] & all : all;
        if (mask == 0)
            return msw_fail(err, "requester %u may fill none of the %u ways", i, config->ways);
        cache->way_masks[i] = mask == all ? MSW_WAYS_ALL : mask;
    }
    return 0;
}

int msw_cache_init(msw_cache *cache, const msw_cache_config *config, void *memory, msw_err *err)
{
    void *lines;
    msw_assoc_config assoc = lines_config(config);
    if (check(config, err))
        return -1;
    layout(cache, config, memory, &lines);
    while (config->line_bytes >> cache->line_shift > 1)
        cache->line_shift++;
    if (take_masks(cache, config, err))
        return -1;
    return msw_assoc_init(&cache->lines, &assoc, lines, err);
}

static void fill(msw_cache *cache, uint32_t requester, uint64_t number, bool write,
                 msw_cache_answer *answer)
{
    msw_cache_stats *stats = &cache->stats[requester];
    uint32_t set = msw_assoc_set(&cache->lines, number);
    uint64_t evicted;
    uint32_t line =
        msw_assoc_insert(&cache->lines, set, number, cache->way_masks[requester], &evicted);
    answer->filled = true;
    stats->fills++;
    if (evicted != MSW_ASSOC_EMPTY) {
        answer->evicted = true;
        answer->writeback = cache->dirty[line];
        answer->victim = evicted << cache->line_shift;
        stats->evictions++;
        stats->writebacks += answer->writeback;
    }
    cache->dirty[line] = write;
}

msw_cache_answer msw_cache_access(msw_cache *cache, uint32_t requester, uint64_t address,
                                  bool write)
{
    msw_cache_stats *stats = &cache->stats[requester];
    uint64_t number = address >> cache->line_shift;
    uint32_t set = msw_assoc_set(&cache->lines, number);
    uint32_t line = msw_assoc_find(&cache->lines, set, number);
    msw_cache_answer answer = {.hit = line != MSW_ASSOC_NONE};
    *(write ? &stats->writes : &stats->reads) += 1;
    if (answer.hit) {
        stats->hits++;
        msw_assoc_touch(&cache->lines, set, line);
        if (write)
            cache->dirty[line] = 1;
    } else {
        stats->misses++;
        if (!write || !cache->write_around)
            fill(cache, requester, number, write, &answer);
    }
    return answer;
}

msw_cache_answer msw_cache_run(msw_cache *cache, uint32_t requester, uint64_t address, bool write,
                               uint64_t count)
{
    msw_cache_answer first = msw_cache_access(cache, requester, address, write);
    msw_cache_stats *stats = &cache->stats[requester];
    *(write ? &stats->writes : &stats->reads) += count - 1;
    /* Repeated hits on one line move no line past another, so only the counts change. */
    *(first.hit || first.filled ? &stats->hits : &stats->misses) += count - 1;
    return first;
}

bool msw_cache_holds(const msw_cache *cache, uint64_t address)
{
    uint64_t number = address >> cache->line_shift;
    uint32_t set = msw_assoc_set(&cache->lines, number);
    return msw_assoc_find(&cache->lines, set, number) != MSW_ASSOC_NONE;
}

bool msw_cache_invalidate(msw_cache *cache, uint32_t requester, uint64_t address)
{
    uint64_t number = address >> cache->line_shift;
    uint32_t set = msw_assoc_set(&cache->lines, number);
    uint32_t line = msw_assoc_find(&cache->lines, set, number);
    if (line == MSW_ASSOC_NONE)
        return false;
    bool dirty = cache->dirty[line];
    msw_assoc_remove(&cache->lines, set, line);
    cache->stats[requester].invalidations++;
    cache->stats[requester].writebacks += dirty;
    return dirty;
}

uint32_t msw_cache_slice(const msw_cache *cache, uint64_t address)
{
    return (uint32_t)((address >> cache->line_shift) % cache->slices);
}

msw_cache_stats msw_cache_total(const msw_cache *cache)
{
    msw_cache_stats sum = {0};
    for (uint32_t i = 0; i < cache->requesters; i++) {
        const msw_cache_stats *from = &cache->stats[i];
        sum.reads += from->reads;
        sum.writes += from->writes;
        sum.hits += from->hits;
        sum.misses += from->misses;
        sum.fills += from->fills;
        sum.evictions += from->evictions;
        sum.writebacks += from->writebacks;
        sum.invalidations += from->invalidations;
    }
    return sum;
}
