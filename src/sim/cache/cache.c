/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/cache.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"
#include "sim/cache/slice_hash.h"

static msw_assoc_config lines_config(const msw_cache_config *config)
{
    uint64_t sets = (uint64_t)config->slices * config->sets;
    return (msw_assoc_config){.sets = sets < UINT32_MAX ? (uint32_t)sets : UINT32_MAX,
                              .ways = config->ways,
                              .policy = config->policy,
                              .tree_fills = config->tree_fills,
                              .may_bypass = config->may_bypass,
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
    *cache = (msw_cache){.requesters = requester_count(config),
                         .slices = config->slices,
                         .write_around = config->write_around};
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
    return msw_slice_hash_check(config, err);
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
    msw_slice_hash_init(cache, config);
    if (msw_assoc_init(&cache->lines, &assoc, lines, err))
        return -1;
    return take_masks(cache, config, err);
}

static inline uint32_t set_of(const msw_cache *cache, uint64_t number)
{
    return cache->slice_bits ? msw_slice_hash_set(cache, number)
                             : msw_assoc_set(&cache->lines, number);
}

/* `dirty` still belongs to the victim until the new line takes its place: it is read first. */
static void fill(msw_cache *cache, uint32_t set, const msw_cache_request *request,
                 msw_cache_answer *answer)
{
    msw_cache_stats *stats = &cache->stats[request->requester];
    msw_assoc_entry entry = {.key = request->address >> cache->line_shift,
                             .ways = cache->ways[request->requester],
                             .until = request->until,
                             .insert = request->insert};
    uint64_t evicted;
    uint32_t line = msw_assoc_enter(&cache->lines, set, &entry, &evicted);
    answer->filled = line != MSW_ASSOC_NONE;
    stats->fills += answer->filled;
    stats->bypasses += !answer->filled;
    if (evicted != MSW_ASSOC_EMPTY) {
        answer->evicted = true;
        answer->writeback = cache->dirty[line];
        answer->victim = evicted << cache->line_shift;
        stats->evictions++;
        stats->writebacks += answer->writeback;
    }
    if (answer->filled)
        cache->dirty[line] = request->write;
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
    if (write)
        cache->dirty[line] = 1;
    return (msw_cache_answer){.hit = true};
}

msw_cache_answer msw_cache_ask(msw_cache *cache, const msw_cache_request *request)
{
    uint64_t number = request->address >> cache->line_shift;
    uint32_t set = set_of(cache, number), line = msw_assoc_find(&cache->lines, set, number);
    if (line == MSW_ASSOC_NONE)
        return miss(cache, set, request);
    if (cache->lines.until)
        msw_assoc_touch_until(&cache->lines, line, request->until);
    return hit(cache, set, line, request->requester, request->write);
}

/* The request is written down for misses only. */
msw_cache_answer msw_cache_access(msw_cache *cache, uint32_t requester, uint64_t address,
                                  bool write)
{
    uint64_t number = address >> cache->line_shift;
    uint32_t set = set_of(cache, number), line = msw_assoc_find(&cache->lines, set, number);
    if (line == MSW_ASSOC_NONE)
        return miss(cache, set,
                    &(msw_cache_request){.address = address,
                                         .until = MSW_ASSOC_NEVER,
                                         .requester = requester,
                                         .write = write});
    return hit(cache, set, line, requester, write);
}

/* Repeated hits on one line move no line past another, but they lower its prediction: to 0 at
 * once, or by 1 each. */
static void hit_again(msw_cache *cache, uint64_t address, uint64_t count)
{
    uint64_t number = address >> cache->line_shift;
    uint32_t set = set_of(cache, number), line = msw_assoc_find(&cache->lines, set, number);
    uint64_t touches = cache->lines.use == MSW_USE_NEARER ? 127 : 1;
    for (uint64_t i = 0; i < count && i < touches; i++)
        msw_assoc_touch(&cache->lines, set, line);
}

/* Of a series of accesses to one line only the first can miss, unless the line was not filled: then
 * all do. So the rest is counted and not played. */
msw_cache_answer msw_cache_series(msw_cache *cache, uint32_t requester, uint64_t address,
                                  bool write, uint64_t count)
{
    msw_cache_answer first = msw_cache_access(cache, requester, address, write);
    msw_cache_stats *stats = &cache->stats[requester];
    msw_assoc_use use = cache->lines.use;
    *(write ? &stats->writes : &stats->reads) += count - 1;
    if (first.hit || first.filled) {
        stats->hits += count - 1;
        if (use == MSW_USE_NEAR || use == MSW_USE_NEARER)
            hit_again(cache, address, count - 1);
    } else {
        stats->misses += count - 1;
        stats->bypasses += write && cache->write_around ? 0 : count - 1;
    }
    return first;
}

bool msw_cache_holds(const msw_cache *cache, uint64_t address)
{
    uint64_t number = address >> cache->line_shift;
    return msw_assoc_find(&cache->lines, set_of(cache, number), number) != MSW_ASSOC_NONE;
}

bool msw_cache_invalidate(msw_cache *cache, uint32_t requester, uint64_t address)
{
    uint64_t number = address >> cache->line_shift;
    uint32_t set = set_of(cache, number);
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
    uint64_t number = address >> cache->line_shift;
    return cache->slice_bits ? msw_slice_hash_of(cache, number)
                             : (uint32_t)(number % cache->slices);
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
        sum.bypasses += from->bypasses;
        sum.evictions += from->evictions;
        sum.writebacks += from->writebacks;
        sum.invalidations += from->invalidations;
    }
    return sum;
}
