/* SPDX-License-Identifier: MIT */
/* Stretches of a stream, joined: the machine passes the beginning (the head), then, from one
 * stretch to the next, TLBs and path caches alone, while what is under way stays so.
 *
 * The stream behind the head is cut into blocks as long as a stretch, of two kinds: with fresh
 * visits and without (held). Of each kind h stretches are blocks spread over all of it:
 *
 *   total of what comes with requests      head + sum over h of (N / n) part + end
 *   of the stalls S                        head + sum of S + b (F - (N / n) f),   S = (N / n) part
 *   of what comes with fresh visits        head + sum of (F + k N / n) / (f + k) part + end
 *
 *   N, n  requests of the kind, of them in stretches    F, f  fresh visits of these
 *   b     stalls of a fresh visit: slope over the stretches, from 0 to their ratio
 *   k     so many fresh visits that each stream is as any other
 *
 * Fresh is a visit whose page was last used `span` visits before or more, or never; span: how many
 * visits use as many pages as the TLBs know. Stratified sampling with regression estimators (W. G.
 * Cochran, Sampling Techniques, 1977, ch. 5 and 7). Known value: a stream that goes whole gives
 * what `full` gives. */
#include "mech/htmmu/closed/closed.h"

#include "memsweep/base/bits.h"

#include <math.h>

#define LIKE_ANY  4.0 /* fresh visits */
#define UNSETTLED 0.1 /* of the misses under way at the end: more have not met each other */
#define OUTLASTS  0.1 /* of the cycles, for each length of a stretch that a miss lasts */
#define MISS_PART 2.0 /* a miss is meant to last so many stretches at most */
#define GOLDEN    0.618034

#define LEAD 1.0 /* lengths of a miss before a block */

enum {
    LEAD_MOST = 2,       /* lengths of the block */
    FEWEST = 8,          /* stretches */
    LOOKS = 4,           /* points from which pages are counted, */
    LOOK_MOST = 1 << 15, /* over so many visits at most */
};

static void add_part(htmmu_sample *s, const htmmu_counts *from, htmmu_part *to)
{
    double totals[HTMMU_METRICS] = {0};
    htmmu_counts now = htmmu_counts_now(s->machine);
    htmmu_fill_counts(from, &now, totals);
    for (int i = 0; i < HTMMU_METRICS; i++)
        to->totals[i] += totals[i];
    to->accesses += (double)(now.walker.accesses - from->walker.accesses);
}

/* Unit by unit: the requests of the busiest bank are a sum over units. */
static void pass_units(htmmu_sample *s, uint64_t unit, uint64_t end, htmmu_part *to)
{
    const htmmu_stream *stream = s->stream;
    for (; unit < end; unit++) {
        htmmu_counts before = htmmu_counts_now(s->machine);
        htmmu_machine_pass(s->machine,
                           msw_min_u64((unit + 1) * stream->unit_requests, stream->requests));
        add_part(s, &before, to);
    }
}

static double stalls_of(const htmmu_part *part)
{
    return part->totals[HTMMU_CYCLES] - part->totals[HTMMU_ISSUE];
}

/* Cycles of a miss: of the longest walk, or where it waits for longer, mean so far. */
static double miss_of(const htmmu_sample *s)
{
    const htmmu_machine *m = s->machine;
    double each =
        m->memory.dram ? (double)htmmu_memory_mean(&m->memory) : (double)m->config->level_cycles;
    double walk = each * msw_pagetable_steps(&m->walker.table, m->l1.page_shift[0]);
    double looked = (double)(m->counts.requests * m->l1_cycles);
    double waited = (double)s->waits->wait_accepted - looked;
    return fmax(walk, waited / fmax((double)m->counts.l1_misses, 1));
}

/* Units of a stretch: `least`, or more where misses take long, at the pace of the head. */
static uint64_t length_of(const htmmu_sample *s, uint64_t least, uint64_t most)
{
    const double *head = s->head.totals;
    double requests = miss_of(s) / MISS_PART * head[HTMMU_REQUESTS] / head[HTMMU_CYCLES];
    uint64_t units = (uint64_t)fmin(requests / (double)s->stream->unit_requests, 1e9) + 1;
    return msw_min_u64(msw_max_u64(units, least), most);
}

/* Visits that use as many pages as TLBs know, mean over some points of the stream. */
static uint64_t span_of(const htmmu_machine *m)
{
    const htmmu_stream *stream = m->stream;
    uint64_t held = htmmu_pages_known(m->config), sum = 0;
    if (stream->pages <= held)
        return UINT64_MAX;
    for (uint64_t i = 1; i <= LOOKS; i++) {
        uint64_t point = stream->visit_count * i / LOOKS, pages = 0, least = point;
        least -= msw_min_u64(point, LOOK_MOST);
        uint64_t u = point;
        while (u > least && pages < held)
            pages += stream->after[--u] >= point;
        sum += point - u;
    }
    return sum / LOOKS;
}

static uint32_t fresh_in(const htmmu_stream *stream, uint64_t unit, uint64_t end, uint64_t span)
{
    const uint32_t *before = stream->before;
    uint32_t count = 0;
    for (uint64_t visit = stream->units[unit]; visit < stream->units[end]; visit++)
        count += before[visit] == HTMMU_NO_VISIT || visit - before[visit] >= span;
    return count;
}

/* Blocks behind the head, of `length` units but for the last. */
typedef struct blocks {
    uint64_t first, length, count;
    uint64_t span; /* visits back of pages that TLBs hold */
    uint32_t *fresh;
} blocks;

static uint64_t block_unit(const htmmu_sample *s, const blocks *b, uint64_t block)
{
    return msw_min_u64(b->first + block * b->length, s->stream->unit_count);
}

static uint64_t position_of(const htmmu_sample *s, uint64_t unit)
{
    return msw_min_u64(unit * s->stream->unit_requests, s->stream->requests);
}

static int kind_of(const blocks *b, uint64_t block)
{
    return b->fresh[block] ? HTMMU_FRESH_BLOCKS : HTMMU_HELD_BLOCKS;
}

static int cut_blocks(htmmu_sample *s, blocks *b, msw_arena *arena, msw_err *err)
{
    b->span = span_of(s->machine);
    b->count = msw_div_up(s->stream->unit_count - b->first, b->length);
    b->fresh = msw_arena_take(arena, b->count * sizeof *b->fresh);
    if (!b->fresh)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < b->count; i++) {
        uint64_t unit = block_unit(s, b, i), end = block_unit(s, b, i + 1);
        b->fresh[i] = fresh_in(s->stream, unit, end, b->span);
        htmmu_blocks *kind = &s->blocks[kind_of(b, i)];
        kind->count++;
        kind->requests += (double)(position_of(s, end) - position_of(s, unit));
        kind->fresh += b->fresh[i];
    }
    return 0;
}

/* How many blocks of each kind go. */
static void share_stretches(const htmmu_sample *s, size_t count, uint64_t *of)
{
    double held = s->blocks[HTMMU_HELD_BLOCKS].count, fresh = s->blocks[HTMMU_FRESH_BLOCKS].count;
    double part = (1 + held / (held + fresh)) / 4;
    of[HTMMU_HELD_BLOCKS] = (uint64_t)fmin(held, ceil((double)count * part));
    of[HTMMU_FRESH_BLOCKS] = (uint64_t)fmin(fresh, (double)(count - of[HTMMU_HELD_BLOCKS]));
    of[HTMMU_HELD_BLOCKS] = (uint64_t)fmin(held, fresh > 0 ? (double)of[0] : (double)count);
}

/* Number of the i-th block to go, of so many that are alike: each part of them gives one, from a
 * point of its own in it, because streams repeat. */
static uint64_t choose(const htmmu_blocks *b, uint64_t i, uint64_t of)
{
    double part = fmod(0.5 + GOLDEN * (double)i, 1);
    return (uint64_t)(b->count * ((double)i + part) / (double)of);
}

/* Requests that go uncounted before a block: as many as go while a miss lasts, for what they ask
 * for is under way when the block begins. */
static uint64_t lead_of(const htmmu_sample *s, const blocks *b)
{
    const htmmu_machine *m = s->machine;
    double pace = (double)m->counts.requests / (double)m->clock;
    uint64_t most = LEAD_MOST * b->length * s->stream->unit_requests;
    return (uint64_t)fmin(LEAD * miss_of(s) * pace, (double)most);
}

static void pass_block(htmmu_sample *s, const blocks *b, uint64_t block)
{
    htmmu_blocks *kind = &s->blocks[kind_of(b, block)];
    uint64_t unit = block_unit(s, b, block), end = block_unit(s, b, block + 1);
    double stalls = stalls_of(&kind->part);
    htmmu_machine_splice(s->machine, unit, end, lead_of(s, b), b->span);
    htmmu_machine_pass(s->machine, unit * s->stream->unit_requests);
    pass_units(s, unit, end, &kind->part);
    kind->stretches[kind->went++] =
        (htmmu_stretch){.stalls = stalls_of(&kind->part) - stalls, .fresh = b->fresh[block]};
}

static void pass_blocks(htmmu_sample *s, const blocks *b, size_t count)
{
    uint64_t of[HTMMU_BLOCKS], seen[HTMMU_BLOCKS] = {0};
    share_stretches(s, count, of);
    for (uint64_t block = 0; block < b->count; block++) {
        int kind = kind_of(b, block);
        const htmmu_blocks *k = &s->blocks[kind];
        if (k->went < of[kind] && seen[kind]++ >= choose(k, k->went, of[kind]))
            pass_block(s, b, block);
    }
}

static void drain(htmmu_sample *s)
{
    htmmu_machine *m = s->machine;
    s->inside = (double)(m->config->window -
                         (int64_t)(m->requester.window.tail - m->requester.window.head));
    htmmu_counts before = htmmu_counts_now(m);
    htmmu_machine_drain(m);
    add_part(s, &before, &s->end);
}

/* ---- what it says of the stream ---- */

typedef struct line {
    double slope, spread; /* spread: of the sum of stalls about the line */
} line;

static line fit(const htmmu_blocks *b, double fresh, double stalls)
{
    double n = (double)b->went, both = 0, square = 0, left = 0;
    for (size_t i = 0; i < b->went; i++) {
        double x = b->stretches[i].fresh - fresh / n;
        both += x * (b->stretches[i].stalls - stalls / n);
        square += x * x;
    }
    line a = {.slope = square > 0 ? both / square : 0};
    a.slope = fmin(fmax(a.slope, 0), stalls / (fresh + LIKE_ANY));
    for (size_t i = 0; i < b->went; i++) {
        double x = b->stretches[i].fresh - fresh / n;
        double off = b->stretches[i].stalls - stalls / n - a.slope * x;
        left += off * off;
    }
    a.spread = sqrt(left * n / fmax(n - 2, 1));
    return a;
}

/* Finds the scales. Returns the standard deviation of the cycles. */
static double scale_blocks(htmmu_blocks *b)
{
    double fresh = 0, stalls = 0;
    if (b->went == 0)
        return 0;
    for (size_t i = 0; i < b->went; i++) {
        fresh += b->stretches[i].fresh;
        stalls += b->stretches[i].stalls;
    }
    line a = fit(b, fresh, stalls);
    double scale = b->requests / b->part.totals[HTMMU_REQUESTS];
    double all = scale * stalls + a.slope * (b->fresh - scale * fresh);
    b->scale.requests = scale;
    b->scale.stalls = stalls > 0 ? all / stalls : scale;
    b->scale.fresh = (b->fresh + LIKE_ANY * scale) / (fresh + LIKE_ANY);
    return b->went < b->count ? scale * a.spread * sqrt(1 - 1 / scale) : 0;
}

static double cycles_of(const htmmu_blocks *b)
{
    const double *t = b->part.totals;
    return b->scale.requests * t[HTMMU_ISSUE] + b->scale.stalls * stalls_of(&b->part);
}

double htmmu_went(const htmmu_sample *s)
{
    double went = s->head.totals[HTMMU_REQUESTS];
    for (int i = 0; i < HTMMU_BLOCKS; i++)
        went += s->blocks[i].part.totals[HTMMU_REQUESTS];
    return went;
}

/* Misses that last longer than a stretch: the part of the cycles that requests behind it, which
 * would have met them, may change. */
static double outlast(const htmmu_blocks *b, double miss)
{
    double stretch = b->part.totals[HTMMU_CYCLES] / (double)b->went;
    return b->part.totals[HTMMU_L1_MISSES] > 0 ? OUTLASTS * miss / stretch : 0;
}

/* One standard deviation of the cycles, and what stretches cannot show: requests that fill a
 * window, walks that last longer than a stretch (then requests behind it would have met them) or
 * than what is skipped, in which pages come without time. */
static double error_of(htmmu_sample *s)
{
    double cycles = s->head.totals[HTMMU_CYCLES] + s->end.totals[HTMMU_CYCLES], square = 0;
    double misses = s->head.totals[HTMMU_L1_MISSES], miss = miss_of(s), outlasts = 0;
    for (int i = 0; i < HTMMU_BLOCKS; i++) {
        htmmu_blocks *b = &s->blocks[i];
        double spread = scale_blocks(b), here = cycles_of(b);
        square += spread * spread;
        cycles += here;
        misses += b->part.totals[HTMMU_L1_MISSES];
        if (b->went < b->count)
            outlasts += outlast(b, miss) * here;
    }
    double error = sqrt(square);
    s->lasts = miss * (double)s->stream->requests / cycles;
    if (s->inside > UNSETTLED * misses)
        error += (double)s->stream->requests / htmmu_went(s) * s->end.totals[HTMMU_CYCLES] *
                 s->inside / misses;
    return fmax(fmax(error, miss), outlasts) / cycles;
}

static uint64_t units_of(const htmmu_stream *stream, uint64_t requests)
{
    return msw_max_u64(requests / stream->unit_requests, 1);
}

bool htmmu_is_whole(const htmmu_stream *stream, size_t stretches, uint64_t requests)
{
    return stretches == 0 || 2 * (stretches + 1) * units_of(stream, requests) > stream->unit_count;
}

/* Whether a miss lasts for so much of the least that the stream may take, which is issue and walks
 * of fresh visits, that stretches cannot tell: its error as soon as the head went. */
static double least_error(const htmmu_sample *s)
{
    const htmmu_config *c = s->machine->config;
    double fresh = s->blocks[HTMMU_FRESH_BLOCKS].fresh, miss = miss_of(s);
    double issue = (double)s->stream->requests / (double)c->streams;
    double walks = fresh * miss / (double)c->merge_entries;
    return miss / (s->head.totals[HTMMU_CYCLES] + issue + walks);
}

int htmmu_pass_sample(htmmu_sample *s, htmmu_machine *m, size_t stretches, uint64_t requests,
                      msw_arena *arena, msw_err *err)
{
    const htmmu_stream *stream = m->stream;
    uint64_t each = units_of(stream, requests);
    *s = (htmmu_sample){.machine = m, .stream = stream, .waits = htmmu_machine_join(m)};
    s->whole = htmmu_is_whole(stream, stretches, requests);
    s->head.totals[HTMMU_ISSUE] = s->head.totals[HTMMU_CYCLES] = (double)m->l1_cycles;
    pass_units(s, 0, s->whole ? stream->unit_count : each, &s->head);
    if (s->whole) {
        drain(s);
        return 0;
    }
    uint64_t longest = msw_max_u64(stretches / FEWEST, 1) * each;
    blocks b = {.first = each, .length = length_of(s, each, longest)};
    MSW_TRY(cut_blocks(s, &b, arena, err));
    s->error = least_error(s);
    if (s->error > HTMMU_NEAR && stream->requests <= HTMMU_WHOLE_MOST)
        return 0;
    pass_blocks(s, &b, stretches * each / b.length);
    drain(s);
    s->error = error_of(s);
    return 0;
}
