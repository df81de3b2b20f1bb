/* SPDX-License-Identifier: MIT */
/* A write-back cache: hits, fills, evictions and dirty lines, counted by requester. */
#include "memsweep/sim/cache.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"

static msw_assoc_config lines_config(const msw_cache_config *config)
{
    uint64_t sets = (uint64_t)config->slices * config->sets;
    return (msw_assoc_config){.sets = sets < UINT32_MAX ? (uint32_t)sets : UINT32_MAX,
                              .ways = config->ways,
                              .policy = config->policy,
                              .tree_fills = config->tree_fills,
                              .seed = config->seed,
                              .rrip = config->rrip};
}

static uint32_t requester_count(const msw_cache_config *config)
{
    return config->requesters ? config->requesters : 1;
}

static size_t layout(msw_cache *cache, const msw_cache_config *config, void *memory, void **lines)
{
    msw_assoc_config assoc = lines_config(config);
    size_t words = msw_ways_words(config->ways);
    msw_memory_block block = {memory, 0};
    *cache =
        (msw_cache){.requesters = requester_count(config), .write_around = config->write_around};
    *lines = msw_memory_block_take(&block, msw_assoc_bytes(&assoc));
    cache->dirty = msw_memory_block_zero(&block, (size_t)assoc.sets * assoc.ways);
    cache->stats = msw_memory_block_zero(&block, cache->requesters * sizeof *cache->stats);
    cache->ways = msw_memory_block_zero(&block, cache->requesters * sizeof *cache->ways);
    cache->masks = msw_memory_block_zero(&block, cache->requesters * words * sizeof *cache->masks);
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
    if (config->slices == 0)
        return msw_fail(err, "a cache of 0 slices: must be at least 1");
    return 0;
}

int msw_cache_mask(msw_cache *cache, uint32_t requester, const uint64_t *mask, msw_err *err)
{
    uint32_t ways = cache->lines.ways, words = msw_ways_words(ways), count = 0;
    uint64_t *own = cache->masks + (size_t)requester * words;
    for (uint32_t word = 0; word < words; word++)
        count += msw_bits_count(mask[word] & msw_assoc_low_bits(ways - 64 * word));
    if (count == 0)
        return msw_fail(err, "requester %u may fill none of the %u ways", requester, ways);
    for (uint32_t word = 0; word < words; word++)
        own[word] = mask[word] & msw_assoc_low_bits(ways - 64 * word);
    cache->ways[requester] = count == ways ? MSW_WAYS_ALL : own;
    return 0;
}

static int take_masks(msw_cache *cache, const msw_cache_config *config, msw_err *err)
{
    size_t words = msw_ways_words(config->ways);
    for (uint32_t i = 0; config->way_masks && i < cache->requesters; i++)
        if (msw_cache_mask(cache, i, config->way_masks + i * words, err))
            return -1;
    return 0;
}

int msw_cache_init(msw_cache *cache, const msw_cache_config *config, void *memory, msw_err *err)
{
    void *lines;
    msw_assoc_config assoc = lines_config(config);
    if (check(config, err))
        return -1;
    layout(cache, config, memory, &lines);
    cache->line_shift = msw_bits_log2(config->line_bytes);
    if (msw_assoc_init(&cache->lines, &assoc, lines, err))
        return -1;
    return take_masks(cache, config, err);
}

/* `dirty` still belongs to the victim until the new line takes its place: it is read first. */
static void fill(msw_cache *cache, uint32_t set, const msw_cache_request *request,
                 msw_cache_answer *answer)
{
    msw_cache_stats *stats = &cache->stats[request->requester];
    msw_assoc_entry entry = {.key = request->address >> cache->line_shift,
                             .ways = cache->ways[request->requester],
                             .insert = request->insert};
    uint64_t evicted;
    uint32_t line = msw_assoc_enter(&cache->lines, set, &entry, &evicted);
    answer->filled = true;
    stats->fills++;
    if (evicted != MSW_ASSOC_EMPTY) {
        answer->evicted = true;
        answer->writeback = cache->dirty[line];
        answer->victim = evicted << cache->line_shift;
        stats->evictions++;
        stats->writebacks += answer->writeback;
    }
    cache->dirty[line] = request->write;
    answer->dirtied = request->write;
}

static msw_cache_answer miss(msw_cache *cache, uint32_t set, const msw_cache_request *request)
{
    msw_cache_stats *stats = &cache->stats[request->requester];
    msw_cache_answer answer = {.hit = false};
    *(request->write ? &stats->writes : &stats->reads) += 1;
    stats->misses++;
    if (request->write && cache->write_around)
        return answer;
    if (request->bypass)
        stats->bypasses++;
    else
        fill(cache, set, request, &answer);
    return answer;
}

static inline msw_cache_answer hit(msw_cache *cache, uint32_t set, uint32_t line,
                                   uint32_t requester, bool write)
{
    msw_cache_stats *stats = &cache->stats[requester];
    *(write ? &stats->writes : &stats->reads) += 1;
    stats->hits++;
    msw_assoc_touch(&cache->lines, set, line);
    bool dirtied = write && !cache->dirty[line];
    if (dirtied)
        cache->dirty[line] = 1;
    return (msw_cache_answer){.hit = true, .dirtied = dirtied};
}

msw_cache_answer msw_cache_ask(msw_cache *cache, const msw_cache_request *request)
{
    uint64_t number = request->address >> cache->line_shift;
    uint32_t set = msw_assoc_set(&cache->lines, number),
             line = msw_assoc_find(&cache->lines, set, number);
    if (line == MSW_ASSOC_NONE)
        return miss(cache, set, request);
    return hit(cache, set, line, request->requester, request->write);
}
