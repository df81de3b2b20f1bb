/* SPDX-License-Identifier: MIT */
/* Writes tables as aligned text. Which columns to show is decided first (not those that say
 * nothing, not more than fit), then every row is printed to the widths found; a footer names what
 * is missing. In the record form rows stand one below the other, a line for each column that has
 * a value anywhere. */
#include "format/formats.h"

#include "memsweep/base/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST = 16, LINE = 80, FEW = 4 };

typedef enum fate { SHOWN, SAME, EMPTY, TOO_WIDE } fate;

typedef struct layout {
    const msw_table *table;
    const msw_format_style *style;
    size_t *width; /* of each column */
    fate *fate;
    bool *exact; /* of each column: its numbers get all their digits */
    size_t last; /* last column shown */
} layout;

static bool same_cell(const msw_column *column, size_t row)
{
    double a = column->values[0], b = column->values[row];
    int64_t x, y;
    if (msw_column_whole(column, 0, &x) && msw_column_whole(column, row, &y))
        return x == y;
    if (a == b || isnan(a) || isnan(b))
        return a == b || (isnan(a) && isnan(b));
    return msw_format_is_text(column) &&
           strcmp(column->labels[(size_t)a], column->labels[(size_t)b]) == 0;
}

/* Values are compared, not their text: numbers of which six digits are alike may differ, and a
 * column that is said to be the same in all rows must be. One row says nothing about what varies:
 * all of it is shown. */
static fate judge_column(const msw_table *table, size_t c)
{
    if (table->rows < 2)
        return SHOWN;
    for (size_t r = 1; r < table->rows; r++)
        if (!same_cell(&table->columns[c], r))
            return SHOWN;
    return isnan(table->columns[c].values[0]) ? EMPTY : SAME;
}

/* Whether a column's rows differ and six digits do not show it anywhere: then it is printed
 * exactly, or the reader would see a column that says nothing, or take it for constant. */
static bool needs_digits(const msw_table *table, size_t c, msw_text *cell)
{
    const msw_column *column = &table->columns[c];
    bool differs = false, alike = true;
    if (msw_format_is_text(column) || table->rows < 2)
        return false;
    msw_text first = MSW_TEXT_EMPTY;
    msw_format_shown(column, 0, false, &first);
    for (size_t r = 1; r < table->rows && alike; r++) {
        msw_text_clear(cell);
        msw_format_shown(column, r, false, cell);
        alike = strcmp(msw_text_str(cell), msw_text_str(&first)) == 0;
        differs = differs || !same_cell(column, r);
    }
    cell->failed = cell->failed || first.failed;
    msw_text_free(&first);
    return alike && differs;
}

static void add_header(const msw_column *column, msw_text *out)
{
    msw_text_add_visible(out, column->name);
    if (!*column->unit)
        return;
    msw_text_add(out, " [");
    msw_text_add_visible(out, column->unit);
    msw_text_add(out, "]");
}

static size_t measure(const msw_column *column, size_t rows, bool exact, msw_text *cell)
{
    msw_text_clear(cell);
    add_header(column, cell);
    size_t widest = msw_format_width(msw_text_str(cell));
    for (size_t r = 0; r < rows; r++) {
        msw_text_clear(cell);
        msw_format_shown(column, r, exact, cell);
        size_t width = msw_format_width(msw_text_str(cell));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Shows columns as long as they fit; a wide text is cut rather than dropped. */
static void fit(layout *l)
{
    size_t used = 0, limit = (size_t)l->style->width;
    for (size_t c = 0; c < l->table->column_count; c++) {
        if (l->fate[c] != SHOWN)
            continue;
        size_t gap = used ? GAP : 0;
        bool fits = !limit || used + gap + l->width[c] <= limit;
        bool cuts =
            !fits && msw_format_is_text(&l->table->columns[c]) && used + gap + NARROWEST <= limit;
        if (cuts)
            l->width[c] = limit - used - gap;
        else if (!fits && used) {
            l->fate[c] = TOO_WIDE;
            continue;
        }
        used += gap + l->width[c];
        l->last = c;
    }
}

static void add_spaces(size_t count, msw_text *out)
{
    for (; count > 0; count--)
        msw_text_add_bytes(out, " ", 1);
}

/* Bytes of the first `width` characters. */
static size_t head(const char *text, size_t width)
{
    size_t bytes = 0;
    for (; text[bytes]; bytes++)
        if (((unsigned char)text[bytes] & 0xc0) != 0x80 && width-- == 0)
            break;
    return bytes;
}

static void add_aligned(const layout *l, size_t c, const char *cell, msw_text *out)
{
    bool left = msw_format_is_text(&l->table->columns[c]);
    size_t width = msw_format_width(cell), room = l->width[c];
    if (width > room) {
        msw_text_add_bytes(out, cell, head(cell, room - 3));
        msw_text_add_bytes(out, "...", 3);
        return;
    }
    if (!left)
        add_spaces(room - width, out);
    msw_text_add_bytes(out, cell, strlen(cell));
    if (left && c != l->last)
        add_spaces(room - width, out);
}

static void add_line(const layout *l, size_t row, bool header, msw_text *cell, msw_text *out)
{
    bool first = true;
    for (size_t c = 0; c < l->table->column_count; c++) {
        if (l->fate[c] != SHOWN)
            continue;
        msw_text_clear(cell);
        if (header)
            add_header(&l->table->columns[c], cell);
        else
            msw_format_shown(&l->table->columns[c], row, l->exact[c], cell);
        add_spaces(first ? 0 : GAP, out);
        add_aligned(l, c, msw_text_str(cell), out);
        first = false;
    }
    msw_text_add_bytes(out, "\n", 1);
}

static void add_named(const layout *l, fate which, const char *title, msw_text *out)
{
    const char *before = title;
    for (size_t c = 0; c < l->table->column_count; c++) {
        if (l->fate[c] != which)
            continue;
        msw_text_add(out, "%s", before);
        msw_text_add_visible(out, l->table->columns[c].name);
        if (which == SAME) {
            msw_text_add_bytes(out, " ", 1);
            msw_format_shown(&l->table->columns[c], 0, false, out);
        }
        before = ", ";
    }
    if (before != title)
        msw_text_add_bytes(out, "\n", 1);
}

static void add_footer(const layout *l, msw_text *out)
{
    msw_text_add(out, "(%zu row%s)\n", l->table->rows, l->table->rows == 1 ? "" : "s");
    add_named(l, SAME, "same in all: ", out);
    add_named(l, EMPTY, "empty in all: ", out);
    add_named(l, TOO_WIDE, "not shown for lack of width: ", out);
    if (!l->style->note)
        return;
    msw_text_add_visible_lines(out, l->style->note);
    msw_text_add_bytes(out, "\n", 1);
}

static int write_lines(const layout *l, msw_text *cell, FILE *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    int rc = 0;
    add_line(l, 0, true, cell, &text);
    for (size_t r = 0; r < l->table->rows && rc == 0; r++) {
        add_line(l, r, false, cell, &text);
        rc = msw_format_flush(&text, false, out);
    }
    if (!l->style->no_footer)
        add_footer(l, &text);
    rc = rc || cell->failed ? -1 : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    return rc;
}

/* Whether the rows are so few, and so much longer than a line (80 characters where no terminal
 * says), that they are better read one below the other. Where no terminal says, programs read on,
 * too: only a single row is turned there. */
static bool stands_upright(const layout *l)
{
    size_t used = 0, limit = l->style->width ? (size_t)l->style->width : LINE;
    if (!l->style->upright || !l->table->rows || l->table->rows > (l->style->width ? FEW : 1))
        return false;
    for (size_t c = 0; c < l->table->column_count; c++)
        used += l->fate[c] == SHOWN ? l->width[c] + (used ? GAP : 0) : 0;
    return used > limit;
}

int msw_format_text(const msw_table *table, const msw_format_style *style, FILE *out)
{
    size_t count = table->column_count ? table->column_count : 1;
    layout l = {.table = table,
                .style = style,
                .width = calloc(count, sizeof *l.width),
                .fate = calloc(count, sizeof *l.fate),
                .exact = calloc(count, sizeof *l.exact)};
    msw_text cell = MSW_TEXT_EMPTY;
    int rc = -1;
    if (l.width && l.fate && l.exact) {
        for (size_t c = 0; c < table->column_count; c++) {
            l.fate[c] = style->hide_same ? judge_column(table, c) : SHOWN;
            l.exact[c] = l.fate[c] == SHOWN && needs_digits(table, c, &cell);
            l.width[c] = l.fate[c] == SHOWN
                             ? measure(&table->columns[c], table->rows, l.exact[c], &cell)
                             : 0;
        }
        bool upright = stands_upright(&l);
        if (!upright)
            fit(&l);
        rc = upright ? msw_format_record(table, style, out) : write_lines(&l, &cell, out);
    }
    msw_text_free(&cell);
    free(l.width);
    free(l.fate);
    free(l.exact);
    return rc;
}

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

static void add_record_footer(const msw_table *table, const bool *empty,
                              const msw_format_style *style, msw_text *out)
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
        add_record_footer(table, empty, style, &text);
    rc = rc ? -1 : msw_format_flush(&text, true, out);
    msw_text_free(&text);
    free(empty);
    return rc;
}
