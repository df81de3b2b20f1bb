/* SPDX-License-Identifier: MIT */
/* Measures a front: hypervolume, the share of each point, distance to the front of another sweep;
 * counts what did not take part. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/analysis/quality.h"
#include "memsweep/base/text_check.h"
#include "memsweep/format/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double *objective(const msw_front *j, size_t i)
{
    return j->rows.values.columns[MSW_FRONT_OBJECTIVES + i].values;
}

/* ---- the reference point ---- */

static void find_ends(const msw_front *j, size_t i, double *best, double *worst)
{
    double sign = j->input.objectives.goals[i] == MSW_GOAL_HIGHER ? -1 : 1;
    *best = *worst = NAN;
    for (size_t r = 0; r < j->rows.values.rows; r++) {
        double value = sign * objective(j, i)[r];
        if (j->ranks.rank[r] != 0)
            continue;
        *best = fmin(*best, value);
        *worst = fmax(*worst, value);
    }
    *best *= sign;
    *worst *= sign;
}

/* Beyond the worst, so that the ends of the front count. */
static void choose_reference(msw_front *j)
{
    for (size_t i = 0; i < j->input.objectives.count; i++) {
        double best, worst;
        find_ends(j, i, &best, &worst);
        double slack = (worst - best) / 10;
        if (slack == 0)
            slack = (j->input.objectives.goals[i] == MSW_GOAL_HIGHER ? -1 : 1) *
                    (worst == 0 ? 1 : fabs(worst) / 10);
        j->ranks.reference[i] = worst + slack;
    }
}

static int find_reference(msw_front *j)
{
    if (!j->options.reference) {
        choose_reference(j);
        return 0;
    }
    if (msw_objectives_values(&j->input.objectives, "--reference", j->options.reference,
                              j->ranks.reference, j->err))
        return -1;
    for (size_t i = 0; i < j->input.objectives.count; i++)
        if (isnan(j->ranks.reference[i]))
            return msw_fail(j->err, "--reference gives '%s' no value",
                            j->input.objectives.names[i]);
    return 0;
}

/* ---- shares ---- */

int msw_front_shares(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(&j->rows, &j->input.objectives, columns);
    j->ranks.share = malloc((j->rows.values.rows + 1) * sizeof *j->ranks.share);
    if (!j->ranks.share)
        return msw_fail_memory(j->err);
    MSW_TRY(find_reference(j));
    MSW_TRY(msw_hypervolume_exclusive(&points, j->ranks.reference, j->ranks.share, j->err));
    return 0;
}

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
static int add_mean_distances(const msw_points *a, const msw_points *b, msw_table_builder *builder,
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

/* ---- coverage ---- */

static bool covers(const msw_front *j, size_t row, const msw_front *other, size_t covered)
{
    for (size_t i = 0; i < j->input.objectives.count; i++) {
        double sign = j->input.objectives.goals[i] == MSW_GOAL_HIGHER ? -1 : 1;
        if (sign * objective(j, i)[row] > sign * objective(other, i)[covered])
            return false;
    }
    return true;
}

/* The share of the other front of which each point has one of this that is at least as good in all
 * objectives (the C metric of Zitzler and Thiele 1999). */
static double coverage(const msw_front *j, const msw_front *other)
{
    size_t count = 0, covered = 0;
    for (size_t r = 0; r < other->rows.values.rows; r++) {
        bool found = false;
        if (other->ranks.rank[r] != 0)
            continue;
        for (size_t own = 0; !found && own < j->rows.values.rows; own++)
            found = j->ranks.rank[own] == 0 && covers(j, own, other, r);
        count++;
        covered += found;
    }
    return count ? (double)covered / (double)count : NAN;
}

/* ---- all of them ---- */

/* A factor needs positive values: without them no factor is given, which is not an error. */
static int add_distances(const msw_front *j, const msw_front *other, msw_table_builder *builder)
{
    const double *own[MSW_PARETO_OBJECTIVES], *theirs[MSW_PARETO_OBJECTIVES];
    msw_points a = msw_front_points(&j->rows, &j->input.objectives, own),
               b = msw_front_points(&other->rows, &other->input.objectives, theirs);
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
    msw_builder_number(builder, "coverage", coverage(j, other));
    msw_builder_number(builder, "coverage_back", coverage(other, j));
    return add_mean_distances(&a, &b, builder, j->err);
}

/* ---- one row per group ---- */

typedef struct group_count {
    size_t ranked, left_out, front, row;
} group_count;

static group_count count_group(const msw_front *j, uint32_t group)
{
    group_count count = {0};
    for (size_t r = 0; r < j->rows.values.rows; r++) {
        if (j->rows.group && j->rows.group[r] != group)
            continue;
        bool there = true;
        for (size_t i = 0; i < j->input.objectives.count; i++)
            there &= !isnan(objective(j, i)[r]);
        count.ranked += there;
        count.left_out += !there;
        count.front += j->ranks.rank[r] == 0;
        count.row = r;
    }
    return count;
}

static void show_group(const msw_front *j, uint32_t group, double volume,
                       msw_table_builder *builder)
{
    group_count count = count_group(j, group);
    msw_builder_row(builder);
    msw_grouping_show(&j->input.grouping, &j->rows.values, count.row, builder);
    msw_builder_count(builder, "points", count.ranked);
    msw_builder_count(builder, "left_out", count.left_out);
    msw_builder_count(builder, "front", count.front);
    msw_builder_number(builder, "hypervolume", volume);
    for (size_t i = 0; i < j->input.objectives.count; i++) {
        char name[160];
        snprintf(name, sizeof name, "reference_%s", j->input.objectives.names[i]);
        msw_builder_number(builder, name, j->ranks.reference[i]);
    }
}

static int other_volume(const msw_front *j, const msw_front *other, msw_table_builder *builder)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(&other->rows, &other->input.objectives, columns);
    double volume;
    if (msw_hypervolume(&points, j->ranks.reference, &volume, j->err))
        return -1;
    msw_builder_number(builder, "other_hypervolume", volume);
    return 0;
}

/* Two fronts are measured up to one point that lies beyond both. */
static int share_reference(msw_front *j, msw_front *other)
{
    if (find_reference(j) || (other && find_reference(other)))
        return -1;
    for (size_t i = 0; other && i < j->input.objectives.count; i++) {
        bool higher = j->input.objectives.goals[i] == MSW_GOAL_HIGHER;
        j->ranks.reference[i] = higher ? fmin(j->ranks.reference[i], other->ranks.reference[i])
                                       : fmax(j->ranks.reference[i], other->ranks.reference[i]);
    }
    return 0;
}

int msw_front_measure(msw_front *j, msw_front *other, msw_table_builder *builder)
{
    const double *columns[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(&j->rows, &j->input.objectives, columns);
    uint32_t groups = j->rows.group ? j->rows.group_count : 1;
    double *volume = malloc((groups + 1) * sizeof *volume);
    int rc = !volume ? msw_fail_memory(j->err)
                     : share_reference(j, other) ||
                           msw_hypervolume(&points, j->ranks.reference, volume, j->err);
    for (uint32_t g = 0; g < groups && rc == 0; g++)
        show_group(j, g, volume[g], builder);
    if (rc == 0 && other)
        rc = other_volume(j, other, builder) || add_distances(j, other, builder);
    free(volume);
    MSW_TRY(rc);
    MSW_TRY(builder->failed);
    return 0;
}
