/* SPDX-License-Identifier: MIT */
/* Fits a surrogate: the number of terms, and their degree, are those that predict bins best that
 * took no part. */
#include "analysis/surrogate/surrogate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Degree and number of terms by the error at bins left out. */
typedef struct surrogate_choice {
    unsigned degree;
    size_t terms;
} surrogate_choice;

/* Terms without a lower error after which no more are tried. */
enum { PATIENCE = 20 };

/* Errors below this share of the output's square are rounding: the smaller model wins. */
#define ROUNDING 1e-22

static size_t most_terms(const pursuit_table *t, uint32_t set)
{
    size_t most = SIZE_MAX;
    for (unsigned b = 0; b < t->bins; b++)
        if (set >> b & 1 && set & ~((uint32_t)1 << b)) {
            size_t own = pursuit_most(t, set & ~((uint32_t)1 << b));
            most = own < most ? own : most;
        }
    return most == SIZE_MAX ? 1 : most;
}

/* One fit per bin of the set, to the others, side by side. */
typedef struct race {
    unsigned count;
    pursuit_ask ask[PURSUIT_BINS];
    pursuit *fit[PURSUIT_BINS];
} race;

static int start_race(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      race *all)
{
    size_t most = most_terms(t, set);
    all->count = 0;
    for (unsigned b = 0; b < t->bins; b++) {
        uint32_t rest = set & ~((uint32_t)1 << b);
        if (rest == set || !rest || t->start[b] == t->start[b + 1])
            continue;
        pursuit_ask *ask = &all->ask[all->count];
        *ask = (pursuit_ask){.train = rest,
                             .held = (int)b,
                             .allowed = pce->allowed + (degree - 1) * pce->terms,
                             .most = most};
        if (!(all->fit[all->count++] = pursuit_new(t, ask)))
            return -1;
    }
    return 0;
}

/* All take one more term. Returns whether any did, or -1 without memory. */
static int step_race(race *all, double *error)
{
    int moved = 0;
    *error = 0;
    for (unsigned f = 0; f < all->count; f++) {
        int status = pursuit_step(all->fit[f]);
        if (status < 0)
            return -1;
        moved |= status;
        *error += pursuit_error(all->fit[f]);
    }
    return moved;
}

/* The number of terms with the least error of all bins together, each predicted from the others. */
static int run_race(race *all, double floor, unsigned degree, double *least,
                    surrogate_choice *choice)
{
    double own = INFINITY, error;
    size_t best = 0;
    for (size_t terms = 1; terms <= best + PATIENCE; terms++) {
        int moved = step_race(all, &error);
        if (moved <= 0)
            return moved;
        error = fmax(error, floor);
        if (error < own) {
            own = error;
            best = terms;
        }
        if (error < *least) {
            *least = error;
            *choice = (surrogate_choice){degree, terms};
        }
    }
    return 0;
}

static int try_degree(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      double floor, double *least, surrogate_choice *choice)
{
    int rc = -1;
    race all;
    if (start_race(pce, t, set, degree, &all) || run_race(&all, floor, degree, least, choice))
        goto done;
    rc = 0;
done:
    for (unsigned f = 0; f < all.count; f++)
        pursuit_free(all.fit[f]);
    return rc;
}

/* Chooses from the rows of a set of bins. Returns 0, or -1 without memory. */
static int surrogate_choose(const msw_pce *pce, pursuit_table *t, uint32_t set,
                            surrogate_choice *choice)
{
    unsigned lowest = pce->settings.best ? 1 : pce->settings.degree;
    double least = INFINITY, floor = 0;
    for (unsigned b = 0; b < t->bins; b++)
        floor += ROUNDING * t->spread[b];
    *choice = (surrogate_choice){lowest, 1};
    for (unsigned d = lowest; d <= pce->settings.degree; d++)
        MSW_TRY(try_degree(pce, t, set, d, floor, &least, choice));
    return 0;
}

int surrogate_choose_fit(const msw_pce *pce, pursuit_table *t, uint32_t set, pursuit_model *model,
                         unsigned *degree, msw_arena *arena)
{
    surrogate_choice choice;
    if (surrogate_choose(pce, t, set, &choice))
        return -1;
    pursuit_ask ask = {.train = set,
                       .held = -1,
                       .allowed = pce->allowed + (choice.degree - 1) * pce->terms,
                       .most = choice.terms};
    *degree = choice.degree;
    return pursuit_fit(t, &ask, model, arena);
}

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
