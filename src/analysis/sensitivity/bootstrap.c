#include "analysis/sensitivity/bootstrap.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Resamples side by side, as many as a strip is wide. */
enum { LANES = TILE };

int bootstrap_check(const msw_resampling *how, msw_err *err)
{
    if (how->resamples == 0)
        return 0;
    if (!(how->confidence > 0 && how->confidence < 1))
        return msw_fail(err, "confidence is %g; it must lie between 0 and 1", how->confidence);
    return 0;
}

void tiles_means(const tiles *table, double *mean)
{
    for (unsigned c = 0; c < table->columns; c++) {
        double sum = 0;
        for (size_t i = 0; i < table->rows; i++)
            sum += *tiles_at(table, i, c);
        mean[c] = sum / (double)table->rows;
    }
}

/* Draws one resample into every fourth weight. */
static void draw(const msw_resampling *how, size_t resample, size_t units, double *weight)
{
    if (how->drawn) {
        for (size_t i = 0; i < units; i++)
            weight[LANES * how->drawn[resample * units + i]] += 1;
        return;
    }
    msw_rng rng;
    msw_rng_init(&rng, how->seed, resample);
    for (size_t i = 0; i < units; i++)
        weight[LANES * msw_rng_below(&rng, units)] += 1;
}

/* Counts one resample. A 32-bit fraction of a number below 2^16 is biased by less than 2^-16, far
 * below the noise of any number of resamples that can be computed. */
static void count_few(const msw_resampling *how, size_t resample, size_t units, uint16_t *count)
{
    msw_rng rng;
    msw_rng_init(&rng, how->seed, resample);
    memset(count, 0, units * sizeof *count);
    for (size_t i = 0; i < units; rng.counter[0]++) {
        uint32_t block[4];
        msw_philox(rng.counter, rng.key, block);
        for (int word = 0; word < 4 && i < units; word++, i++)
            count[(uint64_t)block[word] * units >> 32]++;
    }
}

/* Draws resamples side by side. Few units are counted first, in words that stay in the nearest
 * cache, where weights do not. */
static void draw_all(const msw_resampling *how, size_t first, size_t lanes, size_t units,
                     double *weight, uint16_t *counts)
{
    if (how->drawn || units > 1 << 16) {
        memset(weight, 0, units * LANES * sizeof *weight);
        for (size_t lane = 0; lane < lanes; lane++)
            draw(how, first + lane, units, weight + lane);
        return;
    }
    for (size_t lane = 0; lane < lanes; lane++)
        count_few(how, first + lane, units, counts + lane * units);
    for (size_t i = 0; i < units; i++)
        for (size_t lane = 0; lane < LANES; lane++)
            weight[LANES * i + lane] = counts[lane * units + i];
}

static void add_all(const tiles *table, const double *weight, double (*sum)[TILE][LANES])
{
    memset(sum, 0, table->strips * sizeof *sum);
    for (size_t start = 0; start < table->rows; start += TILE_ROWS) {
        size_t rows = table->rows - start < TILE_ROWS ? table->rows - start : TILE_ROWS;
        for (unsigned t = 0; t < table->strips; t++)
            tiles_product(table->data + (t * table->rows + start) * TILE, weight + LANES * start,
                          rows, sum[t]);
    }
}

int bootstrap_means(const tiles *table, const msw_resampling *how, double *mean, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    double *weight = msw_arena_take(arena, table->rows * LANES * sizeof *weight);
    double(*sum)[TILE][LANES] = msw_arena_take(arena, table->strips * sizeof *sum);
    uint16_t *counts = msw_arena_zero(arena, table->rows * LANES, sizeof *counts);
    if (!weight || !sum || !counts)
        return -1;
    for (size_t first = 0; first < how->resamples; first += LANES) {
        size_t lanes = how->resamples - first < LANES ? how->resamples - first : LANES;
        draw_all(how, first, lanes, table->rows, weight, counts);
        add_all(table, weight, sum);
        for (size_t lane = 0; lane < lanes; lane++)
            for (unsigned c = 0; c < table->columns; c++)
                mean[(first + lane) * table->columns + c] =
                    sum[c / TILE][c % TILE][lane] / (double)table->rows;
    }
    msw_arena_release(arena, mark);
    return 0;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

void bootstrap_interval(double *values, const msw_resampling *how, msw_estimate *estimate)
{
    size_t n = 0;
    for (size_t r = 0; r < how->resamples; r++)
        if (!isnan(values[r]))
            values[n++] = values[r];
    estimate->low = estimate->high = estimate->half = NAN;
    if (n < 2)
        return;
    double tail = (1 - how->confidence) / 2;
    qsort(values, n, sizeof *values, compare);
    estimate->low = gsl_stats_quantile_from_sorted_data(values, 1, n, tail);
    estimate->high = gsl_stats_quantile_from_sorted_data(values, 1, n, 1 - tail);
    estimate->half = msw_math_normal_quantile(1 - tail) * gsl_stats_sd(values, 1, n);
}
