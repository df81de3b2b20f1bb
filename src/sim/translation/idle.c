/* SPDX-License-Identifier: MIT */
/* Which free walker a walk takes, and the line of those that wait for one. */
#include "sim/translation/idle.h"

void msw_walker_set_idle(msw_walker_idle *idle, uint32_t walker, uint64_t time)
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

void msw_walker_set_busy(msw_walker_idle *idle, uint32_t walker)
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

uint32_t msw_walker_choose(const msw_walker *pool, uint64_t path, uint64_t now)
{
    if (pool->config.choice == MSW_WALKER_WARMEST)
        return warmest(&pool->idle, now);
    if (pool->config.choice == MSW_WALKER_SAME_PATH)
        return same_path(pool, path, now);
    return pool->idle.oldest;
}

void msw_walker_stand_in_line(msw_walker *pool, msw_walk *walk)
{
    msw_walker_line *line = &pool->line;
    uint32_t last = line->first + line->count++;
    line->entries[last < line->capacity ? last : last - line->capacity] = walk->entry;
    walk->kind = MSW_WALK_QUEUED;
    walk->taken = 1;
    walk->done = UINT64_MAX;
}

uint32_t msw_walker_leave_line(msw_walker_line *line)
{
    uint32_t entry = line->entries[line->first];
    line->first = line->first + 1 == line->capacity ? 0 : line->first + 1;
    line->count--;
    return entry;
}
