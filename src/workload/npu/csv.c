/* SPDX-License-Identifier: MIT */
#include "workload/npu/csv.h"

#include "memsweep/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int msw_npu_csv_fail(const msw_npu_csv *csv, msw_npu_cell cell, const char *fmt, ...)
{
    char message[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return msw_fail(csv->err, "%s:%zu:%zu: %s", csv->file, csv->line, cell.column, message);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts spaces and one pair of quotes off a cell. */
static msw_npu_cell trim(const char *line, const char *from, const char *to)
{
    while (from < to && is_space(*from))
        from++;
    while (to > from && is_space(to[-1]))
        to--;
    if (to - from >= 2 && *from == '"' && to[-1] == '"') {
        from++;
        to--;
    }
    return (msw_npu_cell){from, (size_t)(to - from), (size_t)(from - line) + 1};
}

static int split(msw_npu_csv *csv, const char *line, const char *end)
{
    const char *from = line;
    bool quoted = false;
    csv->count = 0;
    for (const char *c = line; c <= end; c++) {
        if (c < end && *c == '"')
            quoted = !quoted;
        if (c < end && (*c != ',' || quoted))
            continue;
        msw_npu_cell cell = trim(line, from, c);
        if (csv->count == MSW_NPU_CELLS)
            return msw_npu_csv_fail(csv, cell, "found more than %d cells in a row", MSW_NPU_CELLS);
        csv->cells[csv->count++] = cell;
        from = c + 1;
    }
    while (csv->count && csv->cells[csv->count - 1].size == 0)
        csv->count--;
    if (quoted)
        return msw_npu_csv_fail(csv, trim(line, line, end), "found a quote that is not closed");
    return 0;
}

int msw_npu_csv_next(msw_npu_csv *csv)
{
    while (csv->next < csv->end) {
        const char *line = csv->next;
        const char *end = memchr(line, '\n', (size_t)(csv->end - line));
        end = end ? end : csv->end;
        csv->next = end < csv->end ? end + 1 : end;
        csv->line = ++csv->lines;
        if (split(csv, line, end))
            return -1;
        if (csv->count == 0 || (csv->cells[0].size && csv->cells[0].text[0] == '#'))
            continue;
        if (csv->header_count && csv->count > csv->header_count)
            return msw_npu_csv_fail(csv, csv->cells[csv->header_count],
                                    "found %d cells, allowed: %d, as in the header", csv->count,
                                    csv->header_count);
        return 1;
    }
    return 0;
}

int msw_npu_csv_open(msw_npu_csv *csv, const char *file, const char *bytes, size_t size,
                     msw_err *err)
{
    *csv = (msw_npu_csv){.file = file, .next = bytes, .end = bytes + size, .err = err};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        csv->next += 3;
    int rc = msw_npu_csv_next(csv);
    if (rc == 0)
        return msw_fail(err, "%s:1:1: found an empty file, allowed: a table with a header", file);
    csv->header_count = rc < 0 ? 0 : csv->count;
    memcpy(csv->header, csv->cells, sizeof csv->header);
    return rc < 0 ? -1 : 0;
}

bool msw_npu_cell_is(msw_npu_cell cell, const char *word)
{
    return strlen(word) == cell.size && strncasecmp(cell.text, word, cell.size) == 0;
}

int msw_npu_csv_find(const msw_npu_csv *csv, const char *name)
{
    for (int i = 0; i < csv->header_count; i++)
        if (msw_npu_cell_is(csv->header[i], name))
            return i;
    return -1;
}

int msw_npu_csv_columns(const msw_npu_csv *csv, const msw_npu_column *columns, int *index)
{
    for (size_t i = 0; columns[i].name; i++) {
        index[i] = msw_npu_csv_find(csv, columns[i].name);
        if (index[i] < 0 && columns[i].needed)
            return msw_npu_csv_fail(csv, csv->header[0], "the header lacks the column '%s'",
                                    columns[i].name);
    }
    return 0;
}

msw_npu_cell msw_npu_csv_cell(const msw_npu_csv *csv, int index)
{
    if (index >= 0 && index < csv->count)
        return csv->cells[index];
    const msw_npu_cell *last = &csv->cells[csv->count - 1];
    return (msw_npu_cell){last->text, 0, last->column + last->size};
}

static int digit_of(char c, unsigned base)
{
    int value = isdigit((unsigned char)c)    ? c - '0'
                : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                             : 99;
    return value < (int)base ? value : -1;
}

static bool read_number(msw_npu_cell cell, uint64_t max, uint64_t *value)
{
    bool hex = cell.size > 2 && cell.text[0] == '0' && tolower((unsigned char)cell.text[1]) == 'x';
    *value = 0;
    for (size_t i = hex ? 2 : 0; i < cell.size; i++) {
        int digit = digit_of(cell.text[i], hex ? 16 : 10);
        if (digit < 0 || *value > max)
            return false;
        *value = *value * (hex ? 16 : 10) + (uint64_t)digit;
    }
    return cell.size > 0 && *value <= max;
}

int msw_npu_csv_number(const msw_npu_csv *csv, int index, const msw_npu_column *column,
                       uint64_t *value)
{
    msw_npu_cell cell = msw_npu_csv_cell(csv, index);
    if (read_number(cell, column->max, value) && *value >= column->min)
        return 0;
    return msw_npu_csv_fail(
        csv, cell, "%s: found '%.*s', allowed: a whole number from %" PRIu64 " to %" PRIu64,
        column->name, (int)(cell.size < 40 ? cell.size : 40), cell.text, column->min, column->max);
}

const char *msw_npu_cell_copy(msw_npu_cell cell, msw_arena *arena)
{
    char *copy = msw_arena_take(arena, cell.size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, cell.text, cell.size);
    copy[cell.size] = '\0';
    return copy;
}
