/* SPDX-License-Identifier: MIT */
/* Unknowns that wait for something the sweeps never have. */
#include "memsweep/reproduce/paper.h"
#include "reproduce/acting.h"

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
