/* SPDX-License-Identifier: MIT */
/* Rules settings out by their distances at the last fidelity each was computed at. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int msw_calibration_screen(const msw_calibration *c)
{
    return c->screens ? MSW_CLOSED : MSW_WHOLE;
}

msw_quantity msw_calibration_quantity(const msw_calibration *c, size_t q, int stage)
{
    msw_quantity quantity = c->quantity[q];
    quantity.fidelity = stage == MSW_CLOSED ? c->correction[c->claim[q]].error : 0;
    return quantity;
}

double msw_calibration_at(const msw_calibration *c, int stage, size_t setting, size_t claim)
{
    double value = c->values[stage][setting * c->paper->claims.count + claim];
    return stage == MSW_CLOSED ? msw_correct(&c->correction[claim], value) : value;
}

bool msw_calibration_proves(const msw_calibration *c)
{
    return c->combinations && !c->interrupted && !c->paper->some_failed;
}

/* Distances of a setting at a stage; NaN where the closed form says too little. */
static void measure(const msw_calibration *c, size_t setting, int stage, double *distances)
{
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, stage);
        double value = msw_calibration_at(c, stage, setting, c->claim[q]);
        bool silent = stage == MSW_CLOSED && msw_quantity_waits(&quantity);
        distances[q] = silent ? NAN : msw_quantity_distance(&quantity, value);
    }
}

/* The worst of those that do not wait and are not set aside. */
static msw_worst worst_of(const msw_calibration *c, const double *distances)
{
    double shown[64];
    for (size_t q = 0; q < c->quantities; q++)
        shown[q] = isnan(distances[q]) || msw_calibration_is_aside(c, q) ? 0 : distances[q];
    return msw_worst_of(shown, c->quantities);
}

static int make_room(msw_calibration *c)
{
    free(c->left);
    free(c->screened);
    free(c->distances);
    free(c->worst);
    free(c->sampled);
    c->left = calloc(c->count + 1, sizeof *c->left);
    c->screened = calloc(c->count + 1, sizeof *c->screened);
    c->distances = calloc(c->count * c->quantities + 1, sizeof *c->distances);
    c->worst = calloc(c->count + 1, sizeof *c->worst);
    c->sampled = calloc(c->count + 1, sizeof *c->sampled);
    return c->left && c->screened && c->distances && c->worst && c->sampled
               ? 0
               : msw_fail_memory(c->paper->err);
}

static double growth_of(const msw_calibration *c, size_t setting, bool all)
{
    double growth = 0;
    for (size_t q = 0; q < c->quantities; q++) {
        if (msw_calibration_is_aside(c, q) && !all)
            continue;
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_WHOLE);
        double value = c->values[MSW_WHOLE][setting * c->paper->claims.count + c->claim[q]];
        growth = fmax(growth, msw_quantity_growth(&quantity, value));
    }
    return growth;
}

static bool nearer(const msw_worst *a, const msw_worst *b)
{
    for (int i = 0; i < 3; i++)
        if (a->distance[i] != b->distance[i])
            return a->distance[i] < b->distance[i];
    return false;
}

/* Of those at full, the nearest; the growth that lets one of them stay. */
static void find_nearest(msw_calibration *c)
{
    bool any = false;
    c->growth = c->growth_of_all = INFINITY;
    c->full_count = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (!c->at[MSW_WHOLE][k])
            continue;
        c->full_count++;
        c->growth = fmin(c->growth, growth_of(c, k, false));
        c->growth_of_all = fmin(c->growth_of_all, growth_of(c, k, true));
        if (!any || nearer(&c->worst[k], &c->worst[c->nearest]))
            c->nearest = k;
        any = true;
    }
}

/* Shares of the prior: settings weigh by the density they were drawn with. Of those that the closed
 * form leaves, full has looked at some. */
static void find_shares(msw_calibration *c)
{
    double all = 0, screened = 0, seen = 0, kept = 0;
    c->left_count = c->wrongly = 0;
    for (size_t k = 0; k < c->count; k++) {
        double weight = c->drawn[k] ? 1 / c->density[k] : 0;
        bool whole = c->at[MSW_WHOLE][k];
        c->left_count += c->left[k] && whole;
        c->wrongly += c->left[k] && whole && !c->screened[k];
        all += weight;
        screened += c->screened[k] ? weight : 0;
        seen += c->screened[k] && whole ? weight : 0;
        kept += c->screened[k] && whole && c->left[k] ? weight : 0;
    }
    c->closed_share = all > 0 ? screened / all : 0;
    c->share = seen > 0 ? c->closed_share * kept / seen : 0;
}

/* The density of those that have weights. At full after the closed form these are the ones that it
 * leaves and full looked at, all or evenly taken, as many as their share of the prior. */
static void find_sampled(msw_calibration *c)
{
    double left = 0, seen = 0;
    for (size_t k = 0; k < c->count; k++)
        if (c->drawn[k] && c->screened[k]) {
            left += 1 / c->density[k];
            seen += c->at[MSW_WHOLE][k] ? 1 / c->density[k] : 0;
        }
    bool some = c->stage == MSW_WHOLE && c->screens && left > 0 && seen > 0;
    for (size_t k = 0; k < c->count; k++)
        c->sampled[k] = c->density[k] * (some ? seen / left : 1);
}

bool msw_calibration_has_weight(const msw_calibration *c, size_t k)
{
    bool screened_out = c->stage == MSW_WHOLE && c->screens && !c->screened[k];
    return c->at[c->stage][k] && !screened_out;
}

/* Whether the closed form leaves a setting; without it all are. */
static bool is_screened(const msw_calibration *c, size_t setting, double *distances)
{
    if (!c->at[MSW_CLOSED][setting])
        return true;
    measure(c, setting, MSW_CLOSED, distances);
    return worst_of(c, distances).distance[0] <= MSW_RULED_OUT;
}

int msw_calibration_judge(msw_calibration *c)
{
    if (make_room(c))
        return -1;
    for (size_t k = 0; k < c->count; k++) {
        double *distances = &c->distances[k * c->quantities];
        c->screened[k] = is_screened(c, k, distances);
        measure(c, k, c->at[MSW_WHOLE][k] ? MSW_WHOLE : MSW_CLOSED, distances);
        c->worst[k] = worst_of(c, distances);
        c->left[k] = c->worst[k].distance[0] <= MSW_RULED_OUT;
    }
    find_sampled(c);
    find_shares(c);
    find_nearest(c);
    return 0;
}

bool msw_calibration_is_aside(const msw_calibration *c, size_t q)
{
    return c->aside >> q & 1;
}

/* Whether no setting at full comes near a quantity. */
static bool is_met_nowhere(const msw_calibration *c, size_t q)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->at[MSW_WHOLE][k] && c->distances[k * c->quantities + q] <= MSW_RULED_OUT)
            return false;
    return true;
}

int msw_calibration_set_aside(msw_calibration *c)
{
    enum { LEAST_TRIED = 50 }; /* settings at full; of fewer it would be chance */
    uint64_t aside = 0;
    size_t count = 0;
    for (size_t q = 0; c->full_count >= LEAST_TRIED && q < c->quantities; q++)
        if (is_met_nowhere(c, q)) {
            aside |= (uint64_t)1 << q;
            count++;
        }
    if (count == c->quantities) /* without them all there is nothing to say */
        aside = 0;
    if (aside == c->aside)
        return 0;
    c->aside = aside;
    return msw_calibration_judge(c);
}

double msw_calibration_distance_of(const msw_calibration *c, uint64_t set, size_t setting)
{
    double most = 0;
    for (size_t q = 0; q < c->quantities; q++)
        if (set >> q & 1)
            most = fmax(most, c->distances[setting * c->quantities + q]);
    return most;
}
