/* SPDX-License-Identifier: MIT */
/* Estimates indices of an expensive model from few rows of it and many of a cheap one, for rows of
 * no structure and for grids: docs/models/analysis.md. The variance of class means gives
 * first-order indices; pairs of cells that differ in one factor give total ones. */
#include "analysis/sensitivity/sobol.h"

#include "memsweep/analysis/given.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums by class and by group of rows ---- */

enum { CONTROL_GROUPS = 32, CONTROL_PAIRS = 100 };

typedef struct control_input {
    size_t n;
    unsigned factors;
    const msw_given_classes *classes; /* of each factor */
    const msw_given_classes *levels;  /* of the grid that the rows are the cells of; or NULL */
    const double *y;                  /* NaN: not used */
    const uint8_t *group;
    double part; /* of the whole population that the used rows are; 0: independent draws */
} control_input;

typedef struct control_cell {
    double count, sum, squares;
} control_cell;

/* Half the squared difference of pairs of cells that differ in one factor. */
typedef struct control_pairs {
    double count, sum;
    double touching_count[CONTROL_GROUPS], touching_sum[CONTROL_GROUPS];
} control_pairs;

typedef struct control_sums {
    control_input input;
    control_cell **cell;  /* per factor: classes x groups */
    double **weight;      /* per factor: share of each class in all rows */
    control_pairs *pairs; /* per factor; NULL without a grid */
    double population;    /* rows the used ones were drawn from; 0: endless */
} control_sums;

/* ---- class means ---- */

static int fill_factor(control_sums *s, unsigned f, msw_arena *arena)
{
    const control_input *in = &s->input;
    const msw_given_classes *classes = &in->classes[f];
    s->cell[f] = msw_arena_zero(arena, (size_t)classes->count * CONTROL_GROUPS, sizeof **s->cell);
    s->weight[f] = msw_arena_zero(arena, classes->count, sizeof **s->weight);
    if (!s->cell[f] || !s->weight[f])
        return -1;
    for (size_t i = 0; i < in->n; i++) {
        s->weight[f][classes->of[i]] += 1 / (double)in->n;
        if (isnan(in->y[i]))
            continue;
        control_cell *cell = &s->cell[f][classes->of[i] * CONTROL_GROUPS + in->group[i]];
        cell->count += 1;
        cell->sum += in->y[i];
        cell->squares += in->y[i] * in->y[i];
    }
    return 0;
}

/* ---- pairs of cells ---- */

typedef struct placed {
    size_t line; /* the cell, its own level taken as 0 */
    size_t row;
} placed;

static int compare(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void add_pair(const control_input *in, size_t a, size_t b, control_pairs *to)
{
    double half = (in->y[a] - in->y[b]) * (in->y[a] - in->y[b]) / 2;
    to->count += 1;
    to->sum += half;
    to->touching_count[in->group[a]] += 1;
    to->touching_sum[in->group[a]] += half;
    if (in->group[b] != in->group[a]) {
        to->touching_count[in->group[b]] += 1;
        to->touching_sum[in->group[b]] += half;
    }
}

static void fill_pairs(const control_input *in, unsigned f, size_t stride, placed *list,
                       control_pairs *to)
{
    size_t n = 0;
    for (size_t i = 0; i < in->n; i++)
        if (!isnan(in->y[i]))
            list[n++] = (placed){i - stride * in->levels[f].of[i], i};
    msw_sort(list, n, sizeof *list, compare);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].line == list[i].line;)
            end++;
        for (size_t a = i; a < end; a++)
            for (size_t b = a + 1; b < end; b++)
                add_pair(in, list[a].row, list[b].row, to);
    }
}

static int fill_all_pairs(control_sums *s, msw_arena *arena)
{
    const control_input *in = &s->input;
    size_t stride = in->n;
    s->pairs = msw_arena_zero(arena, in->factors, sizeof *s->pairs);
    placed *list = msw_arena_take(arena, (in->n + 1) * sizeof *list);
    if (!s->pairs || !list)
        return -1;
    for (unsigned f = 0; f < in->factors; f++) {
        stride /= in->levels[f].count;
        fill_pairs(in, f, stride, list, &s->pairs[f]);
    }
    return 0;
}

static int control_sums_fill(control_sums *s, const control_input *input, msw_arena *arena)
{
    *s = (control_sums){.input = *input};
    s->cell = msw_arena_take(arena, input->factors * sizeof *s->cell);
    s->weight = msw_arena_take(arena, input->factors * sizeof *s->weight);
    if (!s->cell || !s->weight)
        return -1;
    s->population = input->part > 0 ? (double)input->n : 0;
    for (unsigned f = 0; f < input->factors; f++)
        if (fill_factor(s, f, arena))
            return -1;
    return input->levels ? fill_all_pairs(s, arena) : 0;
}

/* ---- variances ---- */

static control_cell sum_groups(const control_cell *cell, unsigned left_out)
{
    control_cell all = {0};
    for (unsigned g = 0; g < CONTROL_GROUPS; g++)
        if (g != left_out) {
            all.count += cell[g].count;
            all.sum += cell[g].sum;
            all.squares += cell[g].squares;
        }
    return all;
}

/* The spread of class means, less what their noise adds to it. Sums: weight, weighted mean,
 * weighted square; the noise of each mean has one variance per row. */
static double first_part(const control_sums *s, unsigned f, unsigned left_out)
{
    const msw_given_classes *classes = &s->input.classes[f];
    double weights = 0, mean = 0, square = 0, noise = 0, within = 0, rows = 0, used = 0;
    for (uint32_t c = 0; c < classes->count; c++) {
        control_cell own = sum_groups(s->cell[f] + c * CONTROL_GROUPS, left_out);
        if (own.count > 0)
            weights += s->weight[f][c];
    }
    for (uint32_t c = 0; c < classes->count; c++) {
        control_cell own = sum_groups(s->cell[f] + c * CONTROL_GROUPS, left_out);
        if (!(own.count > 0))
            continue;
        double w = s->weight[f][c] / weights, m = own.sum / own.count;
        mean += w * m;
        square += w * m * m;
        noise += w * (1 - w) / own.count;
        within += own.squares - own.sum * m;
        rows += own.count;
        used++;
    }
    double drawn = s->population > 0 ? 1 - rows / s->population : 1;
    if (!(rows > used) && drawn > 0)
        return NAN;
    return square - mean * mean - (drawn > 0 ? drawn * noise * within / (rows - used) : 0);
}

/* Half the mean squared difference within a line of L cells is L / (L - 1) of its variance. */
static double total_part(const control_sums *s, unsigned f, unsigned left_out)
{
    const control_pairs *p = s->pairs ? &s->pairs[f] : NULL;
    if (!p)
        return NAN;
    double count = p->count, sum = p->sum, levels = s->input.levels[f].count;
    if (left_out < CONTROL_GROUPS) {
        count -= p->touching_count[left_out];
        sum -= p->touching_sum[left_out];
    }
    return p->count >= CONTROL_PAIRS && count > 0 ? (levels - 1) / levels * sum / count : NAN;
}

/* Variance, mean, first-order parts and total parts of the variance, without one group
 * (CONTROL_GROUPS: with all). What rows do not show is NaN. */
static void control_sums_parts(const control_sums *s, unsigned left_out, double *part)
{
    control_cell all = {0};
    unsigned d = s->input.factors;
    for (uint32_t c = 0; c < s->input.classes[0].count; c++) {
        control_cell own = sum_groups(s->cell[0] + c * CONTROL_GROUPS, left_out);
        all.count += own.count;
        all.sum += own.sum;
        all.squares += own.squares;
    }
    part[0] = (all.squares - all.sum * all.sum / all.count) / (all.count - 1);
    if (s->population > 0)
        part[0] *= (s->population - 1) / s->population;
    part[1] = all.sum / all.count;
    for (unsigned f = 0; f < d; f++) {
        part[2 + f] = first_part(s, f, left_out);
        part[2 + d + f] = total_part(s, f, left_out);
    }
}

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

static int fill_table(control *c, int which, const uint8_t *group)
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
        if (fill_table(c, t, group))
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

static int estimate_indices(control *c, double confidence, msw_sobol_indices *indices,
                            msw_controlled *out)
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
    int rc = -1;
    if (fill_all(&c, used)) {
        msw_fail_memory(err);
        goto done;
    }
    if (c.n < ROWS_MIN) {
        msw_fail(err, "%zu rows have a value of the model and of the control; %d are needed", c.n,
                 ROWS_MIN);
        goto done;
    }
    rc = estimate_indices(&c, how->confidence, indices, out) ? msw_fail_memory(err) : 0;
done:
    msw_arena_free(&c.arena);
    return rc;
}
