/* SPDX-License-Identifier: MIT */
#include "memsweep/sweep/preview.h"

#include "memsweep/mech/stated.h"

enum { STATED_SAMPLE = 1000 };

int msw_plan_count_outside(const msw_plan *plan, uint64_t *outside, uint64_t *tried, msw_err *err)
{
    msw_stated_region *region = NULL;
    msw_pointer *pointer = NULL;
    msw_point point;
    msw_task task;
    uint64_t count = plan->points < STATED_SAMPLE ? plan->points : STATED_SAMPLE;
    int rc = msw_stated_open(plan->mech, NULL, &region, err) || msw_pointer_new(plan, &pointer, err)
                 ? -1
                 : 0;
    for (*tried = *outside = 0; rc == 0 && *tried < count; ++*tried) {
        rc = msw_pointer_at(pointer, plan->points / count * *tried, false, &point, err);
        if (rc)
            break;
        msw_point_task(plan, &point, &task);
        int holds = msw_stated_holds(region, task.config, task.workload->name, err);
        *outside += holds == 0;
        rc = holds < 0 ? -1 : 0;
    }
    msw_pointer_free(pointer);
    msw_stated_close(region);
    return rc;
}
