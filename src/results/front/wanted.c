/* SPDX-License-Identifier: MIT */
/* Which points of a front are wanted: a few that represent it, or those nearest to goals. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool *mark_front(const msw_front *j)
{
    bool *on_front = malloc(j->values.rows + 1);
    for (size_t r = 0; on_front && r < j->values.rows; r++)
        on_front[r] = j->rank[r] == 0;
    return on_front;
}

/* ---- thinning ---- */

static bool equals_one(const msw_front *j, const msw_points *points, const bool *kept, size_t row)
{
    for (size_t r = 0; r < points->n; r++) {
        bool same = kept[r] && (!j->group || j->group[r] == j->group[row]);
        for (unsigned i = 0; same && i < points->k; i++)
            same = points->columns[i][r] == points->columns[i][row];
        if (same)
            return true;
    }
    return false;
}

/* Rows that equal one that is kept come along, so that those alike can be shown as one. */
static int keep_equals(msw_front *j, const msw_points *points)
{
    bool *kept = malloc(points->n + 1);
    if (!kept)
        return msw_fail_memory(j->err);
    memcpy(kept, j->kept, points->n * sizeof *kept);
    for (size_t r = 0; r < points->n; r++)
        j->kept[r] = kept[r] || (j->rank[r] == 0 && equals_one(j, points, kept, r));
    free(kept);
    return 0;
}

int msw_front_thin_out(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    if (!j->ask.thin)
        return 0;
    if (j->ask.ranks > 1 || j->ask.uncertain)
        return msw_fail(j->err, "--thin is about one front: leave %s out",
                        j->ask.uncertain ? "--uncertain" : "--ranks");
    j->kept = mark_front(j);
    if (!j->kept)
        return msw_fail_memory(j->err);
    if (msw_front_thin(&points, (size_t)j->ask.thin, j->kept, &j->epsilon, j->err))
        return -1;
    return j->ask.distinct ? keep_equals(j, &points) : 0;
}

/* ---- goals ---- */

typedef struct aim {
    double goal[MSW_PARETO_OBJECTIVES], scale[MSW_PARETO_OBJECTIVES], weight[MSW_PARETO_OBJECTIVES];
} aim;

static int read_weights(const msw_front *j, aim *a)
{
    if (msw_front_values(j, "--weights", j->ask.weights ? j->ask.weights : "", a->weight))
        return -1;
    for (size_t i = 0; i < j->objectives.count; i++) {
        if (a->weight[i] < 0 || isinf(a->weight[i]))
            return msw_fail(j->err, "--weights: %s=%g: a weight is 0 or more",
                            j->objectives.names[i], a->weight[i]);
        a->weight[i] = isnan(a->weight[i]) ? 1 : a->weight[i];
    }
    return 0;
}

/* With goals: relative to them, and what has none does not count. Without: from the best of each
 * front, in ranges of it. */
static void set_aim(const msw_front *j, const aim *asked, const double *ideal, const double *range,
                    aim *a)
{
    *a = *asked;
    for (size_t i = 0; i < j->objectives.count; i++) {
        double goal = asked->goal[i];
        a->weight[i] = j->ask.goals && isnan(goal) ? 0 : asked->weight[i];
        a->goal[i] = isnan(goal) ? ideal[i] : goal;
        a->scale[i] = isnan(goal) || goal == 0 ? range[i] : fabs(goal);
    }
}

static void aim_group(msw_front *j, const msw_points *points, const bool *on_front, uint32_t group,
                      const aim *asked)
{
    double ideal[MSW_PARETO_OBJECTIVES], range[MSW_PARETO_OBJECTIVES];
    aim a;
    if (msw_front_range(points, on_front, group, ideal, range))
        return;
    set_aim(j, asked, ideal, range, &a);
    for (size_t r = 0; r < points->n; r++)
        if (on_front[r] && (!points->group || points->group[r] == group))
            j->miss[r] = msw_goal_miss(points, r, a.goal, a.scale, a.weight, &j->missed_by[r]);
}

int msw_front_aim(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    aim asked;
    if (!j->ask.goals && !j->ask.weights)
        return 0;
    if (j->ask.ranks > 1 || j->ask.uncertain)
        return msw_fail(j->err, "--goals and --weights are about one front: leave %s out",
                        j->ask.uncertain ? "--uncertain" : "--ranks");
    if (msw_front_values(j, "--goals", j->ask.goals ? j->ask.goals : "", asked.goal) ||
        read_weights(j, &asked))
        return -1;
    bool *on_front = mark_front(j);
    j->miss = malloc((j->values.rows + 1) * sizeof *j->miss);
    j->missed_by = calloc(j->values.rows + 1, sizeof *j->missed_by);
    int rc = on_front && j->miss && j->missed_by ? 0 : msw_fail_memory(j->err);
    for (uint32_t g = 0; rc == 0 && g < (j->group ? j->group_count : 1); g++)
        aim_group(j, &points, on_front, g, &asked);
    free(on_front);
    return rc;
}

/* ---- said ---- */

static size_t count_reached(const msw_front *j)
{
    size_t count = 0;
    for (size_t i = 0; i < j->chosen_count; i++)
        count += j->miss[j->chosen[i]] <= 0;
    return count;
}

void msw_front_wanted_note(const msw_front *j, msw_text *note)
{
    if (j->kept)
        msw_text_add(note,
                     "thinned to %zu of %zu points: each one left out is matched by one shown but "
                     "for %.3g %% of the range of an objective\n",
                     j->chosen_count, j->count.front, 100 * j->epsilon);
    if (j->miss && j->ask.goals)
        msw_text_add(note,
                     "%zu of %zu points reach all goals; miss: by how much of its goal the "
                     "worst objective fails (missed_by), below 0 the reserve\n",
                     count_reached(j), j->chosen_count);
    else if (j->miss)
        msw_text_add(note, "miss: weighted distance from the best of each objective, in ranges of "
                           "the front, in the worst of them (missed_by)\n");
}
