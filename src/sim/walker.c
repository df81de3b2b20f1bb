#include "memsweep/walker.h"

#include "sim/carve.h"

static size_t layout(msw_walker *pool, const msw_walker_config *config, void *memory, void **parts)
{
    msw_mshr_config board = {config->walkers, config->slots};
    msw_carve carve = {memory, 0};
    *pool = (msw_walker){.config = *config};
    parts[0] = msw_carve_take(&carve, msw_mshr_bytes(&board));
    parts[1] = msw_carve_take(&carve, msw_walkcache_bytes(&config->cache, config->walkers));
    pool->pages = msw_carve_zero(&carve, config->walkers * sizeof *pool->pages);
    pool->notes = msw_carve_zero(&carve, config->walkers * sizeof *pool->notes);
    return carve.used;
}

size_t msw_walker_bytes(const msw_walker_config *config)
{
    msw_walker pool;
    void *parts[2];
    return layout(&pool, config, NULL, parts);
}

int msw_walker_init(msw_walker *pool, const msw_walker_config *config, void *memory, msw_err *err)
{
    msw_mshr_config board = {config->walkers, config->slots};
    void *parts[2];
    layout(pool, config, memory, parts);
    if (msw_mshr_init(&pool->board, &board, parts[0], err))
        return -1;
    if (msw_walkcache_init(&pool->cache, &config->cache, config->walkers, parts[1], err))
        return -1;
    return msw_pagetable_init(&pool->table, &config->table, err);
}

static msw_walk block(msw_walker *pool, msw_block cause, uint64_t until)
{
    pool->stats.blocked[cause]++;
    return (msw_walk){.kind = MSW_WALK_BLOCKED, .cause = cause, .done = until};
}

static msw_walk merge(msw_walker *pool, uint32_t walker, const msw_walk_request *request)
{
    uint32_t room = msw_mshr_room(&pool->board, walker);
    uint32_t taken = request->count < room ? (uint32_t)request->count : room;
    pool->stats.merged += taken;
    pool->notes[walker] |= request->note;
    return (msw_walk){.kind = MSW_WALK_MERGED,
                      .walker = walker,
                      .taken = taken,
                      .before = msw_mshr_merge(&pool->board, walker, taken),
                      .done = pool->board.entries[walker].ready};
}

/* Lists the accesses of a walk after what the walk cache saves; returns the cycles of its look-ups.
 */
static uint64_t plan_walk(msw_walker *pool, uint32_t walker, msw_page page, msw_walk *walk)
{
    msw_walker_stats *stats = &pool->stats;
    unsigned leaf = msw_pagetable_leaf(&pool->table, page.shift);
    unsigned steps = pool->table.levels - leaf + 1, skipped = 0;
    uint64_t lookups = pool->cache.kind != MSW_WALKCACHE_NONE;
    if (pool->cache.kind == MSW_WALKCACHE_REGISTER || pool->cache.kind == MSW_WALKCACHE_PATH)
        skipped =
            msw_walkcache_match(&pool->cache, &pool->table, walker,
                                msw_pagetable_path(&pool->table, page.address, leaf), steps - 1);
    for (unsigned step = 0; step < steps; step++) {
        unsigned level = pool->table.levels - step;
        uint64_t entry = msw_pagetable_entry(&pool->table, page.address, level);
        if (step < skipped || msw_walkcache_read(&pool->cache, entry, step, steps)) {
            stats->level_hits[level]++;
            continue;
        }
        stats->level_reads[level]++;
        walk->access[walk->accesses++] = entry;
    }
    if (pool->cache.kind == MSW_WALKCACHE_TABLE)
        lookups = steps - !pool->cache.leaves;
    stats->steps += steps;
    stats->lookups += lookups;
    return lookups * pool->config.lookup_cycles;
}

static msw_walk start(msw_walker *pool, const msw_walk_request *request, bool redundant)
{
    uint32_t walker = msw_mshr_open(&pool->board, msw_page_key(request->page));
    msw_walk walk = {.kind = MSW_WALK_STARTED, .walker = walker, .taken = 1, .done = UINT64_MAX};
    walk.start = request->time + plan_walk(pool, walker, request->page, &walk);
    pool->pages[walker] = request->page;
    pool->notes[walker] = request->note;
    pool->stats.walks++;
    pool->stats.redundant += redundant;
    pool->stats.accesses += walk.accesses;
    if (!pool->config.timed_by_owner) {
        walk.done = walk.start + (uint64_t)walk.accesses * pool->config.level_cycles;
        msw_mshr_schedule(&pool->board, walker, walk.done);
    }
    return walk;
}

msw_walk msw_walker_request(msw_walker *pool, const msw_walk_request *request)
{
    uint32_t same = msw_mshr_find(&pool->board, msw_page_key(request->page));
    if (same != MSW_MSHR_NONE && pool->config.scoreboard) {
        if (msw_mshr_room(&pool->board, same))
            return merge(pool, same, request);
        if (!pool->config.walk_when_full)
            return block(pool, MSW_BLOCK_SLOTS, pool->board.entries[same].ready);
    }
    if (pool->board.free_count == 0)
        return block(pool, MSW_BLOCK_WALKERS, msw_walker_next(pool));
    return start(pool, request, same != MSW_MSHR_NONE);
}

void msw_walker_finish(msw_walker *pool, uint32_t walker, uint64_t time)
{
    msw_mshr_schedule(&pool->board, walker, time);
}

bool msw_walker_retire(msw_walker *pool, uint64_t now, msw_walk_end *end)
{
    msw_mshr_closed closed;
    if (!msw_mshr_close(&pool->board, now, &closed))
        return false;
    *end = (msw_walk_end){.page = pool->pages[closed.entry],
                          .time = closed.time,
                          .note = pool->notes[closed.entry],
                          .walker = closed.entry,
                          .merged = closed.merged};
    if (pool->cache.kind != MSW_WALKCACHE_NONE) {
        unsigned leaf = msw_pagetable_leaf(&pool->table, end->page.shift);
        msw_walkcache_learn(&pool->cache, closed.entry,
                            msw_pagetable_path(&pool->table, end->page.address, leaf));
    }
    return true;
}
