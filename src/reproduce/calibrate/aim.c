/* SPDX-License-Identifier: MIT */
/* Targeted sampling: parameter sets near those that come nearest to some quantities. */
#include "reproduce/calibrate/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
