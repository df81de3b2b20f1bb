#include "memsweep/report.h"

#include "formats.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const msw_format_names[] = {"text", "tsv", "csv", "json", NULL};

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
    return strcmp(dot, ".txt") == 0 ? MSW_FORMAT_TEXT : msw_format_find(dot + 1);
}

static void add_number(double value, bool integer, bool exact, msw_text *out)
{
    bool whole = value == rint(value) && fabs(value) < (integer ? 9007199254740992.0 : 1e15);
    if ((integer || !exact) && whole)
        msw_text_add(out, "%" PRId64, (int64_t)value);
    else if (exact)
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "%.6g", value);
}

void msw_report_cell(const msw_column *column, size_t row, bool exact, msw_text *out)
{
    double value = column->values[row];
    int64_t whole;
    if (isnan(value))
        return;
    if (!msw_report_is_text(column) && msw_column_whole(column, row, &whole))
        msw_text_add(out, "%" PRId64, whole);
    else if (!msw_report_is_text(column))
        add_number(value, column->integer, exact, out);
    else if (value >= 0 && value < (double)column->label_count)
        msw_text_add(out, "%s", column->labels[(size_t)value]);
}

/* Continuation bytes of UTF-8 take no room. */
size_t msw_report_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

int msw_report_flush(msw_text *text, bool all, FILE *out)
{
    if (text->failed)
        return -1;
    if (text->size < MSW_REPORT_BLOCK && !all)
        return 0;
    size_t wanted = text->size;
    size_t written = wanted ? fwrite(text->data, 1, wanted, out) : 0;
    msw_text_clear(text);
    return written == wanted ? 0 : -1;
}

static int write_format(const msw_table *table, msw_format format, const msw_report_style *style,
                        FILE *out)
{
    switch (format) {
    case MSW_FORMAT_TSV:
        return msw_report_tsv(table, out);
    case MSW_FORMAT_CSV:
        return msw_report_csv(table, out);
    case MSW_FORMAT_JSON:
        return msw_report_json(table, out);
    default:
        return msw_report_text(table, style, out);
    }
}

int msw_report_write(const msw_table *table, msw_format format, const msw_report_style *style,
                     FILE *out, msw_err *err)
{
    static const msw_report_style PLAIN = {0};
    errno = 0;
    if (write_format(table, format, style ? style : &PLAIN, out) == 0)
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO, "writing a table: %s",
                         errno ? strerror(errno) : "out of memory");
}
