/* SPDX-License-Identifier: MIT */
/* Proposals by a model, for points that cost much more than choosing them: a Gaussian process of
 * each cost says what candidates may be worth, those are taken that are expected to extend the
 * front most. README.md has the equations. */
#include "explore/seek/model.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_LEAST = 12, ROWS_MOST = 400, GOALS = 1536 };

void seek_model_free(seek_model *model)
{
    for (unsigned k = 0; k < SEEK_COSTS; k++)
        msw_process_free(model->fit[k]);
}

/* ---- rows ---- */

/* The latest: they lie nearest to the front. Failed ones say nothing; of one that has no values
 * only the slack counts. */
static bool is_told(const msw_seeker *s, size_t row, unsigned k)
{
    int state = (int)s->rows[row].answer.state;
    return state == MSW_SEEK_OK || (state == MSW_SEEK_INFEASIBLE && k == s->space.objectives);
}

/* What a process is fitted to. */
typedef struct sample {
    msw_pce_factor factor[MSW_PCE_FACTORS];
    const double *column[MSW_PCE_FACTORS];
    double *x, *y;
    size_t n;
} sample;

static double place_of(const msw_seek_factor *f, uint32_t level)
{
    return !f->ordered ? level : f->levels > 1 ? level / (f->levels - 1.0) : 0;
}

static int take_sample(const msw_seeker *s, unsigned k, sample *t, msw_err *err)
{
    size_t first = s->row_count, factors = s->space.factor_count;
    t->n = 0;
    while (first > 0 && t->n < ROWS_MOST)
        t->n += is_told(s, --first, k);
    t->x = malloc((factors * t->n + 1) * sizeof *t->x);
    t->y = malloc((t->n + 1) * sizeof *t->y);
    if (!t->x || !t->y)
        return msw_fail_memory(err);
    for (size_t r = first, at = 0; r < s->row_count; r++) {
        if (!is_told(s, r, k))
            continue;
        for (size_t f = 0; f < factors; f++)
            t->x[f * t->n + at] = place_of(&s->space.factors[f], seek_levels(s, (uint32_t)r)[f]);
        t->y[at++] = seek_costs(s, (uint32_t)r)[k];
    }
    for (size_t f = 0; f < factors; f++) {
        bool unordered = !s->space.factors[f].ordered;
        t->column[f] = t->x + f * t->n;
        t->factor[f] = (msw_pce_factor){.high = 1,
                                        .levels = unordered ? s->space.factors[f].levels : 0,
                                        .unordered = unordered};
    }
    return 0;
}

/* ---- fits ---- */

/* Lengths are found again where a quarter more rows are known. */
static int fit_one(msw_seeker *s, unsigned k, bool again, msw_err *err)
{
    seek_model *model = &s->model;
    sample t = {0};
    msw_process *fit = NULL;
    int rc = take_sample(s, k, &t, err);
    if (rc == 0 && t.n >= ROWS_LEAST) {
        msw_pce_data data = {.n = t.n,
                             .factors = (unsigned)s->space.factor_count,
                             .factor = t.factor,
                             .x = t.column,
                             .y = t.y};
        fit = msw_process_fit_quick(&data, again ? NULL : model->fit[k], s->rules.seed, err);
        rc = fit ? 0 : -1;
    }
    msw_process_free(model->fit[k]);
    model->fit[k] = fit;
    free(t.x);
    free(t.y);
    return rc;
}

static bool is_limited(const msw_seeker *s)
{
    return s->statement.infeasible > 0;
}

int seek_model_fit(msw_seeker *s, bool *works, msw_err *err)
{
    seek_model *model = &s->model;
    bool again = s->row_count >= model->tuned + model->tuned / 4;
    *works = s->rules.model && s->front_count > 0 && s->space.factor_count <= MSW_PCE_FACTORS;
    for (unsigned k = 0; *works && k < s->space.objectives + is_limited(s); k++) {
        MSW_TRY(fit_one(s, k, again || !model->fit[k], err));
        *works = model->fit[k] != NULL;
    }
    model->tuned = again ? s->row_count : model->tuned;
    return 0;
}

/* ---- what a candidate is worth ---- */

/* Vectors that no member of the front covers: what a candidate is worth is how many of them it is
 * expected to cover. Each counts as far as those that were chosen are not expected to cover it. */
typedef struct outlook {
    const msw_seeker *s;
    msw_process_ahead ahead[SEEK_COSTS];
    unsigned made;
    double goal[GOALS * MSW_SEEK_OBJECTIVES], open[GOALS];
    size_t goals;
} outlook;

/* The normal distribution, within 0.0002 (Page 1977). */
static double below(double z)
{
    if (z > 5)
        return 1;
    return z < -5 ? 0 : 1 / (1 + msw_math_exp(-z * (1.5976 + 0.070565992 * z * z)));
}

/* Half of them anywhere from a third of the front's range below its best to a tenth beyond its
 * worst; half near a member, at distances of all orders. */
static void draw_goal(msw_seeker *s, const double *low, double *goal)
{
    unsigned m = s->space.objectives;
    const double *near = s->front + m * (size_t)msw_rng_below(&s->rng, s->front_count);
    bool local = msw_rng_u32(&s->rng) & 1;
    double scale = msw_math_exp(-6 * msw_rng_uniform(&s->rng));
    for (unsigned k = 0; k < m; k++) {
        double u = msw_rng_uniform(&s->rng);
        goal[k] = local ? near[k] + (2 * u - 1) * scale * s->range[k]
                        : low[k] + (u * 1.43 - 0.33) * s->range[k];
    }
}

static void draw_goals(msw_seeker *s, outlook *o)
{
    unsigned m = s->space.objectives;
    double low[SEEK_COSTS];
    for (unsigned k = 0; k < m; k++) {
        low[k] = HUGE_VAL;
        for (size_t i = 0; i < s->front_count; i++)
            low[k] = fmin(low[k], s->front[i * m + k]);
    }
    for (unsigned tries = 0; tries < 8 * GOALS && o->goals < GOALS; tries++) {
        double *goal = o->goal + o->goals * m;
        draw_goal(s, low, goal);
        if (seek_gap(s, s->front, s->front_count, goal) > 0)
            o->open[o->goals++] = 1;
    }
}

/* The probability that a candidate covers a goal. */
static double covers(const outlook *o, const double *mean, const double *scale, const double *goal)
{
    double p = 1;
    for (unsigned k = 0; k < o->s->space.objectives && p > 0; k++)
        p *= below((goal[k] - mean[k]) * scale[k]);
    return p;
}

static double look_at(const outlook *o, size_t candidate, double *mean, double *scale)
{
    unsigned m = o->s->space.objectives;
    for (unsigned k = 0; k < o->made; k++) {
        mean[k] = o->ahead[k].value[candidate];
        scale[k] = 1 / sqrt(o->ahead[k].variance[candidate] + 1e-18);
    }
    return o->made > m ? below(-mean[m] * scale[m]) : 1;
}

static double worth_of(const outlook *o, size_t candidate)
{
    double mean[SEEK_COSTS], scale[SEEK_COSTS], sum = 0;
    unsigned m = o->s->space.objectives;
    double allowed = look_at(o, candidate, mean, scale);
    for (size_t g = 0; allowed > 1e-6 && g < o->goals; g++)
        if (o->open[g] > 1e-3)
            sum += o->open[g] * covers(o, mean, scale, o->goal + g * m);
    /* nothing to be expected: the nearest to the front */
    double gap = seek_gap(o->s, o->s->front, o->s->front_count, mean);
    return allowed * sum + 1e-6 * fmin(gap, 0);
}

static void take(outlook *o, size_t candidate)
{
    double mean[SEEK_COSTS], scale[SEEK_COSTS];
    unsigned m = o->s->space.objectives;
    double allowed = look_at(o, candidate, mean, scale);
    for (size_t g = 0; g < o->goals; g++)
        o->open[g] *= 1 - allowed * covers(o, mean, scale, o->goal + g * m);
    for (unsigned k = 0; k < o->made; k++)
        msw_process_ahead_take(&o->ahead[k], candidate);
}

/* ---- choosing ---- */

static int open_outlook(msw_seeker *s, uint64_t wanted, outlook *o, msw_err *err)
{
    size_t n = s->pool.count, factors = s->space.factor_count;
    double *x = malloc((n * factors + 1) * sizeof *x);
    int rc = x ? 0 : msw_fail_memory(err);
    o->s = s;
    for (size_t i = 0; rc == 0 && i < n * factors; i++)
        x[i] = place_of(&s->space.factors[i % factors],
                        s->pool.items[i / factors].levels[i % factors]);
    for (unsigned k = 0; rc == 0 && k < s->space.objectives + is_limited(s); k++, o->made++)
        rc = msw_process_ahead_new(s->model.fit[k], x, n, wanted, &o->ahead[k], err);
    free(x);
    draw_goals(s, o);
    return rc;
}

static int choose(msw_seeker *s, uint64_t wanted, outlook *o, msw_err *err)
{
    bool stale = true;
    for (size_t left = s->pool.count; wanted && left; left--) {
        for (size_t i = 0; stale && i < s->pool.count; i++)
            if (!isinf(s->pool.items[i].score))
                s->pool.items[i].score = worth_of(o, i);
        size_t best = seek_best_candidate(s);
        seek_candidate *c = &s->pool.items[best];
        int got = seek_add(s, c->levels, c->hash, c->parent, (msw_seek_move)c->move, err);
        if (got < 0)
            return -1;
        if (got)
            take(o, best);
        stale = got != 0;
        c->score = -HUGE_VAL;
        wanted -= (uint64_t)got;
    }
    return 0;
}

int seek_model_add(msw_seeker *s, uint64_t wanted, msw_err *err)
{
    outlook *o = calloc(1, sizeof *o);
    if (!o)
        return msw_fail_memory(err);
    int rc = open_outlook(s, wanted, o, err);
    if (rc == 0)
        rc = choose(s, wanted, o, err);
    for (unsigned k = 0; k < SEEK_COSTS; k++)
        msw_process_ahead_free(&o->ahead[k]);
    free(o);
    return rc;
}
