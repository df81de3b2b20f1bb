/* SPDX-License-Identifier: MIT */
/* sensitivity: which factors an output depends on, and how surely that is known.
 *
 * One function per kind of design. A factor here is whatever the design varies as one: a parameter
 * or a group of parameters. Failed points are NaN: everything that would use one is dropped as a
 * whole and counted, and past MSW_DROPPED_WARN of it the answer deserves a warning. Formulas,
 * estimators and traps: docs/models/analysis.md. */
#ifndef MEMSWEEP_ANALYSIS_SENSITIVITY_H
#define MEMSWEEP_ANALYSIS_SENSITIVITY_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_DROPPED_WARN 0.05

/* A value with its percentile interval and the half-width of the normal one; the latter three are
 * NaN where nothing was resampled. */
typedef struct msw_estimate {
    double value, low, high, half;
} msw_estimate;

/* How to resample: the unit is a base row, a trajectory or a row, the same for every index. */
typedef struct msw_resampling {
    size_t resamples; /* 0: no intervals */
    double confidence;
    uint64_t seed;
    const uint32_t
        *drawn; /* resamples x units drawn unit numbers, instead of random ones; or NULL */
} msw_resampling;

typedef struct msw_used {
    size_t used, dropped; /* base rows, trajectories or rows */
} msw_used;

/* One factor at a time: the outputs at the levels of one factor, all others at the baseline. */
typedef struct msw_oat_factor {
    size_t levels;
    const double *x, *y; /* `levels` values each; x is not read for an unordered factor */
    double x_baseline;
    bool unordered;
} msw_oat_factor;

typedef struct msw_oat_effect {
    double low, high;  /* least and greatest output, the baseline included */
    double swing;      /* high - low */
    double elasticity; /* relative change of output per relative change of factor, between the two
                          extreme levels; NaN where it has no meaning */
    size_t dropped;    /* NaN outputs */
} msw_oat_effect;

/* Measures the effect of one factor for a tornado plot. Returns 0, or -1 with `err` when the
 * baseline is NaN. */
int msw_oat(const msw_oat_factor *factor, double baseline, msw_oat_effect *effect, msw_err *err);

/* Morris: trajectories of factors + 1 points, each step moving one factor. x in design coordinates,
 * so that a log factor comes as its logarithm. */
typedef struct msw_morris_design {
    size_t trajectories;
    unsigned factors; /* how many move one after the other */
    unsigned columns; /* columns of x; more than factors when factors are groups */
    const double *const *x;
    const double *width;      /* range of each column; NULL: 1 */
    const bool *unordered;    /* per column: a step counts as 1; NULL: none */
    const unsigned *group_of; /* per column: its factor; NULL: column i is factor i */
    const double *y;
} msw_morris_design;

typedef struct msw_morris_index {
    msw_estimate mu_star;
    double mu, sigma; /* mu is NaN for groups and unordered factors: their steps have no sign */
} msw_morris_index;

/* Computes the mean, mean size and spread of the elementary effects per unit of the scaled range.
 * `index` has room for one per factor. Returns 0, or -1 with `err`. */
int msw_morris(const msw_morris_design *design, const msw_resampling *resampling,
               msw_morris_index *index, msw_used *used, msw_err *err);

typedef enum msw_sobol_first {
    MSW_SOBOL_SALTELLI, /* Saltelli et al. 2010, table 2 (b) */
    MSW_SOBOL_JANSEN,
    MSW_SOBOL_JANON
} msw_sobol_first;

/* Saltelli design: per base row A, AB_1..AB_D, with second order BA_1..BA_D, then B. */
typedef struct msw_sobol_design {
    size_t base_rows;
    unsigned factors;
    bool second_order;
    msw_sobol_first estimator; /* of first-order indices; totals are Jansen's */
    bool raw;                  /* do not centre and scale the outputs first */
    bool both;                 /* second order: BA rows serve first and total indices, too */
    size_t scrambles; /* base row b is of scramble b % scrambles; 8 or more give the intervals */
    const double *y;
} msw_sobol_design;

/* Indices; NaN when the output does not vary. */
typedef struct msw_sobol_indices {
    double mean, variance; /* of the A and B rows */
    msw_estimate *first, *total;
    msw_estimate *second; /* pairs (0,1), (0,2), ..., (1,2), ...; NULL without second order */
} msw_sobol_indices;

/* Computes Sobol indices into the arrays of `indices` (factors, factors, factors x (factors - 1) /
 * 2). Returns 0, or -1 with `err`. */
int msw_sobol(const msw_sobol_design *design, const msw_resampling *resampling,
              msw_sobol_indices *indices, msw_used *used, msw_err *err);

/* What a control did. */
typedef struct msw_controlled {
    double correlation; /* of the outputs and the control's, on the rows that have both */
    double saving; /* squared errors without the control over those with it, of all indices; rows
                      saved are fewer where errors of a sequence fall faster than 1 / rows */
    msw_estimate mean;
    size_t control_rows;
} msw_controlled;

/* Below these a control does not pay. */
#define MSW_CONTROL_ROWS        64
#define MSW_CONTROL_CORRELATION 0.9

/* Sobol indices of a model from n base rows of it and N > n of a cheaper one on the same design:
 * every variance is V(n) + V_control(N) - V_control(n), then the ratio is taken. The rows of
 * `design` are the first of those of `control`, and it has at least MSW_SCRAMBLES_MIN scrambles.
 * `indices->second` is not filled. Returns 0, or -1 with `err`. */
int msw_sobol_controlled(const msw_sobol_design *design, const double *control, size_t control_rows,
                         const msw_resampling *how, msw_sobol_indices *indices,
                         msw_controlled *controlled, msw_used *used, msw_err *err);

/* Scrambles from which on intervals come from the spread between scrambles (Student's t). */
enum { MSW_SCRAMBLES_MIN = 8 };

/* Base rows of a scramble below which the spread says nothing reliable: no interval is given. */
enum { MSW_SCRAMBLE_ROWS_MIN = 16 };

enum { MSW_ANOVA_FACTORS = 20 };

/* A complete grid in row-major order, the last factor changing fastest. */
typedef struct msw_anova_grid {
    unsigned factors;
    const size_t *levels;
    const double *const *weights; /* per factor: weight of each level; NULL: all levels equal */
    const double *y;
} msw_anova_grid;

/* Splits the variance of a complete grid exactly. `part` has 2^factors entries: part[u] is the
 * variance of the interaction of the factors whose bits are set in u (one bit: main effect);
 * part[0] is the squared mean. Returns 0, or -1 with `err` when a cell is NaN. */
int msw_anova(const msw_anova_grid *grid, double *part, msw_err *err);

/* Adds up the parts that contain a factor (its total effect). Returns the variance. */
double msw_anova_total(const double *part, unsigned factors, unsigned factor);

/* Adds up the parts of none but the factors whose bits are set: what they do as one. Returns the
 * variance. */
double msw_anova_closed(const double *part, unsigned factors, uint32_t set);

/* Adds up all parts but the mean. Returns the variance. */
double msw_anova_variance(const double *part, unsigned factors);

/* Puts rows in any order into the order of a grid: level[j][row] counts from 0. Returns 0, or -1
 * with `err` naming the first cell that is missing or double. */
int msw_anova_arrange(const msw_anova_grid *grid, const uint32_t *const *level, const double *y,
                      size_t n, double *arranged, msw_err *err);

/* Rows from any design. */
typedef struct msw_given_data {
    size_t n;
    unsigned factors;
    const char *const *names; /* for messages; or NULL */
    const double *const *x;
    const bool *unordered; /* per factor: values are labels 0, 1, ...; NULL: none */
    const double *y;
} msw_given_data;

typedef struct msw_regression_index {
    double standardized;  /* SRC or SRRC; for an unordered factor the size of its contribution */
    msw_estimate partial; /* PCC or PRCC with the interval of Fisher's transform */
} msw_regression_index;

/* Regresses the output on all factors, on ranks when `ranks`. `r2` says how much of the output the
 * regression explains: below about 0.7 its indices mean little. Constant factors get NaN. Returns
 * 0, or -1 with `err`. */
int msw_regression(const msw_given_data *data, bool ranks, double confidence,
                   msw_regression_index *index, double *r2, msw_used *used, msw_err *err);

#endif
