/* SPDX-License-Identifier: MIT */
/* basis: the orthonormal functions of one factor. Function 0 is the constant 1. */
#ifndef MSW_ANALYSIS_SURROGATE_BASIS_H
#define MSW_ANALYSIS_SURROGATE_BASIS_H

#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/arena.h"

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

/* Degree that a function counts for. Returns it. */
static inline unsigned basis_degree(const basis *own, unsigned function)
{
    return own->unordered && function > 1 ? 1 : function;
}

#endif
