/* SPDX-License-Identifier: MIT */
/* Cuts a factor into classes and measures how outputs differ between them. */
#include "memsweep/analysis/given.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

uint32_t msw_given_classes_most(size_t n)
{
    uint32_t most = 1;
    while ((size_t)(most + 1) * (most + 1) * (most + 1) <= n)
        most++;
    return most < 4 ? 4 : most > 48 ? 48 : most;
}

/* Ends of the classes in the sorted values: the first value of each. Returns how many. */
static uint32_t find_starts(const double *sorted, size_t n, uint32_t most, double *start)
{
    size_t distinct = 0;
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || sorted[i] != sorted[i - 1]) && distinct++ < most)
            start[count++] = sorted[i];
    if (distinct <= most)
        return count;
    count = 0;
    for (uint32_t c = 0; c < most; c++) {
        double value = sorted[(size_t)((double)n * c / most)];
        if (!count || start[count - 1] != value)
            start[count++] = value;
    }
    return count;
}

int msw_given_cut(const double *x, size_t n, uint32_t most, msw_given_classes *classes,
                  msw_err *err)
{
    double *sorted = malloc((n + 1) * sizeof *sorted), *start = malloc((most + 1) * sizeof *start);
    if (!sorted || !start) {
        free(sorted);
        free(start);
        return msw_fail_memory(err);
    }
    memcpy(sorted, x, n * sizeof *sorted);
    msw_sort_f64(sorted, n);
    classes->count = find_starts(sorted, n, most, start);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = 0;
        while (c + 1 < classes->count && x[i] >= start[c + 1])
            c++;
        classes->of[i] = c;
    }
    free(sorted);
    free(start);
    return 0;
}

/* ---- class means ---- */

/* One-way analysis of variance; the noise of the means is taken off (Kelley's epsilon squared). */
static double first_order(const msw_given_classes *classes, const double *y, size_t n, double *sum,
                          double *count)
{
    double mean = gsl_stats_mean(y, 1, n), all = 0, between = 0;
    uint32_t used = 0;
    memset(sum, 0, classes->count * sizeof *sum);
    memset(count, 0, classes->count * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        sum[classes->of[i]] += y[i] - mean;
        count[classes->of[i]] += 1;
        all += (y[i] - mean) * (y[i] - mean);
    }
    for (uint32_t c = 0; c < classes->count; c++)
        if (count[c] > 0) {
            between += sum[c] * sum[c] / count[c];
            used++;
        }
    if (!(all > 0) || n <= used)
        return NAN;
    return (between - (used - 1) * (all - between) / (double)(n - used)) / all;
}

/* ---- distances of distributions ---- */

typedef struct ranked {
    double y;
    size_t row;
} ranked;

static int by_y(const void *a, const void *b)
{
    const ranked *x = a, *z = b;
    if (x->y != z->y)
        return x->y < z->y ? -1 : 1;
    return (x->row > z->row) - (x->row < z->row);
}

/* Largest distance between the distribution of a class and that of all rows, class by class: one
 * pass over the sorted outputs, looked at where the output changes. */
static void kolmogorov(const msw_given_classes *classes, const ranked *order, size_t n,
                       const double *count, double *seen, double *distance)
{
    memset(seen, 0, classes->count * sizeof *seen);
    memset(distance, 0, classes->count * sizeof *distance);
    for (size_t i = 0; i < n; i++) {
        seen[classes->of[order[i].row]] += 1;
        if (i + 1 < n && order[i + 1].y == order[i].y)
            continue;
        for (uint32_t c = 0; c < classes->count; c++) {
            double gap = fabs(seen[c] / count[c] - (double)(i + 1) / (double)n);
            distance[c] = gap > distance[c] ? gap : distance[c];
        }
    }
}

static void set_pawn(const msw_given_classes *classes, double *distance, const double *count,
                     msw_given_index *index)
{
    size_t n = 0;
    for (uint32_t c = 0; c < classes->count; c++)
        if (count[c] > 0)
            distance[n++] = distance[c];
    msw_sort_f64(distance, n);
    index->pawn = n ? gsl_stats_median_from_sorted_data(distance, 1, n) : NAN;
    index->pawn_max = n ? distance[n - 1] : NAN;
}

/* ---- delta ---- */

/* Half the area between two densities is how much more of one than of the other lies where it is
 * the greater. Smoothed densities say where that is (counts in cells, a normal kernel of
 * Silverman's width); how much lies there is counted, so that smoothing blurs the border and not
 * the amount. */
enum { CELLS = 256, MARGIN = 3 };

typedef struct densities {
    double low, step;
    double *count;                /* per class and all: CELLS */
    double *smooth;               /* two of CELLS */
    double *rows, *sum, *squares; /* per class and all */
    double kernel[CELLS];
} densities;

static void count_cells(const msw_given_classes *classes, const double *y, const uint32_t *drawn,
                        size_t n, densities *d)
{
    size_t k = classes->count + 1u;
    memset(d->count, 0, k * CELLS * sizeof *d->count);
    memset(d->rows, 0, k * sizeof *d->rows);
    memset(d->sum, 0, k * sizeof *d->sum);
    memset(d->squares, 0, k * sizeof *d->squares);
    for (size_t i = 0; i < n; i++) {
        size_t row = drawn ? drawn[i] : i;
        double at = (y[row] - d->low) / d->step;
        size_t cell = at >= CELLS - 1 ? CELLS - 1 : (size_t)at;
        const uint32_t to[] = {classes->of[row], classes->count};
        for (int t = 0; t < 2; t++) {
            d->count[to[t] * (size_t)CELLS + cell] += 1;
            d->rows[to[t]] += 1;
            d->sum[to[t]] += at;
            d->squares[to[t]] += at * at;
        }
    }
}

/* Smooths the counts of one class to a density over cells. */
static void smooth(densities *d, uint32_t which, double *out)
{
    double n = d->rows[which], mean = d->sum[which] / n;
    double deviation = sqrt(fmax(d->squares[which] / n - mean * mean, 0));
    double width = fmax(0.3 * deviation * msw_math_pow(n, -0.2), 0.5), total = 0;
    int reach = (int)fmin(ceil(MARGIN * width), CELLS - 1);
    for (int k = 0; k <= reach; k++) {
        d->kernel[k] = msw_math_exp(-0.5 * k * k / (width * width));
        total += (k ? 2 : 1) * d->kernel[k];
    }
    memset(out, 0, CELLS * sizeof *out);
    for (int cell = 0; cell < CELLS; cell++) {
        double weight = d->count[which * (size_t)CELLS + (size_t)cell] / (n * total);
        if (weight == 0)
            continue;
        for (int k = -reach; k <= reach; k++)
            if (cell + k >= 0 && cell + k < CELLS)
                out[cell + k] += weight * d->kernel[k < 0 ? -k : k];
    }
}

static double delta_of(const msw_given_classes *classes, const double *y, const uint32_t *drawn,
                       size_t n, densities *d)
{
    const double *all = d->count + classes->count * (size_t)CELLS;
    double delta = 0;
    count_cells(classes, y, drawn, n, d);
    smooth(d, classes->count, d->smooth);
    for (uint32_t c = 0; c < classes->count; c++) {
        const double *own = d->count + c * (size_t)CELLS;
        double gap = 0;
        if (d->rows[c] < 2)
            continue;
        smooth(d, c, d->smooth + CELLS);
        for (int cell = 0; cell < CELLS; cell++)
            if (d->smooth[CELLS + cell] > d->smooth[cell])
                gap += own[cell] / d->rows[c] - all[cell] / (double)n;
        delta += gap * d->rows[c] / (double)n;
    }
    return delta;
}

/* A margin of a tenth on both sides, as smoothing spreads beyond the outermost values. */
static bool take_densities(const msw_given_classes *classes, const double *y, size_t n,
                           densities *d)
{
    size_t k = classes->count + 1u;
    double low, high;
    gsl_stats_minmax(&low, &high, y, 1, n);
    double margin = (high - low) / 10;
    *d = (densities){.low = low - margin,
                     .step = high > low ? (high - low + 2 * margin) / CELLS : 1,
                     .count = malloc(k * CELLS * sizeof(double)),
                     .smooth = malloc(2 * CELLS * sizeof(double)),
                     .rows = malloc(3 * k * sizeof(double))};
    d->sum = d->rows ? d->rows + k : NULL;
    d->squares = d->rows ? d->rows + 2 * k : NULL;
    return d->count && d->smooth && d->rows;
}

/* Resampling repeats the bias, which is taken off once (Plischke, Borgonovo and Smith 2013). */
static void set_delta(const msw_given_classes *classes, const double *y, size_t n,
                      const msw_resampling *how, densities *d, uint32_t *drawn,
                      msw_given_index *index)
{
    double plain = delta_of(classes, y, NULL, n, d), mean = 0, squares = 0;
    for (size_t r = 0; r < how->resamples; r++) {
        msw_rng rng;
        msw_rng_init(&rng, how->seed, r);
        for (size_t i = 0; i < n; i++)
            drawn[i] = (uint32_t)(msw_rng_u64(&rng) % n);
        double value = delta_of(classes, y, drawn, n, d), gap = value - mean;
        mean += gap / (double)(r + 1);
        squares += gap * (value - mean);
    }
    index->delta = plain;
    index->delta_spread = NAN;
    if (how->resamples < 2)
        return;
    index->delta = fmax(2 * plain - mean, 0);
    index->delta_spread = sqrt(squares / (double)(how->resamples - 1));
}

/* ---- one factor ---- */

static void measure_factor(const msw_given_classes *classes, const double *y, size_t n,
                           ranked *order, double *work, msw_given_index *index)
{
    double *sum = work, *count = sum + classes->count, *seen = count + classes->count;
    double *distance = seen + classes->count;
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){y[i], i};
    msw_sort(order, n, sizeof *order, by_y);
    index->first = first_order(classes, y, n, sum, count);
    kolmogorov(classes, order, n, count, seen, distance);
    set_pawn(classes, distance, count, index);
    index->classes = classes->count;
}

int msw_given_measure(const msw_given_classes *classes, const double *y, size_t n,
                      const msw_resampling *how, msw_given_index *index, msw_err *err)
{
    densities d = {0};
    ranked *order = malloc((n + 1) * sizeof *order);
    double *work = malloc(4 * (classes->count + 1u) * sizeof *work);
    uint32_t *drawn = malloc((n + 1) * sizeof *drawn);
    int rc = -1;
    if (!order || !work || !drawn || !take_densities(classes, y, n, &d)) {
        msw_fail_memory(err);
        goto done;
    }
    measure_factor(classes, y, n, order, work, index);
    set_delta(classes, y, n, how, &d, drawn, index);
    rc = 0;
done:
    free(order);
    free(work);
    free(drawn);
    free(d.count);
    free(d.smooth);
    free(d.rows);
    return rc;
}

int msw_correlate(const double *x, const double *y, size_t n, msw_correlation *out, msw_err *err)
{
    double *work = malloc((2 * n + 1) * sizeof *work);
    if (!work)
        return msw_fail_memory(err);
    out->pearson = gsl_stats_correlation(x, 1, y, 1, n);
    out->spearman = gsl_stats_spearman(x, 1, y, 1, n, work);
    free(work);
    return 0;
}
