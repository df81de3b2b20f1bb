/* SPDX-License-Identifier: MIT */
/* table: rows and named columns with unit and goal; all that analysis and report know.
 *
 * Values are doubles column by column; NaN means "not there". A text column holds indices into its
 * labels. Whole numbers that a double cannot print exactly are kept exactly next to it. */
#ifndef MEMSWEEP_BASE_TABLE_H
#define MEMSWEEP_BASE_TABLE_H

#include "memsweep/base/err.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum msw_goal { MSW_GOAL_NONE, MSW_GOAL_LOWER, MSW_GOAL_HIGHER } msw_goal;

typedef struct msw_column {
    char *name, *unit;
    msw_goal goal;
    bool integer;    /* print without a fraction */
    double *values;  /* `rows` of the table */
    int64_t *wholes; /* see msw_column_whole; NULL: none */
    char **labels;   /* text column: label of value i; NULL for numbers */
    size_t label_count;
} msw_column;

typedef struct msw_table {
    size_t rows, capacity;
    size_t column_count;
    msw_column *columns;
} msw_table;

/* Adds an empty column (existing rows get NaN). Returns its index, or -1 with `err`. */
int msw_table_add_column(msw_table *table, const char *name, const char *unit, msw_goal goal,
                         msw_err *err);

/* Makes room and sets the number of rows; new cells are NaN. Returns 0, or -1 with `err`. */
int msw_table_resize(msw_table *table, size_t rows, msw_err *err);

/* Sets a cell to a whole number, which msw_column_whole gives back exactly. Returns 0, or -1. */
int msw_column_set_whole(msw_column *column, size_t row, size_t capacity, int64_t value,
                         msw_err *err);

/* Returns whether a cell holds a whole number of 10^15 or more; doubles may have rounded it.
 * Returns the verdict, and the number as it was. */
bool msw_column_whole(const msw_column *column, size_t row, int64_t *value);

/* Finds or adds a label of a text column. Returns its index, or -1 with `err`. */
int msw_column_label(msw_column *column, const char *label, msw_err *err);

/* Finds a column. Returns its index, or -1 when there is none. */
int msw_table_find(const msw_table *table, const char *name);

/* Adds a text column. Returns 0, or -1. */
int msw_table_text_column(msw_table *table, const char *name, msw_err *err);

/* Appends a row of text: `cells` has one per column, NULL where nothing is there. Returns 0, or -1.
 */
int msw_table_text_row(msw_table *table, const char *const *cells, msw_err *err);

/* Takes a column out. */
void msw_table_drop_column(msw_table *table, size_t c);

/* Keeps `count` rows in the order given. Returns 0, or -1. */
int msw_table_keep_rows(msw_table *table, const size_t *rows, size_t count, msw_err *err);

/* Moves column `from` to position `to`. */
void msw_table_move_column(msw_table *table, size_t from, size_t to);

/* Frees everything the table holds; the struct itself is the caller's. */
void msw_table_free(msw_table *table);

/* ---- a table of results made cell by cell ---- */

/* Columns appear when they are first set, in that order; trouble is remembered until the end. Start
 * from a zeroed struct. */
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

/* Copies the cell of a column, under its name. */
void msw_builder_cell(msw_table_builder *builder, const msw_column *column, size_t row);

/* The same for a text that was put together, of which memory may have lost a part. */
void msw_builder_made(msw_table_builder *builder, const char *name, const msw_text *text);

#endif
