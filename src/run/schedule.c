/* SPDX-License-Identifier: MIT */
#include "run/schedule.h"

#include <stdlib.h>

/* Expected cost of a workload's first point, where the mechanism can estimate it. */
static double block_cost(const msw_plan *plan, msw_pointer *pointer, size_t workload)
{
    msw_point point;
    msw_task task = {0};
    uint64_t block = plan->points / plan->workload_count;
    if (!plan->mech->cost || msw_pointer_at(pointer, workload * block, false, &point, NULL))
        return 0;
    msw_point_task(plan, &point, &task);
    return plan->mech->cost(&task);
}

/* Most expensive first: what is started late should be short. Equal costs keep file order. */
static void sort_blocks(const msw_plan *plan, msw_pointer *pointer, size_t *blocks)
{
    for (size_t w = 0; w < plan->workload_count; w++) {
        double cost = block_cost(plan, pointer, w);
        size_t at = w;
        for (; at > 0 && block_cost(plan, pointer, blocks[at - 1]) < cost; at--)
            blocks[at] = blocks[at - 1];
        blocks[at] = w;
    }
}

int msw_schedule_make(const msw_plan *plan, bool shuffled, msw_schedule *order, size_t **blocks,
                      msw_err *err)
{
    size_t count = plan->workload_count;
    msw_pointer *pointer = NULL;
    *blocks = calloc(count, sizeof **blocks);
    if (!*blocks)
        return msw_fail_memory(err);
    if (msw_pointer_new(plan, &pointer, err))
        return -1;
    sort_blocks(plan, pointer, *blocks);
    msw_pointer_free(pointer);
    *order = (msw_schedule){.points = plan->points,
                            .block = plan->points / count,
                            .block_count = count,
                            .blocks = *blocks,
                            .shuffle = shuffled ? plan->seed | 1 : 0};
    return 0;
}
