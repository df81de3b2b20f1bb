/* SPDX-License-Identifier: MIT */
/* table_builder: a table of results made cell by cell.
 *
 * Columns appear when they are first set, in that order; trouble is remembered until the end. */
#ifndef MEMSWEEP_BASE_TABLE_BUILDER_H
#define MEMSWEEP_BASE_TABLE_BUILDER_H

#include "memsweep/base/table.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Start from a zeroed struct. */
typedef struct msw_table_builder {
    msw_table table;
    msw_err *err;
    bool failed;
} msw_table_builder;

/* Starts a row; cells are empty until set. */
void msw_builder_row(msw_table_builder *builder);

/* Sets a cell of the last row. NaN and NULL leave it empty. */
void msw_builder_number(msw_table_builder *builder, const char *column, double value);
void msw_builder_count(msw_table_builder *builder, const char *column, uint64_t count);
void msw_builder_text(msw_table_builder *builder, const char *column, const char *text);

/* The same for a text that was put together, of which memory may have lost a part. */
void msw_builder_made(msw_table_builder *builder, const char *name, const msw_text *text);

#endif
