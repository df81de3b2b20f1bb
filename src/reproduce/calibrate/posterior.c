/* SPDX-License-Identifier: MIT */
/* How likely settings are, given all quantities, and given all but those of a figure. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_AT_FULL = 50 };
#define TARGET 8 /* a wave is laid around an effective sample of a part of its settings */

double msw_calibration_growth(const msw_calibration *c)
{
    return c->growth > 1 && isfinite(c->growth) ? c->growth : 1;
}

/* Discrepancies as they stand, or grown until a setting is left. */
static msw_quantity weighed(const msw_calibration *c, size_t q)
{
    msw_quantity quantity = msw_calibration_quantity(c, q, c->stage);
    quantity.growth = msw_calibration_growth(c);
    return quantity;
}

/* ---- what counts ---- */

typedef struct counted {
    size_t count;
    msw_quantity quantity[64];
    size_t claim[64];
} counted;

static counted count_all_but(const msw_calibration *c, const char *figure)
{
    counted in = {0};
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = weighed(c, q);
        const msw_claim *claim = &c->paper->claims.list[c->claim[q]];
        if ((c->stage == MSW_CLOSED && msw_quantity_waits(&quantity)) ||
            msw_calibration_is_aside(c, q) || (figure && strcmp(claim->figure, figure) == 0))
            continue;
        in.quantity[in.count] = quantity;
        in.claim[in.count++] = c->claim[q];
    }
    return in;
}

static double log_of(const msw_calibration *c, const counted *in, size_t setting)
{
    double distances[64];
    if (!msw_calibration_has_weight(c, setting))
        return -INFINITY;
    for (size_t q = 0; q < in->count; q++)
        distances[q] = msw_quantity_distance(
            &in->quantity[q], msw_calibration_at(c, c->stage, setting, in->claim[q]));
    return msw_likelihood_log(in->quantity, distances, in->count);
}

/* Logarithms of the likelihood of the settings of waves. */
static double *logs(const msw_calibration *c, const char *figure)
{
    counted in = count_all_but(c, figure);
    double *log = malloc((c->count + 1) * sizeof *log);
    for (size_t k = 0; log && k < c->count; k++)
        log[k] = c->drawn[k] ? log_of(c, &in, k) : -INFINITY;
    return log;
}

static int weigh(const msw_calibration *c, const char *figure, double **weights, double *effective)
{
    double *log = logs(c, figure);
    free(*weights);
    *weights = malloc((c->count + 1) * sizeof **weights);
    if (!log || !*weights) {
        free(log);
        return msw_fail_memory(c->paper->err);
    }
    msw_weights_of(log, c->sampled, c->count, *weights);
    *effective = msw_weights_effective(*weights, c->count);
    free(log);
    return 0;
}

int msw_calibration_around(const msw_calibration *c, msw_wave *wave)
{
    double *log = logs(c, NULL), wanted = (double)c->ask->samples / TARGET;
    msw_sets sets = {c->count, c->unknowns, c->positions, log, c->sampled, c->levels};
    msw_rng rng;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed, c->wave_count);
    int rc = log ? msw_wave_around(&sets, fmax(wanted, MSW_FEW_FOR_BITS), msw_rng_uniform(&rng),
                                   wave, c->paper->err)
                 : msw_fail_memory(c->paper->err);
    free(log);
    return rc;
}

/* ---- figures left out ---- */

static bool is_held(const msw_calibration *c, const char *figure)
{
    for (size_t i = 0; i < c->held_count; i++)
        if (strcmp(c->held[i].figure, figure) == 0)
            return true;
    return c->ask->hold_out && strcmp(c->ask->hold_out, figure) != 0;
}

static int hold_out(msw_calibration *c)
{
    c->held = calloc(c->quantities + 1, sizeof *c->held);
    if (!c->held)
        return msw_fail_memory(c->paper->err);
    for (size_t q = 0; q < c->quantities; q++) {
        const char *figure = c->paper->claims.list[c->claim[q]].figure;
        if (is_held(c, figure))
            continue;
        msw_held_out *held = &c->held[c->held_count++];
        held->figure = figure;
        if (weigh(c, figure, &held->weights, &held->effective))
            return -1;
    }
    return 0;
}

/* Weights are of the closed form, unless it is silent about most of what is compared and full has
 * looked at enough settings, or at all of them. */
static int choose_stage(const msw_calibration *c)
{
    size_t compared = 0, silent = 0, seen = 0;
    if (!c->screens || c->combinations)
        return MSW_WHOLE;
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        if (msw_calibration_is_aside(c, q))
            continue;
        compared++;
        silent += msw_quantity_waits(&quantity);
    }
    for (size_t k = 0; k < c->count; k++)
        seen += c->drawn[k] && c->screened[k] && c->at[MSW_WHOLE][k];
    return 2 * silent > compared && seen >= LEAST_AT_FULL ? MSW_WHOLE : MSW_CLOSED;
}

int msw_calibration_weigh_at(msw_calibration *c, int stage)
{
    c->stage = stage;
    MSW_TRY(msw_calibration_judge(c));
    return weigh(c, NULL, &c->weights, &c->effective);
}

int msw_calibration_weigh(msw_calibration *c)
{
    MSW_TRY(msw_calibration_weigh_at(c, choose_stage(c)));
    if (c->screens && !c->combinations && c->stage == MSW_WHOLE && !msw_tells_bits(c))
        MSW_TRY(msw_calibration_weigh_at(c, MSW_CLOSED));
    return hold_out(c);
}
