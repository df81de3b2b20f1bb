/* process (private): a process made and asked. Outputs are standardised in all of it. */
#ifndef MSW_ANALYSIS_PROCESS_PROCESS_H
#define MSW_ANALYSIS_PROCESS_PROCESS_H

#include "analysis/process/kernel.h"
#include "memsweep/base/arena.h"

/* What rows left out missed, in the deviations stated for them, falling. */
typedef struct process_missed {
    uint32_t levels; /* factors whose levels were left out as a whole; 0: rows one by one */
    size_t count;
    double *ratio;
    double q2;
    struct process_missed *next;
} process_missed;

struct msw_process {
    kernel_rows rows;
    double mean, deviation;                             /* of the output as it was */
    size_t *fold;                                       /* of each row */
    uint32_t ordered;                                   /* factors with listed levels in order */
    double low[MSW_PCE_FACTORS], high[MSW_PCE_FACTORS]; /* of each factor */
    double q2;
    kernel k;
    double center; /* what the kernel's outputs vary around */
    double noise;  /* variance of the known noise of a new row */
    bool exact;
    size_t order;              /* of the matrices, where exact */
    double *factor;            /* U */
    double *alpha;             /* A^-1 (y - center) */
    double *ones, ones_weight; /* A^-1 1, 1'A^-1 1 */
    process_missed *missed;
    msw_arena arena;
};

/* Relates all rows to each other; where they are too alike for it the nugget grows. Returns 0, or
 * -1 without memory. */
int process_relate(msw_process *process);

/* What a kernel makes of a point. */
typedef struct process_guess {
    double value, deviation; /* of a new row */
} process_guess;

/* From all rows. Returns 0, or -1 without memory. */
int process_guess_exactly(const msw_process *process, const double *x, process_guess *guess);

/* The value alone. Returns it. */
double process_value_exactly(const msw_process *process, const double *x);

/* From the nearest rows without row `without` and rows at x's levels of the factors `levels`. */
process_guess process_guess_nearby(const msw_process *process, const double *x, size_t without,
                                   uint32_t levels);

/* Centre and scale of variance from all rows, each conditioned on the nearest of those before it in
 * maximin order (Vecchia). Returns 0, or -1 without memory. */
int process_condition(msw_process *process, uint64_t seed);

/* What each row misses when it is left out. Returns it, or NULL without memory. */
process_missed *process_leave_out(msw_process *process, uint32_t levels);

/* What is missed in folds, all fitted anew: q2; up to MSW_PROCESS_TUNING_ROWS rows, where the
 * choice of lengths may know each row, also the list that intervals come from. Returns 0, or -1
 * without memory. */
int process_cross(msw_process *process, size_t folds, uint64_t seed);

#endif
