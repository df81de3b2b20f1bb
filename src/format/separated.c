/* SPDX-License-Identifier: MIT */
/* Tab- and comma-separated values: one header line, one line per row, numbers exact.
 *
 * In TSV a tab, newline or backslash inside a text is written \t, \n, \\; in CSV a text is quoted
 * where needed (RFC 4180, but lines end with \n). */
#include "format/formats.h"

#include "memsweep/base/quote.h"

typedef void (*quote_fn)(msw_text *out, const char *text);

static void add_cell(const msw_column *column, size_t row, quote_fn quote, msw_text *out)
{
    double value = column->values[row];
    if (!msw_format_is_text(column))
        msw_format_cell(column, row, true, out);
    else if (value >= 0 && value < (double)column->label_count)
        quote(out, column->labels[(size_t)value]);
}

static int write_separated(const msw_table *table, char separator, quote_fn quote, FILE *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (c)
            msw_text_add_bytes(&text, &separator, 1);
        quote(&text, table->columns[c].name);
    }
    msw_text_add_bytes(&text, "\n", 1);
    for (size_t r = 0; r < table->rows && rc == 0; r++) {
        for (size_t c = 0; c < table->column_count; c++) {
            if (c)
                msw_text_add_bytes(&text, &separator, 1);
            add_cell(&table->columns[c], r, quote, &text);
        }
        msw_text_add_bytes(&text, "\n", 1);
        rc = msw_format_flush(&text, false, out);
    }
    rc = rc ? rc : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    return rc;
}

int msw_format_tsv(const msw_table *table, FILE *out)
{
    return write_separated(table, '\t', msw_text_add_tsv, out);
}

int msw_format_csv(const msw_table *table, FILE *out)
{
    return write_separated(table, ',', msw_text_add_csv, out);
}
