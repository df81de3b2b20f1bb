/* SPDX-License-Identifier: MIT */
/* How many terms, and of which degree: what predicts bins best that took no part. */
#include "analysis/surrogate/surrogate.h"

#include <math.h>

/* Terms without a lower error after which no more are tried. */
enum { PATIENCE = 20 };

/* Errors below this share of the output's square are rounding: the smaller model wins. */
#define ROUNDING 1e-22

static size_t most_terms(const pursuit_table *t, uint32_t set)
{
    size_t most = SIZE_MAX;
    for (unsigned b = 0; b < t->bins; b++)
        if (set >> b & 1 && set & ~((uint32_t)1 << b)) {
            size_t own = pursuit_most(t, set & ~((uint32_t)1 << b));
            most = own < most ? own : most;
        }
    return most == SIZE_MAX ? 1 : most;
}

/* One fit per bin of the set, to the others, side by side. */
typedef struct race {
    unsigned count;
    pursuit_ask ask[PURSUIT_BINS];
    pursuit *fit[PURSUIT_BINS];
} race;

static int start_race(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      race *all)
{
    size_t most = most_terms(t, set);
    all->count = 0;
    for (unsigned b = 0; b < t->bins; b++) {
        uint32_t rest = set & ~((uint32_t)1 << b);
        if (rest == set || !rest || t->start[b] == t->start[b + 1])
            continue;
        pursuit_ask *ask = &all->ask[all->count];
        *ask = (pursuit_ask){.train = rest,
                             .held = (int)b,
                             .allowed = pce->allowed + (degree - 1) * pce->terms,
                             .most = most};
        if (!(all->fit[all->count++] = pursuit_new(t, ask)))
            return -1;
    }
    return 0;
}

/* All take one more term. Returns whether any did, or -1 without memory. */
static int step(race *all, double *error)
{
    int moved = 0;
    *error = 0;
    for (unsigned f = 0; f < all->count; f++) {
        int status = pursuit_step(all->fit[f]);
        if (status < 0)
            return -1;
        moved |= status;
        *error += pursuit_error(all->fit[f]);
    }
    return moved;
}

/* The number of terms with the least error of all bins together, each predicted from the others. */
static int run_race(race *all, double floor, unsigned degree, double *least,
                    surrogate_choice *choice)
{
    double own = INFINITY, error;
    size_t best = 0;
    for (size_t terms = 1; terms <= best + PATIENCE; terms++) {
        int moved = step(all, &error);
        if (moved <= 0)
            return moved;
        error = fmax(error, floor);
        if (error < own) {
            own = error;
            best = terms;
        }
        if (error < *least) {
            *least = error;
            *choice = (surrogate_choice){degree, terms};
        }
    }
    return 0;
}

int surrogate_choose(const msw_pce *pce, pursuit_table *t, uint32_t set, surrogate_choice *choice)
{
    unsigned lowest = pce->settings.best ? 1 : pce->settings.degree;
    double least = INFINITY, floor = 0;
    int status = 0;
    for (unsigned b = 0; b < t->bins; b++)
        floor += ROUNDING * t->spread[b];
    *choice = (surrogate_choice){lowest, 1};
    for (unsigned d = lowest; d <= pce->settings.degree && status == 0; d++) {
        race all;
        status =
            start_race(pce, t, set, d, &all) || run_race(&all, floor, d, &least, choice) ? -1 : 0;
        for (unsigned f = 0; f < all.count; f++)
            pursuit_free(all.fit[f]);
    }
    return status;
}

int surrogate_choose_fit(const msw_pce *pce, pursuit_table *t, uint32_t set, pursuit_model *model,
                         unsigned *degree, msw_arena *arena)
{
    surrogate_choice choice;
    if (surrogate_choose(pce, t, set, &choice))
        return -1;
    pursuit_ask ask = {.train = set,
                       .held = -1,
                       .allowed = pce->allowed + (choice.degree - 1) * pce->terms,
                       .most = choice.terms};
    *degree = choice.degree;
    return pursuit_fit(t, &ask, model, arena);
}
