/* SPDX-License-Identifier: MIT */
/* Waves: the closed form first, each around what is likely so far; then full on what that leaves.
 */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the closed form errs by ---- */

/* The correction of a claim, and what is left of its error; NaN where one of a pair has no answer.
 */
static msw_correction correction_of(const msw_calibration *c, size_t claim, double *closed,
                                    double *full)
{
    size_t count = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (!c->at[MSW_CLOSED][k] || !c->at[MSW_WHOLE][k])
            continue;
        size_t at = k * c->paper->claims.count + claim;
        closed[count] = c->values[MSW_CLOSED][at];
        full[count] = c->values[MSW_WHOLE][at];
        if (isnan(closed[count]) != isnan(full[count]))
            return (msw_correction){.slope = 1, .error = NAN};
        count += !isnan(full[count]);
    }
    return msw_correction_of(closed, full, count);
}

static int find_errors(msw_calibration *c)
{
    double *closed = malloc((c->count + 1) * sizeof *closed);
    double *full = malloc((c->count + 1) * sizeof *full);
    int rc = closed && full ? 0 : msw_fail_memory(c->paper->err);
    c->errors = 0;
    for (size_t k = 0; k < c->count; k++)
        c->errors += c->at[MSW_CLOSED][k] && c->at[MSW_WHOLE][k];
    for (size_t q = 0; rc == 0 && q < c->quantities; q++)
        c->correction[c->claim[q]] = correction_of(c, c->claim[q], closed, full);
    free(closed);
    free(full);
    return rc;
}

/* Settings spread evenly over the first wave are computed at full. */
static int measure_errors(msw_calibration *c)
{
    size_t count = (size_t)c->ask->errors < c->count ? (size_t)c->ask->errors : c->count;
    size_t *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++)
        list[k] = k * c->count / count;
    int rc = msw_calibration_full(c, list, count);
    if (rc == 0 && !c->interrupted)
        rc = find_errors(c);
    free(list);
    return rc;
}

/* ---- waves ---- */

typedef struct placed {
    double distance;
    size_t at;
} placed;

static int by_distance(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static placed *by_worst(const msw_calibration *c)
{
    placed *list = malloc((c->count + 1) * sizeof *list);
    for (size_t k = 0; list && k < c->count; k++)
        list[k] = (placed){c->worst[k].distance[0], k};
    if (list)
        qsort(list, c->count, sizeof *list, by_distance);
    return list;
}

/* Draws a wave around what is likely so far. */
static int next_wave(msw_calibration *c)
{
    msw_wave wave;
    int rc = msw_calibration_around(c, &wave);
    if (rc) {
        msw_wave_free(&wave);
        return -1;
    }
    return msw_calibration_draw(c, wave);
}

/* Full on what is left, nearest first; where nothing is left, on the nearest. */
static int full_on_left(msw_calibration *c)
{
    placed *best = by_worst(c);
    size_t *list = malloc((c->count + 1) * sizeof *list), count = 0, most = (size_t)c->ask->full;
    size_t left = 0;
    int rc = best && list ? 0 : msw_fail_memory(c->paper->err);
    for (size_t k = 0; rc == 0 && k < c->count; k++)
        left += c->left[best[k].at];
    left = left < most ? c->count < most ? c->count : most : left;
    /* More than can be computed: every so manieth. */
    for (size_t k = 0; rc == 0 && k < most && k < left; k++)
        list[count++] = best[k * left / (most < left ? most : left)].at;
    if (rc == 0)
        rc = msw_calibration_full(c, list, count);
    free(best);
    free(list);
    return rc || c->interrupted ? rc : msw_calibration_judge(c);
}

/* Whether anything can be said at the closed form. */
static bool some_speak(const msw_calibration *c)
{
    for (size_t q = 0; q < c->quantities; q++) {
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        if (!msw_quantity_waits(&quantity))
            return true;
    }
    return false;
}

/* The closed form says nothing of any quantity: all settings are computed at full. */
static int stop_screening(msw_calibration *c)
{
    size_t *list = malloc((c->count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(c->paper->err);
    c->screens = false;
    for (size_t k = 0; k < c->count; k++) {
        list[k] = k;
        c->at[MSW_CLOSED][k] = false;
    }
    int rc = msw_calibration_full(c, list, c->count);
    free(list);
    return rc;
}

/* All combinations are run: what none of them meets nothing can. */
static int full_on_all(msw_calibration *c)
{
    size_t *list = malloc((c->count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < c->count; k++)
        list[k] = k;
    int rc = msw_calibration_full(c, list, c->count);
    free(list);
    return rc || c->interrupted ? rc : msw_calibration_judge(c);
}

/* Waves until the weights are of enough settings. */
static int draw_waves(msw_calibration *c)
{
    int rc = msw_calibration_weigh_at(c, msw_calibration_screen(c));
    for (int64_t wave = 1; rc == 0 && wave < c->ask->waves && c->effective < MSW_ENOUGH; wave++) {
        rc = next_wave(c);
        if (rc || c->interrupted)
            return rc;
        rc = msw_calibration_weigh_at(c, msw_calibration_screen(c));
    }
    return rc;
}

int msw_calibration_waves(msw_calibration *c)
{
    int rc = msw_calibration_first(c);
    if (rc == 0 && !c->interrupted && c->screens)
        rc = measure_errors(c);
    if (rc == 0 && !c->interrupted && c->screens && !some_speak(c))
        rc = stop_screening(c);
    if (rc == 0 && !c->interrupted)
        rc = msw_calibration_judge(c) || msw_calibration_set_aside(c) ? -1 : 0;
    if (rc == 0 && !c->interrupted && c->combinations)
        return full_on_all(c);
    if (rc == 0 && !c->interrupted)
        rc = draw_waves(c);
    if (rc == 0 && !c->interrupted && c->screens)
        rc = full_on_left(c);
    return rc || c->interrupted ? rc : msw_calibration_set_aside(c);
}
