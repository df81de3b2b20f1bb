/* SPDX-License-Identifier: MIT */
/* Waves of parameter sets, each drawn around the likely ones of those before:
 * docs/models/calibrate.md, section 3. */
#include "memsweep/explore/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 256, NEIGHBOURS = 16 };
#define FRESH       0.1  /* of a wave: drawn from the prior */
#define LEAST_REACH 0.01 /* of an unknown without levels */

/* ---- powers of the likelihood ---- */

static double effective_at(const msw_sets *sets, double power, double *weights)
{
    for (size_t k = 0; k < sets->count; k++)
        weights[k] = isfinite(sets->log[k]) ? power * sets->log[k] : -INFINITY;
    msw_weights_of(weights, sets->density, sets->count, weights);
    return msw_weights_effective(weights, sets->count);
}

double msw_tempered(const msw_sets *sets, double target, double *weights)
{
    enum { HALVINGS = 40 };
    double low = 0, high = 1;
    if (effective_at(sets, 1, weights) >= target)
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(effective_at(sets, middle, weights) < target ? &high : &low) = middle;
    }
    effective_at(sets, low, weights);
    return low;
}

/* ---- kernels ---- */

/* A triangle around `from`, reflected at 0 and 1. */
static double kernel(double at, double from, double reach)
{
    const double images[] = {at, -at, 2 - at};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += fmax(1 - fabs(images[i] - from) / reach, 0) / reach;
    return sum;
}

static double draw_near(double from, double reach, msw_rng *rng)
{
    double at = from + reach * (msw_rng_uniform(rng) + msw_rng_uniform(rng) - 1);
    at = at < 0 ? -at : at > 1 ? 2 - at : at;
    return fmin(at, 1 - 0x1p-53);
}

double msw_wave_density(const msw_wave *waves, size_t count, size_t unknowns,
                        const double *position)
{
    double sum = 0, drawn = 0;
    for (size_t k = 0; k < count; k++) {
        const msw_wave *w = &waves[k];
        double all = w->centres ? FRESH : 1;
        for (size_t j = 0; j < w->centres; j++) {
            double density = (1 - FRESH) * w->share[j];
            for (size_t u = 0; u < unknowns && density > 0; u++)
                density *=
                    kernel(position[u], w->centre[j * unknowns + u], w->reach[j * unknowns + u]);
            all += density;
        }
        sum += w->drawn * all;
        drawn += w->drawn;
    }
    return sum / drawn;
}

/* ---- a wave around what is likely ---- */

/* Systematic resampling (Kitagawa 1996): each set as often as its weight says, rounded. */
static void choose_centres(const msw_sets *sets, const double *weights, double key, msw_wave *wave)
{
    double below = 0;
    size_t before = 0;
    for (size_t k = 0; k < sets->count; k++) {
        below += weights[k];
        size_t upto = (size_t)fmax(floor(below * DRAWS - key + 1), 0);
        upto = upto < DRAWS ? upto : DRAWS;
        if (upto == before)
            continue;
        memcpy(&wave->centre[wave->centres * sets->unknowns], &sets->positions[k * sets->unknowns],
               sets->unknowns * sizeof *wave->centre);
        wave->share[wave->centres++] = (double)(upto - before) / DRAWS;
        before = upto;
    }
}

/* Squares of what two centres differ by, each unknown's over its variance. */
static double distance(const msw_wave *w, const double *scale, size_t unknowns, size_t a, size_t b)
{
    double sum = 0;
    for (size_t u = 0; u < unknowns; u++) {
        double by = w->centre[a * unknowns + u] - w->centre[b * unknowns + u];
        sum += scale[u] > 0 ? by * by / scale[u] : 0;
    }
    return sum;
}

/* How far draws go: a centre's root mean square distance from its nearest ones, the standard
 * deviation of a triangle of sqrt(6) times that. */
static void find_reach(const msw_sets *sets, const size_t *order, size_t at, msw_wave *wave)
{
    size_t d = sets->unknowns, count = wave->centres < NEIGHBOURS ? wave->centres : NEIGHBOURS;
    for (size_t u = 0; u < d; u++) {
        double squares = 0, least = sets->levels[u] ? 1 / (double)sets->levels[u] : LEAST_REACH;
        for (size_t i = 0; i < count; i++) {
            double by = wave->centre[order[i] * d + u] - wave->centre[at * d + u];
            squares += by * by;
        }
        wave->reach[at * d + u] = fmin(fmax(sqrt(6 * squares / (double)count), least), 1);
    }
}

static void find_scales(const msw_wave *wave, size_t unknowns, double *scale)
{
    for (size_t u = 0; u < unknowns; u++) {
        double mean = 0, squares = 0;
        for (size_t j = 0; j < wave->centres; j++)
            mean += wave->share[j] * wave->centre[j * unknowns + u];
        for (size_t j = 0; j < wave->centres; j++) {
            double by = wave->centre[j * unknowns + u] - mean;
            squares += wave->share[j] * by * by;
        }
        scale[u] = squares;
    }
}

int msw_wave_around(const msw_sets *sets, double target, double key, msw_wave *wave, msw_err *err)
{
    size_t d = sets->unknowns;
    double *weights = malloc((sets->count + 1) * sizeof *weights),
           *scale = calloc(d + 1, sizeof *scale);
    double distances[DRAWS];
    size_t order[DRAWS];
    *wave = (msw_wave){.centre = malloc(DRAWS * d * sizeof(double) + 1),
                       .reach = malloc(DRAWS * d * sizeof(double) + 1),
                       .share = malloc(DRAWS * sizeof(double))};
    int rc =
        weights && scale && wave->centre && wave->reach && wave->share ? 0 : msw_fail_memory(err);
    if (rc == 0) {
        msw_tempered(sets, target, weights);
        choose_centres(sets, weights, key, wave);
        find_scales(wave, d, scale);
    }
    for (size_t j = 0; rc == 0 && j < wave->centres; j++) {
        for (size_t i = 0; i < wave->centres; i++)
            distances[i] = distance(wave, scale, d, i, j);
        rc = msw_weights_order(distances, wave->centres, order, err);
        if (rc == 0)
            find_reach(sets, order, j, wave);
    }
    free(weights);
    free(scale);
    return rc;
}

void msw_wave_free(msw_wave *wave)
{
    free(wave->centre);
    free(wave->reach);
    free(wave->share);
    *wave = (msw_wave){0};
}

/* One of the centres, or behind them the prior, by their masses. */
static size_t pick(const double *mass, size_t centres, msw_rng *rng)
{
    double all = 0, below = 0;
    for (size_t j = 0; j <= centres; j++)
        all += mass[j];
    double at = msw_rng_uniform(rng) * all;
    for (size_t j = 0; j < centres; j++)
        if (at < (below += mass[j]))
            return j;
    return centres;
}

static void draw_from(const msw_wave *w, size_t unknowns, const bool *outer, bool which,
                      size_t from, msw_rng *rng, double *position)
{
    for (size_t u = 0; u < unknowns; u++)
        if (outer[u] == which)
            position[u] = from == w->centres ? msw_rng_uniform(rng)
                                             : draw_near(w->centre[from * unknowns + u],
                                                         w->reach[from * unknowns + u], rng);
}

void msw_wave_draw(const msw_wave *w, size_t unknowns, const bool *outer, size_t inner,
                   msw_rng *rng, size_t count, double *positions)
{
    double prior[DRAWS + 1], mass[DRAWS + 1];
    for (size_t j = 0; j <= w->centres; j++)
        prior[j] = j == w->centres ? FRESH : (1 - FRESH) * w->share[j];
    for (size_t k = 0; k < count; k++) {
        double *position = &positions[k * unknowns];
        if (k % inner == 0) {
            draw_from(w, unknowns, outer, true, pick(prior, w->centres, rng), rng, position);
            memcpy(mass, prior, sizeof mass);
            for (size_t j = 0; j < w->centres; j++)
                for (size_t u = 0; u < unknowns; u++)
                    mass[j] *= outer[u] ? kernel(position[u], w->centre[j * unknowns + u],
                                                 w->reach[j * unknowns + u])
                                        : 1;
        } else {
            for (size_t u = 0; u < unknowns; u++)
                position[u] = (position - unknowns)[u];
        }
        draw_from(w, unknowns, outer, false, pick(mass, w->centres, rng), rng, position);
    }
}
