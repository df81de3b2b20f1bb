/* How far back in the page stream each page was used: LRU stack distances, one pass over all steps.
 *
 * A Fenwick tree over the times of last use counts the distinct pages since (Mattson et al. 1970),
 * step by step, which the profile of sim/reuse, a total over a stream, does not tell. */
#include "neummu.h"

#include <string.h>

typedef struct stack {
    uint32_t *last; /* by page: time of last use, 0: never */
    uint32_t *tree; /* by time, from 1: pages last used then */
    uint64_t first_page, pages, times, now, live;
    uint64_t areas[NEUMMU_TURNS][NEUMMU_RECENT]; /* used last, newest first; 0: none */
    neummu_shifts shifts;
} stack;

static void mark(stack *s, uint64_t time, uint32_t by)
{
    for (; time <= s->times; time += time & (~time + 1))
        s->tree[time] += by;
}

static uint64_t marked_until(const stack *s, uint64_t time)
{
    uint64_t sum = 0;
    for (; time; time -= time & (~time + 1))
        sum += s->tree[time];
    return sum;
}

static unsigned bin_of(uint64_t distance)
{
    unsigned bin = 0;
    while (distance >> bin && bin + 1 < NEUMMU_DEPTHS)
        bin++;
    return bin;
}

/* Returns whether the page was last used before `since`. */
static bool use(stack *s, uint64_t page, uint64_t since, neummu_traffic *traffic)
{
    uint32_t *last = &s->last[(page & ~NEUMMU_LARGE) - s->first_page];
    uint32_t before = *last;
    s->now++;
    if (before) {
        traffic->reused[bin_of(s->live - marked_until(s, before))]++;
        mark(s, before, UINT32_MAX);
    } else {
        traffic->cold++;
        s->live++;
    }
    mark(s, s->now, 1);
    *last = (uint32_t)s->now;
    return before < since;
}

/* Moves an area to the front of those used last. Returns whether it was among them. */
static bool recall(uint64_t areas[NEUMMU_RECENT], uint64_t area)
{
    int place = 0;
    while (place < NEUMMU_RECENT - 1 && areas[place] != area)
        place++;
    bool found = areas[place] == area;
    for (; place > 0; place--)
        areas[place] = areas[place - 1];
    areas[0] = area;
    return found;
}

static void count_turns(const neummu_run *run, stack *s, neummu_traffic *traffic)
{
    for (unsigned level = 0; level < NEUMMU_TURNS; level++) {
        uint64_t area = (neummu_page_of(s->shifts, run->page).address >> (21 + 9 * level)) + 1;
        if (area == s->areas[level][0])
            continue;
        traffic->turns[level]++;
        traffic->fresh[level] += !recall(s->areas[level], area);
    }
}

/* Adds a flow to the traffic of its page sizes. Returns the pages first used since `since`. */
static uint64_t use_flow(stack *s, const neummu_flow *flow, uint64_t since, neummu_traffic *sizes)
{
    uint64_t fresh = 0;
    for (uint64_t r = 0; r < flow->count; r++) {
        const neummu_run *run = &flow->runs[r];
        neummu_traffic *traffic = &sizes[run->page & NEUMMU_LARGE ? 1 : 0];
        fresh += use(s, run->page, since, traffic);
        count_turns(run, s, traffic);
        traffic->requests += run->requests;
        traffic->bytes += run->bytes;
        traffic->runs++;
    }
    return fresh;
}

/* ---- the list of different traffics ---- */

typedef struct list {
    neummu_traffic *traffic;
    uint32_t *table; /* hash index: number + 1, 0 where free */
    uint64_t count, mask;
} list;

static uint32_t enter(list *l, const neummu_traffic *traffic)
{
    uint64_t place = msw_hash_bytes(traffic, sizeof *traffic).lo & l->mask;
    for (; l->table[place]; place = (place + 1) & l->mask)
        if (memcmp(&l->traffic[l->table[place] - 1], traffic, sizeof *traffic) == 0)
            return l->table[place] - 1;
    l->traffic[l->count++] = *traffic;
    l->table[place] = (uint32_t)l->count;
    return (uint32_t)l->count - 1;
}

static int open_list(list *l, uint64_t steps, msw_arena *arena, msw_arena *scratch, msw_err *err)
{
    *l = (list){.mask = 15};
    while (l->mask < 8 * steps)
        l->mask = 2 * l->mask + 1;
    l->traffic = msw_arena_take(arena, 4 * steps * sizeof *l->traffic);
    l->table = msw_arena_zero(scratch, l->mask + 1, sizeof *l->table);
    return l->traffic && l->table ? 0 : msw_fail_memory(err);
}

static void profile_step(stack *s, list *l, neummu_tile *tile, neummu_step *step)
{
    neummu_traffic loads[2], stores[2];
    uint64_t since = s->now + 1;
    memset(loads, 0, sizeof loads);
    memset(stores, 0, sizeof stores);
    loads[1].large = stores[1].large = 1;
    tile->pages = use_flow(s, &tile->early, since, loads);
    tile->pages += use_flow(s, &tile->late, since, loads);
    use_flow(s, &tile->store, since, stores);
    for (int size = 0; size < 2; size++) {
        step->loads[size] = enter(l, &loads[size]);
        step->stores[size] = enter(l, &stores[size]);
    }
}

static uint64_t runs_of(const neummu_stream *stream)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < stream->step_count; i++) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i].tile];
        runs += tile->early.count + tile->late.count + tile->store.count;
    }
    return runs;
}

static int open_stack(stack *s, const msw_npu_product *product, const neummu_stream *stream,
                      msw_arena *scratch, msw_err *err)
{
    uint64_t end = product->base_address + product->footprint_bytes;
    s->first_page = product->base_address >> stream->shifts.small;
    s->pages = (end >> stream->shifts.small) - s->first_page + 1;
    s->times = runs_of(stream);
    if (s->times >= UINT32_MAX)
        return msw_fail(err, "%llu runs of transactions: at most 2^32 - 2",
                        (unsigned long long)s->times);
    s->last = msw_arena_zero(scratch, s->pages, sizeof *s->last);
    s->tree = msw_arena_zero(scratch, s->times + 1, sizeof *s->tree);
    return s->last && s->tree ? 0 : msw_fail_memory(err);
}

int neummu_profile(const msw_npu_product *product, neummu_stream *stream, neummu_tile *tiles,
                   neummu_step *steps, msw_arena *arena, msw_err *err)
{
    msw_arena scratch = {0};
    stack s = {.shifts = stream->shifts};
    list l;
    int rc = open_stack(&s, product, stream, &scratch, err);
    if (rc == 0)
        rc = open_list(&l, stream->step_count, arena, &scratch, err);
    for (uint64_t i = 0; rc == 0 && i < stream->step_count; i++)
        profile_step(&s, &l, &tiles[steps[i].tile], &steps[i]);
    if (rc == 0) {
        stream->traffic = l.traffic;
        stream->traffic_count = l.count;
    }
    msw_arena_free(&scratch);
    return rc;
}
