/* SPDX-License-Identifier: MIT */
/* delta: Borgonovo's measure from a table of counts, class by cell of the output.
 *
 * The table is all that is kept of the rows: a resample costs what the table has cells, whatever
 * the number of rows. */
#ifndef MSW_ANALYSIS_SENSITIVITY_DELTA_H
#define MSW_ANALYSIS_SENSITIVITY_DELTA_H

#include "memsweep/analysis/given.h"

typedef struct delta_table {
    uint32_t classes;
    uint32_t *count;              /* of all rows: classes x cells */
    double *drawn;                /* the same and a sum over classes, of a resample */
    double *rows, *sum, *squares; /* of a resample, per class and all */
    double *smooth, *kernel;      /* two of cells; one of cells */
} delta_table;

/* Makes room. Returns 0, or -1 without memory; to be freed in any case. */
int delta_take(uint32_t classes, delta_table *table);
void delta_free(delta_table *table);

/* Counts the rows by their class and their cell. */
void delta_count(delta_table *table, const uint32_t *of, const uint16_t *cell, size_t n);

/* Finds delta, with its bias taken off, and its standard error (NaN without resamples). */
void delta_find(delta_table *table, const msw_resampling *how, double *delta, double *spread);

#endif
