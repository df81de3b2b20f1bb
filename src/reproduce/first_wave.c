/* SPDX-License-Identifier: MIT */
/* Draws the first parameter sets of the unknowns of a paper, which `calibrate` begins with and
 * `--over-unknowns` shows: a latin hypercube, or all combinations of levels where they are few.
 * Unknowns that wait for something the sweeps never have are left out. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/sweep/acting.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>
#include <string.h>

/* What of a plan is drawn, by place in its schema: its conditions may hold for some of the values.
 */
static bool *list_open(const msw_paper *p, const msw_plan *plan)
{
    const msw_spread *s = &p->spread;
    bool *open = calloc(plan->schema.count + 1, sizeof *open);
    for (size_t u = 0; open && u < s->unknown_count; u++)
        if (msw_paper_opens(plan, s->unknowns[u].param))
            open[msw_schema_find(&plan->schema, s->unknowns[u].param->name)] = true;
    return open;
}

/* Whether an unknown may act at a point of a workload. */
static int acts_for(const msw_paper *p, const msw_acting *acting, msw_pointer *pointer,
                    const msw_plan *plan, size_t index, size_t workload, const bool *open)
{
    msw_point point;
    uint64_t step = plan->replicates ? plan->replicates : 1;
    uint64_t count = plan->points / plan->workload_count;
    int acts = 0;
    for (uint64_t i = 0; acts == 0 && i < count; i += step) {
        if (msw_pointer_at(pointer, workload * count + i, false, &point, p->err))
            return -1;
        acts = msw_acting_at(acting, index, point.block, open, p->err);
    }
    return acts;
}

static int acts_in(const msw_paper *p, const msw_acting *acting, const msw_plan *plan,
                   const msw_param *param)
{
    size_t index = (size_t)msw_schema_find(&plan->schema, param->name);
    bool *open = list_open(p, plan);
    msw_pointer *pointer = NULL;
    int acts = 0, rc = open ? msw_pointer_new(plan, &pointer, p->err) : msw_fail_memory(p->err);
    for (size_t w = 0; rc == 0 && acts == 0 && w < plan->workload_count; w++)
        if (msw_acting_concerns(acting, index, w))
            acts = acts_for(p, acting, pointer, plan, index, w, open);
    msw_pointer_free(pointer);
    free(open);
    return rc ? -1 : acts;
}

static int acts_somewhere(const msw_paper *p, const msw_param *param)
{
    int acts = 0;
    for (size_t i = 0; acts == 0 && i < p->sweep_count; i++) {
        const msw_plan *plan = p->sweeps[i].sampled ? p->sweeps[i].plan : NULL;
        msw_acting *acting = NULL;
        if (!plan || !msw_paper_opens(plan, param))
            continue;
        acts = msw_acting_new(plan, &acting, p->err) ? -1 : acts_in(p, acting, plan, param);
        msw_acting_free(acting);
    }
    return acts;
}

/* Forgets unknowns that act at no point of any sweep. */
static int drop_idle(msw_paper *p)
{
    msw_spread *s = &p->spread;
    for (size_t u = 0; u < s->unknown_count;) {
        int acts = acts_somewhere(p, s->unknowns[u].param);
        if (acts < 0)
            return -1;
        if (acts) {
            u++;
            continue;
        }
        s->idle++;
        s->unknown_count--;
        memmove(&s->unknowns[u], &s->unknowns[u + 1], (s->unknown_count - u) * sizeof *s->unknowns);
    }
    return s->unknown_count ? 0 : msw_fail(p->err, "no unknown acts at any point of the sweeps");
}

int msw_paper_acting(msw_paper *p)
{
    MSW_TRY(msw_paper_unknowns(p));
    MSW_TRY(!p->ask->unknowns && drop_idle(p));
    return 0;
}

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
