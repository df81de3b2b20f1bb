/* SPDX-License-Identifier: MIT */
/* learn: how far a closed form is from full, over random configs and many workloads, as a table of
 * errors (sweep/errors.h); and how well a table does on points that it was not made from. */
#ifndef MEMSWEEP_RESULTS_LEARN_H
#define MEMSWEEP_RESULTS_LEARN_H

#include "memsweep/base/context.h"
#include "memsweep/base/table_builder.h"
#include "memsweep/mech/engine.h"
#include "memsweep/sweep/errors.h"

/* Points that both models have answered. */
typedef struct msw_learn_points {
    size_t n, params, metrics, workload_count;
    double *values;  /* per point: parameters of the mechanism, metrics of both models */
    uint32_t *group; /* workload of each */
    bool *known;     /* whether a table that is checked knows it */
    msw_text workloads, frontends; /* names with commas */
    double largest;                /* cycles of the longest run by the closed form */
    size_t infeasible, doubtful, unfinished, drawn;
} msw_learn_points;

/* What to draw. */
typedef struct msw_learn {
    const msw_context *context;
    const msw_mech *mech;
    const char *workloads; /* names with commas; NULL: those that the mechanism learns from */
    uint64_t points;       /* to be answered by both models */
    uint64_t seed;
    const msw_errors *errors; /* that is to be checked, or NULL */
    double seconds;           /* that the full model may take for one */
    void (*progress)(void *progress_context, size_t done, size_t points, double seconds);
    void *progress_context;
} msw_learn;

/* Draws configs over the whole space of the mechanism, workload after workload, and has them
 * answered: of every second config each parameter keeps its default with a chance of a half.
 * Returns 0, or -1. */
int msw_learn_draw(const msw_learn *learn, msw_learn_points *points, msw_err *err);
void msw_learn_free(msw_learn_points *points);

/* Makes the table of all points. Returns 0, or -1. */
int msw_learn_table(const msw_mech *mech, const msw_learn_points *points, double confidence,
                    msw_text *out, msw_err *err);

/* One row per stratum and metric: how many points, what share of them the interval holds, how wide
 * it is (high over low) and how wide the middle 90 % of the errors is. Returns 0, or -1. */
int msw_learn_check(const msw_errors *errors, const msw_learn_points *points,
                    msw_table_builder *builder);

#endif
