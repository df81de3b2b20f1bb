/* SPDX-License-Identifier: MIT */
#include "explore_space.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FACTORS = 4 };

/* More of any factor costs more and is faster, with diminishing returns. */
static void fill(explore_space *s, size_t u, unsigned levels, double spikes, double depth,
                 msw_rng *rng)
{
    size_t units = s->space.units, rest = u;
    double exact = 0, time = 0;
    unsigned l[FACTORS];
    for (unsigned f = 0; f < FACTORS; f++, rest /= levels) {
        l[f] = (unsigned)(rest % levels);
        s->levels[f * units + u] = (uint8_t)l[f];
        exact += (f + 1) * l[f] * l[f];
        time += (FACTORS - f) * exp(-0.7 * l[f]);
    }
    s->group[u] = (uint32_t)rest;
    s->stratum[u] = (uint32_t)(2 * rest + (l[0] > l[1]));
    s->exact[u] = exact;
    s->closed[u] = log(1 + time);
    s->full[u] = s->closed[u] + 0.05 * l[0] - 0.02 * l[3] * (l[0] > l[1]);
    if (msw_rng_uniform(rng) < spikes)
        s->full[u] -= depth * (0.5 + msw_rng_uniform(rng));
}

explore_space *explore_space_new(uint32_t groups, unsigned levels, double spikes, double depth,
                                 uint64_t seed)
{
    size_t units = groups;
    for (unsigned f = 0; f < FACTORS; f++)
        units *= levels;
    explore_space *s = calloc(1, sizeof *s);
    *s = (explore_space){.exact = malloc(units * sizeof(double)),
                         .closed = malloc(units * sizeof(double)),
                         .full = malloc(units * sizeof(double)),
                         .group = malloc(units * sizeof(uint32_t)),
                         .stratum = malloc(units * sizeof(uint32_t)),
                         .levels = malloc(FACTORS * units),
                         .factors = calloc(FACTORS, sizeof *s->factors)};
    s->space = (msw_explore_space){.units = units,
                                   .groups = groups,
                                   .group = s->group,
                                   .stratum = s->stratum,
                                   .strata = 2 * groups,
                                   .exact_count = 1,
                                   .open_count = 1,
                                   .exact = {s->exact},
                                   .open = {s->closed},
                                   .floor = {-INFINITY},
                                   .factor_count = FACTORS,
                                   .factors = s->factors};
    for (unsigned f = 0; f < FACTORS; f++)
        s->factors[f] = (msw_explore_factor){s->levels + f * units, levels, true};
    msw_rng rng;
    msw_rng_init(&rng, seed, 0);
    for (size_t u = 0; u < units; u++)
        fill(s, u, levels, spikes, depth, &rng);
    return s;
}

void explore_space_free(explore_space *s)
{
    free(s->exact);
    free(s->closed);
    free(s->full);
    free(s->group);
    free(s->stratum);
    free(s->levels);
    free(s->factors);
    free(s);
}

msw_explorer *explore_space_run(const explore_space *s, const msw_explore_rules *rules)
{
    msw_explorer *e;
    msw_explore_round round;
    msw_err err = {0};
    int got = msw_explorer_new(&s->space, rules, &e, &err) ? -1 : 1;
    while (got > 0 && (got = msw_explorer_next(e, &round, &err)) > 0)
        for (size_t i = 0; i < round.count; i++) {
            uint32_t u = round.units[i];
            msw_explore_answer a = {
                .state = MSW_EXPLORE_OK, .exact = {s->exact[u]}, .open = {s->full[u]}};
            msw_explorer_tell(e, u, &a);
        }
    if (got == 0)
        return e;
    fprintf(stderr, "%s\n", err.text);
    return NULL;
}

uint64_t explore_space_wrong(const explore_space *s, const msw_explorer *e, double tolerance)
{
    uint64_t wrong = 0;
    for (uint32_t u = 0; u < s->space.units; u++) {
        msw_explore_standing standing = msw_explorer_standing(e, u);
        bool covered = standing != MSW_EXPLORE_OPEN && standing != MSW_EXPLORE_PROVEN;
        for (uint32_t p = 0; p < s->space.units && !covered; p++)
            covered = s->group[p] == s->group[u] && s->exact[p] <= s->exact[u] &&
                      s->full[p] <= s->full[u] + log1p(tolerance) &&
                      msw_explorer_standing(e, p) == MSW_EXPLORE_FRONT;
        wrong += !covered;
    }
    return wrong;
}
