/* SPDX-License-Identifier: MIT */
/* The first settings that are drawn of the unknowns of a paper, which `calibrate` begins with and
 * `--over-unknowns` shows: a latin hypercube, or all combinations of levels where they are few. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>

/* How many combinations of levels there are; 0: an unknown has a range, or more than `most`. */
static size_t count_combinations(const msw_spread *s, size_t most)
{
    uint64_t count = 1;
    for (size_t u = 0; u < s->unknown_count && count <= most; u++)
        count = s->unknowns[u].levels <= most ? count * s->unknowns[u].levels : (uint64_t)most + 1;
    return count <= most ? (size_t)count : 0;
}

/* The middle of each level's cell; what shapes changes slowest. */
static void combination_at(msw_spread *s, size_t sample)
{
    size_t number = sample;
    double *position = &s->positions[sample * s->unknown_count];
    for (int shapes = 0; shapes < 2; shapes++)
        for (size_t u = 0; u < s->unknown_count; u++) {
            msw_unknown *unknown = &s->unknowns[u];
            if (unknown->shapes != (shapes == 1))
                continue;
            position[u] = ((double)(number % unknown->levels) + 0.5) / (double)unknown->levels;
            unknown->values[sample] = msw_unknown_value(unknown, position[u]);
            number /= unknown->levels;
        }
}

static int all_combinations(msw_paper *p, msw_spread *s)
{
    bool *broken = calloc(s->samples + 1, sizeof *broken);
    int rc = broken ? msw_spread_room(s, p->err) : msw_fail_memory(p->err);
    for (size_t k = 0; rc == 0 && k < s->samples; k++)
        combination_at(s, k);
    if (rc == 0)
        rc = msw_spread_broken(p, s, broken, &s->rule);
    for (size_t k = 0; rc == 0 && k < s->samples; k++)
        s->broken += broken[k];
    free(broken);
    return rc;
}

int msw_spread_first(msw_paper *p, msw_spread *s, size_t inner)
{
    size_t combinations = count_combinations(s, s->samples);
    s->combinations = combinations > 0;
    s->shapes = inner ? (size_t)msw_div_up(s->samples, inner) : s->samples;
    if (!s->combinations)
        return msw_spread_draw(p, s);
    s->samples = combinations;
    return all_combinations(p, s);
}

int msw_paper_spread(msw_paper *p)
{
    msw_spread *s = &p->spread;
    s->fidelity = p->ask->fidelity ? p->ask->fidelity : "analytic";
    s->suffix = "-unknowns";
    s->seed = (uint64_t)p->ask->seed;
    s->conditional = true;
    MSW_TRY(msw_paper_acting(p));
    MSW_TRY(msw_spread_first(p, s, (size_t)p->ask->inner));
    return msw_spread_answer(p, s);
}
