/* SPDX-License-Identifier: MIT */
/* keep: what of a sweep is kept of all its points, as the key `keep` of its file says.
 *
 * Every point is evaluated. Rows are stored of those near the front and of a sample; a summary
 * (store/summary.h) counts all of them. What is not stored is computed again, exactly. */
#ifndef MEMSWEEP_SWEEP_KEEP_H
#define MEMSWEEP_SWEEP_KEEP_H

#include "memsweep/sweep/sweep.h"

/* Factors and columns of a summary, and objectives, at most. */
enum { MSW_KEEP_FACTORS = 24, MSW_KEEP_COLUMNS = 16, MSW_KEEP_OBJECTIVES = 16 };

/* The column of such a sweep that is 1 in the rows of its sample. */
#define MSW_SAMPLED_COLUMN "sampled"

/* The record of what is kept, made when all of it is. */
#define MSW_KEPT_RECORD "kept"

/* Whether only some of the points have rows. */
static inline bool msw_keep_chooses(const msw_keeping *keep)
{
    return keep->front || keep->sample || keep->summary_count;
}

/* Whether points have to be looked at that may get no row. */
static inline bool msw_keep_scans(const msw_keeping *keep)
{
    return keep->front || keep->summary_count;
}

/* Appends the setting as a sweep file writes it, all on one line: "{front: 0.05, ...}". */
void msw_keep_print(const msw_plan *plan, msw_text *out);

/* How rows are drawn: about `sample` of `points`; points of a design for so many workloads are
 * drawn together, so that what holds over workloads can be asked of the sample. */
typedef struct msw_keep_draw {
    uint64_t seed, points, sample, together;
} msw_keep_draw;

/* The keeping that a canonical text states; it does not know `draw.points`. */
typedef struct msw_keep_text {
    bool chosen, front, summary;
    double within;
    msw_keep_draw draw;
} msw_keep_text;
msw_keep_text msw_keep_of_text(const char *canonical);

/* Whether rows hold a metric, whose name has `size` bytes. */
bool msw_keep_has_metric(const char *canonical, const char *name, size_t size);

/* The metric of a number that a canonical text's summary has, of `size` bytes. Returns it, or NULL.
 */
const char *msw_keep_summarised(const char *canonical, size_t number, size_t *size);

/* Whether the row of a point is kept at random: each is with the same probability, by a hash of
 * its design's number and the sweep's seed. `draw->together` divides `draw->points`. */
bool msw_keep_is_sampled(const msw_keep_draw *draw, uint64_t index);

/* The columns that decide, of one point after the other: objectives (smaller is better), limits,
 * what the summary counts. They belong to one thread. */
typedef struct msw_deciding msw_deciding;
int msw_deciding_new(const msw_plan *plan, msw_deciding **deciding, msw_err *err);
void msw_deciding_free(msw_deciding *deciding);

/* Values at a point with its answer (metrics and half-widths), NaN where one is not defined.
 * `objectives` has room for those of the plan. Returns 0, or -1 when an expression fails. */
int msw_deciding_objectives(msw_deciding *deciding, const msw_point *point,
                            const msw_answer *answer, double *objectives, msw_err *err);

/* Whether a point keeps the limits of its sweep. Returns 1, 0, or -1. */
int msw_deciding_within(msw_deciding *deciding, const msw_point *point, const msw_answer *answer,
                        msw_err *err);

/* Whether parameters alone say that it does not, before it is evaluated. Returns 1, 0, or -1. */
int msw_deciding_excludes(msw_deciding *deciding, const msw_point *point, msw_err *err);

#endif
