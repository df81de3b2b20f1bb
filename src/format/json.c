/* SPDX-License-Identifier: MIT */
/* JSON: an array of objects, one per row, one per line. What is not there, and what JSON has no
 * number for, is null. */
#include "format/formats.h"

#include "memsweep/base/quote.h"

#include <math.h>

static void add_cell(const msw_column *column, size_t row, msw_text *out)
{
    double value = column->values[row];
    if (!isfinite(value))
        msw_text_add_bytes(out, "null", 4);
    else if (!msw_format_is_text(column))
        msw_format_cell(column, row, true, out);
    else
        msw_text_add_json(out, value >= 0 && value < (double)column->label_count
                                   ? column->labels[(size_t)value]
                                   : "");
}

static void add_row(const msw_table *table, size_t row, msw_text *out)
{
    msw_text_add(out, "%s{", row ? ",\n " : "\n ");
    for (size_t c = 0; c < table->column_count; c++) {
        msw_text_add(out, "%s", c ? ", " : "");
        msw_text_add_json(out, table->columns[c].name);
        msw_text_add_bytes(out, ": ", 2);
        add_cell(&table->columns[c], row, out);
    }
    msw_text_add_bytes(out, "}", 1);
}

int msw_format_json(const msw_table *table, FILE *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    int rc = 0;
    msw_text_add_bytes(&text, "[", 1);
    for (size_t r = 0; r < table->rows && rc == 0; r++) {
        add_row(table, r, &text);
        rc = msw_format_flush(&text, false, out);
    }
    msw_text_add_bytes(&text, "\n]\n", 3);
    rc = rc ? rc : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    return rc;
}
