/* SPDX-License-Identifier: MIT */
/* Sets of quantities that nothing meets: what each setting violates, the smallest sets that share
 * one with all of these, and settings at full aimed at each. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELITES = 8, ROUND = 25 };
#define CHANGED 0.3  /* chance of each unknown to change */
#define STEP    0.15 /* of its range */
#define FRESH   0.1  /* chance of a setting from anywhere */

static uint64_t violated(const msw_calibration *c, size_t setting)
{
    uint64_t mask = 0;
    for (size_t q = 0; q < c->quantities; q++)
        if (c->distances[setting * c->quantities + q] > MSW_RULED_OUT)
            mask |= (uint64_t)1 << q;
    return mask;
}

/* A setting that the closed form leaves and full has not looked at tells of no violation: it may
 * meet everything, or what waits may fail. */
static bool is_open(const msw_calibration *c, size_t setting)
{
    return c->left[setting] && !c->at[MSW_WHOLE][setting];
}

static int find_sets(msw_calibration *c, uint64_t **sets, size_t *found)
{
    uint64_t *masks = malloc((c->count + 1) * sizeof *masks);
    size_t count = 0;
    if (!masks)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < c->count; k++)
        if (!is_open(c, k))
            masks[count++] = violated(c, k);
    c->open = c->count - count;
    count = msw_masks_minimal(masks, count);
    int rc = msw_hitting_sets(masks, count, MSW_SET_MOST, sets, found, c->paper->err);
    free(masks);
    return rc;
}

/* The largest distance of a set's quantities in a setting. */
static double distance_of(const msw_calibration *c, uint64_t set, size_t setting)
{
    double most = 0;
    for (size_t q = 0; q < c->quantities; q++)
        if (set >> q & 1)
            most = fmax(most, c->distances[setting * c->quantities + q]);
    return most;
}

/* ---- settings aimed at a set ---- */

static void find_elites(const msw_calibration *c, uint64_t set, size_t *elites)
{
    size_t count = 0;
    for (size_t k = 0; k < c->count; k++) {
        double distance = distance_of(c, set, k);
        size_t rank = count;
        while (rank > 0 && distance < distance_of(c, set, elites[rank - 1]))
            rank--;
        if (rank >= ELITES)
            continue;
        count += count < ELITES;
        memmove(&elites[rank + 1], &elites[rank], (count - 1 - rank) * sizeof *elites);
        elites[rank] = k;
    }
}

static void change(const msw_calibration *c, msw_rng *rng, const double *from, double *to)
{
    bool fresh = msw_rng_uniform(rng) < FRESH;
    for (size_t u = 0; u < c->unknowns; u++) {
        double chance = msw_rng_uniform(rng), to_there = msw_rng_uniform(rng);
        to[u] = from[u];
        if (fresh || (chance < CHANGED && c->levels[u] && c->levels[u] <= 4))
            to[u] = to_there;
        else if (chance < CHANGED)
            to[u] = fmin(fmax(from[u] + STEP * (2 * to_there - 1), 0), 1 - 0x1p-53);
    }
}

static int aim(msw_calibration *c, uint64_t set, uint64_t round, size_t count)
{
    size_t elites[ELITES + 1] = {0}, room = c->count < ELITES ? c->count : ELITES;
    double *positions = calloc(count * c->unknowns + 1, sizeof *positions);
    if (!positions)
        return msw_fail_memory(c->paper->err);
    find_elites(c, set, elites);
    for (size_t k = 0; k < count; k++) {
        msw_rng rng;
        msw_rng_init(&rng, (uint64_t)c->paper->ask->seed ^ set, round * ROUND + k);
        const double *from = &c->positions[elites[msw_rng_below(&rng, room)] * c->unknowns];
        change(c, &rng, from, &positions[k * c->unknowns]);
    }
    int rc = msw_calibration_add(c, positions, count);
    free(positions);
    return rc || c->interrupted ? rc : msw_calibration_judge(c);
}

/* The setting at full that comes nearest to a set. */
static size_t nearest_to(const msw_calibration *c, uint64_t set)
{
    size_t best = c->nearest;
    for (size_t k = 0; k < c->count; k++)
        if (c->at[MSW_WHOLE][k] && distance_of(c, set, k) < distance_of(c, set, best))
            best = k;
    return best;
}

/* Aims at a set until a setting meets it or enough were tried. */
static int try_set(msw_calibration *c, msw_unmet *unmet)
{
    uint64_t most = (uint64_t)c->ask->directed, all = (uint64_t)c->ask->aimed - c->directed;
    int rc = 0;
    most = most < all ? most : all;
    unmet->best = nearest_to(c, unmet->set);
    unmet->distance = distance_of(c, unmet->set, unmet->best);
    for (uint64_t round = 0;
         rc == 0 && !c->interrupted && unmet->directed < most && unmet->distance > MSW_RULED_OUT;
         round++) {
        uint64_t left = most - unmet->directed;
        size_t count = left < ROUND ? (size_t)left : ROUND;
        rc = aim(c, unmet->set, round, count);
        unmet->directed += count;
        unmet->best = nearest_to(c, unmet->set);
        unmet->distance = distance_of(c, unmet->set, unmet->best);
    }
    c->directed += unmet->directed;
    return rc;
}

static bool was_tried(const msw_unmet *tried, size_t count, uint64_t set)
{
    for (size_t i = 0; i < count; i++)
        if (tried[i].set == set)
            return true;
    return false;
}

/* The first set that was not tried yet; those that were met are none any more. */
static int next_set(msw_calibration *c, msw_unmet *tried, size_t *count, uint64_t *set)
{
    uint64_t *sets = NULL;
    size_t found = 0, kept = 0;
    if (find_sets(c, &sets, &found))
        return -1;
    c->unmet_found = found;
    for (size_t i = 0; i < *count; i++)
        if (tried[i].distance > MSW_RULED_OUT)
            tried[kept++] = tried[i];
    *count = kept;
    *set = 0;
    for (size_t i = 0; i < found && *set == 0; i++)
        if (!was_tried(tried, kept, sets[i]))
            *set = sets[i];
    free(sets);
    return 0;
}

/* Judges again: settings aimed at one set may meet another. */
static void look_again(const msw_calibration *c, msw_unmet *tried, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tried[i].best = nearest_to(c, tried[i].set);
        tried[i].distance = distance_of(c, tried[i].set, tried[i].best);
    }
}

int msw_calibration_sets(msw_calibration *c)
{
    enum { MOST_TRIED = 200 };
    uint64_t set = 0;
    c->unmet = calloc(MSW_SETS_SHOWN + 1, sizeof *c->unmet);
    if (!c->unmet)
        return msw_fail_memory(c->paper->err);
    for (int tried = 0; tried < MOST_TRIED; tried++) {
        look_again(c, c->unmet, c->unmet_count);
        if (next_set(c, c->unmet, &c->unmet_count, &set))
            return -1;
        if (set == 0 || c->unmet_count == MSW_SETS_SHOWN || c->interrupted)
            break;
        msw_unmet *unmet = &c->unmet[c->unmet_count++];
        *unmet = (msw_unmet){.set = set};
        if (try_set(c, unmet))
            return -1;
    }
    return 0;
}
