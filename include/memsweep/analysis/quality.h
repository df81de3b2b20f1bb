/* SPDX-License-Identifier: MIT */
/* quality: how near a front is to another one, which few points represent a front, and which point
 * of it comes nearest to what is wanted.
 *
 * All take the rows of points as msw_pareto_front does and cut them to their fronts first. Numbers
 * are in units of `scale`, one per objective. */
#ifndef MEMSWEEP_ANALYSIS_QUALITY_H
#define MEMSWEEP_ANALYSIS_QUALITY_H

#include "memsweep/analysis/pareto.h"

typedef enum msw_distance {
    MSW_DISTANCE_GD,      /* mean over the points of the distance to the nearest of the target */
    MSW_DISTANCE_IGD,     /* mean over the target of the distance to the nearest point */
    MSW_DISTANCE_IGD_PLUS /* the same, where only being worse counts */
} msw_distance;

/* Measures points against a target; goals are those of `points`, groups are not looked at. Returns
 * 0, or -1 with `err`. */
int msw_front_distance(const msw_points *points, const msw_points *target, const double *scale,
                       msw_distance kind, double *distance, msw_err *err);

typedef enum msw_epsilon { MSW_EPSILON_ADDITIVE, MSW_EPSILON_FACTOR } msw_epsilon;

/* Finds the least amount (or factor) by which `points` must be improved in every objective so that
 * each row of `target` is matched or beaten; goals are those of `points`, groups are not looked at.
 * Returns 0, or -1 with `err` (a factor needs positive values). */
int msw_epsilon_indicator(const msw_points *points, const msw_points *target, msw_epsilon kind,
                          double *epsilon, msw_err *err);

/* Mean, over weight vectors spread evenly with so many divisions, of the least weighted Tchebycheff
 * distance from `ideal`. Returns 0, or -1 with `err`. */
int msw_front_r2(const msw_points *points, const double *ideal, const double *scale,
                 unsigned divisions, double *r2, msw_err *err);

/* Divisions that give some hundreds of weight vectors of k objectives. Returns them. */
unsigned msw_r2_divisions(unsigned k);

/* Best value and range of each objective over the front of one group (range 1 where there is none).
 * Returns 0, or -1 with `err` when nothing is on it. */
int msw_front_range(const msw_points *points, const bool *on_front, uint32_t group, double *ideal,
                    double *range);

/* Keeps at most `wanted` rows of each group's front, such that every row of it is matched by one
 * that is kept but for `epsilon` of the range in every objective: the least possible with two
 * objectives, found greedily with more. `on_front` is what is thinned. Returns 0 and the largest
 * epsilon of all groups, or -1 with `err`. */
int msw_front_thin(const msw_points *points, size_t wanted, bool *on_front, double *epsilon,
                   msw_err *err);

/* What a row misses its goals by: the largest weight[j] * (value - goal[j]) / scale[j], above 0
 * where a goal is not reached; objectives with weight 0 do not count. Returns it, and the objective
 * that decides. */
double msw_goal_miss(const msw_points *points, size_t row, const double *goal, const double *scale,
                     const double *weight, unsigned *decides);

#endif
