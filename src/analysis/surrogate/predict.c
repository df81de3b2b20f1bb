/* SPDX-License-Identifier: MIT */
/* Predicts at a point. The interval is that of CV+ (Barber, Candes, Ramdas and Tibshirani 2021):
 * every row that was left out puts one value above and one below the prediction made without it, as
 * far away as that missed the row; the ends are quantiles of those values. */
#include "analysis/surrogate/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Functions of all factors at x, and the factors whose levels x lies between. */
static int position(const msw_pce *pce, const double *x, double *value, uint32_t *between,
                    msw_err *err)
{
    unsigned stride = surrogate_stride(pce);
    char name[80];
    *between = 0;
    for (unsigned j = 0; j < pce->factors; j++) {
        const basis *own = &pce->bases[j];
        if (basis_at(own, x[j], value + j * stride))
            return msw_fail(err, "%g is %s of %s", x[j],
                            own->unordered ? "no level" : "outside the levels",
                            surrogate_name(pce, j, name));
        if (own->levels && basis_level(own, x[j]) < 0)
            *between |= (uint32_t)1 << j;
    }
    return 0;
}

static double evaluate(const msw_pce *pce, const pursuit_model *model, const double *value)
{
    unsigned stride = surrogate_stride(pce);
    double sum = 0;
    for (size_t t = 0; t < model->count; t++)
        sum += model->beta[t] * surrogate_term(pce, model->column[t], value, stride);
    return sum;
}

static surrogate_cross *find_cross(msw_pce *pce, uint32_t between, msw_err *err)
{
    for (surrogate_cross *c = pce->crosses; c; c = c->next)
        if (c->between == between)
            return c;
    return surrogate_between(pce, between, err);
}

size_t msw_pce_residuals(double confidence)
{
    return (size_t)ceil(1 / (1 - confidence) - 1e-9) - 1;
}

/* The `rank`-th largest of sign x fold prediction + missed: each fold's values fall, so the largest
 * that is left is at the head of some fold. */
static double extreme(const surrogate_cross *cross, const double *fold, double sign, size_t rank)
{
    size_t head[SURROGATE_CUTS] = {0};
    double last = NAN;
    for (size_t taken = 0; taken < rank; taken++) {
        unsigned best = 0;
        double most = -INFINITY;
        for (unsigned p = 0; p < cross->parts; p++)
            if (head[p] < cross->count[p] && sign * fold[p] + cross->missed[p][head[p]] > most) {
                most = sign * fold[p] + cross->missed[p][head[p]];
                best = p;
            }
        head[best]++;
        last = most;
    }
    return sign * last;
}

/* The fit to all rows may lie outside what the fits to parts of them span. */
static void find_interval(const msw_pce *pce, const surrogate_cross *cross, const double *value,
                          double confidence, msw_prediction *out)
{
    double fold[SURROGATE_CUTS], n = (double)cross->residuals;
    size_t rank = (size_t)(n - ceil(confidence * (n + 1) - 1e-9)) + 1;
    out->low = out->high = NAN;
    if (cross->residuals < msw_pce_residuals(confidence))
        return;
    for (unsigned p = 0; p < cross->parts; p++)
        fold[p] = evaluate(pce, &cross->model[p], value);
    double high = pce->rows.mean + pce->rows.deviation * extreme(cross, fold, 1, rank);
    double low = pce->rows.mean + pce->rows.deviation * extreme(cross, fold, -1, rank);
    out->high = fmax(high, out->value);
    out->low = fmin(low, out->value);
}

int msw_pce_predict(msw_pce *pce, const double *x, double confidence, msw_prediction *out,
                    msw_err *err)
{
    uint32_t between;
    double *value = malloc((size_t)surrogate_stride(pce) * pce->factors * sizeof *value);
    if (!value)
        return msw_fail_memory(err);
    int status = position(pce, x, value, &between, err);
    const surrogate_cross *cross = status ? NULL : find_cross(pce, between, err);
    if (cross) {
        out->value = pce->rows.mean + pce->rows.deviation * evaluate(pce, &pce->whole, value);
        out->q2 = cross->q2;
        out->residuals = cross->residuals;
        out->between = between != 0;
        find_interval(pce, cross, value, confidence, out);
    }
    free(value);
    return cross ? 0 : -1;
}
