/* SPDX-License-Identifier: MIT */
/* Private to report: one writer per format. Each stops early when the file takes no more. */
#ifndef MSW_FORMAT_FORMATS_H
#define MSW_FORMAT_FORMATS_H

#include "memsweep/format/format.h"

enum { MSW_FORMAT_BLOCK = 1 << 16 };

int msw_format_text(const msw_table *table, const msw_format_style *style, FILE *out);
int msw_format_record(const msw_table *table, const msw_format_style *style, FILE *out);

/* Appends a cell for the eye. Whatever a file holds: it is one line, and a terminal obeys nothing
 * in it. */
void msw_format_shown(const msw_column *column, size_t row, bool exact, msw_text *out);

/* Hands the text on once it is long enough (or `all` of it). Returns 0, or -1. */
int msw_format_flush(msw_text *text, bool all, FILE *out);

/* Whether a column holds labels. */
static inline bool msw_format_is_text(const msw_column *column)
{
    return column->labels != NULL;
}

#endif
