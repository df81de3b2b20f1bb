/* SPDX-License-Identifier: MIT */
/* external: a table of another program as a mechanism that only has columns.
 *
 * Its record is made from a declaration instead of being written in C: inputs become parameters,
 * outputs metrics, and the sweep's canonical text carries the declaration. Such a mechanism
 * evaluates nothing; its name is `external_` and eight digits of a digest of the declaration, so
 * that tables with the same columns share a table of the store and others do not. */
#ifndef MEMSWEEP_SWEEP_EXTERNAL_H
#define MEMSWEEP_SWEEP_EXTERNAL_H

#include "memsweep/mech/mechanism.h"

#define MSW_EXTERNAL_PREFIX "external_"

/* What fills it: names, kinds, units, ranges and choices of `params`, names, units and goals of
 * `metrics`; `doc` is the column of the table. All texts lie in the arena. */
typedef struct msw_external {
    msw_arena arena;
    msw_mech mech;
    size_t param_count, metric_count;
    msw_param *params;
    msw_metric *metrics;
} msw_external;

/* Makes a record with room for so many columns. Returns it, or NULL when memory runs out. */
msw_external *msw_external_new(size_t params, size_t metrics);

/* Frees it; NULL is fine. */
void msw_external_free(msw_external *external);

/* Copies a text into its arena. Returns the copy, or NULL when memory runs out. */
const char *msw_external_text(msw_external *external, const char *text);

/* Makes room for the choices of a parameter. Returns the list, ended and empty, or NULL when memory
 * runs out. */
msw_choice *msw_external_choices(msw_external *external, msw_param *param, size_t count);

/* Checks all names and completes the record. Returns 0, or -1 with what is wrong. */
int msw_external_finish(msw_external *external, msw_err *err);

/* Writes the declaration, lines of a canonical text. */
void msw_external_print(const msw_external *external, msw_text *out);

#endif
