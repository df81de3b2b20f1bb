/* SPDX-License-Identifier: MIT */
/* Cuts a factor into classes and measures how outputs differ between them. */
#include "memsweep/analysis/given.h"

#include "analysis/sensitivity/sobol.h"

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

/* ---- outputs in order ---- */

void msw_given_outputs_free(msw_given_outputs *o)
{
    free(o->y);
    free(o->row);
    free(o->cell);
    *o = (msw_given_outputs){0};
}

/* Cells have a margin of a tenth on both sides, as smoothing spreads beyond the outermost values.
 */
static void find_cells(msw_given_outputs *o)
{
    double low = o->n ? o->y[0] : 0, high = o->n ? o->y[o->n - 1] : 0;
    double margin = (high - low) / 10;
    double step = high > low ? (high - low + 2 * margin) / MSW_GIVEN_CELLS : 1;
    for (size_t i = 0; i < o->n; i++) {
        double at = (o->y[i] - (low - margin)) / step;
        o->cell[i] = at >= MSW_GIVEN_CELLS - 1 ? MSW_GIVEN_CELLS - 1 : (uint16_t)at;
    }
}

int msw_given_sort(const double *y, size_t n, msw_given_outputs *o, msw_err *err)
{
    size_t *order = malloc((n + 1) * sizeof *order);
    *o = (msw_given_outputs){.n = n,
                             .y = malloc((n + 1) * sizeof *o->y),
                             .row = malloc((n + 1) * sizeof *o->row),
                             .cell = malloc((n + 1) * sizeof *o->cell)};
    if (!order || !o->y || !o->row || !o->cell) {
        free(order);
        msw_given_outputs_free(o);
        return msw_fail_memory(err);
    }
    msw_order_f64(y, n, order);
    for (size_t i = 0; i < n; i++) {
        o->row[i] = (uint32_t)order[i];
        o->y[i] = y[order[i]];
    }
    free(order);
    find_cells(o);
    return 0;
}

/* ---- one dealing of the rows to classes ---- */

/* Rows in the order of their outputs; `of` is the class of each. All lists are per class. */
typedef struct dealing {
    const msw_given_outputs *outputs;
    uint32_t classes, *of;
    double *sum, *count, *seen, *distance;
    delta_table delta;
} dealing;

static int take_dealing(const msw_given_outputs *outputs, const msw_given_classes *classes,
                        dealing *d, msw_err *err)
{
    size_t k = classes->count + 1u;
    *d = (dealing){.outputs = outputs,
                   .classes = classes->count,
                   .of = malloc((outputs->n + 1) * sizeof *d->of),
                   .sum = malloc(4 * k * sizeof *d->sum)};
    if (!d->of || !d->sum || delta_take(classes->count, &d->delta))
        return msw_fail_memory(err);
    d->count = d->sum + k;
    d->seen = d->count + k;
    d->distance = d->seen + k;
    for (size_t i = 0; i < outputs->n; i++)
        d->of[i] = classes->of[outputs->row[i]];
    return 0;
}

static void free_dealing(dealing *d)
{
    free(d->of);
    free(d->sum);
    delta_free(&d->delta);
}

static void count_rows(dealing *d)
{
    memset(d->count, 0, d->classes * sizeof *d->count);
    for (size_t i = 0; i < d->outputs->n; i++)
        d->count[d->of[i]] += 1;
}

/* One-way analysis of variance; the noise of the means is taken off (Kelley's epsilon squared). */
static double first_order(dealing *d)
{
    const msw_given_outputs *o = d->outputs;
    double mean = gsl_stats_mean(o->y, 1, o->n), all = 0, between = 0;
    uint32_t used = 0;
    memset(d->sum, 0, d->classes * sizeof *d->sum);
    for (size_t i = 0; i < o->n; i++) {
        d->sum[d->of[i]] += o->y[i] - mean;
        all += (o->y[i] - mean) * (o->y[i] - mean);
    }
    for (uint32_t c = 0; c < d->classes; c++)
        if (d->count[c] > 0) {
            between += d->sum[c] * d->sum[c] / d->count[c];
            used++;
        }
    if (!(all > 0) || o->n <= used)
        return NAN;
    return (between - (used - 1) * (all - between) / (double)(o->n - used)) / all;
}

static void note_gap(dealing *d, uint32_t c, double part)
{
    double gap = fabs(d->seen[c] / d->count[c] - part);
    d->distance[c] = gap > d->distance[c] ? gap : d->distance[c];
}

/* Largest distance between the distribution of a class and that of all rows, class by class, looked
 * at where the output changes. Between two rows of a class only the other distribution grows, so
 * that the ends of that stretch are enough. */
static void kolmogorov(dealing *d)
{
    const msw_given_outputs *o = d->outputs;
    double n = (double)o->n;
    memset(d->seen, 0, d->classes * sizeof *d->seen);
    memset(d->distance, 0, d->classes * sizeof *d->distance);
    for (size_t begin = 0, end; begin < o->n; begin = end) {
        for (end = begin; end < o->n && o->y[end] == o->y[begin]; end++)
            note_gap(d, d->of[end], (double)begin / n);
        for (size_t i = begin; i < end; i++)
            d->seen[d->of[i]] += 1;
        for (size_t i = begin; i < end; i++)
            note_gap(d, d->of[i], (double)end / n);
    }
}

static void set_pawn(dealing *d, msw_given_index *index)
{
    size_t n = 0;
    for (uint32_t c = 0; c < d->classes; c++)
        if (d->count[c] > 0)
            d->distance[n++] = d->distance[c];
    msw_sort_f64(d->distance, n);
    index->pawn = n ? gsl_stats_median_from_sorted_data(d->distance, 1, n) : NAN;
    index->pawn_max = n ? d->distance[n - 1] : NAN;
}

static void measure_dealing(dealing *d, const msw_resampling *how, msw_given_index *index)
{
    count_rows(d);
    *index = (msw_given_index){.classes = d->classes, .first = first_order(d)};
    kolmogorov(d);
    set_pawn(d, index);
    delta_count(&d->delta, d->of, d->outputs->cell, d->outputs->n);
    delta_find(&d->delta, how, &index->delta, &index->delta_spread);
}

int msw_given_measure(const msw_given_outputs *outputs, const msw_given_classes *classes,
                      const msw_resampling *how, msw_given_index *index, msw_err *err)
{
    dealing d;
    int rc = take_dealing(outputs, classes, &d, err);
    if (rc == 0)
        measure_dealing(&d, how, index);
    free_dealing(&d);
    return rc;
}

/* ---- chance ---- */

/* Dealings of so many rows cost as much as is worth it for a better known level. */
enum { MANY_ROWS = 20000, CHANCE_RESAMPLES = 20, DEALINGS_MOST = 999 };

size_t msw_given_dealings(size_t n, double confidence)
{
    double once = 1 / (1 - confidence);
    double dealings = ceil(once * (n > MANY_ROWS ? 1 : 5) - 1e-9) - 1;
    return dealings < DEALINGS_MOST ? (size_t)dealings : DEALINGS_MOST;
}

static void shuffle(msw_rng *rng, uint32_t *of, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)((uint64_t)msw_rng_u32(rng) * i >> 32);
        uint32_t swapped = of[i - 1];
        of[i - 1] = of[j];
        of[j] = swapped;
    }
}

/* The value that a share 1 - confidence of the dealings and the factor itself lie at or above. */
static double level_of(double *values, size_t n, double confidence)
{
    size_t above = (size_t)floor((1 - confidence) * (double)(n + 1) + 1e-9);
    msw_sort_f64(values, n);
    return values[n - (above ? above : 1)];
}

static void deal(dealing *d, const msw_resampling *how, size_t dealings, double *value,
                 msw_given_index *index)
{
    msw_resampling few = *how;
    few.resamples = how->resamples < CHANCE_RESAMPLES ? how->resamples : CHANCE_RESAMPLES;
    for (size_t i = 0; i < dealings; i++) {
        msw_rng rng;
        msw_rng_init(&rng, how->seed, UINT32_MAX + (uint64_t)i);
        shuffle(&rng, d->of, d->outputs->n);
        measure_dealing(d, &few, index);
        value[i] = index->first;
        value[dealings + i] = index->pawn;
        value[2 * dealings + i] = index->pawn_max;
        value[3 * dealings + i] = index->delta;
    }
}

int msw_given_chance(const msw_given_outputs *outputs, const msw_given_classes *classes,
                     const msw_resampling *how, msw_given_index *index, msw_err *err)
{
    dealing d;
    size_t dealings = msw_given_dealings(outputs->n, how->confidence);
    double *value = malloc((4 * dealings + 1) * sizeof *value);
    int rc = -1;
    if (take_dealing(outputs, classes, &d, err))
        goto done;
    if (!value) {
        msw_fail_memory(err);
        goto done;
    }
    deal(&d, how, dealings, value, index);
    index->first = level_of(value, dealings, how->confidence);
    index->pawn = level_of(value + dealings, dealings, how->confidence);
    index->pawn_max = level_of(value + 2 * dealings, dealings, how->confidence);
    index->delta = level_of(value + 3 * dealings, dealings, how->confidence);
    rc = 0;
done:
    free(value);
    free_dealing(&d);
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
