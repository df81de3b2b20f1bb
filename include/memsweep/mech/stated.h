/* SPDX-License-Identifier: MIT */
/* stated: what mechanisms state about their closed forms (msw_agreement), as conditions to ask. */
#ifndef MEMSWEEP_MECH_STATED_H
#define MEMSWEEP_MECH_STATED_H

#include "memsweep/mech/mechanism.h"

/* The column of a sweep's view that says whether every statement covers a row. */
#define MSW_STATED_COLUMN "in_stated_region"

/* What the mechanism states about a metric. Returns it, or NULL. */
const msw_agreement *msw_stated_find(const msw_mech *mech, const char *metric);

/* Returns whether a statement is made for a workload. */
bool msw_stated_workload(const msw_agreement *stated, const char *workload);

/* Appends the condition, over the columns of the parameters and `workload`, under which a statement
 * is made; nothing where it always is. Returns 0, or -1 when the region is no expression. */
int msw_stated_condition(const msw_mech *mech, const msw_agreement *stated, msw_text *out,
                         msw_err *err);

/* The same for all statements of a mechanism together. */
int msw_stated_all(const msw_mech *mech, msw_text *out, msw_err *err);

/* By how much a closed form is off, as the statement has it: relative to the metric or its excess,
 * both ways alike, and 0 within its points. */
double msw_stated_error(const msw_agreement *stated, double analytic, double full);

/* The largest share of these answers that one number is within the tolerance of: a statement that a
 * constant meets says nothing. */
double msw_stated_constant(const msw_agreement *stated, const double *full, size_t n);

/* Decides from `within` of the first `n` draws, in Wald's test of the stated quantile against 20
 * points less, which ends with MSW_STATED_DRAWS. */
enum { MSW_STATED_DRAWS = 60 };
typedef enum msw_stated_verdict {
    MSW_STATED_OPEN,
    MSW_STATED_TRUE,
    MSW_STATED_FALSE
} msw_stated_verdict;
msw_stated_verdict msw_stated_test(const msw_agreement *stated, size_t within, size_t n);

/* Whether `within` of `n` configs contradict a statement: fewer than such a quantile leaves with a
 * chance of 1 %. Returns the verdict. */
bool msw_stated_broken(const msw_agreement *stated, size_t within, size_t n);

/* Checks the statements of a record. Returns 0, or -1 with the first that is not sound. */
int msw_stated_check(const msw_mech *mech, msw_err *err);

/* The conditions of a mechanism, ready to be asked config by config. */
typedef struct msw_stated_region msw_stated_region;

/* Compiles a condition of `stated`, or (NULL) of all statements. Returns 0, or -1. */
int msw_stated_open(const msw_mech *mech, const msw_agreement *stated, msw_stated_region **region,
                    msw_err *err);
void msw_stated_close(msw_stated_region *region);

/* Whether a config on a workload lies in it. Returns 1, 0, or -1 with `err`. */
int msw_stated_holds(msw_stated_region *region, const void *config, const char *workload,
                     msw_err *err);

/* Appends the metrics whose statements cover a config on a workload, and those whose do not.
 * Returns 0, or -1. */
int msw_stated_list(const msw_mech *mech, const void *config, const char *workload,
                    msw_text *inside, msw_text *outside, msw_err *err);

#endif
