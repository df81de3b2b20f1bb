/* SPDX-License-Identifier: MIT */
/* surrogate: a polynomial that approximates the model, what it can predict, and the Sobol indices
 * it implies.
 *
 * Polynomial chaos: a sum of products of one orthonormal function per factor. Ranges get Legendre
 * polynomials, levels their own orthonormal polynomials, unordered levels orthonormal contrasts.
 * The variance then splits over the terms by itself, so indices cost nothing, hold for rows from
 * any design, and are as good as the surrogate: look at q2 first.
 *
 * Terms are chosen by looking at the rows. Whatever judges the result (q2, intervals) therefore
 * comes from choosing again, a tenth of the rows left out each time, and predicting those. */
#ifndef MEMSWEEP_ANALYSIS_SURROGATE_H
#define MEMSWEEP_ANALYSIS_SURROGATE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_PCE_FACTORS = 32, MSW_PCE_DEGREE = 16 };

/* Either a range (levels == 0) or levels. A log factor comes as its logarithm. */
typedef struct msw_pce_factor {
    const char *name;      /* for messages; or NULL */
    double low, high;      /* the range */
    size_t levels;         /* number of levels; 0: a range */
    const double *values;  /* the levels, rising; NULL: 0, 1, 2, ... */
    const double *weights; /* how probable each level is; NULL: all the same */
    bool unordered;        /* levels without an order: each contrast counts as degree 1 */
} msw_pce_factor;

typedef struct msw_pce_settings {
    unsigned degree;      /* most total degree of a term */
    unsigned interaction; /* most factors in a term; 0: no limit */
    bool best;            /* choose the degree too, from 1 up to that */
    uint64_t seed;        /* of the order in which rows are left out */
} msw_pce_settings;

typedef struct msw_pce_data {
    size_t n;
    unsigned factors;
    const msw_pce_factor *factor;
    const double *const *x;
    const double *y;       /* NaN: a failed point, left out; infinite ones are refused */
    const uint64_t *block; /* adjacent rows of equal number are left out together; NULL: none are */
} msw_pce_data;

typedef struct msw_pce_quality {
    size_t used, dropped; /* rows */
    size_t candidates, terms;
    unsigned degree; /* of the candidates that were chosen from */
    double r2;       /* share of variance explained at the rows it was fitted to */
    double q2;       /* the same at rows that took no part in choosing and fitting */
} msw_pce_quality;

typedef struct msw_pce msw_pce;

/* Fits a surrogate. `quality` may be NULL. Returns it, or NULL with `err`. */
msw_pce *msw_pce_fit(const msw_pce_data *data, const msw_pce_settings *settings,
                     msw_pce_quality *quality, msw_err *err);

/* A prediction and the interval in which a new row lies with the confidence asked for. */
typedef struct msw_prediction {
    double value;
    double low, high; /* NaN: there are too few residuals for it */
    double q2;        /* of the rows the interval comes from */
    size_t residuals; /* how many they are */
    bool between;     /* whether they are at levels left out as a whole */
} msw_prediction;

/* Predicts the output at x, one value per factor. Between ordered levels the residuals are those at
 * levels left out as a whole, which needs four levels; they are computed when first needed. Returns
 * 0, or -1 with `err`. */
int msw_pce_predict(msw_pce *pce, const double *x, double confidence, msw_prediction *out,
                    msw_err *err);

/* Residuals that an interval of this confidence needs. Returns how many. */
size_t msw_pce_residuals(double confidence);

/* Mean of the surrogate. Returns it. */
double msw_pce_mean(const msw_pce *pce);

/* Variance of the surrogate. Returns it. */
double msw_pce_variance(const msw_pce *pce);

/* Share of the variance in terms of exactly the factors whose bits are set. Returns it, NaN when
 * nothing varies. */
double msw_pce_part(const msw_pce *pce, uint32_t factors);

/* Share of the variance in terms of none but the factors whose bits are set: what they do as one,
 * their interactions included. Returns it, NaN when nothing varies. */
double msw_pce_closed(const msw_pce *pce, uint32_t factors);

/* Share of the variance in all terms that contain a factor (its total index). Returns it. */
double msw_pce_total(const msw_pce *pce, unsigned factor);

/* Frees a surrogate; NULL is allowed. */
void msw_pce_free(msw_pce *pce);

#endif
