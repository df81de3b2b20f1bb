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
static bool use(stack *s, uint64_t page, uint64_t since, neummu_reuse *reuse)
{
    uint32_t *last = &s->last[page - s->first_page];
    uint32_t before = *last;
    s->now++;
    if (before) {
        reuse->runs[bin_of(s->live - marked_until(s, before))]++;
        mark(s, before, UINT32_MAX);
    } else {
        reuse->cold++;
        s->live++;
    }
    mark(s, s->now, 1);
    *last = (uint32_t)s->now;
    return before < since;
}

static void count_turns(const neummu_run *run, uint64_t *previous, unsigned page_shift,
                        neummu_reuse *reuse)
{
    uint64_t address = run->page << page_shift, other = *previous << page_shift;
    for (unsigned level = 0; level < NEUMMU_TABLE_LEVELS; level++)
        reuse->turns[level] += address >> (21 + 9 * level) != other >> (21 + 9 * level);
    *previous = run->page;
}

static uint64_t use_flow(stack *s, const neummu_flow *flow, unsigned page_shift, uint64_t since,
                         neummu_reuse *reuse)
{
    uint64_t fresh = 0, previous = flow->count ? flow->runs[0].page : 0;
    for (uint64_t r = 0; r < flow->count; r++) {
        fresh += use(s, flow->runs[r].page, since, reuse);
        count_turns(&flow->runs[r], &previous, page_shift, reuse);
    }
    return fresh;
}

static void profile_step(stack *s, const neummu_stream *stream, neummu_tile *tile,
                         neummu_step *step)
{
    uint64_t since = s->now + 1;
    tile->pages = use_flow(s, &tile->early, stream->page_shift, since, &step->loads);
    tile->pages += use_flow(s, &tile->late, stream->page_shift, since, &step->loads);
    use_flow(s, &tile->store, stream->page_shift, since, &step->stores);
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
    s->first_page = product->base_address >> stream->page_shift;
    s->pages = (end >> stream->page_shift) - s->first_page + 1;
    s->times = runs_of(stream);
    if (s->times >= UINT32_MAX)
        return msw_fail(err, "%llu runs of transactions: at most 2^32 - 2",
                        (unsigned long long)s->times);
    s->last = msw_arena_zero(scratch, s->pages, sizeof *s->last);
    s->tree = msw_arena_zero(scratch, s->times + 1, sizeof *s->tree);
    return s->last && s->tree ? 0 : msw_fail_memory(err);
}

int neummu_profile(const msw_npu_product *product, neummu_stream *stream, neummu_tile *tiles,
                   neummu_step *steps, msw_err *err)
{
    msw_arena scratch = {0};
    stack s = {0};
    int rc = open_stack(&s, product, stream, &scratch, err);
    for (uint64_t i = 0; rc == 0 && i < stream->step_count; i++)
        profile_step(&s, stream, &tiles[steps[i].tile], &steps[i]);
    msw_arena_free(&scratch);
    return rc;
}
