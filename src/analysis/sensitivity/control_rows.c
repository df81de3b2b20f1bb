/* SPDX-License-Identifier: MIT */
/* Indices of an expensive model from few rows of it and many of a cheap one, for rows of no
 * structure and for grids: docs/models/analysis.md. The variance of class means gives first-order
 * indices; pairs of cells that differ in one factor give total ones. */
#include "analysis/sensitivity/control_sums.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

/* Rows fall into groups, of which one after the other is left out. */
enum { GROUPS = CONTROL_GROUPS, ROWS_MIN = 2 * CONTROL_GROUPS };

/* The model, the control on its rows, the control on all. */
enum { MODEL, NEAR, FAR, TABLES };

typedef struct control {
    const msw_control_rows *rows;
    control_sums table[TABLES];
    double center[TABLES];
    size_t n;    /* rows that have both */
    double part; /* of a grid that they are; 0 for draws */
    msw_arena arena;
} control;

/* ---- rows ---- */

static bool has_both(const msw_control_rows *rows, size_t i)
{
    return !isnan(rows->model[i]) && !isnan(rows->control[i]);
}

static double mean_of(const msw_control_rows *rows, const double *y, bool both)
{
    double mean = 0, count = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (both ? has_both(rows, i) : !isnan(y[i]))
            mean += (y[i] - mean) / ++count;
    return mean;
}

static double correlation(const control *c)
{
    const msw_control_rows *rows = c->rows;
    double mean = mean_of(rows, rows->control, true), aa = 0, bb = 0, ab = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (has_both(rows, i)) {
            double a = rows->model[i] - c->center[MODEL], b = rows->control[i] - mean;
            aa += a * a;
            bb += b * b;
            ab += a * b;
        }
    return ab / sqrt(aa * bb);
}

/* ---- tables ---- */

static int fill(control *c, int which, const uint8_t *group)
{
    const msw_control_rows *rows = c->rows;
    const double *from = which == MODEL ? rows->model : rows->control;
    double *y = msw_arena_take(&c->arena, (rows->n + 1) * sizeof *y);
    if (!y)
        return -1;
    for (size_t i = 0; i < rows->n; i++) {
        bool used = which == FAR ? !isnan(from[i]) : has_both(rows, i);
        y[i] = used ? from[i] - c->center[which] : NAN;
    }
    control_input input = {.n = rows->n,
                           .factors = rows->factors,
                           .classes = which == FAR ? rows->far : rows->near,
                           .levels = rows->whole ? rows->far : NULL,
                           .y = y,
                           .group = group,
                           .part = which == FAR ? (rows->whole ? 1 : 0) : c->part};
    return control_sums_fill(&c->table[which], &input, &c->arena);
}

static int fill_all(control *c, msw_used *used)
{
    const msw_control_rows *rows = c->rows;
    uint8_t *group = msw_arena_take(&c->arena, rows->n + 1);
    if (!group)
        return -1;
    *used = (msw_used){0};
    for (size_t i = 0; i < rows->n; i++) {
        group[i] = (uint8_t)(msw_permute(i, rows->n, rows->seed) % GROUPS);
        c->n += has_both(rows, i);
        used->dropped += !isnan(rows->model[i]) && isnan(rows->control[i]);
    }
    used->used = c->n;
    c->part = rows->whole ? (double)c->n / (double)rows->n : 0;
    c->center[MODEL] = mean_of(rows, rows->model, true);
    c->center[NEAR] = c->center[FAR] = mean_of(rows, rows->control, false);
    for (int t = 0; t < TABLES; t++)
        if (fill(c, t, group))
            return -1;
    return 0;
}

/* ---- estimates ---- */

/* First-order indices, total ones, mean and variance, without one group (GROUPS: with all). */
static void indices_without(const control *c, unsigned left_out, bool alone, double *index,
                            double *work)
{
    static const double SIGNS[TABLES] = {[MODEL] = 1, [NEAR] = -1, [FAR] = 1};
    unsigned d = c->rows->factors, parts = 2 * d + 2;
    double *own = work, *part = work + parts;
    memset(part, 0, parts * sizeof *part);
    for (int t = 0; t < (alone ? 1 : TABLES); t++) {
        bool exact = t == FAR && c->rows->whole; /* all cells: nothing was drawn */
        control_sums_parts(&c->table[t], exact ? GROUPS : left_out, own);
        own[1] += c->center[t];
        for (unsigned k = 0; k < parts; k++)
            part[k] += SIGNS[t] * own[k];
    }
    for (unsigned k = 0; k < 2 * d; k++)
        index[k] = part[0] > 0 ? part[2 + k] / part[0] : NAN;
    index[2 * d] = part[1];
    index[2 * d + 1] = part[0];
}

static int estimate(control *c, bool alone, double confidence, msw_estimate *to, double *variance)
{
    unsigned count = 2 * c->rows->factors + 1;
    double *work = msw_arena_take(&c->arena, 2 * (count + 1) * sizeof *work);
    double *index = msw_arena_take(&c->arena, (count + 1) * sizeof *index);
    double *values = msw_arena_take(&c->arena, GROUPS * count * sizeof *values);
    if (!work || !index || !values)
        return -1;
    for (unsigned g = 0; g < GROUPS; g++) {
        indices_without(c, g, alone, index, work);
        for (unsigned i = 0; i < count; i++)
            values[i * GROUPS + g] = index[i];
    }
    indices_without(c, GROUPS, alone, index, work);
    for (unsigned i = 0; i < count; i++) {
        to[i].value = index[i];
        scrambles_interval(values + i * GROUPS, GROUPS, confidence, &to[i]);
        to[i].half *= sqrt(1 - c->part); /* of all cells nothing was drawn */
        to[i].low = to[i].value - to[i].half;
        to[i].high = to[i].value + to[i].half;
    }
    *variance = index[count];
    return 0;
}

/* Over the indices that both have. */
static double saving(const msw_estimate *with, const msw_estimate *alone, unsigned count)
{
    double a = 0, b = 0;
    for (unsigned i = 0; i < count; i++)
        if (!isnan(with[i].half) && !isnan(alone[i].half)) {
            a += alone[i].half * alone[i].half;
            b += with[i].half * with[i].half;
        }
    return a / b;
}

static int work(control *c, double confidence, msw_sobol_indices *indices, msw_controlled *out)
{
    unsigned d = c->rows->factors;
    double alone_variance;
    msw_estimate *with = msw_arena_zero(&c->arena, 2 * (2 * (size_t)d + 1), sizeof *with);
    if (!with)
        return -1;
    msw_estimate *alone = with + 2 * d + 1;
    if (estimate(c, false, confidence, with, &indices->variance) ||
        estimate(c, true, confidence, alone, &alone_variance))
        return -1;
    memcpy(indices->first, with, d * sizeof *with);
    memcpy(indices->total, with + d, d * sizeof *with);
    out->mean = with[2 * d];
    indices->mean = out->mean.value;
    out->saving = saving(with, alone, 2 * d);
    out->correlation = correlation(c);
    return 0;
}

int msw_given_controlled(const msw_control_rows *rows, const msw_resampling *how,
                         msw_sobol_indices *indices, msw_controlled *out, msw_used *used,
                         msw_err *err)
{
    control c = {.rows = rows};
    size_t all = 0;
    for (size_t i = 0; i < rows->n; i++)
        all += !isnan(rows->control[i]);
    if (rows->whole && all < rows->n)
        return msw_fail(err, "the control has no value in %zu of %zu cells of the grid",
                        rows->n - all, rows->n);
    *out = (msw_controlled){.control_rows = all};
    int rc = fill_all(&c, used) ? msw_fail_memory(err) : 0;
    if (rc == 0 && c.n < ROWS_MIN)
        rc = msw_fail(err, "%zu rows have a value of the model and of the control; %d are needed",
                      c.n, ROWS_MIN);
    if (rc == 0 && work(&c, how->confidence, indices, out))
        rc = msw_fail_memory(err);
    msw_arena_free(&c.arena);
    return rc;
}
