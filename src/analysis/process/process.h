/* SPDX-License-Identifier: MIT */
/* process: covariances of rows and their kernel, a process fitted to rows, its predictions, and
 * rows left out. */
#ifndef MSW_ANALYSIS_PROCESS_PROCESS_H
#define MSW_ANALYSIS_PROCESS_PROCESS_H

#include "memsweep/analysis/process.h"
#include "memsweep/base/arena.h"

#include <stddef.h>

/* Covariances of rows, their factors, and the kernel that explains outputs best. */

/* ---- how outputs of rows are correlated ---- */

/* Matern's families: of each half that many. */
typedef enum kernel_family {
    KERNEL_HALF,
    KERNEL_THREE,
    KERNEL_FIVE,
    KERNEL_FAMILIES
} kernel_family;

/* Rows side by side; the output is standardised, and the noise counted in its deviations. */
typedef struct kernel_rows {
    size_t n;
    unsigned factors;
    uint32_t labels; /* factors without an order */
    double *x;       /* n x factors */
    double *y;
    double *noise;    /* deviation of each row; NULL: none known */
    uint32_t *shared; /* rows of one number have part of their noise in common; or NULL: all do */
    const double
        *gap; /* of each factor: no length is below it (0: any is allowed); NULL: of none */
} kernel_rows;

typedef struct kernel {
    kernel_family family;
    unsigned factors;
    uint32_t labels;
    double rate[MSW_PCE_FACTORS]; /* how fast correlation falls along a factor */
    double variance, nugget, common;
} kernel;

/* Logarithms of rates, variance and nugget, then the logit of what is common. */
enum { KERNEL_PARAMETERS = MSW_PCE_FACTORS + 3 };

/* How many there are. */
unsigned kernel_count(const kernel_rows *rows);

/* Makes a kernel of parameters. */
void kernel_set(kernel *k, const kernel_rows *rows, kernel_family family, const double *parameter);

/* Covariance of two points without noise. `slope` (or NULL) gets its derivatives by the logarithms
 * of the rates. Returns it. */
double kernel_signal(const kernel *k, const double *a, const double *b, double *slope);

/* The same of two rows with their noise. Returns it. */
double kernel_rows_covariance(const kernel *k, const kernel_rows *rows, size_t i, size_t j);

/* Squared distance as the kernel counts it. Returns it. */
double kernel_distance(const kernel *k, const double *a, const double *b);

/* Fills the upper triangle of the covariance of rows; what is beyond them is the unit matrix. */
void kernel_matrix(const kernel *k, const kernel_rows *rows, double *a, size_t order);

/* Factors, inverts and solves symmetric matrices block by block.
 *
 * A matrix is stored row by row, and only its upper triangle is read or written: A = U'U. Sums run
 * over rows in rising order within blocks of 64, whatever the number of threads and the width of
 * the processor's registers, so the bits are always the same. Orders are multiples of
 * CHOLESKY_ALIGN: rows that fill up are those of the unit matrix. */

enum { CHOLESKY_BLOCK = 64, CHOLESKY_ALIGN = 4 };

/* The next multiple of CHOLESKY_ALIGN. */
size_t cholesky_order(size_t n);

/* Replaces A by U. Returns 0, or -1 where A is not positive definite. */
int cholesky_factor(double *a, size_t n);

/* Fills the lower triangle of `w` with U'^-1; the rest stays as it is. */
void cholesky_invert(const double *u, size_t n, double *w);

/* Fills the upper triangle of `inverse` with A^-1 = w'w. */
void cholesky_product(const double *w, size_t n, double *inverse);

/* Replaces x by U'^-1 x. */
void cholesky_forward(const double *u, size_t n, double *x);

/* Replaces x by U^-1 x. */
void cholesky_backward(const double *u, size_t n, double *x);

/* ---- how probable outputs are under a kernel, and the kernel under which they are most so ---- */

typedef struct likelihood {
    const kernel_rows *rows;
    kernel_family family;
    size_t order;
    double *matrix, *work, *inverse; /* order x order */
    double *alpha, *ones;            /* A^-1 (y - mean), A^-1 1 */
    double *sums;                    /* of the gradient, by parts of the rows */
    double mean;
} likelihood;

/* Takes memory. Returns 0, or -1. */
int likelihood_init(likelihood *l, const kernel_rows *rows, msw_arena *arena);

/* Minus the logarithm of the likelihood, less the logarithm of what lengths and variances are
 * expected to be; its gradient. Returns it. */
double likelihood_value(likelihood *l, const double *parameter, double *gradient);

/* How much work a choice is worth. */
typedef struct likelihood_effort {
    size_t rows;     /* looked at, at most */
    unsigned starts; /* of each family: 1 or 2 */
    unsigned steps;  /* after the best start */
} likelihood_effort;

/* The kernel with the greatest likelihood that fixed starts lead to. Returns 0, or -1 without
 * memory. */
int likelihood_tune(const kernel_rows *rows, const likelihood_effort *effort, uint64_t seed,
                    kernel *k);

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
