/* SPDX-License-Identifier: MIT */
/* process: a Gaussian process that approximates the model, an alternative to the polynomial of
 * surrogate.h.
 *
 * The output is taken for one draw of a normal process over the factors: near points have near
 * outputs, how near each factor says. It follows kinks and steps that a polynomial swings around,
 * knows the noise of sampled rows, and its uncertainty grows away from rows. What it can predict is
 * measured as for the polynomial: by rows left out, the whole fit made again. Formulas:
 * docs/models/analysis.md. */
#ifndef MEMSWEEP_ANALYSIS_PROCESS_H
#define MEMSWEEP_ANALYSIS_PROCESS_H

#include "memsweep/analysis/surrogate.h"

enum {
    MSW_PROCESS_ROWS = 10000,     /* more are refused */
    MSW_PROCESS_EXACT = 1500,     /* up to here every row is related to every other */
    MSW_PROCESS_NEIGHBOURS = 30,  /* beyond, each to its nearest */
    MSW_PROCESS_TUNING_ROWS = 500 /* that lengths and variances are chosen from */
};

/* What is known of the noise of rows. */
typedef struct msw_process_noise {
    const double *deviation; /* of each row; NULL: none is known */
    const uint32_t *shared;  /* rows of one number share measured units: part of their errors is
                                common; NULL: all rows do */
} msw_process_noise;

typedef struct msw_process_quality {
    size_t used, dropped; /* rows */
    double q2; /* share of variance predicted in rows left out by tenths, all fitted again */
    double left_out_q2; /* the same, each row from all others, with the lengths of all */
    double covered;     /* of rows left out one by one: share within the 95 % interval stated */
    double smoothness;  /* 0.5, 1.5 or 2.5: a path has so many derivatives, rounded down */
    double nugget;      /* share of the variance that no factor explains */
    double common;      /* share of the known noise that rows have in common */
    bool exact;         /* or by neighbours */
} msw_process_quality;

typedef struct msw_process msw_process;

/* Fits a process; `data` as for the polynomial. Returns it, or NULL with `err`. */
msw_process *msw_process_fit(const msw_pce_data *data, const msw_process_noise *noise,
                             uint64_t seed, msw_process_quality *quality, msw_err *err);

/* The same without asking what the fit is worth: to choose rows by, not to tell anything by.
 * `like`: takes its lengths and variances over; NULL: finds them. Returns it, or NULL. */
msw_process *msw_process_fit_quick(const msw_pce_data *data, const msw_process *like, uint64_t seed,
                                   msw_err *err);

/* Candidates for new rows: what each is expected to be, and the variance of that. */
typedef struct msw_process_ahead {
    const msw_process *process;
    size_t count, width, used; /* candidates; numbers of each in `near`, and those in use */
    double *value, *variance;
    double *x, *near;
} msw_process_ahead;

/* Looks at candidates, `count` x factors; up to `most` of them may be taken. The process has at
 * most MSW_PROCESS_EXACT rows. Returns 0, or -1 without memory. */
int msw_process_ahead_new(const msw_process *process, const double *x, size_t count, size_t most,
                          msw_process_ahead *ahead, msw_err *err);

/* One of them becomes a row: less is open then of those near it, whatever it will be. */
void msw_process_ahead_take(msw_process_ahead *ahead, size_t candidate);
void msw_process_ahead_free(msw_process_ahead *ahead);

/* Predicts the output at x. The interval is that of a new row: the process's own deviation times
 * the quantile of what rows left out missed, counted in theirs; between listed levels of a factor,
 * of rows left out with all others of their level. Returns 0, or -1 without memory. */
int msw_process_predict(msw_process *process, const double *x, double confidence,
                        msw_prediction *out, msw_err *err);

/* Frees a process; NULL is allowed. */
void msw_process_free(msw_process *process);

#endif
