/* SPDX-License-Identifier: MIT */
/* external: a table of another program, or that program itself, as a mechanism that only has
 * columns.
 *
 * Its record is made from a declaration instead of being written in C: inputs become parameters,
 * outputs metrics, and the sweep's canonical text carries the declaration. Such a mechanism
 * evaluates nothing; its name is `external`, or the program's, and eight digits of a digest of the
 * declaration, so that tables with the same columns share a table of the store and others do not.
 */
#ifndef MEMSWEEP_PROGRAM_EXTERNAL_H
#define MEMSWEEP_PROGRAM_EXTERNAL_H

#include "memsweep/base/yaml.h"
#include "memsweep/mech/mechanism.h"

#define MSW_EXTERNAL_WORD "external" /* what a table is called, before its digits */
enum { MSW_EXTERNAL_NAME = 40 };     /* bytes of a program's name */

/* What fills it: names, kinds, units, ranges and choices of `params`, names, units and goals of
 * `metrics`; `doc` is the column of the table. All texts lie in the arena. */
typedef struct msw_external {
    msw_arena arena;
    msw_mech mech;
    const char *name, *title; /* of a program; NULL: a table */
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

/* Whether a canonical text declares its mechanism. */
bool msw_external_is_declared(const msw_node *root);

/* Reads the declaration out of a canonical text. Returns 0 and the record, or -1 when it is not one
 * or not that of `mechanism`. */
int msw_external_read(const msw_node *root, const char *mechanism, msw_external **external,
                      msw_err *err);

#endif
