/* surrogate: a polynomial that stands for the model, and the Sobol indices it implies.
 *
 * Polynomial chaos: a sum of products of one orthonormal function per factor. Ranges get Legendre
 * polynomials, discrete levels their own orthonormal polynomials, unordered levels orthonormal
 * contrasts. The variance then splits over the terms by itself, so indices cost nothing, hold for
 * rows from any design, and are as good as the surrogate: look at q2 first. */
#ifndef MEMSWEEP_ANALYSIS_SURROGATE_H
#define MEMSWEEP_ANALYSIS_SURROGATE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_PCE_FACTORS = 32, MSW_PCE_DEGREE = 16 };

/* Either a range (levels == 0) or levels. A log factor comes as its logarithm. */
typedef struct msw_pce_factor {
    double low, high;      /* the range */
    size_t levels;         /* number of levels; 0: a range */
    const double *values;  /* the levels, rising; NULL: 0, 1, 2, ... */
    const double *weights; /* how probable each level is; NULL: all the same */
    bool unordered;        /* levels without an order: each contrast counts as degree 1 */
} msw_pce_factor;

typedef struct msw_pce_settings {
    unsigned degree;      /* total degree of a term */
    unsigned interaction; /* most factors in a term; 0: no limit */
    bool sparse;          /* choose terms by orthogonal matching pursuit and leave-one-out error */
} msw_pce_settings;

typedef struct msw_pce_data {
    size_t n;
    unsigned factors;
    const msw_pce_factor *factor;
    const double *const *x;
    const double *y; /* NaN: a failed point, left out */
} msw_pce_data;

typedef struct msw_pce_quality {
    size_t used, dropped; /* rows */
    size_t candidates, terms;
    double r2; /* share of variance explained at the rows it was fitted to */
    double q2; /* the same, each row predicted without itself (leave one out) */
} msw_pce_quality;

typedef struct msw_pce msw_pce;

/* Fits a surrogate. `quality` may be NULL. Returns it, or NULL with `err`. */
msw_pce *msw_pce_fit(const msw_pce_data *data, const msw_pce_settings *settings,
                     msw_pce_quality *quality, msw_err *err);

/* Predicts the output at x (one value per factor) with the half-width of the interval in which a
 * new row lies with the given confidence; `half` may be NULL. Returns 0, or -1 with `err` when x is
 * not a level. */
int msw_pce_predict(const msw_pce *pce, const double *x, double confidence, double *value,
                    double *half, msw_err *err);

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
