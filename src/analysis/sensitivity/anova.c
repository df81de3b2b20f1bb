/* SPDX-License-Identifier: MIT */
/* Decomposes the variance of a complete grid exactly. Along each factor an orthogonal reflection
 * turns the (weighted) mean into coefficient 0 and the deviations into the others. After all
 * factors the squared coefficients add up, by which of their indices are not 0, to the variance of
 * each interaction. */
#include "memsweep/analysis/sensitivity.h"

#include "memsweep/base/arena.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t cells(const msw_anova_grid *grid)
{
    size_t count = 1;
    for (unsigned j = 0; j < grid->factors; j++)
        count *= grid->levels[j];
    return count;
}

static void describe_cell(const msw_anova_grid *grid, size_t cell, char *text, size_t size)
{
    size_t stride = cells(grid), used = 0;
    text[0] = 0;
    for (unsigned j = 0; j < grid->factors && used + 24 < size; j++) {
        stride /= grid->levels[j];
        used += (size_t)snprintf(text + used, size - used, "%s%zu", j ? "," : "",
                                 cell / stride % grid->levels[j]);
    }
}

static int check_grid(const msw_anova_grid *grid, msw_err *err)
{
    if (grid->factors < 1 || grid->factors > MSW_ANOVA_FACTORS)
        return msw_fail(err, "%u factors; 1 to %d can be split into all interactions",
                        grid->factors, MSW_ANOVA_FACTORS);
    for (unsigned j = 0; j < grid->factors; j++)
        if (grid->levels[j] == 0)
            return msw_fail(err, "factor %u has no levels", j);
    return 0;
}

/* Share of each level, adding up to 1. Returns 0, or -1 with `err`. */
static int shares(const msw_anova_grid *grid, unsigned factor, double *share, msw_err *err)
{
    const double *weights = grid->weights ? grid->weights[factor] : NULL;
    double sum = 0;
    for (size_t i = 0; i < grid->levels[factor]; i++) {
        share[i] = weights ? weights[i] : 1;
        if (!(share[i] > 0))
            return msw_fail(err, "level %zu of factor %u has weight %g; it must be positive", i,
                            factor, share[i]);
        sum += share[i];
    }
    for (size_t i = 0; i < grid->levels[factor]; i++)
        share[i] /= sum;
    return 0;
}

/* The reflection I - 2 v v' / v'v that maps the unit vector sqrt(share) to (1, 0, ...). `axis` gets
 * v scaled so that the reflection is I - v v'. */
static void reflection(const double *share, size_t levels, double *axis)
{
    double square = 0;
    for (size_t i = 0; i < levels; i++)
        axis[i] = sqrt(share[i]);
    /* share adds up to 1, so 1 - axis[0] loses nothing this way. */
    double rest = 0;
    for (size_t i = 1; i < levels; i++)
        rest += share[i];
    axis[0] = -rest / (1 + axis[0]);
    for (size_t i = 0; i < levels; i++)
        square += axis[i] * axis[i];
    for (size_t i = 0; square > 0 && i < levels; i++)
        axis[i] *= sqrt(2 / square);
}

/* Scales and reflects all fibres of one factor: `stride` neighbours at a time. */
static void transform(double *value, size_t count, size_t levels, size_t stride,
                      const double *share, const double *axis, double *dot)
{
    for (size_t start = 0; start < count; start += levels * stride) {
        double *fibre = value + start;
        memset(dot, 0, stride * sizeof *dot);
        for (size_t i = 0; i < levels; i++) {
            double scale = sqrt(share[i]);
            for (size_t s = 0; s < stride; s++) {
                fibre[i * stride + s] *= scale;
                dot[s] += axis[i] * fibre[i * stride + s];
            }
        }
        for (size_t i = 0; i < levels; i++)
            for (size_t s = 0; s < stride; s++)
                fibre[i * stride + s] -= axis[i] * dot[s];
    }
}

static int transform_all(const msw_anova_grid *grid, double *value, msw_arena *arena, msw_err *err)
{
    size_t count = cells(grid), stride = count;
    for (unsigned j = 0; j < grid->factors; j++) {
        size_t levels = grid->levels[j];
        msw_arena_mark mark = msw_arena_now(arena);
        stride /= levels;
        double *share = msw_arena_take(arena, levels * sizeof *share);
        double *axis = msw_arena_take(arena, levels * sizeof *axis);
        double *dot = msw_arena_take(arena, stride * sizeof *dot);
        if (!share || !axis || !dot)
            return msw_fail_memory(err);
        if (shares(grid, j, share, err))
            return -1;
        reflection(share, levels, axis);
        transform(value, count, levels, stride, share, axis, dot);
        msw_arena_release(arena, mark);
    }
    return 0;
}

/* Adds up the squared coefficients by which of their indices are not 0. */
static void add_squares(const msw_anova_grid *grid, const double *value, double *part)
{
    size_t count = cells(grid), index[MSW_ANOVA_FACTORS] = {0};
    uint32_t mask = 0;
    memset(part, 0, sizeof *part << grid->factors);
    for (size_t cell = 0; cell < count; cell++) {
        part[mask] += value[cell] * value[cell];
        for (unsigned j = grid->factors; j-- > 0;) {
            mask |= (uint32_t)1 << j;
            if (++index[j] < grid->levels[j])
                break;
            index[j] = 0;
            mask &= ~((uint32_t)1 << j);
        }
    }
}

/* Copies the outputs less their mean: the parts of a nearly constant output keep their digits. */
static int copy_centered(const msw_anova_grid *grid, double *value, double *center, msw_err *err)
{
    size_t count = cells(grid);
    double sum = 0;
    for (size_t cell = 0; cell < count; cell++) {
        if (isnan(grid->y[cell])) {
            char text[200];
            describe_cell(grid, cell, text, sizeof text);
            return msw_fail(err, "the grid has no answer at levels (%s): it must be complete",
                            text);
        }
        sum += grid->y[cell];
    }
    *center = sum / (double)count;
    for (size_t cell = 0; cell < count; cell++)
        value[cell] = grid->y[cell] - *center;
    return 0;
}

int msw_anova(const msw_anova_grid *grid, double *part, msw_err *err)
{
    if (check_grid(grid, err))
        return -1;
    msw_arena arena = {0};
    double center = 0, *value = msw_arena_take(&arena, cells(grid) * sizeof *value);
    int rc = -1;
    if (!value) {
        msw_fail_memory(err);
        goto done;
    }
    if (copy_centered(grid, value, &center, err) || transform_all(grid, value, &arena, err))
        goto done;
    add_squares(grid, value, part);
    part[0] = (center + value[0]) * (center + value[0]);
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc;
}

double msw_anova_total(const double *part, unsigned factors, unsigned factor)
{
    double sum = 0;
    for (uint32_t u = 1; u < (uint32_t)1 << factors; u++)
        if (u >> factor & 1)
            sum += part[u];
    return sum;
}

double msw_anova_closed(const double *part, unsigned factors, uint32_t set)
{
    double sum = 0;
    for (uint32_t u = 1; u < (uint32_t)1 << factors; u++)
        if (!(u & ~set))
            sum += part[u];
    return sum;
}

double msw_anova_variance(const double *part, unsigned factors)
{
    double sum = 0;
    for (uint32_t u = 1; u < (uint32_t)1 << factors; u++)
        sum += part[u];
    return sum;
}

/* The cell of a row. Returns it, or the number of cells when a level is out of range. */
static size_t cell_of(const msw_anova_grid *grid, const uint32_t *const *level, size_t row)
{
    size_t cell = 0;
    for (unsigned j = 0; j < grid->factors; j++) {
        if (level[j][row] >= grid->levels[j])
            return cells(grid);
        cell = cell * grid->levels[j] + level[j][row];
    }
    return cell;
}

/* From rows in any order to a table with the last factor fastest. Every cell must have exactly one
 * row: sums of squares of different effects add up only on a complete, balanced grid. */
int msw_anova_arrange(const msw_anova_grid *grid, const uint32_t *const *level, const double *y,
                      size_t n, double *arranged, msw_err *err)
{
    size_t count;
    char text[200];
    if (check_grid(grid, err))
        return -1;
    count = cells(grid);
    for (size_t cell = 0; cell < count; cell++)
        arranged[cell] = NAN;
    for (size_t row = 0; row < n; row++) {
        size_t cell = cell_of(grid, level, row);
        if (cell == count)
            return msw_fail(err, "row %zu has a level outside the grid", row);
        if (!isnan(arranged[cell])) {
            describe_cell(grid, cell, text, sizeof text);
            return msw_fail(err, "row %zu repeats the levels (%s)", row, text);
        }
        arranged[cell] = y[row];
    }
    for (size_t cell = 0; cell < count; cell++)
        if (isnan(arranged[cell])) {
            describe_cell(grid, cell, text, sizeof text);
            return msw_fail(err, "the grid has no answer at levels (%s): it must be complete",
                            text);
        }
    return 0;
}
