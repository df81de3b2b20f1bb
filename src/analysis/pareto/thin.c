/* SPDX-License-Identifier: MIT */
/* Few points that stand for a front: its knee, a choice of representatives, and the point that
 * comes nearest to its goals. */
#include "analysis/pareto/rows.h"
#include "analysis/stats/sort.h"
#include "memsweep/analysis/quality.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measures the shape of a front: crowding distance and knee. */

/* A front in normalised objectives: 0 is its best and 1 its worst value of each. */
typedef struct box {
    double low[MSW_PARETO_OBJECTIVES], high[MSW_PARETO_OBJECTIVES];
} box;

static bool taken(const msw_points *points, const int32_t *rank, size_t row, uint32_t group)
{
    return rank[row] == 0 && (!points->group || points->group[row] == group);
}

static double oriented(const msw_points *points, unsigned j, size_t row)
{
    double value = points->columns[j][row];
    return points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -value : value;
}

static size_t measure_box(const msw_points *points, const int32_t *rank, uint32_t group, box *range)
{
    size_t count = 0;
    for (size_t row = 0; row < points->n; row++) {
        if (!taken(points, rank, row, group))
            continue;
        for (unsigned j = 0; j < points->k; j++) {
            double v = oriented(points, j, row);
            range->low[j] = count ? fmin(range->low[j], v) : v;
            range->high[j] = count ? fmax(range->high[j], v) : v;
        }
        count++;
    }
    return count;
}

/* In normalised objectives the extremes lie in the plane where they add up to 1. An objective that
 * is the same on the whole front adds nothing, and one less objective spans the plane. */
static double below_plane(const msw_points *points, const box *range, size_t row)
{
    double sum = 0;
    unsigned varying = 0;
    for (unsigned j = 0; j < points->k; j++) {
        double width = range->high[j] - range->low[j];
        if (width > 0) {
            sum += (oriented(points, j, row) - range->low[j]) / width;
            varying++;
        }
    }
    return varying ? (1 - sum) / sqrt(varying) : 0;
}

int msw_pareto_knee(const msw_points *points, const int32_t *rank, uint32_t group, msw_knee *knee,
                    msw_err *err)
{
    box range;
    if (measure_box(points, rank, group, &range) == 0)
        return msw_fail(err, "group %u has no front: no row of it was ranked", group);
    *knee = (msw_knee){.row = points->n, .distance = -INFINITY};
    for (size_t row = 0; row < points->n; row++) {
        if (!taken(points, rank, row, group))
            continue;
        double distance = below_plane(points, &range, row);
        if (knee->row == points->n || distance > knee->distance)
            *knee = (msw_knee){row, distance};
    }
    return 0;
}

static double sign_of(const msw_points *points, unsigned j)
{
    return points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -1 : 1;
}

static bool belongs(const msw_points *points, const bool *on_front, uint32_t group, size_t row)
{
    return on_front[row] && (!points->group || points->group[row] == group);
}

int msw_front_range(const msw_points *points, const bool *on_front, uint32_t group, double *ideal,
                    double *range)
{
    size_t count = 0;
    for (unsigned j = 0; j < points->k; j++) {
        double low = INFINITY, high = -INFINITY, sign = sign_of(points, j);
        for (size_t r = 0; r < points->n; r++)
            if (belongs(points, on_front, group, r)) {
                low = fmin(low, sign * points->columns[j][r]);
                high = fmax(high, sign * points->columns[j][r]);
                count++;
            }
        ideal[j] = sign * low;
        range[j] = high > low ? high - low : 1;
    }
    return count ? 0 : -1;
}

/* ---- the rows of one front, scaled: 0 is best, 1 worst ---- */

typedef struct front {
    size_t n, k;
    size_t *row;   /* by the first objective */
    double *value; /* n x k */
    bool *kept;
} front;

typedef struct scaled {
    double first, second;
    size_t row;
} scaled;

static int compare(const void *a, const void *b)
{
    const scaled *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second > y->second ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

static double value_of(const msw_points *p, unsigned j, size_t row, const double *ideal,
                       const double *range)
{
    return sign_of(p, j) * (p->columns[j][row] - ideal[j]) / range[j];
}

static int open_front(front *f, const msw_points *p, const bool *on_front, uint32_t group,
                      msw_err *err)
{
    double ideal[MSW_PARETO_OBJECTIVES], range[MSW_PARETO_OBJECTIVES];
    scaled *order = malloc((p->n + 1) * sizeof *order);
    *f = (front){.k = p->k};
    if (!order)
        return msw_fail_memory(err);
    msw_front_range(p, on_front, group, ideal, range);
    for (size_t r = 0; r < p->n; r++)
        if (belongs(p, on_front, group, r))
            order[f->n++] = (scaled){value_of(p, 0, r, ideal, range),
                                     p->k > 1 ? value_of(p, 1, r, ideal, range) : 0, r};
    msw_sort(order, f->n, sizeof *order, compare);
    f->row = malloc((f->n + 1) * sizeof *f->row);
    f->value = malloc((f->n * f->k + 1) * sizeof *f->value);
    f->kept = calloc(f->n + 1, sizeof *f->kept);
    bool there = f->row && f->value && f->kept;
    for (size_t i = 0; there && i < f->n; i++) {
        f->row[i] = order[i].row;
        for (unsigned j = 0; j < p->k; j++)
            f->value[i * f->k + j] = value_of(p, j, f->row[i], ideal, range);
    }
    free(order);
    return there ? 0 : msw_fail_memory(err);
}

static void close_front(front *f)
{
    free(f->row);
    free(f->value);
    free(f->kept);
}

/* ---- two objectives: the least epsilon ---- */

/* Keeps points so that all are matched but for epsilon, from the left: the first one that is not
 * matched yet is matched by the rightmost point that can, which then reaches farthest. Returns how
 * many it takes. */
static size_t cover(const front *f, double epsilon, bool *kept)
{
    size_t count = 0;
    memset(kept, 0, f->n * sizeof *kept);
    for (size_t i = 0; i < f->n; count++) {
        size_t at = i;
        while (at + 1 < f->n && f->value[2 * (at + 1)] <= f->value[2 * i] + epsilon)
            at++;
        kept[at] = true;
        for (i = at + 1; i < f->n && f->value[2 * at + 1] <= f->value[2 * i + 1] + epsilon;)
            i++;
    }
    return count;
}

/* The middle of neighbouring doubles is one of them, so this ends with the least one that does. */
static void thin_two(front *f, size_t wanted)
{
    double low = 0, high = 1;
    if (cover(f, 0, f->kept) <= wanted)
        return;
    for (double middle = 0.5; middle > low && middle < high; middle = low + (high - low) / 2) {
        if (cover(f, middle, f->kept) <= wanted)
            high = middle;
        else
            low = middle;
    }
    cover(f, high, f->kept);
}

/* ---- more objectives: the point that is matched worst comes next ---- */

/* How much point a must improve to match point b. */
static double shortfall(const front *f, size_t a, size_t b)
{
    double most = 0;
    for (size_t j = 0; j < f->k; j++)
        most = fmax(most, f->value[a * f->k + j] - f->value[b * f->k + j]);
    return most;
}

static size_t least_worst(const front *f)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < f->n; i++) {
        double most = 0;
        for (size_t j = 0; j < f->k; j++)
            most = fmax(most, f->value[i * f->k + j]);
        best = most < least ? i : best;
        least = fmin(least, most);
    }
    return best;
}

static int thin_many(front *f, size_t wanted, msw_err *err)
{
    double *short_by = malloc((f->n + 1) * sizeof *short_by);
    if (!short_by)
        return msw_fail_memory(err);
    for (size_t i = 0; i < f->n; i++)
        short_by[i] = INFINITY;
    size_t next = f->n ? least_worst(f) : 0;
    for (size_t count = 0; count < wanted && count < f->n && !f->kept[next]; count++) {
        f->kept[next] = true;
        size_t worst = next;
        for (size_t i = 0; i < f->n; i++) {
            short_by[i] = fmin(short_by[i], shortfall(f, next, i));
            worst = short_by[i] > short_by[worst] ? i : worst;
        }
        next = worst;
    }
    free(short_by);
    return 0;
}

/* ---- all groups ---- */

/* By how much the points that are left out are missed at most. */
static double epsilon_of(const front *f)
{
    double epsilon = 0;
    for (size_t i = 0; i < f->n; i++) {
        double least = INFINITY;
        for (size_t a = 0; a < f->n && least > 0; a++)
            if (f->kept[a])
                least = fmin(least, shortfall(f, a, i));
        epsilon = fmax(epsilon, least);
    }
    return epsilon;
}

static int thin_group(const msw_points *points, uint32_t group, size_t wanted, bool *on_front,
                      double *epsilon, msw_err *err)
{
    front f;
    int rc = -1;
    if (open_front(&f, points, on_front, group, err))
        goto done;
    if (f.k == 2)
        thin_two(&f, wanted);
    else if (thin_many(&f, wanted, err))
        goto done;
    for (size_t i = 0; i < f.n; i++)
        on_front[f.row[i]] = f.kept[i];
    *epsilon = fmax(*epsilon, epsilon_of(&f));
    rc = 0;
done:
    close_front(&f);
    return rc;
}

int msw_front_thin(const msw_points *points, size_t wanted, bool *on_front, double *epsilon,
                   msw_err *err)
{
    uint32_t groups = points->group ? points->group_count : 1;
    *epsilon = 0;
    if (!wanted)
        return msw_fail(err, "a front of no points cannot be thinned");
    for (uint32_t g = 0; g < groups; g++)
        if (thin_group(points, g, wanted, on_front, epsilon, err))
            return -1;
    return 0;
}

/* ---- goals ---- */

double msw_goal_miss(const msw_points *points, size_t row, const double *goal, const double *scale,
                     const double *weight, unsigned *decides)
{
    double most = -INFINITY;
    for (unsigned j = 0; j < points->k; j++) {
        double miss =
            weight[j] * sign_of(points, j) * (points->columns[j][row] - goal[j]) / scale[j];
        if (weight[j] == 0 || !(miss > most))
            continue;
        most = miss;
        *decides = j;
    }
    return most;
}
