/* SPDX-License-Identifier: MIT */
#include "memsweep/results/fit_points.h"

#include "memsweep/results/fit_trials.h"

#include <math.h>
#include <stdlib.h>

typedef struct answer {
    const char *source, *model;
    msw_prediction p;
    const char *beyond; /* on which side of all rows the prediction lies; NULL: among them */
} answer;

/* What predicts: at each point the one that is better at what was left out for such points, rows
 * or whole levels. The polynomial is there always: it knows where nothing can be said. */
typedef struct models {
    msw_pce *pce;
    msw_process *process;
} models;

/* ---- rows ---- */

/* The case at x, or SIZE_MAX. */
static size_t find_case(const msw_slice *slice, const double *x)
{
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        size_t f = 0;
        while (f < slice->factor_count && fabs(slice->factors[f]->x[i] - x[f]) <= 1e-12)
            f++;
        if (f == slice->factor_count)
            return i;
    }
    return SIZE_MAX;
}

/* A row is known, so nothing is predicted; a sampled one has a half-width of its own. */
static answer stored(const msw_cases *s, size_t at)
{
    double y = s->y[at], end = s->outline.fidelity == MSW_SAMPLED ? NAN : y;
    return (answer){isnan(y) ? "no value" : "row",
                    NULL,
                    {.value = y, .low = end, .high = end, .q2 = NAN},
                    NULL};
}

/* A prediction below or above all rows of the group rests on no row: it is told. */
static const char *find_beyond(const msw_cases *s, const msw_slice *slice, double value)
{
    static const double ROUNDING = 1e-6; /* of the span of the rows */
    double low = INFINITY, high = -INFINITY;
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        low = fmin(low, s->y[i]);
        high = fmax(high, s->y[i]);
    }
    double slack = ROUNDING * (high - low);
    return value < low - slack ? "below all rows" : value > high + slack ? "above all rows" : NULL;
}

/* ---- showing ---- */

static void show_point(const msw_predictions *p, const msw_slice *slice, size_t row)
{
    const msw_cases *s = p->cases;
    msw_fit_row(s, slice, p->builder);
    for (size_t f = 0; f < s->factor_count; f++) {
        double value = p->points->value[row * s->factor_count + f];
        if (s->factors[f].labels)
            msw_builder_text(p->builder, s->factors[f].name,
                             isnan(value) ? NULL : s->factors[f].labels[(size_t)value]);
        else
            msw_builder_number(p->builder, s->factors[f].name, value);
    }
}

static void show(msw_predictions *p, const msw_slice *slice, size_t row, const answer *a)
{
    show_point(p, slice, row);
    msw_builder_number(p->builder, "predicted", a->p.value);
    msw_builder_number(p->builder, "low", a->p.low);
    msw_builder_number(p->builder, "high", a->p.high);
    msw_builder_text(p->builder, "from", a->source);
    msw_builder_text(p->builder, "model", a->model);
    msw_builder_number(p->builder, "q2", a->p.q2);
    if (a->p.residuals)
        msw_builder_count(p->builder, "left_out", a->p.residuals);
    if (a->beyond)
        msw_builder_text(p->builder, "beyond", a->beyond);
}

/* ---- the fit ---- */

static int fit(msw_predictions *p, const msw_slice *slice, models *m)
{
    char reason[128];
    msw_fit_options ask = p->ask;
    msw_pce_quality quality;
    if (msw_slice_reason(p->cases, slice, 3, reason))
        return msw_fail(p->cases->err, "%s is %s: there is nothing to predict from",
                        p->cases->metric, reason);
    ask.degree = ask.degree ? ask.degree : msw_fit_highest(slice);
    p->largest = slice->n > p->largest ? slice->n : p->largest;
    if (!(m->pce = msw_fit(p->cases, slice, &ask, &quality)))
        return -1;
    if (!msw_fit_takes_process(ask.model, slice))
        return 0;
    m->process = msw_fit_process(p->cases, slice, ask.seed, NULL);
    return m->process ? 0 : -1;
}

static int predict_from(msw_predictions *p, const msw_slice *slice, const models *m,
                        const double *x, answer *a)
{
    msw_err *err = p->cases->err;
    msw_prediction other;
    *a = (answer){.source = "rows left out", .model = "polynomial"};
    if (msw_pce_predict(m->pce, x, p->confidence, &a->p, err) ||
        (m->process && msw_process_predict(m->process, x, p->confidence, &other, err)))
        return -1;
    if (m->process && (p->ask.model == MSW_MODEL_PROCESS || other.q2 > a->p.q2)) {
        a->model = "process";
        a->p = other;
    }
    if (a->p.between)
        a->source = "levels left out";
    p->without += isnan(a->p.low);
    a->beyond = find_beyond(p->cases, slice, a->p.value);
    p->beyond += a->beyond != NULL;
    return 0;
}

/* Fits when the first point asks for it. Returns 0, or -1. */
static int predict_one(msw_predictions *p, const msw_slice *slice, size_t row, models *m)
{
    const msw_cases *s = p->cases;
    double x[MSW_PCE_FACTORS];
    for (size_t f = 0; f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        x[f] = msw_case_factor_position(
            factor, p->points->value[row * s->factor_count + (size_t)(factor - s->factors)]);
    }
    size_t at = find_case(slice, x);
    answer a = {0};
    if (at != SIZE_MAX)
        a = stored(s, at);
    else if ((!m->pce && fit(p, slice, m)) || predict_from(p, slice, m, x, &a))
        return -1;
    p->stored += at != SIZE_MAX;
    p->fitted += at == SIZE_MAX;
    show(p, slice, row, &a);
    return 0;
}

int msw_predict(void *context, const msw_slice *slice)
{
    msw_predictions *p = context;
    models m = {0};
    int rc =
        slice->factor_count > MSW_PCE_FACTORS
            ? msw_fail(p->cases->err, "a surrogate needs 1 to %d factors that vary; there are %zu",
                       MSW_PCE_FACTORS, slice->factor_count)
            : 0;
    for (size_t row = 0; row < p->points->n && rc == 0; row++)
        rc = predict_one(p, slice, row, &m);
    msw_pce_free(m.pce);
    msw_process_free(m.process);
    return rc;
}

/* ---- what must be known of it ---- */

void msw_predictions_note(const msw_predictions *p, msw_text *out)
{
    if (msw_fit_note(p->largest, p->ask.seed, out))
        msw_text_add(out, "\n");
    if (p->stored)
        msw_text_add(out, "from row: the point was evaluated, its row is the answer%s\n",
                     p->cases->outline.fidelity == MSW_SAMPLED
                         ? " (its own half-width: memsweep query)"
                         : "");
    if (p->without)
        msw_text_add(out, "no interval: %g %% takes %zu residuals (column left_out)\n",
                     100 * p->confidence, msw_pce_residuals(p->confidence));
    if (p->beyond)
        msw_text_add(out,
                     "beyond: %zu of %zu predictions lie below or above all rows that they are "
                     "made from; no row bears them out: evaluate these points\n",
                     p->beyond, p->fitted);
    if (p->fitted)
        msw_text_add(out,
                     "low, high, q2: from predicting what was left out of choosing and fitting; "
                     "they hold for points named beforehand, not for those picked because their "
                     "prediction looks best (a least value, a front): evaluate these\n");
}

int msw_predict_named(const msw_cases *cases, const char *at, const char *file,
                      const msw_fit_options *ask, double confidence, msw_table_builder *builder,
                      msw_text *note)
{
    msw_named_points points = {0};
    msw_predictions p = {.cases = cases,
                         .points = &points,
                         .ask = *ask,
                         .confidence = confidence,
                         .builder = builder};
    int rc = -1;
    if (msw_named_points_read(cases, at, file, &points) || msw_slice_each(cases, msw_predict, &p))
        goto done;
    rc = 0;
done:
    if (rc == 0)
        msw_predictions_note(&p, note);
    msw_named_points_free(&points);
    return rc;
}

typedef struct trials {
    const msw_cases *cases;
    const msw_fit_options *ask;
    msw_table_builder *builder;
    size_t largest; /* group, in cases */
    double best;    /* q2 of the last polynomial */
    bool process;   /* whether any was fitted */
} trials;

static int add_trial(trials *t, const msw_slice *slice, const msw_fit_options *ask)
{
    msw_pce_quality quality;
    msw_pce *pce = msw_fit(t->cases, slice, ask, &quality);
    if (!pce)
        return -1;
    t->best = quality.q2;
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_text(t->builder, "model", "polynomial");
    msw_builder_count(t->builder, "degree", quality.degree);
    msw_builder_text(t->builder, "choice", ask->best ? "best" : "given");
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_count(t->builder, "candidates", quality.candidates);
    msw_builder_count(t->builder, "terms", quality.terms);
    msw_builder_number(t->builder, "r2", quality.r2);
    msw_builder_number(t->builder, "q2", quality.q2);
    msw_builder_number(t->builder, "mean", msw_pce_mean(pce));
    msw_builder_number(t->builder, "deviation", sqrt(msw_pce_variance(pce)));
    msw_builder_count(t->builder, "used", quality.used);
    msw_builder_count(t->builder, "dropped", quality.dropped);
    msw_pce_free(pce);
    return 0;
}

/* Of equals the polynomial is taken: it has indices. */
static int add_process(trials *t, const msw_slice *slice)
{
    msw_process_quality quality;
    msw_process *process = msw_fit_process(t->cases, slice, t->ask->seed, &quality);
    if (!process)
        return -1;
    t->process = true;
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_text(t->builder, "model", "process");
    msw_builder_text(t->builder, "choice", quality.q2 > t->best ? "better" : "no better");
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_number(t->builder, "q2", quality.q2);
    msw_builder_number(t->builder, "left_out_q2", quality.left_out_q2);
    msw_builder_number(t->builder, "covered", quality.covered);
    msw_builder_number(t->builder, "smoothness", quality.smoothness);
    msw_builder_number(t->builder, "nugget", quality.nugget);
    if (t->cases->noise)
        msw_builder_number(t->builder, "common", quality.common);
    msw_builder_count(t->builder, "used", quality.used);
    msw_builder_count(t->builder, "dropped", quality.dropped);
    msw_process_free(process);
    return 0;
}

static void add_reason(const trials *t, const msw_slice *slice, const char *reason)
{
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_text(t->builder, "reason", reason);
}

/* One row per degree, then the one whose degree was chosen too: that one predicts. */
static int try_degrees(void *context, const msw_slice *slice)
{
    trials *t = context;
    char reason[128];
    unsigned highest = t->ask->degree ? t->ask->degree : msw_fit_highest(slice);
    msw_fit_options ask = {.degree = 1, .seed = t->ask->seed};
    if (msw_slice_reason(t->cases, slice, 3, reason)) {
        add_reason(t, slice, reason);
        return 0;
    }
    t->largest = slice->n > t->largest ? slice->n : t->largest;
    for (; ask.degree <= highest; ask.degree++)
        if (add_trial(t, slice, &ask))
            return -1;
    ask.degree = highest;
    ask.best = true;
    if (add_trial(t, slice, &ask))
        return -1;
    return msw_fit_takes_process(t->ask->model, slice) ? add_process(t, slice) : 0;
}

int msw_fit_trials(const msw_cases *cases, const msw_fit_options *ask, msw_table_builder *builder,
                   msw_text *note)
{
    trials t = {cases, ask, builder, 0, 0, false};
    if (msw_slice_each(cases, try_degrees, &t))
        return -1;
    bool drawn = msw_fit_note(t.largest, ask->seed, note);
    msw_text_add(note,
                 "%sq2: share of the variance predicted for points that took no part in "
                 "choosing and fitting; 'best' has chosen its degree too and is what --at "
                 "and --points use\n",
                 drawn ? "\n" : "");
    if (t.process)
        msw_text_add(note,
                     "process: where its q2 is better, that is what predicts; left_out_q2 and "
                     "covered: each point from all others, and the share of points within "
                     "the 95 %% interval it states\n");
    return 0;
}
