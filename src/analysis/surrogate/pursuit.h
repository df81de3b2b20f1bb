/* SPDX-License-Identifier: MIT */
/* pursuit (private): chooses the columns of a linear model one by one.
 *
 * Orthogonal least squares: the column that lowers the squared error most comes next. Rows are in
 * bins, and products of columns are summed per bin when a column is first chosen, so that any
 * number of fits to other bins costs no further pass over the rows. */
#ifndef MSW_ANALYSIS_SURROGATE_PURSUIT_H
#define MSW_ANALYSIS_SURROGATE_PURSUIT_H

#include "analysis/stats/tiles.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
