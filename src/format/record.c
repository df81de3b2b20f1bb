/* SPDX-License-Identifier: MIT */
/* The record form: rows one below the other, a line per column that has a value anywhere. */
#include "format/formats.h"

#include "memsweep/base/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

static bool is_empty(const msw_table *table, size_t c)
{
    for (size_t r = 0; r < table->rows; r++)
        if (!isnan(table->columns[c].values[r]))
            return false;
    return true;
}

/* Finds what has no value in any row, and the width of the other names. Returns the marks, or NULL.
 */
static bool *find_empty(const msw_table *table, size_t *widest)
{
    bool *empty = calloc(table->column_count + 1, sizeof *empty);
    *widest = 0;
    for (size_t c = 0; empty && c < table->column_count; c++) {
        size_t width = msw_format_width(table->columns[c].name);
        empty[c] = is_empty(table, c);
        *widest = width > *widest && !empty[c] ? width : *widest;
    }
    return empty;
}

static void add_cell(const msw_column *column, size_t row, size_t width, msw_text *out)
{
    bool there = !isnan(column->values[row]);
    msw_text_add_visible(out, column->name);
    for (size_t i = msw_format_width(column->name); there && i < width + GAP; i++)
        msw_text_add_bytes(out, " ", 1);
    if (there)
        msw_format_shown(column, row, false, out);
    if (there && *column->unit) {
        msw_text_add_bytes(out, " ", 1);
        msw_text_add_visible(out, column->unit);
    }
    msw_text_add_bytes(out, "\n", 1);
}

static void add_footer(const msw_table *table, const bool *empty, const msw_format_style *style,
                       msw_text *out)
{
    const char *before = "empty: ";
    msw_text_add(out, "(%zu row%s)\n", table->rows, table->rows == 1 ? "" : "s");
    for (size_t c = 0; c < table->column_count; c++)
        if (table->rows && empty[c]) {
            msw_text_add(out, "%s", before);
            msw_text_add_visible(out, table->columns[c].name);
            before = ", ";
        }
    if (*before == ',')
        msw_text_add_bytes(out, "\n", 1);
    if (!style->note)
        return;
    msw_text_add_visible_lines(out, style->note);
    msw_text_add_bytes(out, "\n", 1);
}

int msw_format_record(const msw_table *table, const msw_format_style *style, FILE *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    size_t width;
    bool *empty = find_empty(table, &width);
    int rc = empty ? 0 : -1;
    for (size_t r = 0; r < table->rows && rc == 0; r++) {
        if (table->rows > 1)
            msw_text_add(&text, "-- %zu of %zu --\n", r + 1, table->rows);
        for (size_t c = 0; c < table->column_count; c++)
            if (!empty[c])
                add_cell(&table->columns[c], r, width, &text);
        rc = msw_format_flush(&text, false, out);
    }
    if (rc == 0 && !style->no_footer)
        add_footer(table, empty, style, &text);
    rc = rc ? -1 : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    free(empty);
    return rc;
}
