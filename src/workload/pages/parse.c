/* SPDX-License-Identifier: MIT */
/* From a file to accesses: text, a line each, or binary, 24 bytes each. Logs of UVMSmart:
 * uvmsmart.c. */
#include "workload/pages/parts.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 6, RECORD = 24, MAGIC = 8 };

static const char FIRST[] = "time sm warp pc page r|w";

/* ---- binary ---- */

static uint64_t little(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static msw_pages_row unpack(const unsigned char *at)
{
    uint64_t page = little(at + 8, 8);
    return (msw_pages_row){.time = little(at, 8),
                           .page = page & (UINT64_MAX >> 1),
                           .write = page >> 63,
                           .pc = little(at + 16, 4),
                           .sm = little(at + 20, 2),
                           .warp = little(at + 22, 2)};
}

int msw_pages_binary(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                     msw_err *err)
{
    const unsigned char *at = (const unsigned char *)bytes + MAGIC;
    uint64_t count = (size - MAGIC) / RECORD;
    if ((size - MAGIC) % RECORD)
        return msw_fail(err, "%s: found %zu bytes, allowed: 8, and 24 for each access", c->file,
                        size);
    c->accesses = msw_arena_take(arena, (count + 1) * sizeof *c->accesses);
    if (!c->accesses)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < count; i++, at += RECORD) {
        msw_pages_row row = unpack(at);
        int column;
        const char *allowed = msw_pages_add(c, &row, &column);
        if (allowed)
            return msw_fail(err, "%s: access %" PRIu64 " of the file, allowed: %s", c->file, i,
                            allowed);
    }
    return 0;
}

/* ---- text ---- */

static bool number_of(msw_field field, int column, uint64_t *value)
{
    bool letter = field.size == 1 && column == COLUMNS - 1;
    if (letter && ((field.text[0] | 0x20) == 'r' || (field.text[0] | 0x20) == 'w')) {
        *value = (field.text[0] | 0x20) == 'w';
        return true;
    }
    return msw_field_number(field, value);
}

static int read_line(msw_pages_content *c, const msw_lines *lines, msw_line line, msw_err *err)
{
    msw_field fields[MSW_FIELDS_MAX];
    uint64_t values[COLUMNS];
    int count = msw_line_split(line, fields), column;
    if (count == 0 || (c->count == 0 && fields[0].text[0] >= 'A'))
        return 0; /* nothing, or the heading of a table */
    if (count != COLUMNS)
        return msw_pages_refuse(c, lines, line, fields[0], FIRST, err);
    for (int i = 0; i < COLUMNS; i++)
        if (!number_of(fields[i], i, &values[i]))
            return msw_pages_refuse(c, lines, line, fields[i], FIRST, err);
    msw_pages_row row = {values[0], values[1], values[2], values[3], values[4], values[5]};
    const char *allowed = msw_pages_add(c, &row, &column);
    return allowed ? msw_pages_refuse(c, lines, line, fields[column], allowed, err) : 0;
}

static int read_text(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                     msw_err *err)
{
    msw_lines lines;
    msw_line line;
    uint64_t count;
    int rc;
    if (msw_lines_open(&lines, c->file, bytes, size, arena, err) ||
        msw_lines_count(&lines, &count, err))
        return -1;
    c->accesses = msw_arena_take(arena, (count + 1) * sizeof *c->accesses);
    if (!c->accesses)
        return msw_fail_memory(err);
    while ((rc = msw_lines_next(&lines, &line, err)) > 0)
        if (read_line(c, &lines, line, err))
            return -1;
    return rc;
}

int msw_pages_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                    const void **content, msw_err *err)
{
    msw_pages_content *c = msw_arena_zero(arena, 1, sizeof *c);
    char *name = msw_arena_take(arena, strlen(file) + 1);
    if (!c || !name)
        return msw_fail_memory(err);
    c->times = msw_arena_zero(arena, MSW_PAGES_SMS, sizeof *c->times);
    if (!c->times)
        return msw_fail_memory(err);
    memcpy(name, file, strlen(file) + 1);
    c->file = name;
    bool binary = size >= MAGIC && memcmp(bytes, "MSWPAGE1", MAGIC) == 0;
    if (binary                               ? msw_pages_binary(c, bytes, size, arena, err)
        : msw_lines_named(file, ".uvmsmart") ? msw_pages_uvmsmart(c, bytes, size, arena, err)
                                             : read_text(c, bytes, size, arena, err))
        return -1;
    if (c->count == 0)
        return msw_fail(err, "%s:1:1: found no access, allowed: lines '%s' (docs/models/pages.md)",
                        file, msw_lines_named(file, ".uvmsmart") ? msw_uvmsmart_line : FIRST);
    *content = c;
    return 0;
}
