/* SPDX-License-Identifier: MIT */
/* Parses a file into accesses: text, a line each, or binary, 24 or 36 bytes each, or a log of
 * UVMSmart.
 *
 * The access log of UVMSmart (DebashisGanguly/gpgpu-sim_UVMSmart, print_time_and_access): a line
 * for each access of a warp to managed memory,
 *
 *     page address size cycle is_read sm warp
 *
 * blanks or commas between, then for each kernel "K: start end". Pages are those of the simulator,
 * 4 KiB or 2 MiB; of an address it prints the low 32 bits. Which of the two is seen from all lines,
 * and the pages that are kept are always 4 KiB. There is no instruction: loads are one, stores
 * another. */
#include "workload/pages/parts.h"

#include <inttypes.h>
#include <string.h>

/* An access as it is written in a file. */
typedef struct msw_pages_row {
    uint64_t time, sm, warp, pc, page, write;
    uint64_t cta, launch, access; /* where the file says them */
} msw_pages_row;

extern const char msw_uvmsmart_line[]; /* what a line of its log is */

static bool find_pc(msw_pages_content *c, uint64_t pc, uint16_t *number)
{
    uint32_t i = c->count ? c->accesses[c->count - 1].pc : 0; /* often the one before */
    if (i >= c->pc_count || c->pcs[i] != pc)
        for (i = 0; i < c->pc_count && c->pcs[i] != pc; i++)
            ;
    if (i == MSW_PAGES_PCS)
        return false;
    if (i == c->pc_count)
        c->pcs[c->pc_count++] = pc;
    *number = (uint16_t)i;
    return true;
}

/* Adds where an access comes from. Returns NULL, or what is allowed. */
static const char *add_origin(msw_pages_content *c, const msw_pages_row *row, int *column)
{
    msw_page_origin *o = &c->origins[c->count];
    *column = 6;
    if (row->cta >= MSW_PAGES_CTAS)
        return "a CTA of a launch below 2^20";
    *column = 7;
    if (row->launch > UINT32_MAX || (c->count && row->launch < o[-1].launch))
        return "launches that never go back, below 2^32";
    *column = 8;
    if (row->access > UINT32_MAX)
        return "an access of a warp below 2^32";
    *o = (msw_page_origin){(uint32_t)row->cta, (uint32_t)row->launch, (uint32_t)row->access};
    c->launches += c->count == 0 || o->launch != o[-1].launch;
    return NULL;
}

/* Adds one. Returns NULL, or what is allowed, with the number of the column at fault. */
static const char *msw_pages_add(msw_pages_content *c, const msw_pages_row *row, int *column)
{
    uint16_t pc = 0;
    *column = 1;
    if (row->sm >= MSW_PAGES_SMS)
        return "an SM from 0 to 255";
    *column = 2;
    if (row->warp >= MSW_PAGES_WARPS)
        return "a warp of an SM from 0 to 63";
    *column = 0;
    if (row->time < c->times[row->sm][row->warp])
        return "times of a warp that never go back";
    *column = 4;
    if (row->page >> 40)
        return "a page below 2^40";
    *column = 5;
    if (row->write > 1)
        return "r, w, 0 or 1";
    *column = 3;
    if (!find_pc(c, row->pc, &pc))
        return "1024 different instructions";
    const char *allowed = c->origins ? add_origin(c, row, column) : NULL;
    if (allowed)
        return allowed;
    c->times[row->sm][row->warp] = row->time;
    c->accesses[c->count++] = (msw_page_access){.page = row->page,
                                                .sm = (uint16_t)row->sm,
                                                .warp = (uint16_t)row->warp,
                                                .pc = pc,
                                                .write = (uint16_t)row->write};
    c->sms = row->sm >= c->sms ? (uint32_t)row->sm + 1 : c->sms;
    c->warps = row->warp >= c->warps ? (uint32_t)row->warp + 1 : c->warps;
    return NULL;
}

/* Refuses a field of a line: where, what was found, what is allowed. Returns -1. */
static int msw_pages_refuse(const msw_pages_content *c, const msw_lines *lines, msw_line line,
                            msw_field field, const char *allowed, msw_err *err)
{
    return msw_fail(err, "%s:%" PRIu64 ":%zu: found '%.*s', allowed: %s", c->file, lines->line,
                    (size_t)(field.text - line.text) + 1, (int)(field.size < 24 ? field.size : 24),
                    field.text, allowed);
}

enum { LOG_COLUMNS = 7, KERNEL_COLUMNS = 3, SMALL = 12, LARGE = 21, SIZE_MOST = 4096 };
enum { PAGE, ADDRESS, SIZE, CYCLE, IS_READ, SM, WARP };

const char msw_uvmsmart_line[] = "page 0xaddress size cycle 0|1 sm warp, or K: start end";
static const char SAME[] = "a page of 4 KiB, or of 2 MiB throughout, that holds the address";

typedef struct log_reader {
    msw_pages_content *content;
    msw_lines lines;
    msw_line line;
    msw_field fields[MSW_FIELDS_MAX];
    uint64_t values[LOG_COLUMNS];
    bool small, large; /* may all pages so far be of this size? */
    msw_err *err;
} log_reader;

static int refuse(const log_reader *r, int column, const char *allowed)
{
    return msw_pages_refuse(r->content, &r->lines, r->line, r->fields[column], allowed, r->err);
}

/* "K: start end": when a kernel ran. Returns 0, or -1. */
static int skip_kernel(const log_reader *r, int count)
{
    uint64_t number;
    if (count != KERNEL_COLUMNS)
        return refuse(r, 0, msw_uvmsmart_line);
    for (int i = 1; i < count; i++)
        if (!msw_field_number(r->fields[i], &number))
            return refuse(r, i, msw_uvmsmart_line);
    return 0;
}

/* Reads the next access. Returns 1, 0 at the end, or -1. */
static int next_access(log_reader *r)
{
    int rc;
    while ((rc = msw_lines_next(&r->lines, &r->line, r->err)) > 0) {
        int count = msw_line_split(r->line, r->fields);
        bool kernel = count && r->fields[0].size == 2 && memcmp(r->fields[0].text, "K:", 2) == 0;
        if (kernel && skip_kernel(r, count))
            return -1;
        if (kernel || count == 0)
            continue;
        if (count != LOG_COLUMNS)
            return refuse(r, 0, msw_uvmsmart_line);
        for (int i = 0; i < LOG_COLUMNS; i++)
            if (!msw_field_number(r->fields[i], &r->values[i]))
                return refuse(r, i, msw_uvmsmart_line);
        return 1;
    }
    return rc;
}

static bool holds(const log_reader *r, int shift)
{
    return (uint32_t)(r->values[PAGE] << shift) == (uint32_t)(r->values[ADDRESS] >> shift << shift);
}

/* First pass: are all lines accesses, and of which size are pages? Returns 0, or -1. */
static int see_size(log_reader *r)
{
    int rc;
    while ((rc = next_access(r)) > 0) {
        r->small = r->small && holds(r, SMALL);
        r->large = r->large && holds(r, LARGE);
        if (r->values[ADDRESS] >> 32 || (!r->small && !r->large))
            return refuse(r, ADDRESS, SAME);
        if (r->values[SIZE] - 1 >= SIZE_MOST)
            return refuse(r, SIZE, "a size from 1 to 4096 bytes");
        if (r->values[IS_READ] > 1)
            return refuse(r, IS_READ, "1 (read) or 0 (write)");
        if (r->values[PAGE] >> 32)
            return refuse(r, PAGE, "a page below 2^32");
    }
    return rc ? rc : msw_lines_rewind(&r->lines, r->err);
}

/* Second pass: keeps them. Returns 0, or -1. */
static int keep(log_reader *r)
{
    static const int WHERE[] = {CYCLE, SM, WARP, IS_READ, PAGE, IS_READ}; /* of a row's columns */
    uint64_t inner = LARGE - SMALL;
    int rc, column;
    while ((rc = next_access(r)) > 0) {
        uint64_t page = r->values[PAGE];
        if (!r->small)
            page = page << inner | (r->values[ADDRESS] >> SMALL & ((1U << inner) - 1));
        msw_pages_row row = {.time = r->values[CYCLE],
                             .sm = r->values[SM],
                             .warp = r->values[WARP],
                             .pc = !r->values[IS_READ],
                             .page = page,
                             .write = !r->values[IS_READ]};
        const char *allowed = msw_pages_add(r->content, &row, &column);
        if (allowed)
            return refuse(r, WHERE[column], allowed);
    }
    return rc;
}

/* Reads the access log of UVMSmart. */
static int msw_pages_uvmsmart(msw_pages_content *c, const char *bytes, size_t size,
                              msw_arena *arena, msw_err *err)
{
    log_reader r = {.content = c, .small = true, .large = true, .err = err};
    uint64_t count;
    if (msw_lines_open(&r.lines, c->file, bytes, size, arena, err) ||
        msw_lines_count(&r.lines, &count, err) || see_size(&r))
        return -1;
    c->accesses = msw_arena_take(arena, (count + 1) * sizeof *c->accesses);
    return c->accesses ? keep(&r) : msw_fail_memory(err);
}

enum { COLUMNS = 6, COLUMNS_MOST = 9, RECORD = 24, RECORD_MOST = 36, MAGIC = 8 };

static const char FIRST[] = "time sm warp pc page r|w, in all lines or in none: cta launch access";

/* Takes memory for accesses. Returns 0, or -1. */
static int take(msw_pages_content *c, uint64_t count, bool origins, msw_arena *arena, msw_err *err)
{
    c->accesses = msw_arena_take(arena, (count + 1) * sizeof *c->accesses);
    c->origins = origins ? msw_arena_take(arena, (count + 1) * sizeof *c->origins) : NULL;
    return c->accesses && (c->origins || !origins) ? 0 : msw_fail_memory(err);
}

/* ---- binary ---- */

static uint64_t little(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static msw_pages_row unpack(const unsigned char *at, bool origin)
{
    uint64_t page = little(at + 8, 8);
    msw_pages_row row = {.time = little(at, 8),
                         .page = page & (UINT64_MAX >> 1),
                         .write = page >> 63,
                         .pc = little(at + 16, 4),
                         .sm = little(at + 20, 2),
                         .warp = little(at + 22, 2)};
    if (origin) {
        row.cta = little(at + 24, 4);
        row.launch = little(at + 28, 4);
        row.access = little(at + 32, 4);
    }
    return row;
}

/* Reads the binary format. */
static int msw_pages_binary(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                            msw_err *err)
{
    const unsigned char *at = (const unsigned char *)bytes + MAGIC;
    bool origins = at[-1] == '2';
    size_t record = origins ? RECORD_MOST : RECORD;
    uint64_t count = (size - MAGIC) / record;
    if ((size - MAGIC) % record)
        return msw_fail(err, "%s: found %zu bytes, allowed: 8, and %zu for each access", c->file,
                        size, record);
    MSW_TRY(take(c, count, origins, arena, err));
    for (uint64_t i = 0; i < count; i++, at += record) {
        msw_pages_row row = unpack(at, origins);
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

/* The first access says whether all have an origin. */
static int read_line(msw_pages_content *c, const msw_lines *lines, msw_line line, msw_err *err)
{
    msw_field fields[MSW_FIELDS_MAX];
    uint64_t values[COLUMNS_MOST] = {0};
    int count = msw_line_split(line, fields), column;
    if (count == 0 || (c->count == 0 && fields[0].text[0] >= 'A'))
        return 0; /* nothing, or the heading of a table */
    if (c->count == 0 && count == COLUMNS)
        c->origins = NULL;
    if (count != (c->origins ? COLUMNS_MOST : COLUMNS))
        return msw_pages_refuse(c, lines, line, fields[0], FIRST, err);
    for (int i = 0; i < count; i++)
        if (!number_of(fields[i], i, &values[i]))
            return msw_pages_refuse(c, lines, line, fields[i], FIRST, err);
    msw_pages_row row = {values[0], values[1], values[2], values[3], values[4],
                         values[5], values[6], values[7], values[8]};
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
        msw_lines_count(&lines, &count, err) || take(c, count, true, arena, err))
        return -1;
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
    bool binary = size >= MAGIC &&
                  (memcmp(bytes, "MSWPAGE1", MAGIC) == 0 || memcmp(bytes, "MSWPAGE2", MAGIC) == 0);
    if (!binary && msw_lines_named(file, ".pagebin"))
        return msw_fail(err,
                        "%s: found other bytes at its start, allowed: MSWPAGE1 or MSWPAGE2, then "
                        "24 or 36 for each access (docs/models/pages.md)",
                        file);
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
