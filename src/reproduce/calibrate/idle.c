/* SPDX-License-Identifier: MIT */
/* Unknowns that wait for something the sweeps never have. */
#include "memsweep/reproduce/conditions.h"
#include "reproduce/calibrate/calibration.h"

#include <stdlib.h>
#include <string.h>

/* Whether an unknown acts at a point of a sweep: what its condition asks for may be unknown itself.
 */
static int acts_in(const msw_calibration *c, const msw_conditions *conditions, const msw_plan *plan,
                   const msw_param *param)
{
    const msw_spread *s = &c->paper->spread;
    for (size_t u = 0; u < s->unknown_count; u++)
        if (msw_paper_opens(plan, s->unknowns[u].param) &&
            msw_conditions_ask(conditions, param->name, s->unknowns[u].param->name))
            return 1;
    msw_pointer *pointer = NULL;
    msw_point point;
    uint64_t step = plan->replicates ? plan->replicates : 1;
    uint64_t count = plan->points / plan->workload_count;
    int acts = 0, rc = msw_pointer_new(plan, &pointer, c->paper->err);
    for (uint64_t i = 0; rc == 0 && acts == 0 && i < count; i += step) {
        rc = msw_pointer_at(pointer, i, false, &point, c->paper->err);
        if (rc == 0)
            acts = msw_conditions_hold(conditions, param->name,
                                       (const char *)point.block + plan->schema.part_offsets[0],
                                       c->paper->err);
    }
    msw_pointer_free(pointer);
    return rc ? -1 : acts;
}

static int acts_somewhere(const msw_calibration *c, const msw_param *param)
{
    const msw_paper *p = c->paper;
    int acts = 0;
    for (size_t i = 0; acts == 0 && i < p->sweep_count; i++) {
        const msw_plan *plan = p->sweeps[i].sampled ? p->sweeps[i].plan : NULL;
        msw_conditions *conditions = NULL;
        if (!plan || !msw_paper_opens(plan, param))
            continue;
        acts = msw_conditions_new(plan->mech, &conditions, p->err)
                   ? -1
                   : acts_in(c, conditions, plan, param);
        msw_conditions_free(conditions);
    }
    return acts;
}

int msw_calibration_drop_idle(msw_calibration *c)
{
    msw_spread *s = &c->paper->spread;
    for (size_t u = 0; u < s->unknown_count;) {
        int acts = acts_somewhere(c, s->unknowns[u].param);
        if (acts < 0)
            return -1;
        if (acts) {
            u++;
            continue;
        }
        c->idle++;
        s->unknown_count--;
        memmove(&s->unknowns[u], &s->unknowns[u + 1], (s->unknown_count - u) * sizeof *s->unknowns);
    }
    return s->unknown_count ? 0
                            : msw_fail(c->paper->err, "no unknown acts at any point of the sweeps");
}
