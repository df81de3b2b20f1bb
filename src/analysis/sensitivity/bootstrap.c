/* SPDX-License-Identifier: MIT */
/* Finds errors of estimates, by resampling units or by leaving out one scramble after another. */
#include "analysis/sensitivity/sobol.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"
#include "memsweep/run/tasks.h"

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

/* How often each unit was drawn in resamples side by side. */
typedef struct counts {
    size_t units, lanes;
    uint16_t *drawn;  /* per lane: units */
    double *numbered; /* units x LANES, where the caller says what was drawn; else NULL */
} counts;

/* The units that the caller drew may be one unit only, more often than 16 bits hold. */
static void count_numbered(const msw_resampling *how, size_t first, counts *to)
{
    memset(to->numbered, 0, to->units * LANES * sizeof *to->numbered);
    for (size_t lane = 0; lane < to->lanes; lane++)
        for (size_t i = 0; i < to->units; i++)
            to->numbered[LANES * how->drawn[(first + lane) * to->units + i] + lane] += 1;
}

/* Units up to which the chance of one, from 32 bits, is off by less than 2^-8 of itself. Such
 * errors are independent of the outputs: they move a mean by less than that part of its standard
 * error. */
static const size_t FEW = (size_t)1 << 24;

/* Counts one resample. */
static void count_few(msw_rng *rng, size_t units, uint16_t *drawn)
{
    for (size_t i = 0; i < units; rng->counter[0]++) {
        uint32_t block[4];
        msw_philox(rng->counter, rng->key, block);
        for (int word = 0; word < 4 && i < units; word++, i++)
            drawn[(uint64_t)block[word] * units >> 32]++;
    }
}

static void count_many(msw_rng *rng, size_t units, uint16_t *drawn)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % units;
    for (size_t i = 0; i < units; i++) {
        uint64_t word = msw_rng_u64(rng);
        while (word >= limit)
            word = msw_rng_u64(rng);
        drawn[word % units]++;
    }
}

/* Counts, in 16 bits, stay in a near cache where weights would not: of 2^18 units half a megabyte
 * instead of eight. */
static void count_all(const msw_resampling *how, size_t first, counts *to)
{
    if (to->numbered) {
        count_numbered(how, first, to);
        return;
    }
    memset(to->drawn, 0, to->lanes * to->units * sizeof *to->drawn);
    for (size_t lane = 0; lane < to->lanes; lane++) {
        msw_rng rng;
        msw_rng_init(&rng, how->seed, first + lane);
        (to->units > FEW ? count_many : count_few)(&rng, to->units, to->drawn + lane * to->units);
    }
}

static void fill_weights(const counts *from, size_t start, size_t rows, double *weight)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t lane = 0; lane < LANES; lane++)
            weight[LANES * i + lane] =
                lane < from->lanes ? from->drawn[lane * from->units + start + i] : 0;
}

static void add_all(const tiles *table, const counts *from, double (*sum)[TILE][LANES])
{
    double own[LANES * TILE_ROWS];
    memset(sum, 0, table->strips * sizeof *sum);
    for (size_t start = 0; start < table->rows; start += TILE_ROWS) {
        size_t rows = table->rows - start < TILE_ROWS ? table->rows - start : TILE_ROWS;
        const double *weight = from->numbered ? from->numbered + LANES * start : own;
        if (!from->numbered)
            fill_weights(from, start, rows, own);
        for (unsigned t = 0; t < table->strips; t++)
            tiles_product(table->data + (t * table->rows + start) * TILE, weight, rows, sum[t]);
    }
}

static int take_counts(const msw_resampling *how, size_t units, counts *to, msw_arena *arena)
{
    *to = (counts){.units = units};
    if (how->drawn)
        to->numbered = msw_arena_take(arena, units * LANES * sizeof *to->numbered);
    else
        to->drawn = msw_arena_take(arena, units * LANES * sizeof *to->drawn);
    return to->numbered || to->drawn ? 0 : -1;
}

/* Resamples in one task: enough that its counts are taken from memory once. */
enum { SHARE = 16 * LANES };

typedef struct resampling {
    const tiles *table;
    const msw_resampling *how;
    double *mean;
    int *failed; /* of each task */
} resampling;

static int mean_share(const resampling *r, size_t begin, size_t end, msw_arena *arena)
{
    const tiles *table = r->table;
    counts count;
    double(*sum)[TILE][LANES] = msw_arena_take(arena, table->strips * sizeof *sum);
    if (!sum || take_counts(r->how, table->rows, &count, arena))
        return -1;
    for (size_t first = begin; first < end; first += LANES) {
        count.lanes = end - first < LANES ? end - first : LANES;
        count_all(r->how, first, &count);
        add_all(table, &count, sum);
        for (size_t lane = 0; lane < count.lanes; lane++)
            for (unsigned c = 0; c < table->columns; c++)
                r->mean[(first + lane) * table->columns + c] =
                    sum[c / TILE][c % TILE][lane] / (double)table->rows;
    }
    return 0;
}

static void run_share(void *context, size_t number)
{
    const resampling *r = context;
    size_t begin = number * SHARE, all = r->how->resamples;
    msw_arena arena = {0};
    r->failed[number] = mean_share(r, begin, begin + SHARE < all ? begin + SHARE : all, &arena);
    msw_arena_free(&arena);
}

int bootstrap_means(const tiles *table, const msw_resampling *how, double *mean, msw_arena *arena)
{
    size_t shares = msw_div_up(how->resamples, SHARE);
    msw_arena_mark mark = msw_arena_now(arena);
    resampling r = {table, how, mean, msw_arena_zero(arena, shares + 1, sizeof *r.failed)};
    int rc = -1;
    if (!r.failed)
        goto done;
    msw_tasks_if(table->rows >= 256, shares, run_share, &r);
    for (size_t s = 0; s < shares; s++)
        if (r.failed[s])
            goto done;
    rc = 0;
done:
    msw_arena_release(arena, mark);
    return rc;
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
    msw_sort_f64(values, n);
    estimate->low = gsl_stats_quantile_from_sorted_data(values, 1, n, tail);
    estimate->high = gsl_stats_quantile_from_sorted_data(values, 1, n, 1 - tail);
    estimate->half = msw_math_normal_quantile(1 - tail) * gsl_stats_sd(values, 1, n);
}

/* ---- scrambles ---- */

void scrambles_sums(const tiles *table, const uint32_t *scramble, double *sum, double *units)
{
    for (size_t i = 0; i < table->rows; i++) {
        double *own = sum + scramble[i] * table->columns;
        units[scramble[i]] += 1;
        for (unsigned c = 0; c < table->columns; c++)
            own[c] += *tiles_at(table, i, c);
    }
}

void scrambles_interval(const double *values, size_t scrambles, double confidence, msw_estimate *to)
{
    double mean = 0, squares = 0, n = (double)scrambles;
    for (size_t s = 0; s < scrambles; s++)
        mean += values[s] / n;
    for (size_t s = 0; s < scrambles; s++)
        squares += (values[s] - mean) * (values[s] - mean);
    double error = sqrt((n - 1) / n * squares);
    to->half = msw_math_student_quantile(0.5 + confidence / 2, n - 1) * error;
    to->low = to->value - to->half;
    to->high = to->value + to->half;
}
