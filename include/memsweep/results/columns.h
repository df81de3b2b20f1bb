/* SPDX-License-Identifier: MIT */
/* columns: which columns of many rows say something, found without holding the rows. */
#ifndef MEMSWEEP_RESULTS_COLUMNS_H
#define MEMSWEEP_RESULTS_COLUMNS_H

#include "memsweep/base/context.h"
#include "memsweep/base/table.h"
#include "memsweep/store/store.h"

typedef struct msw_column_facts {
    char *name;
    double first;
    msw_text value, literal;           /* the first, to be read, and as an expression */
    bool known, any, nonzero, differs; /* looked at; has a value; one that is not 0; two of them */
} msw_column_facts;

/* Start from a zeroed struct. `varying`: columns that are the same in all rows say nothing, nor do
 * the engine's own and half-widths of 0; else only those without a value do. */
typedef struct msw_columns {
    bool varying;
    uint64_t rows;
    size_t count;
    msw_column_facts *list;
} msw_columns;

/* Takes note of the rows of a block, an msw_block_fn: `columns` is an msw_columns. The columns of
 * the first block are all there are. Returns 0, or -1. */
int msw_columns_note(void *columns, const msw_table *block, msw_err *err);

/* Takes note of the rows of a query; its `columns` are not set. Returns 0, or -1. */
int msw_columns_read(const msw_context *context, const char *word, const msw_query *query,
                     msw_columns *columns, msw_err *err);

/* Whether a column says something. Returns the verdict. */
bool msw_columns_tells(const msw_columns *columns, size_t c);

/* Writes the list of those for a query. */
void msw_columns_list(const msw_columns *columns, msw_text *list);

/* Counts the columns without a value, and writes those that are the same in all rows with their
 * value. Returns the count. */
size_t msw_columns_silent(const msw_columns *columns, msw_text *same);

void msw_columns_free(msw_columns *columns);

#endif
