/* SPDX-License-Identifier: MIT */
/* Estimates Sobol indices with a control: docs/models/analysis.md. */
#include "analysis/sensitivity/sobol.h"

#include <math.h>
#include <string.h>

/* The model on n rows, the control on the same n, the control on all N. */
enum { MODEL, NEAR, FAR, TABLES };

typedef struct control {
    msw_sobol_design design[TABLES];
    sobol table[TABLES];
    size_t units[TABLES], scrambles;
    unsigned parts, columns;
    double *sum[TABLES], *count[TABLES]; /* of each scramble */
    msw_arena *arena;
} control;

/* ---- rows ---- */

/* A base row without a value in either takes part in neither. Returns a copy with such rows blank.
 */
static double *copy_rows(const msw_sobol_design *design, const double *y, const double *other,
                         size_t rows, msw_arena *arena)
{
    size_t length = sobol_row_length(design);
    double *copy = msw_arena_take(arena, (rows * length + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < rows; i++) {
        bool whole =
            sobol_complete(y + i * length, length) && sobol_complete(other + i * length, length);
        for (size_t j = 0; j < length; j++)
            copy[i * length + j] = whole ? y[i * length + j] : NAN;
    }
    return copy;
}

static double correlation(const double *a, const double *b, size_t n)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(a[i]) && !isnan(b[i])) {
            double da = a[i] - ma, db = b[i] - mb;
            ma += da / ++count;
            mb += db / count;
            aa += da * (a[i] - ma);
            bb += db * (b[i] - mb);
            ab += da * (b[i] - mb);
        }
    return ab / sqrt(aa * bb);
}

/* ---- tables of moments ---- */

/* Constants do not change a variance: the two tables of the control share its own, and all three
 * are scaled as the model is. */
static int fill_table(control *c, int which, double center, double scale)
{
    sobol *t = &c->table[which];
    size_t room = c->units[which] + 1;
    t->center = center;
    t->scale = scale;
    t->shift = 0;
    t->scramble = msw_arena_take(c->arena, room * sizeof *t->scramble);
    if (!t->scramble || sobol_fill_table(t, c->units[which]))
        return -1;
    c->columns = t->table.columns;
    c->sum[which] = msw_arena_zero(c->arena, c->scrambles * c->columns, sizeof(double));
    c->count[which] = msw_arena_zero(c->arena, c->scrambles, sizeof(double));
    if (!c->sum[which] || !c->count[which])
        return -1;
    scrambles_sums(&t->table, t->scramble, c->sum[which], c->count[which]);
    return 0;
}

static int fill_all(control *c, const double *rows[TABLES], msw_used *used)
{
    for (int t = 0; t < TABLES; t++) {
        msw_used own = {0};
        c->design[t].y = rows[t];
        c->table[t].design = &c->design[t];
        c->table[t].arena = c->arena;
        sobol_measure_outputs(&c->table[t], &own);
        c->units[t] = own.used;
        if (t == MODEL)
            *used = own;
    }
    double scale = c->table[MODEL].scale;
    for (int t = 0; t < TABLES; t++)
        if (fill_table(c, t, c->table[t == NEAR ? FAR : t].center, scale))
            return -1;
    return 0;
}

/* ---- estimates ---- */

/* Means of a table's columns over all scrambles but one (or all of them). */
static void means_without(const control *c, int table, size_t left_out, double *mean)
{
    double units = 0;
    memset(mean, 0, c->columns * sizeof *mean);
    for (size_t s = 0; s < c->scrambles; s++) {
        if (s == left_out)
            continue;
        units += c->count[table][s];
        for (unsigned k = 0; k < c->columns; k++)
            mean[k] += c->sum[table][s * c->columns + k];
    }
    for (unsigned k = 0; k < c->columns; k++)
        mean[k] /= units;
}

/* First and total indices, then the mean of the outputs; with the control, or the model alone. */
static void indices_without(const control *c, size_t left_out, bool alone, double *index,
                            double *work)
{
    static const double SIGNS[TABLES] = {[MODEL] = 1, [NEAR] = -1, [FAR] = 1};
    double *part = work, *own = work + c->parts, *mean = own + c->parts, average = 0;
    memset(part, 0, c->parts * sizeof *part);
    for (int t = 0; t < (alone ? 1 : TABLES); t++) {
        const sobol *table = &c->table[t];
        means_without(c, t, left_out, mean);
        sobol_parts(table, mean, own);
        average += SIGNS[t] * (mean[SOBOL_SUM] / table->scale + table->center);
        for (unsigned k = 0; k < c->parts; k++)
            part[k] += SIGNS[t] * own[k];
    }
    for (unsigned k = 1; k < c->parts; k++)
        index[k - 1] = part[0] > 0 ? part[k] / part[0] : NAN;
    index[c->parts - 1] = average;
    index[c->parts] = part[0] / (c->table[MODEL].scale * c->table[MODEL].scale);
}

/* Estimates of all indices and of the mean. Returns 0, or -1 without memory. */
static int estimate(const control *c, bool alone, double confidence, msw_estimate *to,
                    double *variance)
{
    size_t n = c->scrambles, k = c->parts + 1;
    double *work = msw_arena_take(c->arena, (2 * c->parts + c->columns) * sizeof *work);
    double *index = msw_arena_take(c->arena, k * sizeof *index);
    double *values = msw_arena_take(c->arena, n * k * sizeof *values);
    if (!work || !index || !values)
        return -1;
    for (size_t s = 0; s < n; s++) {
        indices_without(c, s, alone, index, work);
        for (unsigned i = 0; i < k; i++)
            values[i * n + s] = index[i];
    }
    indices_without(c, SIZE_MAX, alone, index, work);
    for (unsigned i = 0; i < c->parts; i++) {
        to[i].value = index[i];
        scrambles_interval(values + i * n, n, confidence, &to[i]);
    }
    *variance = index[c->parts];
    return 0;
}

static double squares(const msw_estimate *list, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += isnan(list[i].half) ? 0 : list[i].half * list[i].half;
    return sum;
}

static int estimate_indices(control *c, const msw_resampling *how, msw_sobol_indices *indices,
                            msw_controlled *out)
{
    unsigned d = c->design[MODEL].factors;
    double alone_variance;
    msw_estimate *with = msw_arena_zero(c->arena, 2 * (c->parts + 1), sizeof *with);
    if (!with)
        return -1;
    msw_estimate *alone = with + c->parts + 1;
    if (estimate(c, false, how->confidence, with, &indices->variance) ||
        estimate(c, true, how->confidence, alone, &alone_variance))
        return -1;
    memcpy(indices->first, with, d * sizeof *with);
    memcpy(indices->total, with + d, d * sizeof *with);
    out->mean = with[2 * d];
    indices->mean = out->mean.value;
    out->saving = squares(alone, 2 * d) / squares(with, 2 * d);
    return 0;
}

/* Checks that every scramble has rows enough to be left out. */
static int check_scrambles(const control *c, msw_err *err)
{
    for (int t = 0; t < TABLES; t++)
        for (size_t s = 0; s < c->scrambles; s++)
            if (c->count[t][s] < 2)
                return msw_fail(err,
                                "a control needs two complete base rows of each scramble: "
                                "scramble %zu has %.0f",
                                s, c->count[t][s]);
    return 0;
}

/* Three tables of the same design: the model's rows, the cheap rows at the same points (NEAR), and
 * all cheap rows (FAR). Every variance is estimated as that of the model, less that of near, plus
 * that of far: what model and near have in common cancels, and far is known well. */
int msw_sobol_controlled(const msw_sobol_design *design, const double *other, size_t other_rows,
                         const msw_resampling *how, msw_sobol_indices *indices, msw_controlled *out,
                         msw_used *used, msw_err *err)
{
    msw_arena arena = {0};
    size_t length = sobol_row_length(design);
    control c = {.design = {*design, *design, *design},
                 .scrambles = design->scrambles,
                 .parts = 1 + 2 * design->factors,
                 .arena = &arena};
    if (design->scrambles < MSW_SCRAMBLES_MIN)
        return msw_fail(err, "a control needs a design with 'scrambles: %d' or more",
                        MSW_SCRAMBLES_MIN);
    if (other_rows < design->base_rows)
        return msw_fail(err, "the control has %zu base rows, the model %zu", other_rows,
                        design->base_rows);
    c.design[FAR].base_rows = other_rows;
    const double *rows[TABLES] = {copy_rows(design, design->y, other, design->base_rows, &arena),
                                  copy_rows(design, other, design->y, design->base_rows, &arena),
                                  other};
    *out = (msw_controlled){.control_rows = other_rows};
    int rc = -1;
    if (!rows[MODEL] || !rows[NEAR] || fill_all(&c, rows, used)) {
        msw_fail_memory(err);
        goto done;
    }
    if (check_scrambles(&c, err))
        goto done;
    out->correlation = correlation(rows[MODEL], rows[NEAR], design->base_rows * length);
    rc = estimate_indices(&c, how, indices, out) ? msw_fail_memory(err) : 0;
done:
    msw_arena_free(&arena);
    return rc;
}
