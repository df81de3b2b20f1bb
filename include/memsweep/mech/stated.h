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

#endif
