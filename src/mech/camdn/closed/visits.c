/* SPDX-License-Identifier: MIT */
/* Counts the pages that tasks visit (README.md, "Translation"): each network's tiles in the order
 * of the machine, twice over, and for every visit how many other pages were visited since its page
 * was (a stack distance, by a tree of sums over the times of last visits). */
#include "mech/camdn/closed/visits.h"

#include "mech/camdn/machine/system.h"

#include <string.h>

const char *const camdn_visits_depends[] = {
    "array_rows", "array_cols",    "dataflow",  "scratchpad", "accumulator",
    "sum_bytes",  "single_buffer", "depthwise", "lanes",      "tiling",
    "cache_line", "page_size",     NULL};

bool camdn_visits_needed(const void *config)
{
    const camdn_config *c = config;
    return c->translation.kind > CAMDN_TRANSLATE_IDEAL;
}

/* The pages that have been visited: when, and how many later than at a time. */
typedef struct times {
    uint32_t *last, *sums, *page; /* by page; by time */
    uint32_t pages, room, now, seen;
} times;

/* The regions of the last misses of a TLB. */
enum { RECENT = 1 << (CAMDN_LAGS - 1) };
typedef struct recent {
    uint32_t regions[RECENT], count;
} recent;

typedef struct counter {
    times times;
    recent *recent; /* by entries of the TLB */
    camdn_visits_op *op;
    bool second; /* round */
    unsigned shift, region;
    uint64_t line, at, lines; /* at: the page of the visit under way */
    uint32_t begun;           /* time at which the round began */
    bool failed;
} counter;

static void add(times *t, uint32_t at, uint32_t by)
{
    for (; at < t->room; at += at & -at)
        t->sums[at] += by;
}

static uint32_t sum_to(const times *t, uint32_t at)
{
    uint32_t sum = 0;
    for (; at > 0; at -= at & -at)
        sum += t->sums[at];
    return sum;
}

/* Numbers the times anew, without those that are no page's last. */
static void renumber(counter *c)
{
    times *t = &c->times;
    uint32_t count = 0, begun = 0;
    memset(t->sums, 0, t->room * sizeof *t->sums);
    for (uint32_t at = 1; at < t->now; at++) {
        if (t->last[t->page[at]] != at)
            continue;
        t->page[++count] = t->page[at];
        t->last[t->page[count]] = count;
        begun = at < c->begun ? count : begun;
        add(t, count, 1);
    }
    t->now = count + 1;
    c->begun = begun + 1;
}

/* Other pages that were visited since this one was; UINT32_MAX: it never was. */
static uint32_t visit(counter *c, uint32_t page, bool *first)
{
    times *t = &c->times;
    uint32_t distance = UINT32_MAX;
    if (t->now == t->room)
        renumber(c);
    *first = t->last[page] < c->begun;
    if (t->last[page]) {
        distance = t->seen - sum_to(t, t->last[page]);
        add(t, t->last[page], UINT32_MAX); /* -1 */
    } else {
        t->seen++;
    }
    t->last[page] = t->now;
    t->page[t->now] = page;
    add(t, t->now++, 1);
    return distance;
}

/* What misses in the first round is known in the second. */
static void count_turns(counter *c, uint32_t distance)
{
    uint32_t region = (uint32_t)(c->at >> c->region);
    for (uint32_t i = 0; i < CAMDN_LENGTHS && distance >> i; i++) {
        recent *r = &c->recent[i];
        for (int k = 0; k < CAMDN_LAGS && c->second; k++)
            c->op->turns[i][k] += region != r->regions[(r->count - (1U << k)) % RECENT];
        r->regions[r->count++ % RECENT] = region;
    }
}

static void count_visit(counter *c, uint32_t distance, bool first)
{
    camdn_visits_op *op = c->op;
    camdn_lengths *lengths = &op->lengths[first];
    unsigned length = msw_bits_log2(c->lines);
    length = length < CAMDN_LENGTHS ? length : CAMDN_LENGTHS - 1;
    lengths->visits[length]++;
    lengths->lines[length] += (double)c->lines;
    op->lines += (double)c->lines;
    op->visits++;
    uint32_t rank = (uint32_t)camdn_rank_of(distance);
    (first ? op->first : op->within)[rank < CAMDN_REACHES ? rank : CAMDN_REACHES - 1]++;
}

/* The visit under way is over. */
static void close_visit(counter *c)
{
    bool first = false;
    if (c->lines == 0)
        return;
    c->failed |= c->at >= c->times.pages;
    uint32_t distance = c->failed ? 0 : visit(c, (uint32_t)c->at, &first);
    if (c->second && !c->failed)
        count_visit(c, distance, first);
    if (!c->failed)
        count_turns(c, distance);
    c->lines = 0;
}

static void visit_row(counter *c, uint64_t start, uint64_t end)
{
    uint64_t from = msw_div_up(start, c->line) * c->line, to = msw_div_up(end, c->line) * c->line;
    while (from < to) {
        uint64_t page = from >> c->shift, stop = msw_min_u64(to, (page + 1) << c->shift);
        if (page != c->at)
            close_visit(c);
        c->at = page;
        c->lines += (stop - from) / c->line;
        from = stop;
    }
}

static void visit_run(counter *c, const camdn_run *run)
{
    for (uint64_t row = 0; run->bytes > 0 && row < run->rows; row++)
        visit_row(c, run->address + row * run->stride,
                  run->address + row * run->stride + run->bytes);
}

static void close_phase(counter *c, double visits)
{
    close_visit(c);
    c->op->phases += c->op->visits > visits;
}

static void load(counter *c, const camdn_walk *w)
{
    camdn_run run;
    double visits = c->op->visits;
    for (uint32_t part = 0; camdn_walk_load(w, part, &run); part++)
        visit_run(c, &run);
    close_phase(c, visits);
}

/* What tile `tile` stores, of which `run` is the first. */
static void store(counter *c, const camdn_walk *w, camdn_run *run, uint64_t tile)
{
    double visits = c->op->visits;
    visit_run(c, run);
    for (uint32_t part = 1; camdn_walk_store_more(w, part, tile, run); part++)
        visit_run(c, run);
    close_phase(c, visits);
}

/* load 0, load 1, store 0, load 2, store 1, ... */
static void visit_op(counter *c, camdn_walk *w, bool single)
{
    camdn_run before = {0}, now = {0};
    bool more = true;
    for (uint64_t tile = 0; more; tile++) {
        load(c, w);
        if (!camdn_walk_store(w, 0, &now))
            now = (camdn_run){0};
        if (single)
            store(c, w, &now, tile);
        else if (tile > 0)
            store(c, w, &before, tile - 1);
        before = now;
        more = camdn_walk_next(w);
        if (!more && !single)
            store(c, w, &before, tile);
    }
}

static int count_network(const msw_task *task, uint32_t number, msw_arena *scratch,
                         camdn_visits_op *ops, msw_err *err)
{
    const camdn_config *config = task->config;
    const msw_graph_product *mix = task->product->data;
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    const msw_graph_network *net = &mix->networks[number];
    camdn_array array = camdn_array_of(config, mix->element_bytes);
    unsigned shift = msw_bits_log2((uint64_t)config->translation.page);
    uint64_t bytes = net->bytes + camdn_sums_bytes(net, config, mix->element_bytes);
    uint64_t pages = (bytes >> shift) + 2, room = 2 * pages + 1024;
    counter c = {.line = (uint64_t)config->line, .shift = shift, .begun = 1};
    c.region = (shift < 21 ? 21 : shift < 30 ? 30 : 39) - shift;
    if (room >= UINT32_MAX)
        return msw_fail_kind(err, MSW_ERR_UNFIT, "network '%s': too many pages", net->name);
    c.times = (times){.pages = (uint32_t)pages, .room = (uint32_t)room, .now = 1};
    c.times.last = msw_arena_zero(scratch, pages, sizeof *c.times.last);
    c.times.sums = msw_arena_zero(scratch, room, sizeof *c.times.sums);
    c.times.page = msw_arena_zero(scratch, room, sizeof *c.times.page);
    c.recent = msw_arena_zero(scratch, CAMDN_LENGTHS, sizeof *c.recent);
    if (!c.times.last || !c.times.sums || !c.times.page || !c.recent)
        return msw_fail_memory(err);
    camdn_memory memory = {.sums = net->bytes, .line = c.line};
    for (int round = 0; round < 2; round++) {
        c.second = round > 0;
        c.begun = c.times.now;
        for (uint32_t o = 0; o < net->op_count; o++) {
            camdn_walk walk;
            c.op = &ops[o];
            camdn_walk_start(&walk, net, o, camdn_plain_step(tables->of[number], o), &array,
                             &memory);
            visit_op(&c, &walk, config->single || net->list);
        }
    }
    return c.failed ? msw_fail(err, "network '%s' visits pages that it has not", net->name) : 0;
}

/* From numbers of visits at a distance to those at it or farther. */
static void sum_up(double *by)
{
    for (int i = CAMDN_REACHES - 1; i > 0; i--)
        by[i - 1] += by[i];
}

int camdn_visits_build(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_visits *visits = msw_arena_zero(arena, 1, sizeof *visits);
    int rc = visits ? 0 : msw_fail_memory(err);
    (void)extra;
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        uint32_t count = mix->networks[i].op_count;
        msw_arena scratch = {0};
        camdn_visits_op *ops = msw_arena_zero(arena, count + 1, sizeof *ops);
        rc = ops ? count_network(task, i, &scratch, ops, err) : msw_fail_memory(err);
        msw_arena_free(&scratch);
        visits->of[i] = ops;
        for (uint32_t o = 0; rc == 0 && o < count; o++) {
            sum_up(ops[o].within);
            sum_up(ops[o].first);
            visits->pages[i] += ops[o].first[0];
        }
    }
    *root = visits;
    return rc;
}
