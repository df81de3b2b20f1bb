/* SPDX-License-Identifier: MIT */
/* Writes tables as TSV, CSV and JSON. TSV and CSV have one header line and exact numbers; in TSV
 * a tab, newline or backslash inside a text is written \t, \n, \\; in CSV a text is quoted where
 * needed (RFC 4180, but lines end with \n). JSON is an array of objects, one a row, one a line;
 * what is not there, and what JSON has no number for, is null. */
#include "memsweep/format/format.h"

#include "format/formats.h"

#include "memsweep/base/quote.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void quote_fn(msw_text *out, const char *text);

static void add_separated_cell(const msw_column *column, size_t row, quote_fn *quote, msw_text *out)
{
    double value = column->values[row];
    if (!msw_format_is_text(column))
        msw_format_cell(column, row, true, out);
    else if (value >= 0 && value < (double)column->label_count)
        quote(out, column->labels[(size_t)value]);
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

/* ---- tables in blocks ---- */

static bool is_json(const msw_format_stream *s)
{
    return s->format == MSW_FORMAT_JSON;
}

static void add_name(const msw_format_stream *s, const char *name, msw_text *out)
{
    if (s->format == MSW_FORMAT_CSV)
        msw_text_add_csv(out, name);
    else if (s->format == MSW_FORMAT_TSV)
        msw_text_add_tsv(out, name);
    else
        msw_text_add_json(out, name);
}

/* Texts before each cell of a row, and behind the last: the same for all rows. */
static int begin(msw_format_stream *s, const msw_table *table)
{
    s->heads = calloc(table->column_count + 1, sizeof *s->heads);
    if (!s->heads)
        return -1;
    s->count = table->column_count;
    for (size_t c = 0; c < s->count; c++) {
        const char *between = is_json(s) ? ", " : s->format == MSW_FORMAT_CSV ? "," : "\t";
        if (c)
            msw_text_add(&s->heads[c], "%s", between);
        if (!is_json(s)) {
            msw_text_add(&s->text, "%s", msw_text_str(&s->heads[c]));
            add_name(s, table->columns[c].name, &s->text);
            continue;
        }
        add_name(s, table->columns[c].name, &s->heads[c]);
        msw_text_add(&s->heads[c], ": ");
        s->text.failed = s->text.failed || s->heads[c].failed;
    }
    msw_text_add_bytes(&s->text, is_json(s) ? "[" : "\n", 1);
    return 0;
}

static void add_row(msw_format_stream *s, const msw_table *table, size_t row)
{
    if (is_json(s))
        msw_text_add(&s->text, "%s{", s->rows ? ",\n " : "\n ");
    for (size_t c = 0; c < s->count; c++) {
        msw_text_add_bytes(&s->text, msw_text_str(&s->heads[c]), s->heads[c].size);
        if (is_json(s))
            add_json_cell(&table->columns[c], row, &s->text);
        else
            add_separated_cell(&table->columns[c], row,
                               s->format == MSW_FORMAT_CSV ? msw_text_add_csv : msw_text_add_tsv,
                               &s->text);
    }
    msw_text_add_bytes(&s->text, is_json(s) ? "}" : "\n", 1);
    s->rows++;
}

static int add_block(msw_format_stream *s, const msw_table *table)
{
    if (!s->heads && begin(s, table))
        return -1;
    for (size_t r = 0; r < table->rows; r++) {
        add_row(s, table, r);
        if (msw_format_flush(&s->text, false, s->out))
            return -1;
    }
    return 0;
}

static int fail_write(msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "writing a table: %s",
                         errno ? strerror(errno) : "out of memory");
}

int msw_format_block(void *stream, const msw_table *table, msw_err *err)
{
    errno = 0;
    return add_block(stream, table) ? fail_write(err) : 0;
}

int msw_format_end(msw_format_stream *s, msw_err *err)
{
    errno = 0;
    if (is_json(s))
        msw_text_add(&s->text, s->heads ? "\n]\n" : "[\n]\n");
    return msw_format_flush(&s->text, true, s->out) ? fail_write(err) : 0;
}

void msw_format_stream_free(msw_format_stream *s)
{
    for (size_t c = 0; s->heads && c < s->count; c++)
        msw_text_free(&s->heads[c]);
    free(s->heads);
    msw_text_free(&s->text);
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

static int write_stream(const msw_table *table, msw_format format, FILE *out, msw_err *err)
{
    msw_format_stream stream = {.format = format, .out = out};
    int rc = msw_format_block(&stream, table, err);
    rc = rc ? rc : msw_format_end(&stream, err);
    msw_format_stream_free(&stream);
    return rc;
}

bool msw_format_streams(msw_format format)
{
    return format == MSW_FORMAT_TSV || format == MSW_FORMAT_CSV || format == MSW_FORMAT_JSON;
}

int msw_format_write(const msw_table *table, msw_format format, const msw_format_style *style,
                     FILE *out, msw_err *err)
{
    static const msw_format_style PLAIN = {0};
    if (msw_format_streams(format))
        return write_stream(table, format, out, err);
    errno = 0;
    style = style ? style : &PLAIN;
    int rc = format == MSW_FORMAT_RECORD ? msw_format_record(table, style, out)
                                         : msw_format_text(table, style, out);
    return rc ? fail_write(err) : 0;
}
