/* SPDX-License-Identifier: MIT */
/* The objectives of a front: as a user names them, with values ("slowdown=1.5, sram_bytes=8192"),
 * and as the analysis takes them. */
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

/* Length of "f1=3", also with blanks around '=': a blank alone separates as a comma does. */
static size_t part_size(const char *part)
{
    size_t name = strcspn(part, " ,="), gap = strspn(part + name, " ");
    if (part[name + gap] != '=')
        return name;
    const char *value = part + name + gap + 1;
    value += strspn(value, " ");
    return (size_t)(value - part) + strcspn(value, " ,");
}

static int fail_part(const msw_objectives *o, const char *option, const char *part, size_t size,
                     msw_err *err)
{
    const char *equals = memchr(part, '=', size);
    msw_text known = MSW_TEXT_EMPTY;
    if (!equals)
        return msw_fail(err, "%s '%.*s': write objective=value,objective=value", option, (int)size,
                        part);
    for (size_t i = 0; i < o->count; i++)
        msw_text_add(&known, "%s%s", i ? ", " : "", o->names[i]);
    int rc = msw_fail(err, "%s: '%.*s' is no objective here; they are %s", option,
                      (int)strcspn(part, " ,="), part, msw_text_str(&known));
    msw_text_free(&known);
    return rc;
}

static int parse_part(const msw_objectives *o, const char *option, const char *part, size_t size,
                      double *values, msw_err *err)
{
    const char *equals = memchr(part, '=', size);
    size_t name = strcspn(part, " ,=");
    for (size_t i = 0; equals && i < o->count; i++) {
        char *end;
        if (strlen(o->names[i]) != name || strncmp(o->names[i], part, name) != 0)
            continue;
        values[i] = strtod(equals + 1, &end);
        return end == part + size && end != equals + 1
                   ? 0
                   : msw_fail(err, "%s '%.*s': not a number", option, (int)size, part);
    }
    return fail_part(o, option, part, size, err);
}

int msw_objectives_values(const msw_objectives *o, const char *option, const char *list,
                          double *values, msw_err *err)
{
    for (size_t i = 0; i < o->count; i++)
        values[i] = NAN;
    for (const char *at = list; *at;) {
        at += strspn(at, " ,");
        size_t size = part_size(at);
        if (size && parse_part(o, option, at, size, values, err))
            return -1;
        at += size;
    }
    return 0;
}

msw_points msw_front_points(const msw_front_rows *rows, const msw_objectives *o,
                            const double *columns[MSW_PARETO_OBJECTIVES])
{
    for (size_t i = 0; i < o->count; i++)
        columns[i] = rows->values.columns[MSW_FRONT_OBJECTIVES + i].values;
    return (msw_points){.n = rows->values.rows,
                        .k = (unsigned)o->count,
                        .columns = columns,
                        .goals = o->goals,
                        .group = rows->group,
                        .group_count = rows->group_count};
}
