/* SPDX-License-Identifier: MIT */
/* Intervals of errors that hold for groups they were not made from. All groups weigh alike, so that
 * a workload with many rows does not speak for the others. */
#include "memsweep/analysis/strata.h"

#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Tails that are tried, narrow intervals first; then the whole range, made wider. */
static const double TAILS[] = {0.05, 0.04, 0.03, 0.02, 0.015, 0.01, 0.005, 0};
static const double WIDER[] = {0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1};
enum { TAIL_COUNT = sizeof TAILS / sizeof *TAILS, WIDER_COUNT = sizeof WIDER / sizeof *WIDER };

typedef struct calibration {
    const msw_errors_of *rows;
    const size_t *order;  /* rising */
    const double *weight; /* of a row of each group */
    size_t groups;        /* numbers up to this */
    size_t used;          /* groups that have rows */
} calibration;

/* The error above a share `tail` of the weight, and below the same; without rows of group `out`. */
static void find_tails(const calibration *c, double tail, size_t out, double *low, double *high)
{
    double total = (double)c->used - (out < c->groups), sum = 0;
    *low = *high = NAN;
    for (size_t i = 0; i < c->rows->n; i++) {
        size_t row = c->order[i];
        if (c->rows->group[row] == out)
            continue;
        double before = sum;
        sum += c->weight[c->rows->group[row]];
        if (isnan(*low) && sum > tail * total * (1 - 1e-9))
            *low = c->rows->error[row];
        if (before < (1 - tail) * total * (1 - 1e-9))
            *high = c->rows->error[row];
    }
}

static void find_interval(const calibration *c, size_t try, size_t out, double *low, double *high)
{
    bool wide = try >= TAIL_COUNT;
    find_tails(c, wide ? 0 : TAILS[try], out, low, high);
    double more = wide ? WIDER[try - TAIL_COUNT + 1] * (*high - *low) : 0;
    *low -= more;
    *high += more;
}

/* Mean over the groups of the share of their rows that the others' interval holds. */
static double cover(const calibration *c, size_t try)
{
    double covered = 0;
    for (size_t g = 0; g < c->groups; g++) {
        double low, high;
        if (!c->weight[g])
            continue;
        find_interval(c, try, g, &low, &high);
        for (size_t i = 0; i < c->rows->n; i++)
            if (c->rows->group[i] == g && c->rows->error[i] >= low - 1e-12 &&
                c->rows->error[i] <= high + 1e-12)
                covered += c->weight[g];
    }
    return covered / (double)c->used;
}

static bool calibrate(const calibration *c, double confidence, msw_error_interval *interval)
{
    double low, high;
    find_tails(c, 0.05, SIZE_MAX, &low, &high);
    interval->need = high - low;
    interval->groups = c->used;
    for (size_t try = 0; try < TAIL_COUNT + WIDER_COUNT - 1; try++) {
        interval->covered = cover(c, try);
        if (interval->covered < confidence)
            continue;
        find_interval(c, try, SIZE_MAX, &interval->low, &interval->high);
        return interval->low < INFINITY && isfinite(interval->high);
    }
    return false;
}

bool msw_error_calibrate(const msw_errors_of *rows, double confidence, size_t groups,
                         msw_error_interval *interval)
{
    calibration c = {.rows = rows};
    for (size_t i = 0; i < rows->n; i++)
        if (rows->group[i] >= c.groups)
            c.groups = rows->group[i] + 1;
    size_t *order = malloc((rows->n + 1) * sizeof *order);
    double *weight = calloc(c.groups + 1, sizeof *weight);
    bool found = false;
    if (order && weight && rows->n) {
        msw_order_f64(rows->error, rows->n, order);
        for (size_t i = 0; i < rows->n; i++)
            weight[rows->group[i]]++;
        for (size_t g = 0; g < c.groups; g++) {
            c.used += weight[g] > 0;
            weight[g] = weight[g] > 0 ? 1 / weight[g] : 0;
        }
        c.order = order;
        c.weight = weight;
        found = c.used >= groups && calibrate(&c, confidence, interval);
    }
    free(order);
    free(weight);
    return found;
}
