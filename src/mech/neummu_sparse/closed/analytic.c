/* SPDX-License-Identifier: MIT */
/* The closed form: the recurrences of README.md, one step per segment of 64 page visits instead of
 * one per request.
 *
 *   issue'  = max(issue + requests, W)              issue   cycle of the engine's next request
 *   W       = max(W, issue - T) + walks T / P       W       cycle from which a walker is free
 *   memory' = max(memory, issue + L) + bytes / R    memory  cycle from which it is free
 *   T       = (levels - levels saved) walk_level_cycles
 *   hit     : d other pages leave fewer than w of them in a set of S      binomial(d, 1 / S) < w
 *
 *   P  walkers     L  cycles of the look-up     R  B/cycle     d  stack distance     w  ways
 *
 * Source of the hit rate in sets: A. J. Smith, IEEE TSE 4 (1978) 121-130. Known value: a gather
 * of one device is bound by its issue, and one walker walks one page after the other
 * (tests/validation/test_neummu_sparse.c). */
#include "mech/neummu_sparse/batch.h"
#include "mech/neummu_sparse/closed/sample.h"
#include "mech/neummu_sparse/model.h"
#include "mech/shared/rules.h"

#include "memsweep/base/math.h"

#include <math.h>

/* Translation that costs less than this part of the cycles is left to the formulas. */
#define COSTS 0.001

/* What a segment does to the MMU. */
typedef struct load {
    double misses, walks, merged, redundant, accesses;
} load;

typedef struct closed {
    const neummu_sparse_config *config;
    const neummu_sparse_stream *stream;
    double missed[NEUMMU_SPARSE_DEPTHS]; /* share of the visits of a distance that miss */
    double per_walk;                     /* requests that one walk answers */
    double steps;                        /* page-table entries of a walk */
    double near, far, far_latency;       /* cycles per byte */
} closed;

/* Chance that d other pages, each falling into one of `sets` sets, leave fewer than `ways` in this
 * one's (Smith 1978). */
static double hit_chance(double d, double sets, double ways)
{
    if (sets <= 1)
        return d < ways ? 1 : 0;
    double p = msw_math_pow(1 - 1 / sets, d), sum = 0;
    for (double k = 0; k < ways && k <= d; k++) {
        sum += p;
        p *= (d - k) / (k + 1) / (sets - 1);
    }
    return fmin(1, sum);
}

/* Distances of a bin are taken as uniform; eight of them represent it. */
static double missed_share(const neummu_config *mmu, unsigned bin)
{
    double low = bin ? ldexp(1, (int)bin - 1) : 0, high = bin ? ldexp(1, (int)bin) : 1, sum = 0;
    int64_t ways = msw_ways_of(mmu->tlb_entries, mmu->tlb_ways);
    double sets = (double)(mmu->tlb_entries / ways);
    for (int i = 0; i < 8; i++)
        sum += 1 - hit_chance(floor(low + (high - low) * (i + 0.5) / 8), sets, (double)ways);
    return sum / 8;
}

static closed prepare(const msw_task *task, const neummu_config *mmu)
{
    const neummu_sparse_config *c = task->config;
    closed k = {.config = c, .stream = task->artifacts[0], .per_walk = 1};
    bool pcie = neummu_sparse_over_pcie(c);
    for (unsigned bin = 0; bin < NEUMMU_SPARSE_DEPTHS; bin++)
        k.missed[bin] = missed_share(mmu, bin);
    if (mmu->scoreboard)
        k.per_walk = 1 + (double)(uint32_t)mmu->prmb_slots;
    k.steps = ceil((48.0 - k.stream->page_shift) / 9);
    k.near = mmu->frequency / mmu->bandwidth;
    k.far = mmu->frequency / (pcie ? c->pcie_bandwidth : c->fast_bandwidth);
    k.far_latency = (double)(pcie ? c->pcie_cycles : c->fast_cycles);
    return k;
}

/* Share of far visits in the area of the one `lag` before, between the lags that are known. */
static double shared_at(const neummu_sparse_segment *s, double lag, unsigned area)
{
    double step = fmin(msw_math_log2(lag) / 2, NEUMMU_SPARSE_LAGS - 1);
    unsigned low = (unsigned)step, high = low + 1 < NEUMMU_SPARSE_LAGS ? low + 1 : low;
    double share = step - low;
    return ((1 - share) * s->shared[low][area] + share * s->shared[high][area]) / s->far;
}

/* Upper levels that a walk's path cache saves. A walker's register holds the walk that began as
 * many walks before as there are walkers, for the one free longest takes the next; a cache of all
 * walkers' paths holds the last one too. */
static double saved_levels(const closed *k, const neummu_sparse_segment *s)
{
    const neummu_config *mmu = &k->config->mmu;
    double saved = 0, lag = mmu->path_cache == NEUMMU_PATH_REGISTER ? (double)mmu->ptw_count : 1;
    if (mmu->path_cache == NEUMMU_PATH_NONE || s->far == 0)
        return 0;
    for (unsigned area = 0; area < NEUMMU_SPARSE_AREAS; area++)
        if (21 + 9 * area > k->stream->page_shift)
            saved += shared_at(s, lag, area);
    return saved;
}

/* Misses come from visits on pages that the TLB has lost, or never had, and from the requests
 * behind the first of such a visit, as long as the walk takes. Returns to a page during its walk,
 * behind other pages, count as hits. */
static load load_of(const closed *k, const neummu_sparse_segment *s)
{
    const neummu_config *mmu = &k->config->mmu;
    double each = k->steps - saved_levels(k, s), walk = each * (double)mmu->walk_level_cycles;
    double walkers = (double)mmu->ptw_count, lost = s->cold,
           length = (double)s->requests / s->visits;
    load l = {0};
    for (unsigned bin = 0; bin < NEUMMU_SPARSE_DEPTHS; bin++)
        lost += s->reused[bin] * k->missed[bin];
    if (lost <= 0)
        return l;
    double behind = fmin(length, walk);
    if (k->per_walk == 1)
        behind = fmin(behind, walkers + 1);
    l.misses = lost * behind;
    l.walks = k->per_walk == 1 ? l.misses : lost * ceil(behind / k->per_walk);
    l.merged = l.misses - l.walks;
    l.redundant = l.walks - lost;
    l.accesses = l.walks * each;
    return l;
}

/* The state of the machine at a batch: when the engine can issue, the walkers, the memory and the
 * link are free, the last row is here. */
typedef struct line {
    double issue, walkers, near, far, end;
    double busy, faults; /* since when faults are handled without a break, how many */
} line;

typedef struct rules {
    bool translate, remote, handle;
} rules;

/* `walkers` is when the engine could issue the next walk if they were all that holds it up: a walk
 * after they were idle for as long as a walk takes, all of them can begin at once. */
static double translate(const closed *k, line *at, const load *l)
{
    const neummu_config *mmu = &k->config->mmu;
    double walk = l->walks > 0 ? l->accesses / l->walks * (double)mmu->walk_level_cycles : 0;
    at->walkers = fmax(at->walkers, at->issue - walk) + l->walks * walk / (double)mmu->ptw_count;
    return walk;
}

/* Faults that come from `time` on go to this many handlers, round after round. Returns when the
 * last of them is handled. */
static double handle(const neummu_sparse_config *c, double faults, double time, double each,
                     line *at)
{
    double rounds = ceil(at->faults / (double)c->fault_parallel);
    if (time > at->busy + rounds * each) {
        at->busy = time;
        at->faults = 0;
    }
    at->faults += faults;
    return at->busy + ceil(at->faults / (double)c->fault_parallel) * each;
}

static void step(const closed *k, const neummu_sparse_segment *s, const load *l, const rules *r,
                 line *at)
{
    const neummu_sparse_config *c = k->config;
    double begun = at->issue, known = 0, walk = r->translate ? translate(k, at, l) : 0;
    at->issue += s->requests;
    if (r->translate) {
        at->issue = fmax(at->issue, at->walkers);
        known = (double)c->mmu.tlb_cycles + (l->walks > 0.5 ? walk : 0);
    }
    double ready = at->issue - 1 + known;
    double there = r->remote ? (double)s->remote_bytes : 0, here = (double)s->bytes - there;
    if (r->remote && c->mode == NEUMMU_SPARSE_DEMAND) {
        double fault = r->handle ? neummu_sparse_cycles(c, c->fault_latency) : 0;
        double pages = s->faults * (double)c->mmu.page_size * k->far;
        here = (double)s->bytes;
        there = 0;
        if (s->faults) {
            double handled = handle(c, s->faults, begun + known, fault, at);
            at->far = fmax(fmax(at->far, begun + known + fault) + pages,
                           fmax(handled, ready + fault) + (double)c->mmu.page_size * k->far);
            ready = fmax(ready, at->far + k->far_latency);
        }
    }
    at->near = fmax(fmax(at->near, begun + known) + here * k->near, ready + k->near);
    at->end = fmax(at->end, here > 0 ? at->near + (double)c->mmu.memory_cycles : 0);
    if (there > 0) {
        at->far = fmax(fmax(at->far, begun + known) + there * k->far, ready + k->far);
        at->end = fmax(at->end, at->far + k->far_latency);
    }
}

static double pass(const closed *k, const neummu_sparse_batch *b, const rules *r, double *t)
{
    line at = {.walkers = -HUGE_VAL}; /* idle for long */
    for (uint64_t i = b->segment_first; i < b->segment_first + b->segment_count; i++) {
        const neummu_sparse_segment *s = &k->stream->segments[i];
        load l = {0};
        if (r->translate) {
            l = load_of(k, s);
            t[NEUMMU_SPARSE_MISSES] += l.misses;
            t[NEUMMU_SPARSE_WALKS] += l.walks;
            t[NEUMMU_SPARSE_MERGED] += l.merged;
            t[NEUMMU_SPARSE_REDUNDANT] += l.redundant;
            t[NEUMMU_SPARSE_WALK_ACCESSES] += l.accesses;
        }
        step(k, s, &l, r, &at);
    }
    return at.end;
}

static double local_only(const closed *k, const neummu_sparse_batch *b)
{
    double bytes = (double)(b->bytes - b->remote_bytes), count = (double)(b->count - b->remote);
    if (count == 0)
        return 0;
    return fmax(count - 1 + bytes / count * k->near, bytes * k->near) +
           (double)k->config->mmu.memory_cycles;
}

static void add_batch(const closed *k, const neummu_sparse_batch *b, double *t)
{
    const neummu_sparse_config *c = k->config;
    neummu_sparse_times times = {0};
    if (c->mode == NEUMMU_SPARSE_COPY) {
        neummu_sparse_copied copied = neummu_sparse_copy(c, b);
        times.all = fmax(local_only(k, b), copied.transfer + copied.cpu);
    } else {
        times.gather = pass(k, b, &(rules){0}, t);
        times.transfer = pass(k, b, &(rules){.remote = true}, t);
        times.fault = c->mode == NEUMMU_SPARSE_DEMAND
                          ? pass(k, b, &(rules){.remote = true, .handle = true}, t)
                          : times.transfer;
        times.all =
            c->mmu.oracle
                ? times.fault
                : pass(k, b, &(rules){.translate = true, .remote = true, .handle = true}, t);
    }
    neummu_sparse_add(c, b, &times, t);
}

/* Whether the machine has to tell what translation costs: where the recurrences find that it does;
 * and where they do not see what it costs, as misses are held up by full slots, or walk again
 * behind a walk of their page, unless all walks one after the other take no time. */
static bool is_to_gather(const neummu_config *mmu, const double *metrics)
{
    double least = COSTS * metrics[NEUMMU_SPARSE_CYCLES];
    double walks = metrics[NEUMMU_SPARSE_WALK_ACCESSES] * (double)mmu->walk_level_cycles;
    bool unseen = !mmu->scoreboard || mmu->slots_full == NEUMMU_SLOTS_BLOCK;
    return metrics[NEUMMU_SPARSE_TRANSLATION] > least || (unseen && walks > least);
}

int neummu_sparse_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    neummu_config mmu = neummu_sparse_mmu(task->config);
    closed k = prepare(task, &mmu);
    for (int m = 0; m < NEUMMU_SPARSE_METRICS; m++)
        metrics[m] = 0;
    for (uint64_t n = 0; n < k.stream->batch_count; n++)
        add_batch(&k, &k.stream->batches[n], metrics);
    metrics[NEUMMU_SPARSE_HITS] = metrics[NEUMMU_SPARSE_REQUESTS] - metrics[NEUMMU_SPARSE_MISSES];
    if (is_to_gather(&mmu, metrics))
        return neummu_sparse_simulate(task, metrics, err);
    return 0;
}
