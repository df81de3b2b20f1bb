/* SPDX-License-Identifier: MIT */
/* How far a front is from that of another sweep. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/analysis/quality.h"

#include <math.h>
#include <stdlib.h>

/* ---- means of distances ---- */

static int find_range(const msw_points *points, double *ideal, double *range, msw_err *err)
{
    msw_points all = *points;
    all.group = NULL;
    bool *on_front = malloc(all.n + 1);
    int rc = on_front ? msw_pareto_front(&all, on_front, NULL, err) : msw_fail_memory(err);
    if (rc == 0 && msw_front_range(&all, on_front, 0, ideal, range))
        rc = msw_fail(err, "a set without a single complete row has no distance");
    free(on_front);
    return rc;
}

/* Objectives have units of their own, so distances are in ranges of the other front. The ideal
 * point of R2 is the best of both. */
static int show_means(const msw_points *a, const msw_points *b, msw_table_builder *builder,
                      msw_err *err)
{
    double ideal[MSW_PARETO_OBJECTIVES], scale[MSW_PARETO_OBJECTIVES];
    double own[MSW_PARETO_OBJECTIVES], unused[MSW_PARETO_OBJECTIVES], value[4];
    if (find_range(a, own, unused, err) || find_range(b, ideal, scale, err))
        return -1;
    for (unsigned j = 0; j < a->k; j++)
        ideal[j] = a->goals[j] == MSW_GOAL_HIGHER ? fmax(ideal[j], own[j]) : fmin(ideal[j], own[j]);
    unsigned divisions = msw_r2_divisions(a->k);
    if (msw_front_distance(a, b, scale, MSW_DISTANCE_GD, &value[0], err) ||
        msw_front_distance(a, b, scale, MSW_DISTANCE_IGD_PLUS, &value[1], err) ||
        msw_front_r2(a, ideal, scale, divisions, &value[2], err) ||
        msw_front_r2(b, ideal, scale, divisions, &value[3], err))
        return -1;
    msw_builder_number(builder, "gd", value[0]);
    msw_builder_number(builder, "igd_plus", value[1]);
    msw_builder_number(builder, "r2", value[2]);
    msw_builder_number(builder, "other_r2", value[3]);
    return 0;
}

/* ---- all of them ---- */

/* A factor needs positive values: without them no factor is given, which is not an error. */
int msw_front_distances(const msw_front *j, const msw_front *other, msw_table_builder *builder)
{
    const double *own[MSW_PARETO_OBJECTIVES], *theirs[MSW_PARETO_OBJECTIVES];
    msw_points a = msw_front_points(j, own), b = msw_front_points(other, theirs);
    double there, back;
    if (msw_epsilon_indicator(&a, &b, MSW_EPSILON_ADDITIVE, &there, j->err) ||
        msw_epsilon_indicator(&b, &a, MSW_EPSILON_ADDITIVE, &back, j->err))
        return -1;
    msw_builder_number(builder, "epsilon", there);
    msw_builder_number(builder, "epsilon_back", back);
    if (msw_epsilon_indicator(&a, &b, MSW_EPSILON_FACTOR, &there, NULL) == 0 &&
        msw_epsilon_indicator(&b, &a, MSW_EPSILON_FACTOR, &back, NULL) == 0) {
        msw_builder_number(builder, "epsilon_factor", there);
        msw_builder_number(builder, "epsilon_factor_back", back);
    }
    return show_means(&a, &b, builder, j->err);
}
