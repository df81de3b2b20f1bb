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

/* Total order with "not there" at the end. */
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

int msw_group_rows(const msw_column *column, size_t rows, uint32_t *group, uint32_t *count,
                   msw_err *err)
{
    double *distinct = malloc((rows + 1) * sizeof *distinct);
    if (!distinct)
        return msw_fail_memory(err);
    memcpy(distinct, column->values, rows * sizeof *distinct);
    qsort(distinct, rows, sizeof *distinct, compare);
    size_t kept = 0;
    for (size_t r = 0; r < rows; r++)
        if (!kept || compare(&distinct[kept - 1], &distinct[r]) != 0)
            distinct[kept++] = distinct[r];
    for (size_t r = 0; r < rows; r++) {
        const double *at = bsearch(&column->values[r], distinct, kept, sizeof *distinct, compare);
        group[r] = (uint32_t)(at - distinct);
    }
    *count = (uint32_t)kept;
    free(distinct);
    return 0;
}
