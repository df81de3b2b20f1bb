/* SPDX-License-Identifier: MIT */
/* The table of settings and quantities: drawn in waves, run, asked. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/bits.h"

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
                     grow(c, &c->asked, before, after, sizeof(uint64_t))
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
                        .conditional = true,
                        .needed = true};
}

static void take_values(msw_calibration *c, const msw_spread *s, int stage, const size_t *list)
{
    size_t claims = c->paper->claims.count;
    for (size_t k = 0; k < s->samples; k++) {
        c->at[stage][list[k]] = !s->behind;
        c->asked[list[k]] |= s->behind;
        for (size_t i = 0; i < claims; i++)
            c->values[stage][list[k] * claims + i] = s->values[i * s->samples + k];
    }
}

static void set_values(const msw_calibration *c, msw_spread *s, size_t sample, const double *at)
{
    for (size_t u = 0; u < c->unknowns; u++)
        s->unknowns[u].values[sample] = msw_unknown_value(&s->unknowns[u], at[u]);
}

/* Some quantities alone (bits), and their claims; 0: all. */
typedef struct part {
    uint64_t set;
    const bool *asks;
} part;
static const part ALL = {0};

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

int msw_calibration_spread(const msw_calibration *c, int stage, const size_t *list, size_t count,
                           msw_spread *s)
{
    *s = start(c, stage, count);
    if (copy_unknowns(c, s) || msw_spread_room(s, c->paper->err))
        return -1;
    for (size_t k = 0; k < count; k++)
        set_values(c, s, k, &c->positions[list[k] * c->unknowns]);
    return 0;
}

/* Computes a list of settings at a stage. */
static int compute(msw_calibration *c, int stage, const size_t *list, size_t count, part of)
{
    msw_spread s;
    int rc = msw_calibration_spread(c, stage, list, count, &s);
    s.behind = of.set;
    s.asks = of.set ? of.asks : s.asks;
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

static int note_wave(msw_calibration *c, size_t settings, const double *low, const double *high)
{
    size_t size = c->unknowns * sizeof(double);
    if (grow(c, &c->waves, c->wave_count, c->wave_count + 1, sizeof *c->waves))
        return -1;
    double *box = malloc(2 * size + 1);
    if (!box)
        return msw_fail_memory(c->paper->err);
    for (size_t u = 0; u < c->unknowns; u++) {
        box[u] = low ? low[u] : 0;
        box[c->unknowns + u] = high ? high[u] : 1;
    }
    c->waves[c->wave_count++] = (msw_wave){settings, box, box + c->unknowns};
    return 0;
}

static int compute_from(msw_calibration *c, int stage, size_t first, part of)
{
    size_t count = c->count - first, *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++)
        list[k] = first + k;
    int rc = count ? compute(c, stage, list, count, of) : 0;
    free(list);
    return rc;
}

/* ---- a wave ---- */

/* Draws the settings of the next wave. */
static int draw_settings(msw_calibration *c, const double *low, const double *high, msw_spread *s)
{
    size_t inner = (size_t)c->ask->inner;
    *s = start(c, MSW_CLOSED, (size_t)c->ask->samples);
    s->low = low;
    s->high = high;
    s->shapes = (size_t)msw_div_up(s->samples, inner);
    s->seed = (uint64_t)c->paper->ask->seed + 1000003 * c->wave_count;
    if (copy_unknowns(c, s))
        return -1;
    int rc = c->wave_count ? msw_spread_draw(c->paper, s) : msw_spread_first(c->paper, s, inner);
    if (s->combinations)
        c->combinations = s->samples;
    return rc;
}

/* Those of a wave's settings that keep the rules join the table. */
static int add_wave(msw_calibration *c, msw_spread *s)
{
    size_t first = c->count;
    bool *broken = calloc(s->samples + 1, sizeof *broken);
    int rc = broken ? 0 : msw_fail_memory(c->paper->err);
    if (rc == 0 && s->broken)
        rc = msw_spread_broken(c->paper, s, broken, &s->rule);
    if (rc == 0 && s->broken == s->samples)
        rc = msw_fail(c->paper->err, "no setting keeps the rules, as with: %s", s->rule.text);
    if (rc == 0)
        rc = add_samples(c, s->positions, broken, s->samples, true) ||
                     note_wave(c, c->count - first, s->low, s->high)
                 ? -1
                 : 0;
    free(broken);
    return rc ? -1 : compute_from(c, c->screens ? MSW_CLOSED : MSW_WHOLE, first, ALL);
}

int msw_calibration_draw(msw_calibration *c, const double *low, const double *high)
{
    msw_spread s;
    int rc = draw_settings(c, low, high, &s);
    if (rc == 0)
        rc = add_wave(c, &s);
    msw_spread_free(&s);
    return rc;
}

int msw_calibration_add_at(msw_calibration *c, int stage, const double *positions, size_t count,
                           bool *broken)
{
    msw_spread s;
    size_t first = c->count;
    int rc = spread_at(c, stage, positions, count, &s);
    if (rc == 0)
        rc = msw_spread_broken(c->paper, &s, broken, &s.rule);
    if (rc == 0)
        rc = add_samples(c, positions, broken, count, false);
    msw_spread_free(&s);
    return rc ? -1 : compute_from(c, stage, first, ALL);
}

/* ---- some quantities alone ---- */

/* Whether all rows behind a quantity are among those behind a set. */
static bool is_among(const uint64_t *bits, size_t count, size_t quantity, uint64_t set)
{
    for (size_t i = 0; i < count; i++)
        if (bits[i] >> quantity & 1 && !(bits[i] & set))
            return false;
    return true;
}

/* The set and what else its rows answer. */
static uint64_t answered_with(const msw_calibration *c, uint64_t set)
{
    const msw_paper *p = c->paper;
    uint64_t all = set;
    for (size_t q = 0; q < c->quantities; q++) {
        bool among = true;
        for (size_t i = 0; among && i < p->sweep_count; i++) {
            const msw_paper_sweep *sweep = &p->sweeps[i];
            if (sweep->points)
                among = is_among(sweep->point_bits, sweep->plan->points, q, set) &&
                        is_among(sweep->load_bits, sweep->plan->workload_count, q, set);
        }
        all |= among ? (uint64_t)1 << q : 0;
    }
    return all;
}

static bool is_all(const msw_calibration *c, uint64_t set)
{
    return set == UINT64_MAX >> (64 - c->quantities);
}

/* A spread at positions, of the claims of a set alone; `asks` has room for all claims. */
static int start_for(const msw_calibration *c, int stage, const double *positions, size_t count,
                     uint64_t set, bool *asks, msw_spread *s)
{
    int rc = spread_at(c, stage, positions, count, s);
    s->behind = set;
    s->asks = asks;
    for (size_t q = 0; q < c->quantities; q++)
        asks[c->claim[q]] = set >> q & 1;
    return rc;
}

int msw_calibration_add_for(msw_calibration *c, const double *positions, size_t count, uint64_t set)
{
    msw_spread s = {0};
    size_t first = c->count;
    uint64_t all = answered_with(c, set);
    bool *broken = calloc(count + 1, sizeof *broken);
    bool *asks = calloc(c->paper->claims.count + 1, sizeof *asks);
    int rc = broken && asks ? start_for(c, MSW_WHOLE, positions, count, all, asks, &s)
                            : msw_fail_memory(c->paper->err);
    if (rc == 0)
        rc = msw_spread_broken(c->paper, &s, broken, &s.rule);
    if (rc == 0)
        rc = add_samples(c, positions, broken, count, false);
    if (rc == 0)
        rc = compute_from(c, MSW_WHOLE, first, is_all(c, all) ? ALL : (part){all, asks});
    msw_spread_free(&s);
    free(broken);
    free(asks);
    return rc;
}

static void copy_values(const msw_calibration *c, const msw_spread *s, double *values)
{
    size_t claims = c->paper->claims.count;
    for (size_t k = 0; k < s->samples; k++)
        for (size_t i = 0; i < claims; i++)
            values[k * claims + i] = s->values[i * s->samples + k];
}

int msw_calibration_guess(msw_calibration *c, const double *positions, size_t count, uint64_t set,
                          double *values, bool *broken)
{
    msw_spread s = {0};
    bool *asks = calloc(c->paper->claims.count + 1, sizeof *asks);
    int rc = asks ? start_for(c, MSW_CLOSED, positions, count, set, asks, &s)
                  : msw_fail_memory(c->paper->err);
    if (rc == 0)
        rc = msw_spread_broken(c->paper, &s, broken, &s.rule);
    if (rc == 0 && set)
        rc = msw_spread_answer(c->paper, &s);
    c->interrupted = c->paper->interrupted;
    if (rc == 0 && set && !c->interrupted)
        copy_values(c, &s, values);
    msw_spread_free(&s);
    free(asks);
    return rc;
}

int msw_calibration_full(msw_calibration *c, const size_t *list, size_t count)
{
    size_t *missing = malloc((count + 1) * sizeof *missing), left = 0;
    if (!missing)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++)
        if (!c->at[MSW_WHOLE][list[k]])
            missing[left++] = list[k];
    int rc = left ? compute(c, MSW_WHOLE, missing, left, ALL) : 0;
    free(missing);
    return rc;
}

double msw_calibration_value(const msw_calibration *c, size_t setting, size_t claim)
{
    int stage = msw_calibration_known(c, setting) ? MSW_WHOLE : MSW_CLOSED;
    return c->values[stage][setting * c->paper->claims.count + claim];
}
