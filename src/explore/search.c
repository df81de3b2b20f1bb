/* SPDX-License-Identifier: MIT */
/* The search: which units may beat the front by most, if the closed form errs as it has so far.
 *
 *     promise = gap of ln(closed form) + mean - DEVIATIONS x deviation
 *
 * against the best full value at no more cost. Units picked for one round are rivals at their
 * prediction, so that a round does not buy one region twice. All units are looked at with the rough
 * guess when the number of rows has grown by PASS; the best of them stay in view, and the fine
 * guess decides among those. */
#include "explore/explorer.h"

#include "memsweep/analysis/pareto.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEVIATIONS = 2, PASS = 1.15;
enum { IN_VIEW = 4096, DRAWN_PART = 4 };

/* ---- which units are in view ---- */

static bool is_answered(const msw_explorer *e, uint32_t unit)
{
    for (unsigned j = 0; j < e->space.open_count; j++)
        if (isnan(e->space.open[j][unit]))
            return false;
    for (unsigned k = 0; k < e->space.exact_count; k++)
        if (isnan(e->space.exact[k][unit]))
            return false;
    return true;
}

static double rough_gain(msw_explorer *e, uint32_t unit)
{
    double open[MSW_EXPLORE_OBJECTIVES];
    for (unsigned j = 0; j < e->space.open_count; j++) {
        msw_guess guess = msw_model_rough(&e->model, unit, j);
        open[j] = e->space.open[j][unit] + guess.mean - DEVIATIONS * guess.deviation;
    }
    return msw_unit_gap(e, unit, open);
}

static bool is_before(const msw_explorer *e, const msw_candidate *a, const msw_candidate *b)
{
    double x = e->space.open[0][a->unit], y = e->space.open[0][b->unit];
    if (a->gain != b->gain)
        return a->gain > b->gain;
    return x != y ? x < y : a->unit < b->unit;
}

static void sink(const msw_explorer *e, size_t at, size_t count)
{
    msw_candidate moved = e->active[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        /* The worst stands at the top. */
        if (child + 1 < count && is_before(e, &e->active[child], &e->active[child + 1]))
            child++;
        if (!is_before(e, &moved, &e->active[child]))
            break;
        e->active[at] = e->active[child];
        at = child;
    }
    e->active[at] = moved;
}

/* Keeps the best IN_VIEW of all that are offered, as a heap with the worst on top. */
static void offer(msw_explorer *e, uint32_t unit, double gain)
{
    msw_candidate candidate = {.unit = unit, .gain = gain};
    if (e->active_count < IN_VIEW) {
        e->active[e->active_count++] = candidate;
        if (e->active_count == IN_VIEW)
            for (size_t i = IN_VIEW / 2; i-- > 0;)
                sink(e, i, IN_VIEW);
    } else if (is_before(e, &candidate, &e->active[0])) {
        e->active[0] = candidate;
        sink(e, 0, IN_VIEW);
    }
}

/* The first units are those that the closed form itself would choose. */
static int offer_front(msw_explorer *e, msw_err *err)
{
    const double *columns[2 * MSW_EXPLORE_OBJECTIVES];
    unsigned k = 0;
    for (unsigned i = 0; i < e->space.exact_count; i++)
        columns[k++] = e->space.exact[i];
    for (unsigned j = 0; j < e->space.open_count; j++)
        columns[k++] = e->space.open[j];
    msw_points points = {.n = e->space.units,
                         .k = k,
                         .columns = columns,
                         .group = e->space.group,
                         .group_count = e->space.groups};
    bool *on_front = malloc(e->space.units + 1);
    int rc = on_front ? msw_pareto_front(&points, on_front, NULL, err) : msw_fail_memory(err);
    for (uint32_t u = 0; rc == 0 && u < e->space.units; u++)
        if (on_front[u])
            offer(e, u, HUGE_VAL);
    free(on_front);
    return rc;
}

/* A unit whose least possible value is covered is done with. */
static bool settle_by_floor(msw_explorer *e, uint32_t unit)
{
    if (e->floors && msw_unit_gap(e, unit, e->space.floor) <= e->slack)
        e->units.proven[unit] = true;
    return e->units.proven[unit];
}

static int look_at_all(msw_explorer *e, msw_err *err)
{
    e->active_count = 0;
    e->passed_at = e->row_count;
    if (!e->row_count)
        return offer_front(e, err);
    for (uint32_t u = 0; u < e->space.units; u++) {
        if (!msw_unit_is_free(e, u) || !is_answered(e, u) || settle_by_floor(e, u))
            continue;
        double gain = rough_gain(e, u);
        if (gain > e->slack)
            offer(e, u, gain);
    }
    return 0;
}

/* ---- which of them are next ---- */

static int score(msw_explorer *e, msw_candidate *c, msw_err *err)
{
    if (msw_model_watch(&e->model, c->unit, err))
        return -1;
    for (unsigned j = 0; j < e->space.open_count; j++) {
        msw_guess guess = msw_model_fine(&e->model, c->unit, j);
        c->likely[j] = e->space.open[j][c->unit] + guess.mean;
        c->optimistic[j] = c->likely[j] - DEVIATIONS * guess.deviation;
    }
    c->gain = msw_unit_gap(e, c->unit, c->optimistic);
    return 0;
}

static int score_all(msw_explorer *e, msw_err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->active_count; i++) {
        if (!msw_unit_is_free(e, e->active[i].unit))
            continue;
        e->active[kept] = e->active[i];
        if (score(e, &e->active[kept++], err))
            return -1;
    }
    e->active_count = kept;
    return 0;
}

static size_t find_best(const msw_explorer *e)
{
    size_t best = 0;
    for (size_t i = 1; i < e->active_count; i++)
        if (is_before(e, &e->active[i], &e->active[best]))
            best = i;
    return best;
}

/* What is picked counts as if it had its likely value. */
static void meet_rival(msw_explorer *e, const msw_candidate *rival)
{
    const msw_explore_space *s = &e->space;
    for (size_t i = 0; i < e->active_count; i++) {
        msw_candidate *c = &e->active[i];
        double gap = -HUGE_VAL;
        bool dearer = s->group[c->unit] == s->group[rival->unit];
        for (unsigned k = 0; dearer && k < s->exact_count; k++)
            dearer = s->exact[k][rival->unit] <= s->exact[k][c->unit];
        for (unsigned j = 0; dearer && j < s->open_count; j++)
            gap = fmax(gap, rival->likely[j] - c->optimistic[j]);
        if (dearer)
            c->gain = fmin(c->gain, gap);
    }
}

static int pick(msw_explorer *e, uint64_t most, msw_err *err)
{
    while (e->active_count && e->chosen_count < most) {
        size_t best = find_best(e);
        msw_candidate picked = e->active[best];
        if (!(picked.gain > e->slack))
            break;
        e->active[best] = e->active[--e->active_count];
        if (msw_round_add(e, picked.unit, err))
            return -1;
        meet_rival(e, &picked);
    }
    return 0;
}

static bool is_chosen(const msw_explorer *e, uint32_t unit)
{
    for (size_t i = 0; i < e->chosen_count; i++)
        if (e->chosen[i] == unit)
            return true;
    return false;
}

/* Beside them the first round draws some at random: a bottleneck in which the closed form's front
 * has no design is else not heard of. */
static int draw_some(msw_explorer *e, uint64_t wanted, msw_err *err)
{
    for (uint64_t i = 0; i < e->space.units && wanted; i++) {
        uint32_t unit = (uint32_t)msw_permute(i, e->space.units, e->rules.seed);
        if (!is_answered(e, unit) || is_chosen(e, unit))
            continue;
        wanted--;
        if (msw_round_add(e, unit, err))
            return -1;
    }
    return 0;
}

/* A unit whose answer is doubtful is known by its exact numbers alone, so no promise orders them:
 * they are bought at random, each looked at once. */
static int draw_doubtful(msw_explorer *e, uint64_t wanted, msw_err *err)
{
    for (; e->doubted < e->space.units && wanted; e->doubted++) {
        uint32_t unit = (uint32_t)msw_permute(e->doubted, e->space.units, ~e->rules.seed);
        if (!e->space.doubtful[unit] || !msw_unit_is_free(e, unit) || is_chosen(e, unit) ||
            settle_by_floor(e, unit))
            continue;
        wanted--;
        if (msw_round_add(e, unit, err))
            return -1;
    }
    return 0;
}

static bool wants_pass(const msw_explorer *e)
{
    return !e->row_count || (double)e->row_count >= PASS * (double)e->passed_at;
}

int msw_search_choose(msw_explorer *e, msw_err *err)
{
    uint64_t spent = e->searched + e->audited + e->audit_size;
    uint64_t left = e->rules.budget > spent ? e->rules.budget - spent : 0;
    uint64_t most = left < e->rules.batch ? left : e->rules.batch;
    uint64_t doubts = e->space.doubtful ? most / DRAWN_PART : 0;
    bool passed = false;
    while (most && !e->chosen_count) {
        if (wants_pass(e) || passed) {
            if (look_at_all(e, err))
                return -1;
            passed = true;
        }
        uint64_t drawn = e->row_count ? 0 : most / DRAWN_PART;
        if (score_all(e, err) || pick(e, most - drawn - doubts, err) || draw_some(e, drawn, err))
            return -1;
        if (passed)
            break;
        passed = true; /* nothing in view: all are looked at before it ends */
    }
    /* They have a part of each round, and all of it where nothing else is promising. */
    if (e->space.doubtful && draw_doubtful(e, e->chosen_count ? doubts : most, err))
        return -1;
    e->settled = most && !e->chosen_count;
    return 0;
}
