/* SPDX-License-Identifier: MIT */
#include "memsweep/format/format.h"

#include "format/formats.h"
#include "memsweep/format/outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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
        return msw_format_tsv(table, out);
    case MSW_FORMAT_CSV:
        return msw_format_csv(table, out);
    case MSW_FORMAT_JSON:
        return msw_format_json(table, out);
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
