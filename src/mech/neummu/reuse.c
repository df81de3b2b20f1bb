/* SPDX-License-Identifier: MIT */
/* How far back in the page stream each page was used: LRU stack distances, one pass over all steps,
 * kept by step, which the profile of sim/reuse, a total over a stream, does not show. */
#include "mech/neummu/stream.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/map.h"
#include "memsweep/sim/lru_stack.h"

#include <string.h>

enum { LATELY = 1 << (NEUMMU_LAGS - 1), AREA_SHIFT = 21, LEVEL_SHIFT = 9 };

typedef struct stack {
    msw_lru_stack used;
    uint32_t *last; /* by page: time of last use, 0: never */
    uint32_t *step; /* by page: step of last use */
    uint64_t first_page, pages;
    uint64_t areas[NEUMMU_AREAS][NEUMMU_RECENT]; /* used last, newest first; 0: none */
    uint64_t *lately;                            /* ring: addresses of the last LATELY visits */
    uint64_t run;            /* visits in a row, up to the last one, in its smallest area */
    uint32_t number, oldest; /* of the present step; of those that its pages were used in */
    neummu_shifts shifts;
} stack;

static unsigned bin_of(uint64_t distance)
{
    return (unsigned)msw_min_u64(msw_bits_width(distance), NEUMMU_DEPTHS - 1);
}

/* What a visit finds. */
typedef struct trace {
    unsigned bin;                        /* of its page's distance; NEUMMU_DEPTHS: never used */
    bool again;                          /* its page was used in this step */
    uint32_t fresh, moved[NEUMMU_AREAS]; /* bits: by area; by lag */
} trace;

static void use(stack *s, uint64_t page, uint64_t since, trace *t)
{
    uint64_t at = (page & ~NEUMMU_LARGE) - s->first_page;
    uint32_t *last = &s->last[at];
    uint32_t before = *last;
    t->bin = before ? bin_of(msw_lru_stack_since(&s->used, before)) : NEUMMU_DEPTHS;
    t->again = before >= since;
    *last = msw_lru_stack_use(&s->used, before);
    if (before && s->step[at] < s->oldest)
        s->oldest = s->step[at];
    s->step[at] = s->number;
}

/* Moves an area to the front of those used last. Returns whether it was among them. */
static bool use_area(uint64_t areas[NEUMMU_RECENT], uint64_t area)
{
    int at = 0;
    while (at < NEUMMU_RECENT - 1 && areas[at] != area)
        at++;
    bool found = areas[at] == area;
    for (; at > 0; at--)
        areas[at] = areas[at - 1];
    areas[0] = area;
    return found;
}

static uint32_t fresh_areas(stack *s, uint64_t address)
{
    uint32_t fresh = 0;
    for (unsigned a = 0; a < NEUMMU_AREAS; a++)
        if (!use_area(s->areas[a], (address >> (AREA_SHIFT + LEVEL_SHIFT * a)) + 1))
            fresh |= 1u << a;
    return fresh;
}

/* Compares with the visits before; what was before the first was elsewhere. */
static void compare_areas(stack *s, uint64_t address, uint32_t moved[NEUMMU_AREAS])
{
    uint64_t now = s->used.now;
    if (now > 1 && (address ^ s->lately[(now - 1) % LATELY]) >> AREA_SHIFT)
        s->run = 0;
    /* Visits of this run are in the same areas: only lags beyond it can differ. */
    for (unsigned lag = msw_bits_width(s->run); lag < NEUMMU_LAGS; lag++) {
        uint64_t back = (uint64_t)1 << lag, differ = UINT64_MAX;
        if (now > back)
            differ = address ^ s->lately[(now - back) % LATELY];
        for (unsigned a = 0; a < NEUMMU_AREAS && differ >> (AREA_SHIFT + LEVEL_SHIFT * a); a++)
            moved[a] |= 1u << lag;
    }
    s->lately[now % LATELY] = address;
    s->run++;
}

static trace trace_visit(stack *s, uint64_t page, uint64_t since)
{
    trace t = {0};
    uint64_t address = neummu_page_of(s->shifts, page).address;
    use(s, page, since, &t);
    t.fresh = fresh_areas(s, address);
    compare_areas(s, address, t.moved);
    return t;
}

static void add_visit(neummu_traffic *traffic, const neummu_visit *visit, const trace *t)
{
    if (traffic->visits == 0) {
        traffic->head_depth = t->bin;
        traffic->head_fresh = t->fresh;
        memcpy(traffic->head_moved, t->moved, sizeof t->moved);
    }
    traffic->large = visit->page & NEUMMU_LARGE ? 1 : 0;
    traffic->requests += visit->requests;
    traffic->bytes += visit->bytes;
    traffic->visits++;
    traffic->cold += t->bin == NEUMMU_DEPTHS;
    if (t->bin < NEUMMU_DEPTHS)
        traffic->reused[t->bin]++;
    for (unsigned a = 0; a < NEUMMU_AREAS; a++) {
        traffic->fresh[a] += t->fresh >> a & 1;
        for (uint32_t lags = t->moved[a]; lags; lags &= lags - 1)
            traffic->moved[a][msw_bits_lowest(lags)]++;
    }
}

/* ---- segments ---- */

/* A flow in the making: cut into segments as long as they are few, and by page size alone. */
typedef struct segments {
    neummu_traffic cut[NEUMMU_SEGMENTS], whole[2];
    uint64_t count; /* of segments; more than there is room for: they are not kept */
} segments;

/* Visits of few are segments of their own. */
static bool continues(const segments *g, const neummu_flow *flow, const neummu_visit *visit,
                      const trace *t)
{
    if (g->count == 0 || flow->count <= NEUMMU_SEGMENTS)
        return false;
    const neummu_traffic *last = &g->cut[g->count - 1];
    bool cold = t->bin == NEUMMU_DEPTHS, large = visit->page & NEUMMU_LARGE;
    return cold == (last->cold > 0) && large == (last->large > 0);
}

static void add_to_segments(segments *g, const neummu_flow *flow, const neummu_visit *visit,
                            const trace *t)
{
    add_visit(&g->whole[visit->page & NEUMMU_LARGE ? 1 : 0], visit, t);
    if (g->count > NEUMMU_SEGMENTS)
        return;
    if (!continues(g, flow, visit, t) && ++g->count > NEUMMU_SEGMENTS)
        return;
    add_visit(&g->cut[g->count - 1], visit, t);
}

/* ---- the list of different traffics ---- */

typedef struct list {
    neummu_traffic *traffic;
    uint64_t count;
    msw_index index; /* of them, by their bytes */
} list;

static uint32_t enter(list *l, const neummu_traffic *traffic)
{
    uint32_t hash = msw_map_hash(msw_hash_bytes(traffic, sizeof *traffic).lo);
    size_t at;
    for (uint32_t i = msw_index_first(&l->index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(&l->index, hash, &at))
        if (memcmp(&l->traffic[i], traffic, sizeof *traffic) == 0)
            return i;
    l->traffic[l->count] = *traffic;
    msw_index_add(&l->index, hash, (uint32_t)l->count, NULL); /* there is room */
    return (uint32_t)l->count++;
}

static int open_list(list *l, uint64_t steps, msw_arena *arena, msw_arena *scratch, msw_err *err)
{
    uint64_t most = NEUMMU_FLOWS * NEUMMU_SEGMENTS * steps;
    *l =
        (list){.traffic = msw_arena_take(arena, most * sizeof *l->traffic), .index.arena = scratch};
    if (!l->traffic)
        return msw_fail_memory(err);
    return msw_index_reserve(&l->index, most, err);
}

static void enter_segments(list *l, const segments *g, neummu_segments *flow)
{
    bool kept = g->count <= NEUMMU_SEGMENTS;
    const neummu_traffic *traffic = kept ? g->cut : g->whole;
    uint64_t count = kept ? g->count : 2;
    flow->count = 0;
    for (uint64_t i = 0; i < count; i++)
        if (traffic[i].visits)
            flow->traffic[flow->count++] = enter(l, &traffic[i]);
}

/* Returns the pages first used since `since`. */
static uint64_t profile_flow(stack *s, list *l, const neummu_flow *flow, uint64_t since,
                             neummu_segments *to)
{
    segments g;
    uint64_t pages = 0;
    memset(&g, 0, sizeof g);
    for (uint64_t r = 0; r < flow->count; r++) {
        trace t = trace_visit(s, flow->visits[r].page, since);
        pages += !t.again;
        add_to_segments(&g, flow, &flow->visits[r], &t);
    }
    enter_segments(l, &g, to);
    return pages;
}

static void profile_step(stack *s, list *l, neummu_tile *tile, neummu_step *step)
{
    uint64_t since = (uint64_t)s->used.now + 1;
    s->oldest = s->number;
    tile->pages = profile_flow(s, l, &tile->early, since, &step->flows[NEUMMU_EARLY]);
    tile->pages += profile_flow(s, l, &tile->late, since, &step->flows[NEUMMU_LATE]);
    profile_flow(s, l, &tile->store, since, &step->flows[NEUMMU_STORE]);
    step->oldest = s->oldest;
    s->number++;
}

static uint64_t visits_of(const neummu_stream *stream)
{
    uint64_t visits = 0;
    for (uint64_t i = 0; i < stream->step_count; i++) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i].tile];
        visits += tile->early.count + tile->late.count + tile->store.count;
    }
    return visits;
}

static int open_stack(stack *s, const msw_npu_product *product, const neummu_stream *stream,
                      msw_arena *scratch, msw_err *err)
{
    uint64_t end = product->base_address + product->footprint_bytes;
    s->first_page = product->base_address >> stream->shifts.small;
    s->pages = (end >> stream->shifts.small) - s->first_page + 1;
    uint64_t visits = visits_of(stream);
    if (visits >= UINT32_MAX)
        return msw_fail(err, "%llu page visits: at most 2^32 - 2", (unsigned long long)visits);
    s->last = msw_arena_zero(scratch, s->pages, sizeof *s->last);
    s->step = msw_arena_zero(scratch, s->pages, sizeof *s->step);
    uint32_t *times = msw_arena_zero(scratch, msw_lru_stack_words((uint32_t)visits), sizeof *times);
    s->lately = msw_arena_take(scratch, LATELY * sizeof *s->lately);
    msw_lru_stack_init(&s->used, (uint32_t)visits, times);
    return s->last && s->step && times && s->lately ? 0 : msw_fail_memory(err);
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
        for (size_t i = 0; i < l.count; i++)
            for (unsigned bin = 0; bin < NEUMMU_DEPTHS; bin++)
                l.traffic[i].within[bin + 1] = l.traffic[i].within[bin] + l.traffic[i].reused[bin];
        stream->traffic = l.traffic;
        stream->traffic_count = l.count;
        stream->first_page = s.first_page;
        stream->page_count = s.pages;
    }
    msw_arena_free(&scratch);
    return rc;
}
