/* SPDX-License-Identifier: MIT */
/* process: a process fitted to rows, its predictions, and rows left out. */
#ifndef MSW_ANALYSIS_PROCESS_PROCESS_H
#define MSW_ANALYSIS_PROCESS_PROCESS_H

#include "analysis/process/kernel.h"
#include "memsweep/base/arena.h"

/* ---- rows from coarse to fine, and the rows nearest to a point ---- */

/* The first `most` of the maximin order: each row is the one farthest from those before it; the
 * first, and ties, by a key. Returns 0, or -1 without memory. */
int order_maximin(const kernel *k, const kernel_rows *rows, size_t most, uint64_t key,
                  uint32_t *order);

/* ---- a process made and used; outputs are standardised in all of it ---- */

/* Rows that were left out together, and the fit that predicted them. */
typedef struct process_part {
    const msw_process *fit;
    size_t count;
    double *ratio; /* what was missed in the deviations stated for it, falling */
    double *gap;   /* as it was, falling */
} process_part;

/* The misses of rows that were left out. */
typedef struct process_missed {
    uint32_t levels; /* factors whose levels were left out as a whole; 0: rows */
    size_t count;    /* rows of all parts */
    double q2;
    double covered; /* share within 1.96 deviations */
    size_t part_count;
    process_part *part;
    struct process_missed *next;
} process_missed;

struct msw_process {
    kernel_rows rows;
    double mean, deviation;                             /* of the output as it was */
    size_t *fold;                                       /* of each row */
    uint32_t ordered;                                   /* factors with listed levels in order */
    double low[MSW_PCE_FACTORS], high[MSW_PCE_FACTORS]; /* of each factor */
    double q2;
    uint64_t seed;
    kernel k;
    double center; /* what the kernel's outputs vary around */
    double noise;  /* variance of the known noise of a new row */
    bool exact;
    size_t order;                /* of the matrices, where exact */
    double *factor;              /* U */
    double *alpha;               /* A^-1 (y - center) */
    double *ones, ones_weight;   /* A^-1 1, 1'A^-1 1 */
    process_missed *missed;      /* all lists */
    process_missed *of_rows;     /* the one for points at levels */
    double gap[MSW_PCE_FACTORS]; /* the widest between listed levels; 0: nothing is between */
    struct msw_process *between; /* predicts between levels: itself, or one with other lengths */
    msw_arena arena;
};

/* Relates all rows to each other; where they are too alike for it the nugget grows. Returns 0, or
 * -1 without memory. */
int process_relate(msw_process *process);

/* The answer of a fit at a point. */
typedef struct process_prediction {
    double value, deviation; /* of a new row */
} process_prediction;

/* Where a factor's value lies between its ends; labels stay what they are. Returns it. */
double process_position(const msw_process *process, unsigned factor, double x);

/* From all rows, or where there are too many the nearest. Returns 0, or -1 without memory. */
int process_predict(const msw_process *process, const double *x, process_prediction *prediction);

/* The value alone. Returns it. */
double process_value_exactly(const msw_process *process, const double *x);

/* From the nearest rows without row `without` and rows at x's levels of the factors `levels`. */
process_prediction process_predict_nearby(const msw_process *process, const double *x,
                                          size_t without, uint32_t levels);

/* Centre and scale of variance from all rows, each conditioned on the nearest of those before it in
 * maximin order (Vecchia). Returns 0, or -1 without memory. */
int process_condition(msw_process *process, uint64_t seed);

/* Misses of rows as they are found. */
typedef struct process_leaving {
    const msw_process *p;
    uint32_t levels;
    double *missed, *deviation; /* of each row; missed NaN: it could not be left out */
    size_t *part;               /* that it was left out with; NULL: all are of one */
} process_leaving;

/* Makes the list of `parts` parts, predicted by `fits`, and puts it first of the lists for the same
 * levels. Returns it, or NULL without memory. */
process_missed *process_gather(msw_process *process, const process_leaving *l, size_t parts,
                               const msw_process *const *fits);

/* Finds what each row misses when it is left out, with the kernel of all. Returns it, or NULL
 * without memory. */
process_missed *process_leave_out(msw_process *process, uint32_t levels);

/* Finds what is missed in folds, all fitted again: q2; up to MSW_PROCESS_TUNING_ROWS rows, where
 * the choice of lengths may know each row, also the list that intervals come from. Returns 0, or -1
 * without memory. */
int process_cross(msw_process *process, size_t folds);

/* Finds what is missed of rows at inner levels of some factors, predicted without these levels with
 * the kernel of all: by cuts, beyond MSW_PROCESS_TUNING_ROWS rows row by row. Made when needed.
 * Returns it, or NULL without memory. */
process_missed *process_cut(msw_process *process, uint32_t levels);

/* The ends of the interval at x: `all` is the prediction of the fit to all rows. NaN: there are too
 * few rows. Returns 0, or -1 without memory. */
int process_interval(const msw_process *process, const double *x, const process_missed *missed,
                     const process_prediction *all, double confidence, double ends[2]);

#endif
