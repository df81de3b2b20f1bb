#include "bootstrap.h"

#include "memsweep/rng.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Resamples side by side, and rows that stay in the first-level cache. */
enum { LANES = 4, ROWS = 256 };

int bootstrap_check(const msw_resampling *how, msw_err *err)
{
    if (how->resamples == 0)
        return 0;
    if (!(how->confidence > 0 && how->confidence < 1))
        return msw_fail(err, "confidence is %g; it must lie between 0 and 1", how->confidence);
    return 0;
}

int moments_init(moments *table, size_t units, unsigned columns, msw_arena *arena)
{
    unsigned tiles = (columns + BOOTSTRAP_TILE - 1) / BOOTSTRAP_TILE;
    *table = (moments){.units = units, .columns = columns, .tiles = tiles};
    table->tile = msw_arena_zero(arena, units * tiles * BOOTSTRAP_TILE, sizeof(double));
    return table->tile ? 0 : -1;
}

void moments_means(const moments *table, double *mean)
{
    for (unsigned c = 0; c < table->columns; c++) {
        double sum = 0;
        for (size_t i = 0; i < table->units; i++)
            sum += *moments_at(table, i, c);
        mean[c] = sum / (double)table->units;
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
    if (units > 1 << 16) {
        for (size_t i = 0; i < units; i++)
            weight[LANES * msw_rng_below(&rng, units)] += 1;
        return;
    }
    /* A 32-bit fraction of a number below 2^16 is biased by less than 2^-16, far below the noise of
     * any number of resamples that can be computed. */
    for (size_t i = 0; i < units; i++)
        weight[LANES * ((uint64_t)msw_rng_u32(&rng) * units >> 32)] += 1;
}

static void add_tile(const double *restrict tile, const double *restrict weight, size_t rows,
                     double sum[BOOTSTRAP_TILE][LANES])
{
    double own[BOOTSTRAP_TILE][LANES] = {{0}};
    for (size_t i = 0; i < rows; i++)
        for (int c = 0; c < BOOTSTRAP_TILE; c++)
            for (int lane = 0; lane < LANES; lane++)
                own[c][lane] += tile[BOOTSTRAP_TILE * i + c] * weight[LANES * i + lane];
    for (int c = 0; c < BOOTSTRAP_TILE; c++)
        for (int lane = 0; lane < LANES; lane++)
            sum[c][lane] += own[c][lane];
}

static void add_all(const moments *table, const double *weight,
                    double (*sum)[BOOTSTRAP_TILE][LANES])
{
    memset(sum, 0, table->tiles * sizeof *sum);
    for (size_t start = 0; start < table->units; start += ROWS) {
        size_t rows = table->units - start < ROWS ? table->units - start : ROWS;
        for (unsigned t = 0; t < table->tiles; t++)
            add_tile(table->tile + (t * table->units + start) * BOOTSTRAP_TILE,
                     weight + LANES * start, rows, sum[t]);
    }
}

int bootstrap_means(const moments *table, const msw_resampling *how, double *mean, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    double *weight = msw_arena_take(arena, table->units * LANES * sizeof *weight);
    double(*sum)[BOOTSTRAP_TILE][LANES] = msw_arena_take(arena, table->tiles * sizeof *sum);
    if (!weight || !sum)
        return -1;
    for (size_t first = 0; first < how->resamples; first += LANES) {
        size_t lanes = how->resamples - first < LANES ? how->resamples - first : LANES;
        memset(weight, 0, table->units * LANES * sizeof *weight);
        for (size_t lane = 0; lane < lanes; lane++)
            draw(how, first + lane, table->units, weight + lane);
        add_all(table, weight, sum);
        for (size_t lane = 0; lane < lanes; lane++)
            for (unsigned c = 0; c < table->columns; c++)
                mean[(first + lane) * table->columns + c] =
                    sum[c / BOOTSTRAP_TILE][c % BOOTSTRAP_TILE][lane] / (double)table->units;
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
    estimate->half = gsl_cdf_ugaussian_Pinv(1 - tail) * gsl_stats_sd(values, 1, n);
}
