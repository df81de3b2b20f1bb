/* SPDX-License-Identifier: MIT */
/* Makes a surrogate from rows (standardises them, lists terms, fits and judges), and predicts with
 * it. */
#include "analysis/surrogate/surrogate.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

static int check_data(const msw_pce_data *data, const msw_pce_settings *settings, msw_err *err)
{
    size_t infinite = 0;
    if (data->factors < 1 || data->factors > MSW_PCE_FACTORS)
        return msw_fail(err, "%u factors; 1 to %d are allowed", data->factors, MSW_PCE_FACTORS);
    if (settings->degree < 1 || settings->degree > MSW_PCE_DEGREE)
        return msw_fail(err, "degree %u; 1 to %d are allowed", settings->degree, MSW_PCE_DEGREE);
    for (size_t i = 0; i < data->n; i++)
        infinite += isinf(data->y[i]) != 0;
    return infinite ? msw_fail(err, "the output is infinite in %zu rows", infinite) : 0;
}

static int take_memory(msw_pce *pce, const msw_pce_data *data)
{
    surrogate_rows *rows = &pce->rows;
    rows->y = msw_arena_take(&pce->arena, (data->n + 1) * sizeof *rows->y);
    rows->block = msw_arena_take(&pce->arena, (data->n + 1) * sizeof *rows->block);
    rows->x = msw_arena_take(&pce->arena, data->factors * sizeof *rows->x);
    pce->names = msw_arena_zero(&pce->arena, data->factors, sizeof *pce->names);
    if (!rows->y || !rows->block || !rows->x || !pce->names)
        return -1;
    for (unsigned j = 0; j < data->factors; j++)
        if (!(rows->x[j] = msw_arena_take(&pce->arena, (data->n + 1) * sizeof **rows->x)))
            return -1;
    return 0;
}

static int copy_names(msw_pce *pce, const msw_pce_data *data)
{
    for (unsigned j = 0; j < data->factors; j++) {
        const char *name = data->factor[j].name;
        char *copy = name ? msw_arena_take(&pce->arena, strlen(name) + 1) : NULL;
        if (name && !copy)
            return -1;
        if (copy)
            strcpy(copy, name);
        pce->names[j] = copy;
    }
    return 0;
}

/* Rows that belong together (one block) are later left out together: they would predict each other
 * too well. */
static int take_rows(msw_pce *pce, const msw_pce_data *data)
{
    surrogate_rows *rows = &pce->rows;
    uint64_t last = 0;
    if (take_memory(pce, data) || copy_names(pce, data))
        return -1;
    for (size_t i = 0; i < data->n; i++) {
        if (isnan(data->y[i]))
            continue;
        uint64_t block = data->block ? data->block[i] : i;
        if (rows->n == 0 || block != last)
            rows->block[rows->blocks++] = rows->n;
        last = block;
        for (unsigned j = 0; j < data->factors; j++)
            rows->x[j][rows->n] = data->x[j][i];
        rows->y[rows->n++] = data->y[i];
    }
    rows->block[rows->blocks] = rows->n;
    return 0;
}

static void standardize(surrogate_rows *rows)
{
    double square = 0;
    for (size_t i = 0; i < rows->n; i++)
        rows->mean += rows->y[i] / (double)rows->n;
    for (size_t i = 0; i < rows->n; i++) {
        rows->y[i] -= rows->mean;
        square += rows->y[i] * rows->y[i];
    }
    rows->deviation = square > 0 ? sqrt(square / (double)rows->n) : 1;
    for (size_t i = 0; i < rows->n; i++)
        rows->y[i] /= rows->deviation;
}

/* ---- fitting ---- */

static int make_bases(msw_pce *pce, const msw_pce_data *data, msw_err *err)
{
    char name[80];
    pce->bases = msw_arena_take(&pce->arena, pce->factors * sizeof *pce->bases);
    if (!pce->bases)
        return msw_fail_memory(err);
    for (unsigned j = 0; j < pce->factors; j++)
        if (basis_make(&data->factor[j], pce->settings.degree, &pce->bases[j], &pce->arena, err)) {
            msw_fail_prefix(err, "%s: ", surrogate_name(pce, j, name));
            return -1;
        }
    return surrogate_terms(pce, err);
}

static int fit(msw_pce *pce, const msw_pce_data *data, msw_err *err)
{
    if (take_rows(pce, data))
        return msw_fail_memory(err);
    if (pce->rows.n == 0)
        return msw_fail(err, "no row has an output");
    standardize(&pce->rows);
    MSW_TRY(make_bases(pce, data, err));
    MSW_TRY(surrogate_fit(pce, err));
    return 0;
}

msw_pce *msw_pce_fit(const msw_pce_data *data, const msw_pce_settings *settings,
                     msw_pce_quality *quality, msw_err *err)
{
    if (check_data(data, settings, err))
        return NULL;
    msw_pce *pce = calloc(1, sizeof *pce);
    if (!pce) {
        msw_fail_memory(err);
        return NULL;
    }
    pce->factors = data->factors;
    pce->settings = *settings;
    if (fit(pce, data, err)) {
        msw_pce_free(pce);
        return NULL;
    }
    if (quality)
        *quality = (msw_pce_quality){.used = pce->rows.n,
                                     .dropped = data->n - pce->rows.n,
                                     .candidates = pce->terms,
                                     .terms = pce->whole.count,
                                     .degree = pce->degree,
                                     .r2 = pce->r2,
                                     .q2 = pce->crosses->q2};
    return pce;
}

void msw_pce_free(msw_pce *pce)
{
    for (unsigned b = 0; pce && b <= PURSUIT_BINS; b++)
        msw_arena_free(&pce->fold_arena[b]);
    if (pce)
        msw_arena_free(&pce->arena);
    free(pce);
}

/* ---- indices ---- */

double msw_pce_mean(const msw_pce *pce)
{
    return pce->rows.mean + pce->rows.deviation * pce->whole.beta[0];
}

/* The functions are orthonormal, so the variance is the sum of the squared coefficients, and a
 * Sobol index is the part of it from terms with certain factors. */
static uint32_t factors_of(const msw_pce *pce, size_t term)
{
    uint32_t mask = 0;
    for (unsigned j = 0; j < pce->factors; j++)
        if (pce->function[term * pce->factors + j])
            mask |= (uint32_t)1 << j;
    return mask;
}

/* Squares of the coefficients whose terms have factors in `any`, and none outside `within`. */
static double squares(const msw_pce *pce, uint32_t any, uint32_t within)
{
    double sum = 0;
    for (size_t t = 1; t < pce->whole.count; t++) {
        uint32_t own = factors_of(pce, pce->whole.column[t]);
        if (own & any && !(own & ~within))
            sum += pce->whole.beta[t] * pce->whole.beta[t];
    }
    return sum;
}

static double share(const msw_pce *pce, double part)
{
    double all = squares(pce, UINT32_MAX, UINT32_MAX);
    return all > 0 ? part / all : NAN;
}

double msw_pce_variance(const msw_pce *pce)
{
    return pce->rows.deviation * pce->rows.deviation * squares(pce, UINT32_MAX, UINT32_MAX);
}

double msw_pce_part(const msw_pce *pce, uint32_t factors)
{
    double sum = 0;
    for (size_t t = 1; t < pce->whole.count; t++)
        if (factors_of(pce, pce->whole.column[t]) == factors)
            sum += pce->whole.beta[t] * pce->whole.beta[t];
    return share(pce, sum);
}

double msw_pce_closed(const msw_pce *pce, uint32_t factors)
{
    return share(pce, squares(pce, UINT32_MAX, factors));
}

double msw_pce_total(const msw_pce *pce, unsigned factor)
{
    return share(pce, squares(pce, (uint32_t)1 << factor, UINT32_MAX));
}

/* Predicts at a point. The interval is that of CV+ (Barber, Candes, Ramdas and Tibshirani 2021):
 * every row that was left out puts one value above and one below the prediction made without it, as
 * far away as that missed the row; the ends are quantiles of those values. */

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
