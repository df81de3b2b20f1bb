/* SPDX-License-Identifier: MIT */
/* Tables as people and programs read them.
 *
 * The text form is for the eye: aligned, numbers to six digits, units in the header; the record
 * form is that with a line per column. The other forms lose nothing: every number reads back as the
 * same double, what is not there is empty (null in JSON). */
#ifndef MEMSWEEP_FORMAT_FORMAT_H
#define MEMSWEEP_FORMAT_FORMAT_H

#include "memsweep/base/table.h"
#include "memsweep/base/text.h"

#include <stdio.h>

typedef enum msw_format {
    MSW_FORMAT_TEXT,
    MSW_FORMAT_TSV,
    MSW_FORMAT_CSV,
    MSW_FORMAT_JSON,
    MSW_FORMAT_RECORD,
    MSW_FORMAT_COUNT
} msw_format;

/* How the text form looks; all zero: everything is shown, as wide as it takes. */
typedef struct msw_format_style {
    int width;        /* columns that do not fit are left out and named below; 0: no limit */
    bool hide_same;   /* columns with one value in all rows, or none, are named below instead */
    bool no_footer;   /* nothing is said below */
    bool upright;     /* a few rows that do not fit are printed as records */
    const char *note; /* last line of the footer, or NULL */
} msw_format_style;

/* Names of the formats, ended by NULL: "text", "tsv", "csv", "json", "record". */
extern const char *const msw_format_names[];

/* Finds a format by name. Returns it, or -1. */
int msw_format_find(const char *name);

/* Finds the format a file name ends in (".tsv"). Returns it, or -1. */
int msw_format_of_file(const char *path);

/* Prints one cell: for the eye (six digits) or `exact`ly. Appends nothing where nothing is there.
 */
void msw_format_cell(const msw_column *column, size_t row, bool exact, msw_text *out);

/* Writes a table; `style` (text only) may be NULL. Returns 0, or -1 when the file took no more. */
int msw_format_write(const msw_table *table, msw_format format, const msw_format_style *style,
                     FILE *out, msw_err *err);

/* Whether tables of a format can be written in blocks of rows. Returns the verdict. */
bool msw_format_streams(msw_format format);

/* A table of such a format, block by block. Set `format` and `out`, the rest is zero. */
typedef struct msw_format_stream {
    msw_format format;
    FILE *out;
    uint64_t rows; /* written so far */
    size_t count;  /* columns */
    msw_text *heads, text;
} msw_format_stream;

/* Writes the rows of a block (the columns are those of the first). `stream` is an
 * msw_format_stream. Returns 0, or -1 when the file took no more. */
int msw_format_block(void *stream, const msw_table *block, msw_err *err);

/* Writes what stands behind the last row. Returns 0, or -1. */
int msw_format_end(msw_format_stream *stream, msw_err *err);
void msw_format_stream_free(msw_format_stream *stream);

/* Width of a string on a terminal: characters, not bytes. Returns the count. */
size_t msw_format_width(const char *text);

#endif
