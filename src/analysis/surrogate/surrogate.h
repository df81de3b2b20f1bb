/* surrogate (private): a surrogate being made and made. */
#ifndef MSW_ANALYSIS_SURROGATE_SURROGATE_H
#define MSW_ANALYSIS_SURROGATE_SURROGATE_H

#include "analysis/stats/normal.h"
#include "analysis/surrogate/basis.h"

struct msw_pce {
    unsigned factors;
    basis *bases;
    size_t terms;
    uint16_t *function; /* terms x factors: which function of each factor; term 0 is the constant */
    normal fit;
    double noise;   /* standard deviation of the residuals */
    double freedom; /* their degrees of freedom */
    msw_arena arena;
};

/* Lists all terms within the settings. Returns 0, or -1 with `err`. */
int surrogate_terms(msw_pce *pce, const msw_pce_settings *settings, msw_err *err);

/* Evaluates all terms at the rows. Returns 0, or -1 with `err`. */
int surrogate_evaluate(const msw_pce *pce, const msw_pce_data *data, const uint32_t *row, tiles *x,
                       msw_arena *arena, msw_err *err);

/* Chooses terms one by one (orthogonal matching pursuit) as long as the leave-one-out error falls;
 * `chosen` gets their numbers, the constant first. Returns how many, or 0 without memory. */
size_t surrogate_choose(const tiles *x, const double *y, uint32_t *chosen, msw_arena *arena);

/* Most functions of any factor: the distance between the values of one factor and the next. Returns
 * it. */
unsigned surrogate_stride(const msw_pce *pce);

/* Multiplies the functions of one term. Returns the product. `value` holds the functions of all
 * factors, `stride` apart. */
double surrogate_term(const msw_pce *pce, size_t term, const double *value, unsigned stride);

#endif
