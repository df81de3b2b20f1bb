/* SPDX-License-Identifier: MIT */
/* Stretches of a stream, joined: the machine passes the beginning, then, from one stretch to the
 * next, TLBs and path caches alone, while what is under way stays so.
 *
 *   total of what comes with requests      head + (N / n) rest + end
 *   of the stalls S                        head + S + b (F - (N / n) f),   S = (N / n) rest
 *   of what comes with fresh visits        head + (F + k N / n) / (f + k) rest + end
 *
 *   N, n  requests behind the head, of them in stretches    F, f  fresh visits of these
 *   b     stalls of a fresh visit: slope over the stretches, from 0 to their ratio
 *   k     so many fresh visits that each stream is as any other
 *
 * Fresh is a visit whose page was last used `span` visits before or more, or never; span: how many
 * visits use as many pages as the last TLB holds. The regression estimator of sampling theory (W.
 * G. Cochran, Sampling Techniques, 1977, ch. 7). Known value: a stream that goes whole gives what
 * `full` gives. */
#include "mech/htmmu/closed/closed.h"

#include "memsweep/base/bits.h"

#include <math.h>

#define LIKE_ANY  4.0  /* fresh visits */
#define UNSEEN    8.0  /* of fewer fresh visits nothing is known */
#define UNSETTLED 0.1  /* of the misses under way at the end: more have not met each other */
#define OUTLASTS  0.03 /* of the cycles, for each length of a stretch that a miss lasts */
#define MISS_PART 2.0  /* a miss is meant to last so many stretches at most */
#define GOLDEN    0.618034

enum { FEWEST = 8 }; /* stretches */

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

/* Each part of what is left gives one stretch, from a place of its own in it: streams repeat. */
static void pass_stretches(htmmu_sample *s, uint64_t head, uint64_t length, size_t count)
{
    uint64_t left = s->stream->unit_count - head;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t first = head + left * i / count;
        uint64_t room = head + left * (i + 1) / count - length - first + 1;
        double part = fmod(0.5 + GOLDEN * (double)i, 1), stalls = stalls_of(&s->rest);
        uint64_t unit = first + (uint64_t)(part * (double)room);
        uint64_t span = htmmu_machine_splice(s->machine, unit, unit + length);
        if (span != UINT64_MAX) {
            s->span += (double)span;
            s->spans++;
        }
        pass_units(s, unit, unit + length, &s->rest);
        s->stretches[i] = (htmmu_stretch){
            .unit = unit, .end = unit + length, .stalls = stalls_of(&s->rest) - stalls};
    }
    s->count = count;
}

/* Units of a stretch: `least`, or more where misses take long, at the pace of the head. */
static uint64_t length_of(const htmmu_sample *s, uint64_t least)
{
    const double *head = s->head.totals;
    double requests = miss_of(s) / MISS_PART * head[HTMMU_REQUESTS] / head[HTMMU_CYCLES];
    uint64_t units = (uint64_t)fmin(requests / (double)s->stream->unit_requests, 1e9) + 1;
    return msw_min_u64(msw_max_u64(units, least), least * HTMMU_STRETCHES / FEWEST);
}

static double fresh_in(const htmmu_sample *s, uint64_t unit, uint64_t end)
{
    const uint32_t *before = s->stream->before;
    uint64_t span = s->spans > 0 ? (uint64_t)(s->span / s->spans) : UINT64_MAX, count = 0;
    for (uint64_t visit = s->stream->units[unit]; visit < s->stream->units[end]; visit++)
        count += before[visit] == HTMMU_NO_VISIT || visit - before[visit] >= span;
    return (double)count;
}

void htmmu_pass_sample(htmmu_sample *s, htmmu_machine *m, uint64_t requests)
{
    const htmmu_stream *stream = m->stream;
    *s = (htmmu_sample){.machine = m, .stream = stream, .waits = htmmu_machine_join(m)};
    uint64_t each = requests / stream->unit_requests / (HTMMU_STRETCHES + 1);
    each = msw_max_u64(each, 1);
    s->head.totals[HTMMU_ISSUE] = s->head.totals[HTMMU_CYCLES] = (double)m->l1_cycles;
    if (2 * (HTMMU_STRETCHES + 1) * each > stream->unit_count) {
        pass_units(s, 0, stream->unit_count, &s->head);
    } else {
        s->head_units = each;
        pass_units(s, 0, each, &s->head);
        uint64_t length = length_of(s, each);
        pass_stretches(s, each, length, each * HTMMU_STRETCHES / length);
    }
    for (size_t i = 0; i < s->count; i++)
        s->stretches[i].fresh = fresh_in(s, s->stretches[i].unit, s->stretches[i].end);
    s->inside = (double)(m->config->window -
                         (int64_t)(m->requester.window.tail - m->requester.window.head));
    htmmu_counts before = htmmu_counts_now(m);
    htmmu_machine_drain(m);
    add_part(s, &before, &s->end);
}

/* ---- what it says of the stream ---- */

typedef struct line {
    double fresh, stalls; /* sums */
    double slope, spread; /* spread: of the sum of stalls about the line */
} line;

static line fit(const htmmu_sample *s)
{
    double n = (double)s->count, both = 0, square = 0, left = 0;
    line a = {0};
    for (size_t i = 0; i < s->count; i++) {
        a.fresh += s->stretches[i].fresh;
        a.stalls += s->stretches[i].stalls;
    }
    for (size_t i = 0; i < s->count; i++) {
        double x = s->stretches[i].fresh - a.fresh / n;
        both += x * (s->stretches[i].stalls - a.stalls / n);
        square += x * x;
    }
    a.slope = square > 0 ? both / square : 0;
    a.slope = fmin(fmax(a.slope, 0), a.stalls / (a.fresh + LIKE_ANY));
    for (size_t i = 0; i < s->count; i++) {
        double x = s->stretches[i].fresh - a.fresh / n;
        double off = s->stretches[i].stalls - a.stalls / n - a.slope * x;
        left += off * off;
    }
    a.spread = sqrt(left * n / (n - 2));
    return a;
}

/* One standard deviation of the cycles, and what stretches cannot show: fresh visits of which
 * hardly any was seen, requests that fill a window, walks that last longer than a stretch (then
 * requests behind it would have met them) or than what is skipped, in which pages come without
 * time. */
static double error_of(const htmmu_sample *s, const line *a, double all, double scale,
                       double cycles)
{
    double misses = s->head.totals[HTMMU_L1_MISSES] + s->rest.totals[HTMMU_L1_MISSES];
    double error = scale * a->spread * sqrt(1 - 1 / scale), miss = miss_of(s);
    double stretch = s->rest.totals[HTMMU_CYCLES] / (double)s->count;
    if (a->fresh < UNSEEN)
        error += fmax(all - a->fresh, 0) * miss;
    if (s->inside > UNSETTLED * misses)
        error += scale * s->end.totals[HTMMU_CYCLES] * s->inside / misses;
    return fmax(fmax(error, miss) / cycles, OUTLASTS * miss / stretch);
}

htmmu_estimate htmmu_estimate_of(const htmmu_sample *s)
{
    if (s->count == 0)
        return (htmmu_estimate){1, 1, 1, 0};
    const htmmu_stream *stream = s->stream;
    double left = (double)stream->requests - s->head.totals[HTMMU_REQUESTS];
    double scale = left / s->rest.totals[HTMMU_REQUESTS];
    double all = fresh_in(s, s->head_units, stream->unit_count);
    line a = fit(s);
    double stalls = scale * a.stalls + a.slope * (all - scale * a.fresh);
    double cycles = s->head.totals[HTMMU_CYCLES] + s->end.totals[HTMMU_CYCLES] +
                    scale * s->rest.totals[HTMMU_ISSUE] + stalls;
    return (htmmu_estimate){.requests = scale,
                            .stalls = a.stalls > 0 ? stalls / a.stalls : scale,
                            .fresh = (all + LIKE_ANY * scale) / (a.fresh + LIKE_ANY),
                            .error = error_of(s, &a, all, scale, cycles)};
}
