/* SPDX-License-Identifier: MIT */
#include "memsweep/base/table.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Doubles below this print as the whole numbers they are. */
static const double WHOLE_LEAST = 1e15;

static int grow_values(msw_column *column, size_t from, size_t to, size_t capacity)
{
    double *values = realloc(column->values, (capacity ? capacity : 1) * sizeof *values);
    if (!values)
        return -1;
    column->values = values;
    for (size_t i = from; i < to; i++)
        values[i] = NAN;
    return 0;
}

/* Cells that hold no large whole number have a 0 here. */
static int grow_wholes(msw_column *column, size_t from, size_t capacity)
{
    int64_t *wholes = realloc(column->wholes, (capacity ? capacity : 1) * sizeof *wholes);
    if (!wholes)
        return -1;
    column->wholes = wholes;
    for (size_t i = from; i < capacity; i++)
        wholes[i] = 0;
    return 0;
}

int msw_column_set_whole(msw_column *column, size_t row, size_t capacity, int64_t value,
                         msw_err *err)
{
    column->values[row] = (double)value;
    if (fabs(column->values[row]) < WHOLE_LEAST && !column->wholes)
        return 0;
    if (!column->wholes && grow_wholes(column, 0, capacity))
        return msw_fail_memory(err);
    column->wholes[row] = value;
    return 0;
}

bool msw_column_whole(const msw_column *column, size_t row, int64_t *value)
{
    double rounded = column->values[row];
    if (!column->wholes || !(fabs(rounded) >= WHOLE_LEAST) ||
        (double)column->wholes[row] != rounded)
        return false;
    *value = column->wholes[row];
    return true;
}

static void column_free(msw_column *column)
{
    free(column->wholes);
    free(column->name);
    free(column->unit);
    free(column->values);
    for (size_t i = 0; i < column->label_count; i++)
        free(column->labels[i]);
    free(column->labels);
}

int msw_table_add_column(msw_table *table, const char *name, const char *unit, msw_goal goal,
                         msw_err *err)
{
    size_t count = table->column_count + 1;
    msw_column *columns = realloc(table->columns, count * sizeof *columns);
    if (!columns)
        return msw_fail_memory(err);
    table->columns = columns;
    msw_column column = {.name = msw_strdup(name), .unit = msw_strdup(unit), .goal = goal};
    if (!column.name || !column.unit || grow_values(&column, 0, table->rows, table->capacity)) {
        column_free(&column);
        return msw_fail_memory(err);
    }
    columns[table->column_count] = column;
    table->column_count = count;
    return (int)count - 1;
}

int msw_table_resize(msw_table *table, size_t rows, msw_err *err)
{
    size_t capacity = table->capacity;
    if (rows > capacity) {
        capacity = rows > 2 * capacity ? rows : 2 * capacity;
        for (size_t c = 0; c < table->column_count; c++)
            if (grow_values(&table->columns[c], 0, 0, capacity) ||
                (table->columns[c].wholes &&
                 grow_wholes(&table->columns[c], table->capacity, capacity)))
                return msw_fail_memory(err);
        table->capacity = capacity;
    }
    for (size_t c = 0; c < table->column_count; c++)
        for (size_t r = table->rows; r < rows; r++)
            table->columns[c].values[r] = NAN;
    table->rows = rows;
    return 0;
}

int msw_column_label(msw_column *column, const char *label, msw_err *err)
{
    for (size_t i = 0; i < column->label_count; i++)
        if (strcmp(column->labels[i], label) == 0)
            return (int)i;
    char **labels = realloc(column->labels, (column->label_count + 1) * sizeof *labels);
    if (!labels)
        return msw_fail_memory(err);
    column->labels = labels;
    labels[column->label_count] = msw_strdup(label);
    if (!labels[column->label_count])
        return msw_fail_memory(err);
    return (int)column->label_count++;
}

int msw_table_find(const msw_table *table, const char *name)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].name, name) == 0)
            return (int)c;
    return -1;
}

void msw_table_free(msw_table *table)
{
    if (!table)
        return;
    for (size_t c = 0; c < table->column_count; c++)
        column_free(&table->columns[c]);
    free(table->columns);
    *table = (msw_table){0};
}

/* A column without labels would be one of numbers: the list exists from the start. */
int msw_table_text_column(msw_table *table, const char *name, msw_err *err)
{
    int c = msw_table_add_column(table, name, "", MSW_GOAL_NONE, err);
    if (c < 0)
        return -1;
    table->columns[c].labels = calloc(1, sizeof *table->columns[c].labels);
    return table->columns[c].labels ? 0 : msw_fail_memory(err);
}

int msw_table_text_row(msw_table *table, const char *const *cells, msw_err *err)
{
    size_t row = table->rows;
    if (msw_table_resize(table, row + 1, err))
        return -1;
    for (size_t c = 0; c < table->column_count; c++) {
        if (!cells[c])
            continue;
        int label = msw_column_label(&table->columns[c], cells[c], err);
        if (label < 0)
            return -1;
        table->columns[c].values[row] = label;
    }
    return 0;
}

void msw_table_drop_column(msw_table *table, size_t c)
{
    msw_table one = {.column_count = 1, .columns = malloc(sizeof *one.columns)};
    if (!one.columns)
        return;
    one.columns[0] = table->columns[c];
    memmove(table->columns + c, table->columns + c + 1,
            (--table->column_count - c) * sizeof *table->columns);
    msw_table_free(&one);
}

static void gather(msw_column *column, const size_t *rows, size_t count, double *kept,
                   int64_t *wholes)
{
    for (size_t i = 0; i < count; i++) {
        kept[i] = column->values[rows[i]];
        if (wholes)
            wholes[i] = column->wholes[rows[i]];
    }
    free(column->values);
    free(column->wholes);
    column->values = kept;
    column->wholes = wholes;
}

int msw_table_keep_rows(msw_table *table, const size_t *rows, size_t count, msw_err *err)
{
    for (size_t c = 0; c < table->column_count; c++) {
        double *kept = malloc((count + 1) * sizeof *kept);
        int64_t *wholes = table->columns[c].wholes ? malloc((count + 1) * sizeof *wholes) : NULL;
        if (!kept || (table->columns[c].wholes && !wholes)) {
            free(kept);
            free(wholes);
            return msw_fail_memory(err);
        }
        gather(&table->columns[c], rows, count, kept, wholes);
    }
    table->rows = table->capacity = count;
    return 0;
}

void msw_table_move_column(msw_table *table, size_t from, size_t to)
{
    msw_column column = table->columns[from];
    memmove(table->columns + from, table->columns + from + 1,
            (table->column_count - 1 - from) * sizeof column);
    memmove(table->columns + to + 1, table->columns + to,
            (table->column_count - 1 - to) * sizeof column);
    table->columns[to] = column;
}

/* ---- tables made cell by cell ---- */

void msw_builder_row(msw_table_builder *builder)
{
    if (msw_table_resize(&builder->table, builder->table.rows + 1, builder->err))
        builder->failed = true;
}

static msw_column *find_column(msw_table_builder *builder, const char *name, bool text)
{
    if (builder->failed)
        return NULL;
    int c = msw_table_find(&builder->table, name);
    if (c < 0 && text && msw_table_text_column(&builder->table, name, builder->err) == 0)
        c = (int)builder->table.column_count - 1;
    else if (c < 0 && !text)
        c = msw_table_add_column(&builder->table, name, "", MSW_GOAL_NONE, builder->err);
    builder->failed = c < 0;
    return c < 0 ? NULL : &builder->table.columns[c];
}

void msw_builder_number(msw_table_builder *builder, const char *name, double value)
{
    msw_column *column = find_column(builder, name, false);
    if (column)
        column->values[builder->table.rows - 1] = value;
}

void msw_builder_count(msw_table_builder *builder, const char *name, uint64_t count)
{
    msw_column *column = find_column(builder, name, false);
    if (!column)
        return;
    column->integer = true;
    column->values[builder->table.rows - 1] = (double)count;
}

void msw_builder_text(msw_table_builder *builder, const char *name, const char *text)
{
    msw_column *column = find_column(builder, name, true);
    int label = column && text ? msw_column_label(column, text, builder->err) : 0;
    if (label < 0)
        builder->failed = true;
    else if (column && text)
        column->values[builder->table.rows - 1] = label;
}

void msw_builder_cell(msw_table_builder *builder, const msw_column *column, size_t row)
{
    double value = column->values[row];
    if (column->labels)
        msw_builder_text(builder, column->name,
                         isnan(value) ? NULL : column->labels[(size_t)value]);
    else
        msw_builder_number(builder, column->name, value);
}

void msw_builder_made(msw_table_builder *builder, const char *name, const msw_text *text)
{
    if (msw_text_check(text, builder->err))
        builder->failed = true;
    else
        msw_builder_text(builder, name, msw_text_str(text));
}
