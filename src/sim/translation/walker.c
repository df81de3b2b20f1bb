/* SPDX-License-Identifier: MIT */
/* A pool of page walkers: the choice of a free walker, the line of walks that wait for one, and
 * walks from their request to their end. */
#include "sim/block.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/walker.h"

#define MSW_WALKER_NONE UINT32_MAX

/* A walker is free from `time` on. */
static void msw_walker_set_idle(msw_walker_idle *idle, uint32_t walker, uint64_t time)
{
    idle->older[walker] = idle->newest;
    idle->newer[walker] = MSW_WALKER_NONE;
    idle->since[walker] = time;
    if (idle->newest == MSW_WALKER_NONE)
        idle->oldest = walker;
    else
        idle->newer[idle->newest] = walker;
    idle->newest = walker;
    idle->count++;
}

/* A free walker is taken. */
static void msw_walker_set_busy(msw_walker_idle *idle, uint32_t walker)
{
    uint32_t newer = idle->newer[walker], older = idle->older[walker];
    *(newer == MSW_WALKER_NONE ? &idle->newest : &idle->older[newer]) = older;
    *(older == MSW_WALKER_NONE ? &idle->oldest : &idle->newer[older]) = newer;
    idle->count--;
}

/* The one that was busy last; of those that are free only in the future the first. */
static uint32_t warmest(const msw_walker_idle *idle, uint64_t now)
{
    uint32_t walker = idle->newest;
    while (idle->since[walker] > now && idle->older[walker] != MSW_WALKER_NONE)
        walker = idle->older[walker];
    return walker;
}

/* The one whose path differs least, as a number, from that of the walk. */
static uint32_t same_path(const msw_walker *pool, uint64_t path, uint64_t now)
{
    const msw_walker_idle *idle = &pool->idle;
    uint32_t best = warmest(idle, now);
    if (pool->cache.kind != MSW_WALKCACHE_REGISTER)
        return best;
    const uint64_t *registers = pool->cache.registers;
    for (uint32_t w = best; w != MSW_WALKER_NONE && registers[best] != path; w = idle->older[w])
        if ((registers[w] ^ path) < (registers[best] ^ path))
            best = w;
    return best;
}

/* Returns the free walker, of which there is one at least, that a walk of a path takes. */
static uint32_t msw_walker_choose(const msw_walker *pool, uint64_t path, uint64_t now)
{
    if (pool->config.choice == MSW_WALKER_WARMEST)
        return warmest(&pool->idle, now);
    if (pool->config.choice == MSW_WALKER_SAME_PATH)
        return same_path(pool, path, now);
    return pool->idle.oldest;
}

/* The walk of an entry waits in line. */
static void msw_walker_stand_in_line(msw_walker *pool, msw_walk *walk)
{
    msw_walker_line *line = &pool->line;
    uint32_t last = line->first + line->count++;
    line->entries[last < line->capacity ? last : last - line->capacity] = walk->entry;
    walk->kind = MSW_WALK_QUEUED;
    walk->taken = 1;
    walk->done = UINT64_MAX;
}

/* The first in line leaves it. Returns its entry. */
static uint32_t msw_walker_leave_line(msw_walker_line *line)
{
    uint32_t entry = line->entries[line->first];
    line->first = line->first + 1 == line->capacity ? 0 : line->first + 1;
    line->count--;
    return entry;
}

enum { PART_BOARD, PART_CACHE, PART_FREE, PARTS };

static msw_mshr_config board_config(const msw_walker_config *config)
{
    uint64_t entries = (uint64_t)config->walkers + config->queue;
    return (msw_mshr_config){entries < UINT32_MAX ? (uint32_t)entries : UINT32_MAX, config->slots};
}

static void block(msw_walker *pool, msw_block cause, uint64_t until, msw_walk *walk)
{
    pool->stats.blocked[cause]++;
    walk->kind = MSW_WALK_BLOCKED;
    walk->cause = cause;
    walk->taken = 0;
    walk->done = until;
}

/* Called twice: with memory NULL it only counts bytes, then it places the parts in that many. */
static size_t layout(msw_walker *pool, const msw_walker_config *config, void *memory, void **parts)
{
    msw_mshr_config board = board_config(config);
    msw_memory_block block = {memory, 0};
    *pool = (msw_walker){.config = *config};
    parts[PART_BOARD] = msw_memory_block_take(&block, msw_mshr_bytes(&board));
    parts[PART_CACHE] =
        msw_memory_block_take(&block, msw_walkcache_bytes(&config->cache, config->walkers));
    parts[PART_FREE] = msw_memory_block_take(&block, msw_event_bytes(config->walkers));
    pool->entries = msw_memory_block_take(&block, board.entries * sizeof *pool->entries);
    if (config->owners) {
        pool->owned.owner = msw_memory_block_take(&block, config->walkers * sizeof(uint32_t));
        pool->owned.free = msw_memory_block_zero(&block, config->walkers * sizeof(uint64_t));
        pool->owned.held = msw_memory_block_zero(&block, config->owners * sizeof(uint32_t));
    }
    pool->kept_apart = config->choice != MSW_WALKER_LONGEST_IDLE || config->queue_waits ||
                       config->timed_by_owner; /* who may ask for less than has happened */
    if (pool->kept_apart) {
        pool->idle.newer = msw_memory_block_take(&block, config->walkers * sizeof(uint32_t));
        pool->idle.older = msw_memory_block_take(&block, config->walkers * sizeof(uint32_t));
        pool->idle.since = msw_memory_block_zero(&block, config->walkers * sizeof(uint64_t));
        pool->line.entries = msw_memory_block_take(&block, board.entries * sizeof(uint32_t));
        pool->line.capacity = board.entries;
    }
    return block.used;
}

size_t msw_walker_bytes(const msw_walker_config *config)
{
    msw_walker pool;
    void *parts[PARTS];
    return layout(&pool, config, NULL, parts);
}

/* Equal parts, the first owners have what is left over; or the first one its number. */
static void deal_walkers(msw_walker *pool)
{
    const msw_walker_config *c = &pool->config;
    uint32_t first = c->owners > 1 ? c->first_owns : 0, others = c->owners - (first > 0);
    for (uint32_t w = 0; c->owners && w < c->walkers; w++) {
        uint64_t at = w < first ? 0 : (uint64_t)(w - first) * others / (c->walkers - first);
        uint32_t owner = w < first ? 0 : (uint32_t)at + (first > 0);
        pool->owned.owner[w] = owner;
        pool->owned.held[owner]++;
    }
}

int msw_walker_init(msw_walker *pool, const msw_walker_config *config, void *memory, msw_err *err)
{
    msw_mshr_config board = board_config(config);
    void *parts[PARTS];
    if (config->walkers == 0)
        return msw_fail(err, "0 page walkers: must be at least 1");
    if (config->queue && !config->queue_waits && config->timed_by_owner)
        return msw_fail(err, "a queue that books walkers needs walks of known length: "
                             "timed_by_owner is on");
    if (config->queue && !config->queue_waits && config->choice != MSW_WALKER_LONGEST_IDLE)
        return msw_fail(err, "a queue that books walkers takes the one free first: choose "
                             "longest_idle, or queue_waits");
    if (config->owners && (!config->queue || config->queue_waits))
        return msw_fail(err, "walkers have owners where a queue books them: walk_queue of 1 or "
                             "more, walks of fixed length");
    if (config->owners > config->walkers || config->first_owns > config->walkers - config->owners)
        return msw_fail(err, "%u page walkers for %u owners: each needs one", config->walkers,
                        config->owners);
    layout(pool, config, memory, parts);
    deal_walkers(pool);
    if (msw_mshr_init(&pool->board, &board, parts[PART_BOARD], err))
        return msw_fail_prefix(err, "page walkers: ");
    msw_event_init(&pool->free, config->walkers, parts[PART_FREE]);
    pool->idle.newest = pool->idle.oldest = MSW_WALKER_NONE;
    for (uint32_t walker = 0; walker < config->walkers; walker++)
        if (pool->kept_apart)
            msw_walker_set_idle(&pool->idle, walker, 0);
        else if (config->queue)
            msw_event_push(&pool->free, 0, walker);
    if (msw_walkcache_init(&pool->cache, &config->cache, config->walkers, parts[PART_CACHE], err))
        return -1;
    return msw_pagetable_init(&pool->table, &config->table, err);
}

static void merge(msw_walker *pool, uint32_t entry, const msw_walk_request *request, msw_walk *walk)
{
    uint32_t room = msw_mshr_room(&pool->board, entry);
    uint32_t taken = request->count < room ? (uint32_t)request->count : room;
    pool->stats.merged += taken;
    pool->entries[entry].note |= request->note;
    walk->kind = MSW_WALK_MERGED;
    walk->entry = entry;
    walk->taken = taken;
    walk->before = msw_mshr_merge(&pool->board, entry, taken);
    walk->done = pool->board.entries[entry].ready;
}

static bool keeps_paths(const msw_walkcache *cache)
{
    return cache->kind == MSW_WALKCACHE_REGISTER || cache->kind == MSW_WALKCACHE_PATH;
}

/* Returns how many upper levels a walk can skip. A path register, which no other walker sees, takes
 * the new path at once; what walkers share is learnt when the walk ends. */
static unsigned skipped_levels(msw_walker *pool, const msw_walker_entry *walk)
{
    if (pool->cache.kind == MSW_WALKCACHE_LEVELS)
        return msw_walkcache_match_levels(&pool->cache, &pool->table, walk->page.address,
                                          msw_pagetable_leaf(&pool->table, walk->page.shift));
    if (!keeps_paths(&pool->cache))
        return 0;
    unsigned upper = pool->table.levels - msw_pagetable_leaf(&pool->table, walk->page.shift);
    unsigned skipped =
        msw_walkcache_match(&pool->cache, &pool->table, walk->walker, walk->path, upper);
    if (pool->cache.kind == MSW_WALKCACHE_REGISTER)
        msw_walkcache_learn(&pool->cache, walk->walker, walk->path);
    return skipped;
}

/* Returns the look-ups a walk makes in the walk cache. */
static unsigned lookups_of(const msw_walker *pool, unsigned steps)
{
    if (pool->cache.kind == MSW_WALKCACHE_TABLE)
        return steps - !pool->cache.leaves;
    return pool->cache.kind != MSW_WALKCACHE_NONE;
}

/* Lists the accesses of a walk from `step` on that the table cache does not save. */
static void list_accesses(msw_walker *pool, msw_page page, unsigned step, unsigned steps,
                          msw_walk *walk)
{
    for (; step < steps; step++) {
        unsigned level = pool->table.levels - step;
        uint64_t entry = msw_pagetable_entry(&pool->table, page.address, level);
        if (msw_walkcache_holds(&pool->cache, entry, step, steps)) {
            pool->stats.level_hits[level]++;
            continue;
        }
        pool->stats.level_reads[level]++;
        walk->access[walk->accesses++] = entry;
    }
}

/* Plans the accesses of a walk after what the walk cache saves; returns the cycles of its look-ups.
 * Where nobody looks at the addresses they are only counted. */
static uint64_t plan_walk(msw_walker *pool, msw_page page, msw_walk *walk)
{
    msw_walker_stats *stats = &pool->stats;
    unsigned steps = msw_pagetable_steps(&pool->table, page.shift), step = 0;
    unsigned skipped = skipped_levels(pool, &pool->entries[walk->entry]);
    unsigned levels = pool->table.levels;
    for (; step < skipped; step++)
        stats->level_hits[levels - step]++;
    if (pool->config.timed_by_owner || pool->cache.kind == MSW_WALKCACHE_TABLE) {
        list_accesses(pool, page, step, steps, walk);
    } else {
        walk->accesses = steps - skipped;
        for (; step < steps; step++)
            stats->level_reads[levels - step]++;
    }
    stats->steps += steps;
    stats->lookups += lookups_of(pool, steps);
    return (uint64_t)lookups_of(pool, steps) * pool->config.lookup_cycles;
}

static uint64_t take_owned(msw_walker *pool, uint64_t now, msw_walk *walk)
{
    msw_walker_owned *o = &pool->owned;
    uint32_t who = pool->entries[walk->entry].requester, best = MSW_WALKER_NONE;
    for (uint32_t w = 0; w < pool->config.walkers; w++) {
        bool may = o->owner[w] == who ||
                   (o->held[who] < pool->config.most && o->held[o->owner[w]] > pool->config.least);
        if (may && (best == MSW_WALKER_NONE || o->free[w] < o->free[best]))
            best = w;
    }
    o->held[o->owner[best]]--;
    o->held[who]++;
    o->owner[best] = who;
    walk->walker = best;
    return msw_max_u64(o->free[best], now);
}

/* Takes a free walker, or, for a queue that books, the one that will be free first. Without a queue
 * and longest idle first a walker is its entry: entries are handed out in that order. Returns the
 * time from which it is free. */
static uint64_t take_walker(msw_walker *pool, uint64_t now, msw_walk *walk)
{
    msw_event first = {0};
    walk->walker = walk->entry;
    if (pool->kept_apart) {
        walk->walker = msw_walker_choose(pool, pool->entries[walk->entry].path, now);
        msw_walker_set_busy(&pool->idle, walk->walker);
        return pool->idle.since[walk->walker] > now ? pool->idle.since[walk->walker] : now;
    }
    if (!pool->config.queue)
        return now;
    if (pool->config.owners)
        return take_owned(pool, now, walk);
    msw_event_pop(&pool->free, &first);
    walk->walker = (uint32_t)first.data;
    return msw_max_u64(first.time, now);
}

static uint64_t access_cycles(const msw_walker_config *config, uint32_t accesses)
{
    return config->walk_cycles ? config->walk_cycles : (uint64_t)accesses * config->level_cycles;
}

static void enter(msw_walker *pool, const msw_walk_request *request, const msw_walk *walk)
{
    const msw_pagetable *table = &pool->table;
    msw_walker_entry *entry = &pool->entries[walk->entry];
    entry->page = request->page;
    entry->note = request->note;
    entry->requester = request->requester;
    entry->dropped = false;
    if (keeps_paths(&pool->cache))
        entry->path = msw_pagetable_path(table, request->page.address,
                                         msw_pagetable_leaf(table, request->page.shift));
}

/* Starts the walk of an entry. */
static inline void start(msw_walker *pool, uint64_t now, msw_walk *walk)
{
    msw_walker_entry *entry = &pool->entries[walk->entry];
    walk->kind = MSW_WALK_STARTED;
    walk->taken = 1;
    walk->accesses = 0;
    walk->start = take_walker(pool, now, walk);
    entry->walker = walk->walker;
    walk->start += plan_walk(pool, entry->page, walk);
    pool->stats.walks++;
    pool->stats.redundant += entry->again;
    pool->stats.accesses += walk->accesses;
    walk->done = UINT64_MAX;
    if (!pool->config.timed_by_owner) {
        walk->done = walk->start + access_cycles(&pool->config, walk->accesses);
        msw_walker_finish(pool, walk->entry, walk->done);
    }
}

/* Opens an entry for a request; it starts now, or waits in line behind others. */
static inline void open_walk(msw_walker *pool, const msw_walk_request *request, bool again,
                             msw_walk *walk)
{
    walk->entry = msw_mshr_open(&pool->board, msw_page_key(request->page));
    enter(pool, request, walk);
    pool->entries[walk->entry].again = again;
    if (pool->config.queue_waits && (pool->line.count || pool->idle.count == 0))
        msw_walker_stand_in_line(pool, walk);
    else
        start(pool, request->time, walk);
}

void msw_walker_start_first(msw_walker *pool, uint64_t now, msw_walk *walk)
{
    walk->entry = msw_walker_leave_line(&pool->line);
    start(pool, now, walk);
}

void msw_walker_drop_first(msw_walker *pool, uint64_t now)
{
    uint32_t entry = msw_walker_leave_line(&pool->line);
    pool->entries[entry].dropped = true;
    msw_walker_finish(pool, entry, now);
}

msw_walk_kind msw_walker_request(msw_walker *pool, const msw_walk_request *request, msw_walk *walk)
{
    uint32_t same = msw_mshr_find(&pool->board, msw_page_key(request->page));
    bool listed = same != MSW_MSHR_NONE && pool->config.scoreboard;
    if (listed && msw_mshr_room(&pool->board, same)) {
        merge(pool, same, request, walk);
    } else if (listed && !pool->config.walk_when_full) {
        block(pool, MSW_BLOCK_SLOTS, pool->board.entries[same].ready, walk);
    } else if (pool->board.free_count == 0) {
        block(pool, MSW_BLOCK_WALKERS, msw_walker_next(pool), walk);
    } else {
        open_walk(pool, request, same != MSW_MSHR_NONE, walk);
    }
    return walk->kind;
}

void msw_walker_finish(msw_walker *pool, uint32_t entry, uint64_t time)
{
    msw_mshr_schedule(&pool->board, entry, time);
    if (pool->config.owners)
        pool->owned.free[pool->entries[entry].walker] = time;
    else if (pool->config.queue && !pool->kept_apart)
        msw_event_push(&pool->free, time, pool->entries[entry].walker);
}

static void learn_entries(msw_walker *pool, msw_page page)
{
    msw_pagetable *table = &pool->table;
    unsigned steps = msw_pagetable_steps(table, page.shift), level = table->levels;
    for (unsigned step = 0; step < steps; step++, level--)
        msw_walkcache_enter(&pool->cache, msw_pagetable_entry(table, page.address, level), step,
                            steps);
}

/* Lets the other walkers find what a walk has read. */
static void learn(msw_walker *pool, const msw_walker_entry *walk)
{
    if (pool->cache.kind == MSW_WALKCACHE_PATH)
        msw_walkcache_learn(&pool->cache, walk->walker, walk->path);
    else if (pool->cache.kind == MSW_WALKCACHE_TABLE)
        learn_entries(pool, walk->page);
    else if (pool->cache.kind == MSW_WALKCACHE_LEVELS)
        msw_walkcache_learn_levels(&pool->cache, &pool->table, walk->page.address,
                                   msw_pagetable_leaf(&pool->table, walk->page.shift));
}

bool msw_walker_retire(msw_walker *pool, uint64_t now, msw_walk_end *end)
{
    msw_mshr_closed closed;
    if (!msw_mshr_close(&pool->board, now, &closed))
        return false;
    const msw_walker_entry *walk = &pool->entries[closed.entry];
    *end = (msw_walk_end){.page = walk->page,
                          .time = closed.time,
                          .note = walk->note,
                          .entry = closed.entry,
                          .merged = closed.merged,
                          .dropped = walk->dropped};
    if (walk->dropped)
        return true;
    if (pool->kept_apart)
        msw_walker_set_idle(&pool->idle, walk->walker, closed.time);
    learn(pool, walk);
    return true;
}

static void warm_path(msw_walker *pool, msw_page page, uint32_t walker)
{
    unsigned leaf = msw_pagetable_leaf(&pool->table, page.shift);
    msw_walkcache_learn(&pool->cache, walker, msw_pagetable_path(&pool->table, page.address, leaf));
}

void msw_walker_warm(msw_walker *pool, msw_page page, uint32_t walker)
{
    if (keeps_paths(&pool->cache)) {
        warm_path(pool, page, walker);
        return;
    }
    if (pool->cache.kind == MSW_WALKCACHE_LEVELS) {
        msw_walkcache_learn_levels(&pool->cache, &pool->table, page.address,
                                   msw_pagetable_leaf(&pool->table, page.shift));
        return;
    }
    unsigned steps = msw_pagetable_steps(&pool->table, page.shift), level = pool->table.levels;
    for (unsigned step = 0; step < steps; step++, level--) {
        uint64_t entry = msw_pagetable_entry(&pool->table, page.address, level);
        if (!msw_walkcache_holds(&pool->cache, entry, step, steps))
            msw_walkcache_enter(&pool->cache, entry, step, steps);
    }
}
