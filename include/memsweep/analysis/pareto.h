/* SPDX-License-Identifier: MIT */
/* pareto: which points are worth having when several objectives compete.
 *
 * Point a dominates b when a is nowhere worse and somewhere better. Points equal in every objective
 * share a rank. A row with a NaN objective is taken out first and counted, because a NaN compares
 * as neither better nor worse and would end up on the front. */
#ifndef MEMSWEEP_ANALYSIS_PARETO_H
#define MEMSWEEP_ANALYSIS_PARETO_H

#include "memsweep/base/err.h"
#include "memsweep/base/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_PARETO_OBJECTIVES = 16, MSW_RANK_NONE = -1 };

/* n rows of k objectives. Fronts are separate per group (a workload, say). */
typedef struct msw_points {
    size_t n;
    unsigned k;
    const double *const *columns; /* k columns of n values */
    const msw_goal *goals;        /* per column; NULL: all lower */
    const bool *valid;            /* rows that take part; NULL: all */
    const uint32_t *group;        /* group of each row, below group_count; NULL: one group */
    uint32_t group_count;
} msw_points;

typedef struct msw_pareto_count {
    size_t ranked;   /* rows that took part */
    size_t left_out; /* valid rows with a NaN objective */
    size_t front;    /* rows of rank 0 */
} msw_pareto_count;

typedef struct msw_knee {
    size_t row;
    double distance; /* from the plane through the extremes, in normalised objectives; negative: the
                        front bends the other way and has no knee */
} msw_knee;

/* Marks the rows that no other row of their group dominates. `count` may be NULL. Returns 0, or -1
 * with `err`. */
int msw_pareto_front(const msw_points *points, bool *on_front, msw_pareto_count *count,
                     msw_err *err);

/* Ranks all rows: 0 is the front, 1 the front without rank 0, and so on; MSW_RANK_NONE for rows
 * left out. `count` may be NULL. Returns 0, or -1 with `err`. */
int msw_pareto_rank(const msw_points *points, int32_t *rank, msw_pareto_count *count, msw_err *err);

/* Finds the row of `group` with rank 0 that lies farthest below the plane through the extremes of
 * that front. Returns 0, or -1 with `err` when the front is empty. */
int msw_pareto_knee(const msw_points *points, const int32_t *rank, uint32_t group, msw_knee *knee,
                    msw_err *err);

/* Points whose objectives are only known within an interval. */
typedef struct msw_uncertain {
    const msw_points *points;
    const double *const *half; /* k columns of half-widths; a NULL column or a NaN: exact */
    double half_confidence;    /* of those half-widths */
    double confidence;         /* with which a row is excluded or certain */
    unsigned draws;            /* of the Monte Carlo */
    uint64_t seed;
} msw_uncertain;

typedef enum msw_verdict {
    MSW_FRONT_NONE,     /* the row did not take part */
    MSW_FRONT_EXCLUDED, /* some row of the measured front dominates it with the confidence asked for
                         */
    MSW_FRONT_OPEN,     /* neither excluded nor certain */
    MSW_FRONT_CERTAIN   /* on the front with the confidence asked for */
} msw_verdict;

typedef struct msw_standing {
    msw_verdict verdict;
    double probability; /* of being on the front; an upper bound for an excluded row */
    size_t rival;     /* the row of the measured front most likely to dominate it, itself if none */
    bool sample_more; /* more samples of this row could settle its own case or that of another */
} msw_standing;

/* Judges every row when errors are normal and independent. `standing` has room for n. Returns 0, or
 * -1 with `err`. */
int msw_pareto_uncertain(const msw_uncertain *table, msw_standing *standing, msw_err *err);

#endif
