/* SPDX-License-Identifier: MIT */
/* given: measures of importance from rows of any design, without a model of the output.
 *
 * Formulas and known values: docs/models/analysis.md. */
#ifndef MEMSWEEP_ANALYSIS_GIVEN_H
#define MEMSWEEP_ANALYSIS_GIVEN_H

#include "memsweep/analysis/sensitivity.h"

/* A factor cut into classes: its levels, or parts of its range with as many rows each. */
typedef struct msw_given_classes {
    uint32_t count;
    uint32_t *of; /* of each row; the caller's memory */
} msw_given_classes;

/* Numbers the classes of `x`: each distinct value where there are at most `most`, else `most` parts
 * of equal counts; equal values share a class. Returns 0, or -1 with `err`. */
int msw_given_cut(const double *x, size_t n, uint32_t most, msw_given_classes *classes,
                  msw_err *err);

/* Classes that n rows can bear: n^(1/3) of them, 4 to 48. */
uint32_t msw_given_classes_most(size_t n);

typedef struct msw_given_index {
    double first;          /* share of the variance of class means, corrected for their noise */
    double pawn, pawn_max; /* median and largest Kolmogorov distance of a class from all */
    double delta;          /* Borgonovo's, corrected for bias by resampling */
    double delta_spread; /* its standard error over resamples; what bias classes and smoothing leave
                            is not in it (some 0.01 at 4,000 rows) */
    uint32_t classes;
} msw_given_index;

/* Outputs in rising order, made once for all factors; equal outputs in the order of their rows. */
enum { MSW_GIVEN_CELLS = 256 };
typedef struct msw_given_outputs {
    size_t n;
    double *y;
    uint32_t *row;  /* of each output */
    uint16_t *cell; /* of MSW_GIVEN_CELLS equal parts of the range, with a margin */
} msw_given_outputs;

/* Sorts the outputs; y has no NaN. Returns 0, or -1 with `err` and nothing to free. */
int msw_given_sort(const double *y, size_t n, msw_given_outputs *outputs, msw_err *err);
void msw_given_outputs_free(msw_given_outputs *outputs);

/* Measures one factor. Returns 0, or -1 with `err`. */
int msw_given_measure(const msw_given_outputs *outputs, const msw_given_classes *classes,
                      const msw_resampling *how, msw_given_index *index, msw_err *err);

/* Finds what a factor without effect, but with these classes, exceeds in a share 1 - confidence of
 * all cases, index by index: the rows are dealt to the classes anew, `msw_given_dealings` times.
 * Returns 0, or -1 with `err`. */
int msw_given_chance(const msw_given_outputs *outputs, const msw_given_classes *classes,
                     const msw_resampling *how, msw_given_index *index, msw_err *err);
size_t msw_given_dealings(size_t n, double confidence);

/* Rows of a cheap model, some of which an expensive one has, too. */
typedef struct msw_control_rows {
    size_t n;
    unsigned factors;
    const double *control; /* no NaN where `whole` */
    const double *model;   /* NaN where the expensive model was not run or failed */
    /* Of each factor, over all n rows: classes for the control, and fewer for the rows of the
     * model. */
    const msw_given_classes *far, *near;
    bool whole;    /* the rows are all cells of a grid, in row-major order, and `far` their levels;
                      else    they are independent draws */
    uint64_t seed; /* of the groups that are left out one after the other */
} msw_control_rows;

/* Indices of the expensive model: every variance is V(rows of the model) + V_control(all rows) -
 * V_control(rows of the model), then the ratio is taken. Total indices need a grid with pairs of
 * rows that differ in one factor; else they are NaN. `indices->second` is not filled. Returns 0, or
 * -1 with `err`. */
int msw_given_controlled(const msw_control_rows *rows, const msw_resampling *how,
                         msw_sobol_indices *indices, msw_controlled *controlled, msw_used *used,
                         msw_err *err);

enum { MSW_SHAPLEY_FACTORS = 12 };

/* Rows as a whole population, each as likely as another. */
typedef struct msw_population {
    size_t n;
    unsigned factors;
    const uint32_t *const *level; /* of each factor: level of each row */
    const uint32_t *levels;       /* how many a factor has */
    const double *y;              /* no NaN */
} msw_population;

/* Shares of the variance, one per factor: `shapley` sums up to 1 however the factors depend on each
 * other; `first` is Var(E[y | x_i]) / V and `total` 1 - Var(E[y | all others]) / V. Returns 0, or
 * -1 with `err`. */
int msw_shapley(const msw_population *population, double *shapley, double *first, double *total,
                double *variance, msw_err *err);

typedef struct msw_correlation {
    double pearson, spearman;
} msw_correlation;

/* Plain and rank correlation of two columns without NaN. Returns 0, or -1 without memory. */
int msw_correlate(const double *x, const double *y, size_t n, msw_correlation *out, msw_err *err);

#endif
