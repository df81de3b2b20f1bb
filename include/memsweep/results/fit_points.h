/* SPDX-License-Identifier: MIT */
/* fit_points: the polynomial's answers at points. */
#ifndef MEMSWEEP_RESULTS_FIT_POINTS_H
#define MEMSWEEP_RESULTS_FIT_POINTS_H

#include "memsweep/results/fit.h"
#include "memsweep/results/named_points.h"

typedef struct msw_predictions {
    const msw_cases *cases;
    const msw_named_points *points;
    msw_fit_options ask; /* degree 0: the highest worth trying */
    double confidence;
    msw_table_builder *builder;
    size_t stored, fitted, without; /* answers from rows, from the fit, without an interval */
    size_t beyond;                  /* predictions below or above all rows */
    size_t largest;                 /* group, in cases */
} msw_predictions;

/* Adds one row per point for the cases of a group; `context` is a msw_predictions. Returns 0, or
 * -1.
 */
int msw_predict(void *context, const msw_slice *slice);

/* Reads points, as msw_named_points_read does, predicts them in every group, and says in the note
 * what the answers are. Returns 0, or -1. */
int msw_predict_named(const msw_cases *cases, const char *at, const char *file,
                      const msw_fit_options *ask, double confidence, msw_table_builder *builder,
                      msw_text *note);

/* Says what the answers are and what their intervals hold for. */
void msw_predictions_note(const msw_predictions *predictions, msw_text *out);

#endif
