/* SPDX-License-Identifier: MIT */
/* The table of settings and quantities: drawn in waves, run, asked. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

static int grow(msw_calibration *c, void *array, size_t before, size_t after, size_t size)
{
    void **at = array;
    char *bigger = realloc(*at, after * size + 1);
    if (!bigger)
        return msw_fail_memory(c->paper->err);
    memset(bigger + before * size, 0, (after - before) * size);
    *at = bigger;
    return 0;
}

static int make_room(msw_calibration *c, size_t more)
{
    size_t before = c->count, after = c->count + more, claims = c->paper->claims.count;
    int rc = grow(c, &c->positions, before, after, c->unknowns * sizeof(double)) ||
                     grow(c, &c->drawn, before, after, sizeof(bool)) ||
                     grow(c, &c->density, before, after, sizeof(double))
                 ? -1
                 : 0;
    for (int stage = 0; rc == 0 && stage < MSW_STAGES; stage++)
        rc = grow(c, &c->values[stage], before, after, claims * sizeof(double)) ||
                     grow(c, &c->at[stage], before, after, sizeof(bool))
                 ? -1
                 : 0;
    for (size_t i = before * claims; rc == 0 && i < after * claims; i++)
        c->values[MSW_CLOSED][i] = c->values[MSW_WHOLE][i] = NAN;
    return rc;
}

/* ---- spreads ---- */

static int copy_unknowns(const msw_calibration *c, msw_spread *s)
{
    const msw_spread *all = &c->paper->spread;
    s->unknowns = calloc(c->unknowns + 1, sizeof *s->unknowns);
    if (!s->unknowns)
        return msw_fail_memory(c->paper->err);
    s->unknown_count = c->unknowns;
    for (size_t u = 0; u < c->unknowns; u++) {
        s->unknowns[u] = all->unknowns[u];
        s->unknowns[u].values = NULL;
    }
    return 0;
}

static msw_spread start(const msw_calibration *c, int stage, size_t samples)
{
    return (msw_spread){.fidelity = stage == MSW_CLOSED ? "analytic" : NULL, /* the sweeps' own */
                        .suffix = "-unknowns",
                        .samples = samples,
                        .asks = c->asks,
                        .conditional = true};
}

static void take_values(msw_calibration *c, const msw_spread *s, int stage, const size_t *list)
{
    size_t claims = c->paper->claims.count;
    for (size_t k = 0; k < s->samples; k++) {
        c->at[stage][list[k]] = true;
        for (size_t i = 0; i < claims; i++)
            c->values[stage][list[k] * claims + i] = s->values[i * s->samples + k];
    }
}

static void set_values(const msw_calibration *c, msw_spread *s, size_t sample, const double *at)
{
    for (size_t u = 0; u < c->unknowns; u++)
        s->unknowns[u].values[sample] = msw_unknown_value(&s->unknowns[u], at[u]);
}

/* Makes a spread of positions that stand in a row. */
static int spread_at(const msw_calibration *c, int stage, const double *positions, size_t count,
                     msw_spread *s)
{
    *s = start(c, stage, count);
    if (copy_unknowns(c, s) || msw_spread_room(s, c->paper->err))
        return -1;
    for (size_t k = 0; k < count; k++)
        set_values(c, s, k, &positions[k * c->unknowns]);
    return 0;
}

/* Computes a list of settings at a stage. */
static int compute(msw_calibration *c, int stage, const size_t *list, size_t count)
{
    msw_spread s = start(c, stage, count);
    int rc = copy_unknowns(c, &s) || msw_spread_room(&s, c->paper->err) ? -1 : 0;
    for (size_t k = 0; rc == 0 && k < count; k++)
        set_values(c, &s, k, &c->positions[list[k] * c->unknowns]);
    if (rc == 0)
        rc = msw_spread_answer(c->paper, &s);
    c->interrupted = c->paper->interrupted;
    if (rc == 0 && !c->interrupted)
        take_values(c, &s, stage, list);
    msw_spread_free(&s);
    return rc;
}

/* Adds the samples of a spread that keep the rules. */
static int add_samples(msw_calibration *c, const double *positions, const bool *broken,
                       size_t count, bool drawn)
{
    if (make_room(c, count))
        return -1;
    for (size_t k = 0; k < count; k++) {
        if (broken[k])
            continue;
        memcpy(&c->positions[c->count * c->unknowns], &positions[k * c->unknowns],
               c->unknowns * sizeof *positions);
        c->drawn[c->count++] = drawn;
    }
    return 0;
}

/* Of the settings from `first` on under all waves so far. */
static void find_densities(msw_calibration *c, size_t first)
{
    for (size_t k = first; k < c->count; k++)
        c->density[k] =
            msw_wave_density(c->waves, c->wave_count, c->unknowns, &c->positions[k * c->unknowns]);
}

static int compute_from(msw_calibration *c, int stage, size_t first)
{
    size_t count = c->count - first, *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++)
        list[k] = first + k;
    int rc = count ? compute(c, stage, list, count) : 0;
    free(list);
    return rc;
}

int msw_calibration_add(msw_calibration *c, int stage, const double *positions, size_t count,
                        bool drawn)
{
    msw_spread s;
    size_t first = c->count;
    bool *broken = calloc(count + 1, sizeof *broken);
    int rc = spread_at(c, stage, positions, count, &s);
    if (rc == 0 && !broken)
        rc = msw_fail_memory(c->paper->err);
    if (rc == 0)
        rc = msw_spread_broken(c->paper, &s, broken, &s.rule);
    if (rc == 0)
        rc = add_samples(c, positions, broken, count, drawn);
    msw_spread_free(&s);
    free(broken);
    find_densities(c, first);
    return rc ? -1 : compute_from(c, stage, first);
}

/* ---- waves ---- */

/* Keeps how a wave was drawn. */
static int note_wave(msw_calibration *c, msw_wave wave)
{
    if (grow(c, &c->waves, c->wave_count, c->wave_count + 1, sizeof *c->waves)) {
        msw_wave_free(&wave);
        return -1;
    }
    c->waves[c->wave_count++] = wave;
    find_densities(c, 0);
    return 0;
}

/* What broke a rule was drawn again: as many draws as would have left these. */
static double draws_of(const msw_spread *s)
{
    double kept = (double)(s->samples - s->redrawn);
    return s->combinations || kept == 0 ? (double)s->samples
                                        : (double)s->samples * (double)s->samples / kept;
}

int msw_calibration_first(msw_calibration *c)
{
    msw_spread s = start(c, MSW_CLOSED, (size_t)c->ask->samples);
    s.seed = (uint64_t)c->paper->ask->seed;
    int rc = copy_unknowns(c, &s) || msw_spread_first(c->paper, &s, (size_t)c->ask->inner) ? -1 : 0;
    if (s.combinations)
        c->combinations = s.samples;
    if (rc == 0 && s.broken == s.samples)
        rc = msw_fail(c->paper->err, "no setting keeps the rules, as with: %s", s.rule.text);
    if (rc == 0)
        rc = msw_calibration_add(c, msw_calibration_screen(c), s.positions, s.samples, true);
    c->first = c->count;
    if (rc == 0)
        rc = note_wave(c, (msw_wave){.drawn = draws_of(&s)});
    msw_spread_free(&s);
    return rc;
}

/* Draws until half of a wave keeps the rules, or four waves were drawn. */
static int draw_wave(msw_calibration *c, msw_wave *wave, const bool *outer, double *positions)
{
    size_t wanted = (size_t)c->ask->samples, first = c->count;
    msw_rng rng;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed, 1000003 * c->wave_count);
    int rc = 0;
    for (int again = 0; rc == 0 && !c->interrupted && again < 4 && c->count < first + wanted / 2;
         again++) {
        msw_wave_draw(wave, c->unknowns, outer, (size_t)c->ask->inner, &rng, wanted, positions);
        rc = msw_calibration_add(c, msw_calibration_screen(c), positions, wanted, true);
        wave->drawn += (double)wanted;
    }
    return rc;
}

int msw_calibration_draw(msw_calibration *c, msw_wave wave)
{
    bool *outer = calloc(c->unknowns + 1, sizeof *outer);
    double *positions = malloc((size_t)c->ask->samples * c->unknowns * sizeof *positions + 1);
    int rc = outer && positions ? 0 : msw_fail_memory(c->paper->err);
    for (size_t u = 0; rc == 0 && u < c->unknowns; u++)
        outer[u] = c->paper->spread.unknowns[u].shapes;
    if (rc == 0)
        rc = draw_wave(c, &wave, outer, positions);
    free(outer);
    free(positions);
    return note_wave(c, wave) || rc ? -1 : 0;
}

int msw_calibration_full(msw_calibration *c, const size_t *list, size_t count)
{
    size_t *missing = malloc((count + 1) * sizeof *missing), left = 0;
    if (!missing)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++)
        if (!c->at[MSW_WHOLE][list[k]])
            missing[left++] = list[k];
    int rc = left ? compute(c, MSW_WHOLE, missing, left) : 0;
    free(missing);
    return rc;
}

double msw_calibration_value(const msw_calibration *c, size_t setting, size_t claim)
{
    int stage = c->at[MSW_WHOLE][setting] ? MSW_WHOLE : MSW_CLOSED;
    return c->values[stage][setting * c->paper->claims.count + claim];
}
