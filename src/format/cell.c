/* SPDX-License-Identifier: MIT */
/* One cell as text, and text on its way to a file. */
#include "format/formats.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static void add_number(double value, bool integer, bool exact, msw_text *out)
{
    bool whole = value == rint(value) && fabs(value) < (integer ? 9007199254740992.0 : 1e15);
    if ((integer || !exact) && whole)
        msw_text_add_whole(out, (int64_t)value);
    else if (exact)
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "%.6g", value);
}

void msw_format_cell(const msw_column *column, size_t row, bool exact, msw_text *out)
{
    double value = column->values[row];
    int64_t whole;
    if (isnan(value))
        return;
    if (!msw_format_is_text(column) && msw_column_whole(column, row, &whole))
        msw_text_add_whole(out, whole);
    else if (!msw_format_is_text(column))
        add_number(value, column->integer, exact, out);
    else if (value >= 0 && value < (double)column->label_count)
        msw_text_add(out, "%s", column->labels[(size_t)value]);
}

/* Continuation bytes of UTF-8 take no room. */
size_t msw_format_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

int msw_format_flush(msw_text *text, bool all, FILE *out)
{
    if (text->failed)
        return -1;
    if (text->size < MSW_FORMAT_BLOCK && !all)
        return 0;
    size_t wanted = text->size;
    size_t written = wanted ? fwrite(text->data, 1, wanted, out) : 0;
    msw_text_clear(text);
    return written == wanted ? 0 : -1;
}

void msw_format_shown(const msw_column *column, size_t row, bool exact, msw_text *out)
{
    double value = column->values[row];
    if (!msw_format_is_text(column))
        msw_format_cell(column, row, exact, out);
    else if (value >= 0 && value < (double)column->label_count)
        msw_text_add_visible(out, column->labels[(size_t)value]);
}
