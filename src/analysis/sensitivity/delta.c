/* SPDX-License-Identifier: MIT */
/* Finds how far the distribution of an output moves where the class of a factor is known.
 *
 * Half the area between two densities is how much more of one than of the other lies where it is
 * the greater. Smoothed densities say where that is (counts in cells, a normal kernel of
 * Silverman's width); how much lies there is counted, so that smoothing blurs the border and not
 * the amount. */
#include "analysis/sensitivity/sobol.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = MSW_GIVEN_CELLS, MARGIN = 3 };

int delta_take(uint32_t classes, delta_table *t)
{
    size_t k = classes + 1u;
    *t = (delta_table){.classes = classes,
                       .count = malloc(k * CELLS * sizeof *t->count),
                       .drawn = malloc(k * CELLS * sizeof *t->drawn),
                       .rows = malloc(3 * k * sizeof *t->rows),
                       .smooth = malloc(3 * CELLS * sizeof *t->smooth)};
    if (!t->count || !t->drawn || !t->rows || !t->smooth)
        return -1;
    t->sum = t->rows + k;
    t->squares = t->rows + 2 * k;
    t->kernel = t->smooth + 2 * CELLS;
    return 0;
}

void delta_free(delta_table *t)
{
    free(t->count);
    free(t->drawn);
    free(t->rows);
    free(t->smooth);
}

void delta_count(delta_table *t, const uint32_t *of, const uint16_t *cell, size_t n)
{
    memset(t->count, 0, (size_t)t->classes * CELLS * sizeof *t->count);
    for (size_t i = 0; i < n; i++)
        t->count[of[i] * (size_t)CELLS + cell[i]]++;
}

/* ---- resamples ---- */

/* A resample of independent rows draws each row a number of times that is nearly Poisson with mean
 * 1; the rows of a cell are alike, so their number is drawn at once. Numbers from FEW on are normal
 * with the third moment put right. */
enum { FEW = 16, QUANTILES = 4096 };

typedef struct draws {
    msw_rng rng;
    double none[FEW]; /* chance of no row where this many are expected */
    double normal[QUANTILES];
} draws;

static void prepare_draws(draws *d)
{
    for (int m = 0; m < FEW; m++)
        d->none[m] = msw_math_exp(-m);
    for (int q = 0; q < QUANTILES; q++)
        d->normal[q] = msw_math_normal_quantile((q + 0.5) / QUANTILES);
}

static double draw_few(draws *d, uint32_t expected)
{
    double left = (msw_rng_u32(&d->rng) + 0.5) * 0x1p-32, chance = d->none[expected];
    uint32_t drawn = 0;
    while (left > chance && drawn < 8 * FEW) {
        left -= chance;
        chance *= (double)expected / ++drawn;
    }
    return drawn;
}

static double draw_count(draws *d, uint32_t expected)
{
    if (expected < FEW)
        return draw_few(d, expected);
    double z = d->normal[msw_rng_u32(&d->rng) / (UINT32_MAX / QUANTILES + 1)];
    double drawn = floor(expected + z * sqrt(expected) + (z * z - 1) / 6 + 0.5);
    return fmax(drawn, 0);
}

/* Adds what is drawn of a cell to the class and to all. */
static void add_drawn(delta_table *t, uint32_t class, uint32_t cell, double drawn)
{
    double at = cell + 0.5;
    const uint32_t to[] = {class, t->classes};
    for (int i = 0; i < 2; i++) {
        t->drawn[to[i] * (size_t)CELLS + cell] += drawn;
        t->rows[to[i]] += drawn;
        t->sum[to[i]] += drawn * at;
        t->squares[to[i]] += drawn * at * at;
    }
}

/* Draws a resample; without `d`, takes all rows once. */
static void draw(delta_table *t, draws *d)
{
    memset(t->drawn, 0, (t->classes + 1u) * CELLS * sizeof *t->drawn);
    memset(t->rows, 0, 3 * (t->classes + 1u) * sizeof *t->rows);
    for (uint32_t c = 0; c < t->classes; c++)
        for (uint32_t cell = 0; cell < CELLS; cell++) {
            uint32_t count = t->count[c * (size_t)CELLS + cell];
            if (count)
                add_drawn(t, c, cell, d ? draw_count(d, count) : count);
        }
}

/* ---- delta ---- */

/* Smooths the counts of one class to a density over cells. */
static void smooth(delta_table *t, uint32_t which, double *out)
{
    double n = t->rows[which], mean = t->sum[which] / n;
    double deviation = sqrt(fmax(t->squares[which] / n - mean * mean, 0));
    double width = fmax(0.3 * deviation * msw_math_pow(n, -0.2), 0.5), total = 0;
    int reach = (int)fmin(ceil(MARGIN * width), CELLS - 1);
    for (int k = 0; k <= reach; k++) {
        t->kernel[k] = msw_math_exp(-0.5 * k * k / (width * width));
        total += (k ? 2 : 1) * t->kernel[k];
    }
    memset(out, 0, CELLS * sizeof *out);
    for (int cell = 0; cell < CELLS; cell++) {
        double weight = t->drawn[which * (size_t)CELLS + (size_t)cell] / (n * total);
        if (weight == 0)
            continue;
        for (int k = -reach; k <= reach; k++)
            if (cell + k >= 0 && cell + k < CELLS)
                out[cell + k] += weight * t->kernel[k < 0 ? -k : k];
    }
}

static double delta_of(delta_table *t)
{
    const double *all = t->drawn + t->classes * (size_t)CELLS;
    double delta = 0, n = t->rows[t->classes];
    if (!(n > 0))
        return 0;
    smooth(t, t->classes, t->smooth);
    for (uint32_t c = 0; c < t->classes; c++) {
        const double *own = t->drawn + c * (size_t)CELLS;
        double gap = 0;
        if (t->rows[c] < 2)
            continue;
        smooth(t, c, t->smooth + CELLS);
        for (int cell = 0; cell < CELLS; cell++)
            if (t->smooth[CELLS + cell] > t->smooth[cell])
                gap += own[cell] / t->rows[c] - all[cell] / n;
        delta += gap * t->rows[c] / n;
    }
    return delta;
}

/* Resampling repeats the bias, which is taken off once (Plischke, Borgonovo and Smith 2013). */
void delta_find(delta_table *t, const msw_resampling *how, double *delta, double *spread)
{
    draws d;
    double mean = 0, squares = 0;
    draw(t, NULL);
    double plain = delta_of(t);
    *delta = plain;
    *spread = NAN;
    if (how->resamples < 2)
        return;
    prepare_draws(&d);
    for (size_t r = 0; r < how->resamples; r++) {
        msw_rng_init(&d.rng, how->seed, r);
        draw(t, &d);
        double value = delta_of(t), gap = value - mean;
        mean += gap / (double)(r + 1);
        squares += gap * (value - mean);
    }
    *delta = fmax(2 * plain - mean, 0);
    *spread = sqrt(squares / (double)(how->resamples - 1));
}
