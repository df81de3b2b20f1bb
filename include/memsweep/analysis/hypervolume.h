/* SPDX-License-Identifier: MIT */
/* hypervolume: one number for how good a set of points is.
 *
 * The hypervolume is the volume of what a set dominates up to a reference point; points that are
 * not strictly better than the reference in every objective add nothing. Rows with a NaN objective
 * and rows marked invalid stay out, as in pareto.h. The exact volume takes time that grows like the
 * number of points to the power of the objectives: from five objectives on there is a limit. */
#ifndef MEMSWEEP_ANALYSIS_HYPERVOLUME_H
#define MEMSWEEP_ANALYSIS_HYPERVOLUME_H

#include "memsweep/analysis/pareto.h"

/* Computes the exact hypervolume of each group (volume[group]; one group when none are given) up to
 * `reference`, k values in the units of the columns. Returns 0, or -1 with `err`. */
int msw_hypervolume(const msw_points *points, const double *reference, double *volume,
                    msw_err *err);

/* Computes what each row alone adds to the hypervolume of its group: share[row], 0 for dominated
 * and repeated rows, NaN for rows left out. The limit is that of one objective more. Returns 0, or
 * -1 with `err`. */
int msw_hypervolume_exclusive(const msw_points *points, const double *reference, double *share,
                              msw_err *err);

#endif
