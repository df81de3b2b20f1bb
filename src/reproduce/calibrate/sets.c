/* SPDX-License-Identifier: MIT */
/* Sets of quantities that nothing meets, and parameter sets near those that come nearest to them.
 * */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets that nothing meets so far. */
typedef struct unmet_sets {
    uint64_t *list;
    size_t count;
} unmet_sets;

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

static int find_sets(msw_calibration *c, unmet_sets *sets)
{
    uint64_t *masks = malloc((c->count + 1) * sizeof *masks);
    size_t count = 0;
    if (!masks)
        return msw_fail_memory(c->paper->err);
    free(sets->list);
    *sets = (unmet_sets){0};
    for (size_t k = 0; k < c->count; k++)
        if (!is_open(c, k))
            masks[count++] = violated(c, k);
    c->open = c->count - count;
    count = msw_masks_minimal(masks, count);
    int rc = msw_hitting_sets(masks, count, MSW_SET_MOST, &sets->list, &sets->count, c->paper->err);
    free(masks);
    return rc;
}

/* Of the settings at full the nearest to a set. */
static void look_at(const msw_calibration *c, msw_unmet *unmet)
{
    unmet->distance = INFINITY;
    unmet->asked = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (!c->at[MSW_WHOLE][k])
            continue;
        double distance = msw_calibration_distance_of(c, unmet->set, k);
        if (unmet->asked++ == 0 || distance < unmet->distance) {
            unmet->best = k;
            unmet->distance = distance;
        }
    }
}

/* ---- settings aimed at a set ---- */

/* Aims at a set until a setting meets it or enough were tried. */
static int try_set(msw_calibration *c, msw_unmet *unmet)
{
    uint64_t most = (uint64_t)c->ask->directed, all = (uint64_t)c->ask->aimed - c->directed;
    int rc = 0;
    most = c->combinations ? 0 : most < all ? most : all;
    look_at(c, unmet);
    for (uint64_t tried = 0;
         rc == 0 && !c->interrupted && tried < most && unmet->distance > MSW_RULED_OUT;
         tried += MSW_ROUND) {
        size_t count = most - tried < MSW_ROUND ? (size_t)(most - tried) : MSW_ROUND,
               first = c->count;
        rc = msw_calibration_aim(c, unmet->set, tried / MSW_ROUND, count);
        unmet->directed += c->count - first;
        if (rc == 0 && !c->interrupted)
            rc = msw_calibration_judge(c);
        if (rc == 0 && !c->interrupted)
            look_at(c, unmet);
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
static int next_set(msw_calibration *c, unmet_sets *sets, uint64_t *set)
{
    msw_unmet *tried = c->unmet;
    size_t kept = 0;
    if (find_sets(c, sets))
        return -1;
    c->unmet_found = sets->count;
    for (size_t i = 0; i < c->unmet_count; i++)
        if (tried[i].distance > MSW_RULED_OUT)
            tried[kept++] = tried[i];
    c->unmet_count = kept;
    *set = 0;
    for (size_t i = 0; i < sets->count && *set == 0; i++)
        if (!was_tried(tried, kept, sets->list[i]))
            *set = sets->list[i];
    return 0;
}

/* Tries the sets, smallest first; settings aimed at one may meet another. */
static int try_all(msw_calibration *c, unmet_sets *sets)
{
    enum { MOST_TRIED = 200 };
    uint64_t set = 0;
    for (int tried = 0; tried < MOST_TRIED; tried++) {
        for (size_t i = 0; i < c->unmet_count; i++)
            look_at(c, &c->unmet[i]);
        if (next_set(c, sets, &set))
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

int msw_calibration_sets(msw_calibration *c)
{
    unmet_sets sets = {0};
    c->unmet = calloc(MSW_SETS_SHOWN + 1, sizeof *c->unmet);
    int rc = c->unmet ? try_all(c, &sets) : msw_fail_memory(c->paper->err);
    free(sets.list);
    return rc;
}

/* Targeted sampling: parameter sets near those that come nearest to some quantities. */

enum { ELITES = 8 };
#define CHANGED 0.3  /* chance of each unknown to change */
#define STEP    0.15 /* of its range */
#define FRESH   0.1  /* chance of a set from anywhere */

/* The sets at full that are nearest to the quantities. Returns how many. */
static size_t find_elites(const msw_calibration *c, uint64_t set, size_t elites[ELITES + 1])
{
    size_t count = 0;
    for (size_t k = 0; k < c->count; k++) {
        double distance = msw_calibration_distance_of(c, set, k);
        size_t rank = count;
        if (!c->at[MSW_WHOLE][k])
            continue;
        while (rank > 0 && distance < msw_calibration_distance_of(c, set, elites[rank - 1]))
            rank--;
        if (rank >= ELITES)
            continue;
        count += count < ELITES;
        memmove(&elites[rank + 1], &elites[rank], (count - 1 - rank) * sizeof *elites);
        elites[rank] = k;
    }
    if (count == 0)
        elites[count++] = c->nearest;
    return count;
}

static void change(const msw_calibration *c, msw_rng *rng, const double *from, double *to)
{
    bool fresh = msw_rng_uniform(rng) < FRESH;
    size_t one = (size_t)msw_rng_below(rng, c->unknowns); /* changes in any case */
    for (size_t u = 0; u < c->unknowns; u++) {
        double chance = u == one ? 0 : msw_rng_uniform(rng), to_there = msw_rng_uniform(rng);
        to[u] = from[u];
        if (fresh || (chance < CHANGED && c->levels[u] && c->levels[u] <= 4))
            to[u] = to_there;
        else if (chance < CHANGED)
            to[u] = fmin(fmax(from[u] + STEP * (2 * to_there - 1), 0), 1 - 0x1p-53);
    }
}

int msw_calibration_aim(msw_calibration *c, uint64_t set, uint64_t round, size_t count)
{
    double *positions = calloc(count * c->unknowns + 1, sizeof *positions);
    size_t elites[ELITES + 1], found = find_elites(c, set, elites);
    if (!positions)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < count; k++) {
        msw_rng rng;
        msw_rng_init(&rng, (uint64_t)c->paper->ask->seed ^ set, round * MSW_ROUND + k);
        size_t from = elites[msw_rng_below(&rng, found)];
        change(c, &rng, &c->positions[from * c->unknowns], &positions[k * c->unknowns]);
    }
    int rc = msw_calibration_add(c, MSW_WHOLE, positions, count, false);
    free(positions);
    return rc;
}
