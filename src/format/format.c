/* SPDX-License-Identifier: MIT */
/* Writes tables as TSV, CSV and JSON. TSV and CSV have one header line and exact numbers; in TSV
 * a tab, newline or backslash inside a text is written \t, \n, \\; in CSV a text is quoted where
 * needed (RFC 4180, but lines end with \n). JSON is an array of objects, one a row, one a line;
 * what is not there, and what JSON has no number for, is null. */
#include "memsweep/format/format.h"

#include "format/formats.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef void (*quote_fn)(msw_text *out, const char *text);

static void add_separated_cell(const msw_column *column, size_t row, quote_fn quote, msw_text *out)
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
            add_separated_cell(&table->columns[c], r, quote, &text);
        }
        msw_text_add_bytes(&text, "\n", 1);
        rc = msw_format_flush(&text, false, out);
    }
    rc = rc ? rc : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    return rc;
}

static int write_tsv(const msw_table *table, FILE *out)
{
    return write_separated(table, '\t', msw_text_add_tsv, out);
}

static int write_csv(const msw_table *table, FILE *out)
{
    return write_separated(table, ',', msw_text_add_csv, out);
}

static void add_json_cell(const msw_column *column, size_t row, msw_text *out)
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
        add_json_cell(&table->columns[c], row, out);
    }
    msw_text_add_bytes(out, "}", 1);
}

static int write_json(const msw_table *table, FILE *out)
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

const char *const msw_format_names[] = {"text", "tsv", "csv", "json", "record", NULL};

int msw_format_find(const char *name)
{
    for (int f = 0; msw_format_names[f]; f++)
        if (strcmp(name, msw_format_names[f]) == 0)
            return f;
    return -1;
}

int msw_format_of_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!dot)
        return -1;
    int format = strcmp(dot, ".txt") == 0 ? MSW_FORMAT_TEXT : msw_format_find(dot + 1);
    return format == MSW_FORMAT_RECORD ? -1 : format;
}

static int write_format(const msw_table *table, msw_format format, const msw_format_style *style,
                        FILE *out)
{
    switch (format) {
    case MSW_FORMAT_TSV:
        return write_tsv(table, out);
    case MSW_FORMAT_CSV:
        return write_csv(table, out);
    case MSW_FORMAT_JSON:
        return write_json(table, out);
    case MSW_FORMAT_RECORD:
        return msw_format_record(table, style, out);
    default:
        return msw_format_text(table, style, out);
    }
}

int msw_format_write(const msw_table *table, msw_format format, const msw_format_style *style,
                     FILE *out, msw_err *err)
{
    static const msw_format_style PLAIN = {0};
    errno = 0;
    if (write_format(table, format, style ? style : &PLAIN, out) == 0)
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO, "writing a table: %s",
                         errno ? strerror(errno) : "out of memory");
}

int msw_format_save(const msw_table *table, msw_format format, const char *path, const char *input,
                    msw_err *err)
{
    msw_outfile out;
    if (msw_outfile_open(&out, path, MSW_OUTPUT_TABLE, input, err))
        return -1;
    if (msw_format_write(table, format, NULL, out.file, err)) {
        msw_outfile_drop(&out);
        return -1;
    }
    return msw_outfile_keep(&out, err);
}
