/* SPDX-License-Identifier: MIT */
/* surrogate: what a polynomial chaos expansion is made of, and how its columns are chosen. */
#ifndef MSW_ANALYSIS_SURROGATE_SURROGATE_H
#define MSW_ANALYSIS_SURROGATE_SURROGATE_H

#include "analysis/stats/sort.h"
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Chooses the columns of a linear model one by one.
 *
 * Orthogonal least squares: the column that lowers the squared error most comes next. Rows are in
 * bins, and products of columns are summed per bin when a column is first chosen, so that any
 * number of fits to other bins costs no further pass over the rows. */

enum { PURSUIT_BINS = 12 };

/* Rows of a bin are adjacent: bin b has start[b] up to start[b + 1]. Column 0 is the constant. */
typedef struct pursuit_table {
    tiles x;
    const double *y;
    unsigned bins;
    size_t start[PURSUIT_BINS + 1];
    double *_Atomic *products;   /* per column: bins x columns; NULL until needed */
    double *moment;              /* bins x columns: products with y */
    double *square;              /* bins x columns: products with themselves */
    double spread[PURSUIT_BINS]; /* squares of y */
    msw_arena *arena;
} pursuit_table;

/* Fills in what follows from x, y, bins and start. Returns 0, or -1 without memory. */
int pursuit_start(pursuit_table *table);

/* Frees the products. */
void pursuit_end(pursuit_table *table);

/* A request for a fit: bit b of a set stands for bin b. */
typedef struct pursuit_request {
    uint32_t train;      /* bins to fit to */
    int held;            /* bin whose error is measured on the way; -1: none */
    const bool *allowed; /* per column; NULL: all */
    size_t most;         /* columns at most */
} pursuit_request;

/* A model: some columns and their coefficients. */
typedef struct pursuit_model {
    size_t count;
    uint32_t *column;
    double *beta;
} pursuit_model;

/* Columns worth trying on this many rows. Returns how many. */
size_t pursuit_most(const pursuit_table *table, uint32_t train);

/* A fit under way, one column after the other. */
typedef struct pursuit pursuit;

/* Starts one without any column; `request` must stay. Returns it, or NULL without memory. */
pursuit *pursuit_new(pursuit_table *table, const pursuit_request *request);

/* Takes the next column. Returns 1, 0 when none is left that helps, or -1 without memory. */
int pursuit_step(pursuit *job);

/* Squared error in the held bin, or in the first 500 rows of it. Returns it. */
double pursuit_error(const pursuit *job);
void pursuit_free(pursuit *job);

/* Fits `most` columns, less where no other helps. Returns 0, or -1 without memory. */
int pursuit_fit(pursuit_table *table, const pursuit_request *request, pursuit_model *model,
                msw_arena *arena);

/* Predicted output of a row of the table. Returns it. */
double pursuit_predict(const pursuit_table *table, const pursuit_model *model, size_t row);

/* The orthonormal functions of one factor. Function 0 is the constant 1. */
typedef struct basis {
    double low, high;
    size_t levels;
    double *values;  /* of the levels */
    double *table;   /* levels x functions; NULL for a range */
    double *overlap; /* ordered levels: functions x functions, what was taken away of the earlier */
    double *length;  /* ordered levels: per function, what it was divided by */
    unsigned functions; /* the constant included */
    bool unordered;
} basis;

/* Makes the functions up to a degree. Returns 0, or -1 with `err`. */
int basis_make(const msw_pce_factor *factor, unsigned degree, basis *own, msw_arena *arena,
               msw_err *err);

/* Evaluates all functions at x; between ordered levels by the polynomials that they are. Returns 0,
 * or -1 when x is not a label, or lies outside the levels. */
int basis_at(const basis *own, double x, double *value);

/* Number of the level that x is, up to rounding. Returns it, or -1. */
int64_t basis_level(const basis *own, double x);

/* ---- a surrogate; outputs are standardised in all of it ---- */

/* Folds that rows are left out by, and sets of levels left out. */
enum { SURROGATE_FOLDS = 10, SURROGATE_CUTS = 12 };

/* The rows with an output, kept for as long as the surrogate. */
typedef struct surrogate_rows {
    size_t n;
    double **x; /* a column per factor */
    double *y;
    double mean, deviation; /* of the output as it was */
    size_t blocks;
    size_t *block; /* first row of each block; blocks + 1 */
} surrogate_rows;

/* Fits to parts of the rows, and what they miss at the rest. */
typedef struct surrogate_cross {
    uint32_t between; /* factors whose levels were left out; 0: rows at random */
    unsigned parts;
    pursuit_model model[SURROGATE_CUTS];
    double *missed[SURROGATE_CUTS]; /* sizes of the residuals, falling */
    size_t count[SURROGATE_CUTS], residuals;
    double q2;
    struct surrogate_cross *next;
} surrogate_cross;

struct msw_pce {
    msw_pce_settings settings;
    unsigned factors;
    const char **names; /* entries may be NULL */
    basis *bases;
    size_t terms;       /* candidates */
    uint16_t *function; /* terms x factors: which function of each factor; term 0 is the constant */
    bool *allowed;      /* degrees x terms: whether a term has at most that degree */
    surrogate_rows rows;
    pursuit_model whole; /* fitted to all rows */
    unsigned degree;     /* of the terms it was chosen from */
    double r2;
    surrogate_cross *crosses;               /* the first is by rows at random */
    msw_arena fold_arena[PURSUIT_BINS + 1]; /* of the models fitted side by side */
    msw_arena arena;
};

/* Lists all terms within the settings. Returns 0, or -1 with `err`. */
int surrogate_terms(msw_pce *pce, msw_err *err);

/* Evaluates all terms at rows. Returns 0, or -1 with `err`. */
int surrogate_evaluate(const msw_pce *pce, const uint32_t *row, tiles *x, msw_arena *arena,
                       msw_err *err);

/* Chooses degree and terms from all rows, then again with each tenth of them left out. Returns 0,
 * or -1 with `err`. */
int surrogate_fit(msw_pce *pce, msw_err *err);

/* Chooses again with levels of the factors of a set left out. Returns what came of it, or NULL with
 * `err`. */
surrogate_cross *surrogate_between(msw_pce *pce, uint32_t factors, msw_err *err);

/* Most functions of any factor: the distance between the values of one factor and the next. Returns
 * it. */
unsigned surrogate_stride(const msw_pce *pce);

/* Multiplies the functions of one term. Returns the product. `value` holds the functions of all
 * factors, `stride` apart. */
double surrogate_term(const msw_pce *pce, size_t term, const double *value, unsigned stride);

/* "factor 'name'", or its number without a name. Returns `text`. */
const char *surrogate_name(const msw_pce *pce, unsigned factor, char text[80]);

/* Chooses and fits; the model lies in the arena. Returns 0, or -1 without memory. */
int surrogate_choose_fit(const msw_pce *pce, pursuit_table *table, uint32_t set,
                         pursuit_model *model, unsigned *degree, msw_arena *arena);

#endif
