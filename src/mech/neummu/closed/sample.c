/* SPDX-License-Identifier: MIT */
/* Where the formulas of flows leave out something, the cycle model simulates a few steps:
 * README.md, "Steps that are simulated".
 *
 *   u(i)  page visits and an eighth of the transactions of step i, times its executions
 *   w     1 for steps that are sure to be drawn, else what the others are of u, over n u(i)
 *   y, z  cycles that a step loses to translation: simulated, by the formulas
 *
 *   loss   = b Z + sum w (y - b z)               Z  sum of z over all steps, drawn or not
 *   b      = (sum w y z / u + p) / (sum w z z / u + p)      p = Z^2 / (U n): as if one more had y =
 * z counts = (sum w count) (all transactions) / (sum w transactions)
 *
 * The sum is the estimator of Horvitz and Thompson for draws in proportion to u (Cochran, Sampling
 * Techniques, 9A.7), b a regression through the origin. Known value: where every step is drawn the
 * loss is the sum of all y, whatever z is. */
#include "mech/neummu/closed/sample.h"

#include "memsweep/base/bits.h"

#include <math.h>

#define COLD 16.0 /* visits that one on a new page counts for in addition */

enum {
    VISITS_LEAST = 600,
    VISITS_SHARE = 30,
    STEPS_LEAST = 4,
    STEPS_MOST = 256,
    SHORT = 2048,       /* transactions, or */
    FEW_VISITS = 4096,  /* page visits: all steps are simulated, each with those before it; */
    PASS_VISITS = 16384 /* or in one pass, where units cannot be rebuilt exactly */
};

/* A stream of few transactions is all beginnings and ends, which formulas of flows know least. */
static bool is_short(const neummu_stream *stream)
{
    double requests = 0;
    for (uint64_t i = 0; i < stream->step_count && requests <= SHORT; i++) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i].tile];
        uint64_t own = tile->early.requests + tile->late.requests + tile->store.requests;
        requests += (double)stream->steps[i].executions * (double)own;
    }
    return requests <= SHORT;
}

bool neummu_formulas_suffice(const neummu_config *c, const neummu_stream *stream)
{
    bool fixed = !neummu_times_accesses(c) && !c->walk_traffic && !neummu_prefetches(c);
    bool direct = !c->outstanding && !c->walk_queue && c->walker_choice == MSW_WALKER_LONGEST_IDLE;
    bool plain = !c->large_page_size && !c->tlb2_entries && !neummu_carries(c);
    if (!c->oracle && is_short(stream))
        return false;
    return c->oracle || (fixed && direct && plain && c->path_cache != NEUMMU_PATH_UNIFIED);
}

/* ---- which steps ---- */

static double visits_of(const neummu_stream *stream, uint64_t step)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[step].tile];
    return (double)(tile->early.count + tile->late.count + tile->store.count);
}

/* Visits on pages that no step used before: with large TLBs they alone miss. */
static double cold_of(const neummu_stream *stream, const neummu_step *step)
{
    uint64_t cold = 0;
    for (int flow = 0; flow < NEUMMU_FLOWS; flow++)
        for (uint32_t i = 0; i < step->flows[flow].count; i++)
            cold += stream->traffic[step->flows[flow].traffic[i]].cold;
    return (double)cold;
}

static double size_of(const neummu_stream *stream, uint64_t step)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[step].tile];
    double requests = (double)(tile->early.requests + tile->late.requests + tile->store.requests);
    double visits = visits_of(stream, step) + COLD * cold_of(stream, &stream->steps[step]);
    return (double)stream->steps[step].executions * (1 + visits + requests / 8);
}

static double all_visits(const neummu_stream *stream)
{
    double visits = 0;
    for (uint64_t i = 0; i < stream->step_count; i++)
        visits += visits_of(stream, i);
    return visits;
}

/* Visits of a drawn step, those before it included. */
static double each_visits(const neummu_stream *stream, double size)
{
    double each = 1;
    for (uint64_t i = 0; i < stream->step_count; i++)
        each += size_of(stream, i) / size * (visits_of(stream, i) + NEUMMU_WARM_SHORT);
    return each;
}

/* So many that what is simulated is a small part of the stream, but for small streams. */
static uint64_t draws_of(const neummu_stream *stream, double size, double more)
{
    double room = more * msw_max_f64(all_visits(stream) / VISITS_SHARE, VISITS_LEAST);
    room /= each_visits(stream, size);
    uint64_t draws = (uint64_t)msw_min_f64(msw_max_f64(room, STEPS_LEAST), STEPS_MOST);
    return msw_min_u64(draws, stream->step_count);
}

/* Whether all steps are simulated: it takes no longer than to draw some and to rebuild what they
 * find. Each drawn step would ask ahead once more for what the pass has asked for long before. */
static bool is_whole(const neummu_stream *stream, const neummu_config *c, bool pass, double size,
                     double more)
{
    double visits = all_visits(stream), ahead = (double)c->tlb_prefetch_depth;
    if (is_short(stream))
        return true;
    if (!pass)
        return visits + NEUMMU_WARM_SHORT * (double)stream->step_count <= FEW_VISITS;
    double drawn = (double)draws_of(stream, size, more) * (each_visits(stream, size) + ahead);
    return visits <= PASS_VISITS || (neummu_prefetches(c) && visits <= drawn);
}

/* Steps so large that they are sure to be drawn. `size` and `draws` go on to those of the others.
 * Returns the size from which on a step is one of them. */
static double find_sure(const neummu_stream *stream, double *size, uint64_t *draws)
{
    double limit = INFINITY;
    for (bool more = true; more && *draws > 0;) {
        double next = *size / (double)*draws;
        more = false;
        for (uint64_t i = 0; i<stream->step_count && * draws> 0; i++) {
            double own = size_of(stream, i);
            if (own >= limit || own < next)
                continue;
            more = true;
            *size -= own;
            --*draws;
        }
        limit = more ? next : limit;
    }
    return limit;
}

static void draw(neummu_sample *s, uint64_t step, double size, double weight)
{
    s->steps[s->count++] = (neummu_sampled_step){.step = step, .size = size, .weight = weight};
}

int neummu_sample_draw(neummu_sample *s, const msw_task *task, const neummu_forms *forms,
                       double more, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    bool carried = neummu_carried(task);
    *s = (neummu_sample){.stream = stream};
    for (uint64_t i = 0; i < stream->step_count; i++)
        s->size += size_of(stream, i);
    bool whole = is_whole(stream, task->config, carried, s->size, more);
    s->pass = carried && whole;
    uint64_t draws = whole ? stream->step_count : draws_of(stream, s->size, more);
    s->steps = msw_arena_take(task->arena, (draws + 1) * sizeof *s->steps);
    if (!s->steps)
        return msw_fail_memory(err);
    double rest = s->size, at = 0;
    uint64_t others = draws, next = 0;
    double sure = find_sure(stream, &rest, &others);
    for (uint64_t i = 0; i < stream->step_count; i++) {
        double size = size_of(stream, i);
        if (size >= sure) {
            draw(s, i, size, 1);
            continue;
        }
        at += size;
        if (next < others && at * (double)others > ((double)next + 0.5) * rest) {
            draw(s, i, size, rest / (double)others / size);
            next++;
        }
    }
    for (uint64_t k = 0; k < s->count; k++) {
        s->steps[k].form = forms->form[s->steps[k].step];
        s->steps[k].known = forms->known[s->steps[k].step];
    }
    return 0;
}

/* ---- what they give ---- */

/* A TLB in which no two pages of the stream meet holds them all, and a set of one way each will
 * do. */
static void cut_tlb(const neummu_stream *stream, int64_t *entries, int64_t *ways)
{
    int64_t pages = (int64_t)msw_bits_power(stream->page_count);
    int64_t room = *ways ? *entries / *ways : *entries;
    if (*entries == 0 || room < pages)
        return;
    *entries = pages;
    *ways = 1;
}

static void find_units(const neummu_stream *stream, uint32_t *stratum, uint32_t *unit)
{
    for (uint32_t h = 0; h < stream->stratum_count; h++)
        for (uint32_t u = 0; u < stream->strata[h].count; u++) {
            stratum[stream->strata[h].steps[u]] = h;
            unit[stream->strata[h].steps[u]] = u;
        }
}

static int simulate(neummu_sample *s, const msw_task *task, msw_err *err)
{
    uint64_t count = s->stream->step_count;
    uint32_t *stratum = msw_arena_take(task->arena, 2 * count * sizeof *stratum);
    uint32_t *unit = stratum ? stratum + count : NULL;
    void *state = msw_arena_take(task->arena, neummu_state_bytes(task));
    if (!stratum || !state)
        return msw_fail_memory(err);
    find_units(s->stream, stratum, unit);
    MSW_TRY(neummu_begin(task, state, err));
    for (uint64_t k = 0; k < s->count; k++) {
        uint64_t step = s->steps[k].step;
        msw_unit_out out = {.totals = s->steps[k].simulated};
        if (msw_task_expired(task))
            return msw_fail(err, "out of time");
        MSW_TRY(neummu_warm(task, state, stratum[step], unit[step], err));
        MSW_TRY(neummu_measure(task, state, stratum[step], unit[step], &out, err));
    }
    return 0;
}

int neummu_sample_simulate(neummu_sample *s, const msw_task *from, msw_err *err)
{
    msw_task task = *from;
    neummu_config config = *(const neummu_config *)from->config;
    if (s->pass)
        task.fidelity = MSW_FULL;
    else if (!config.large_page_size) {
        cut_tlb(s->stream, &config.tlb_entries, &config.tlb_ways);
        cut_tlb(s->stream, &config.tlb2_entries, &config.tlb2_ways);
    }
    task.config = &config;
    task.details = NULL;
    return simulate(s, &task, err);
}

/* ---- of all steps ---- */

/* Cycles that a step loses by the formulas, and simulated. */
static double formed(const neummu_sampled_step *k)
{
    return k->form - k->known;
}

static double found(const neummu_sampled_step *k)
{
    return k->simulated[NEUMMU_CYCLES] - k->known;
}

static double slope(const neummu_sample *s, double form)
{
    double shared = form * form / s->size / (double)s->count, own = shared;
    for (uint64_t i = 0; i < s->count; i++) {
        const neummu_sampled_step *k = &s->steps[i];
        shared += k->weight * found(k) * formed(k) / k->size;
        own += k->weight * formed(k) * formed(k) / k->size;
    }
    return own > 0 ? msw_max_f64(0, shared / own) : 1;
}

/* The loss, and how far it may be off as the draws were others: those that are sure tell nothing of
 * it. */
static void estimate_loss(const neummu_sample *s, double form, neummu_estimate *out)
{
    double b = slope(s, form), sum = 0, squares = 0, others = 0, n = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        double rest = s->steps[i].weight * (found(&s->steps[i]) - b * formed(&s->steps[i]));
        sum += rest;
        if (s->steps[i].weight > 1) {
            others += rest;
            squares += rest * rest;
            n++;
        }
    }
    out->loss = msw_max_f64(0, b * form + sum);
    if (n > 1)
        out->error = sqrt(msw_max_f64(0, squares - others * others / n) * n / (n - 1));
}

/* How the loss is divided into its causes; where nothing is lost, nothing is divided. */
static void divide_loss(const neummu_sample *s, neummu_estimate *out)
{
    static const int CAUSES[] = {NEUMMU_LAYER_START, NEUMMU_TRANSLATION, NEUMMU_STORE_TRANSLATION};
    double sum = 0;
    for (int cause = 0; cause < 3; cause++) {
        out->causes[cause] = 0;
        for (uint64_t i = 0; i < s->count; i++)
            out->causes[cause] += s->steps[i].weight * s->steps[i].simulated[CAUSES[cause]];
        sum += out->causes[cause];
    }
    for (int cause = 0; cause < 3; cause++)
        out->causes[cause] = sum > 0 ? out->causes[cause] / sum : cause == 1;
}

void neummu_sample_estimate(const neummu_sample *s, double form, double translations,
                            neummu_estimate *out)
{
    double requests = 0;
    *out = (neummu_estimate){0};
    for (uint64_t i = 0; i < s->count; i++) {
        requests += s->steps[i].weight * s->steps[i].simulated[NEUMMU_TRANSLATIONS];
        for (int m = 0; m < NEUMMU_UNIT_METRICS; m++)
            out->counts[m] += s->steps[i].weight * s->steps[i].simulated[m];
    }
    for (int m = 0; m < NEUMMU_UNIT_METRICS; m++)
        out->counts[m] *= requests > 0 ? translations / requests : 0;
    estimate_loss(s, form, out);
    divide_loss(s, out);
}
