/* SPDX-License-Identifier: MIT */
/* Settings aimed at a set of quantities: the nearest ones varied. Of several proposals that one is
 * computed at full which the closed form puts nearest; one that violates a quantity of the set
 * which the closed form answers exactly cannot meet it and is proposed again. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ELITES = 8,
    PROPOSALS = 4, /* for each place of a round */
    AGAIN = 4,     /* rounds of proposals, while the exact quantities forbid all of a place */
};
#define CHANGED 0.3  /* chance of each unknown to change */
#define STEP    0.15 /* of its range */
#define FRESH   0.1  /* chance of a setting from anywhere */

/* A round of settings on their way. */
typedef struct aiming {
    msw_calibration *c;
    uint64_t set;
    uint64_t exact;   /* of these the closed form errs by nothing */
    uint64_t guessed; /* the closed form tells something of these */
    size_t elites[ELITES + 1], elite_count;
    uint64_t round;
    size_t count;
    double *positions; /* the best proposal of each place */
    double *distance;  /* its largest at the closed form; NaN: none keeps the rules so far */
    bool *forbidden;   /* by a quantity that the closed form answers exactly */
    /* Room for proposals of places that want one. */
    size_t *place;
    double *proposed, *values;
    bool *broken;
} aiming;

/* Those nearest to the set at full: the closed form says little of what waits for full. */
static void find_elites(aiming *a)
{
    const msw_calibration *c = a->c;
    size_t *elites = a->elites, count = 0;
    for (size_t k = 0; k < c->count; k++) {
        double distance = msw_calibration_distance_of(c, a->set, k);
        size_t rank = count;
        if ((msw_calibration_known(c, k) & a->set) != a->set)
            continue;
        while (rank > 0 && distance < msw_calibration_distance_of(c, a->set, elites[rank - 1]))
            rank--;
        if (rank >= ELITES)
            continue;
        count += count < ELITES;
        memmove(&elites[rank + 1], &elites[rank], (count - 1 - rank) * sizeof *elites);
        elites[rank] = k;
    }
    if (count == 0)
        elites[count++] = c->nearest;
    a->elite_count = count;
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

/* ---- the closed form of proposals ---- */

static void find_guessed(aiming *a)
{
    const msw_calibration *c = a->c;
    for (size_t q = 0; c->screens && q < c->quantities; q++) {
        uint64_t bit = (uint64_t)1 << q;
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        if (!(a->set & bit) || msw_quantity_waits(&quantity))
            continue;
        a->guessed |= bit;
        a->exact |= quantity.fidelity == 0 ? bit : 0;
    }
}

/* Keeps a proposal where it is better than what its place has. */
static void consider(aiming *a, size_t proposal)
{
    const msw_calibration *c = a->c;
    size_t place = a->place[proposal];
    const double *values = &a->values[proposal * c->paper->claims.count];
    double most = 0;
    bool forbidden = false;
    for (size_t q = 0; q < c->quantities; q++) {
        if (!(a->guessed >> q & 1))
            continue;
        msw_quantity quantity = msw_calibration_quantity(c, q, MSW_CLOSED);
        double distance = msw_quantity_distance(
            &quantity, msw_correct(&c->correction[c->claim[q]], values[c->claim[q]]));
        forbidden = forbidden || (distance > MSW_RULED_OUT && (a->exact >> q & 1));
        most = fmax(most, distance);
    }
    bool better = isnan(a->distance[place]) || forbidden < a->forbidden[place] ||
                  (forbidden == a->forbidden[place] && most < a->distance[place]);
    if (!better || a->broken[proposal])
        return;
    a->distance[place] = most;
    a->forbidden[place] = forbidden;
    memcpy(&a->positions[place * c->unknowns], &a->proposed[proposal * c->unknowns],
           c->unknowns * sizeof *a->positions);
}

static void propose_for(aiming *a, size_t place, size_t number, size_t at)
{
    const msw_calibration *c = a->c;
    msw_rng rng;
    uint64_t key = (a->round * MSW_ROUND + place) * PROPOSALS * AGAIN + number;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed ^ a->set, key);
    size_t from = a->elites[msw_rng_below(&rng, a->elite_count)];
    a->place[at] = place;
    change(c, &rng, &c->positions[from * c->unknowns], &a->proposed[at * c->unknowns]);
}

/* Proposals for the places that have none yet, or one that cannot meet the set. */
static int propose(aiming *a, size_t again)
{
    msw_calibration *c = a->c;
    size_t count = 0, each = a->guessed ? PROPOSALS : 1;
    for (size_t place = 0; place < a->count; place++)
        for (size_t i = 0; i < each && (isnan(a->distance[place]) || a->forbidden[place]); i++)
            propose_for(a, place, again * each + i, count++);
    if (count == 0)
        return 0;
    int rc = msw_calibration_guess(c, a->proposed, count, a->guessed, a->values, a->broken);
    for (size_t i = 0; rc == 0 && !c->interrupted && i < count; i++)
        consider(a, i);
    return rc;
}

/* ---- all ---- */

static int make_room(aiming *a)
{
    const msw_calibration *c = a->c;
    size_t most = a->count * PROPOSALS + 1;
    a->positions = calloc(a->count * c->unknowns + 1, sizeof *a->positions);
    a->distance = malloc((a->count + 1) * sizeof *a->distance);
    a->forbidden = calloc(a->count + 1, sizeof *a->forbidden);
    a->place = calloc(most, sizeof *a->place);
    a->proposed = calloc(most * c->unknowns + 1, sizeof *a->proposed);
    a->values = calloc(most * c->paper->claims.count + 1, sizeof *a->values);
    a->broken = calloc(most, sizeof *a->broken);
    if (!a->positions || !a->distance || !a->forbidden || !a->place || !a->proposed || !a->values ||
        !a->broken)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < a->count; k++)
        a->distance[k] = NAN;
    return 0;
}

/* Those that found a proposal that keeps the rules. */
static int add_found(aiming *a)
{
    msw_calibration *c = a->c;
    size_t found = 0;
    for (size_t k = 0; k < a->count; k++)
        if (!isnan(a->distance[k]))
            memmove(&a->positions[found++ * c->unknowns], &a->positions[k * c->unknowns],
                    c->unknowns * sizeof *a->positions);
    return found ? msw_calibration_add_for(c, a->positions, found, a->set) : 0;
}

int msw_calibration_aim(msw_calibration *c, uint64_t set, uint64_t round, size_t count)
{
    aiming a = {.c = c, .set = set, .round = round, .count = count};
    int rc = make_room(&a);
    find_elites(&a);
    find_guessed(&a);
    for (size_t again = 0; rc == 0 && !c->interrupted && again < AGAIN; again++)
        rc = propose(&a, again);
    if (rc == 0 && !c->interrupted)
        rc = add_found(&a);
    free(a.positions);
    free(a.distance);
    free(a.forbidden);
    free(a.place);
    free(a.proposed);
    free(a.values);
    free(a.broken);
    return rc;
}
