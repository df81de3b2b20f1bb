/* How many terms, and of which degree: what predicts bins best that took no part. */
#include "surrogate.h"

#include <math.h>
#include <string.h>

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

/* Squared error by number of terms, over all bins of the set, each predicted from the others. */
static int add_curves(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      size_t most, double *curve)
{
    memset(curve, 0, most * sizeof *curve);
    for (unsigned b = 0; b < t->bins; b++) {
        uint32_t rest = set & ~((uint32_t)1 << b);
        if (rest == set || !rest || t->start[b] == t->start[b + 1])
            continue;
        pursuit_ask ask = {.train = rest,
                           .held = (int)b,
                           .allowed = pce->allowed + (degree - 1) * pce->terms,
                           .most = most};
        if (pursuit_curve(t, &ask, curve))
            return -1;
    }
    return 0;
}

static void take_least(const double *curve, size_t most, double floor, unsigned degree,
                       double *least, surrogate_choice *choice)
{
    for (size_t i = 0; i < most; i++)
        if (fmax(curve[i], floor) < *least) {
            *least = fmax(curve[i], floor);
            *choice = (surrogate_choice){degree, i + 1};
        }
}

int surrogate_choose(const msw_pce *pce, pursuit_table *t, uint32_t set, surrogate_choice *choice)
{
    msw_arena own = {0};
    size_t most = most_terms(t, set);
    double *curve = msw_arena_take(&own, most * sizeof *curve), least = INFINITY, floor = 0;
    int status = curve ? 0 : -1;
    for (unsigned b = 0; b < t->bins; b++)
        floor += ROUNDING * t->spread[b];
    unsigned lowest = pce->settings.best ? 1 : pce->settings.degree;
    *choice = (surrogate_choice){lowest, 1};
    for (unsigned d = lowest; d <= pce->settings.degree && status == 0; d++) {
        status = add_curves(pce, t, set, d, most, curve);
        if (status == 0)
            take_least(curve, most, floor, d, &least, choice);
    }
    msw_arena_free(&own);
    return status;
}

int surrogate_choose_fit(msw_pce *pce, pursuit_table *t, uint32_t set, pursuit_model *model,
                         unsigned *degree)
{
    surrogate_choice choice;
    if (surrogate_choose(pce, t, set, &choice))
        return -1;
    pursuit_ask ask = {.train = set,
                       .held = -1,
                       .allowed = pce->allowed + (choice.degree - 1) * pce->terms,
                       .most = choice.terms};
    *degree = choice.degree;
    return pursuit_fit(t, &ask, model, &pce->arena);
}
