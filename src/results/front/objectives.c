/* SPDX-License-Identifier: MIT */
#include "memsweep/results/front.h"

#include "memsweep/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add(msw_objectives *o, const char *name, size_t size, msw_goal goal, msw_err *err)
{
    if (o->count == MSW_PARETO_OBJECTIVES)
        return msw_fail(err, "more than %d objectives", MSW_PARETO_OBJECTIVES);
    for (size_t i = 0; i < o->count; i++)
        if (strlen(o->names[i]) == size && strncmp(o->names[i], name, size) == 0)
            return msw_fail(err, "'%s' is an objective twice", o->names[i]);
    char *copy = msw_strfmt("%.*s", (int)size, name);
    if (!copy)
        return msw_fail_memory(err);
    o->goals[o->count] = goal;
    o->names[o->count++] = copy;
    return 0;
}

static int add_list(msw_objectives *o, const char *list, msw_goal goal, msw_err *err)
{
    while (list && *list) {
        list += strspn(list, " ,");
        size_t size = strcspn(list, " ,");
        if (size && add(o, list, size, goal, err))
            return -1;
        list += size;
    }
    return 0;
}

int msw_objectives_read(const char *minimize, const char *maximize, const msw_sweep_info *sweep,
                        msw_objectives *o, msw_err *err)
{
    if (add_list(o, minimize, MSW_GOAL_LOWER, err) || add_list(o, maximize, MSW_GOAL_HIGHER, err))
        return -1;
    for (size_t i = 0; !minimize && !maximize && i < sweep->objective_count; i++)
        if (add(o, sweep->objectives[i].name, strlen(sweep->objectives[i].name),
                sweep->objectives[i].goal, err))
            return -1;
    return o->count ? 0
                    : msw_fail(err, "sweep '%s' names no objectives: say --minimize or --maximize",
                               sweep->name);
}

void msw_objectives_free(msw_objectives *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->names[i]);
    o->count = 0;
}
