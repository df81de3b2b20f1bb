/* SPDX-License-Identifier: MIT */
#include "analysis/sensitivity/control_sums.h"

#include <math.h>
#include <stdlib.h>

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
    qsort(list, n, sizeof *list, compare);
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

int control_sums_fill(control_sums *s, const control_input *input, msw_arena *arena)
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

void control_sums_parts(const control_sums *s, unsigned left_out, double *part)
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
