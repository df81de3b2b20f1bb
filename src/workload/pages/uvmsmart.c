/* SPDX-License-Identifier: MIT */
/* The access log of UVMSmart (DebashisGanguly/gpgpu-sim_UVMSmart, print_time_and_access): a line
 * for each access of a warp to managed memory,
 *
 *     page address size cycle is_read sm warp
 *
 * blanks or commas between, then for each kernel "K: start end". Pages are those of the simulator,
 * 4 KiB or 2 MiB; of an address it prints the low 32 bits. Which of the two is seen from all lines,
 * and the pages that are kept are always 4 KiB. There is no instruction: loads are one, stores
 * another. */
#include "workload/pages/parts.h"

#include <string.h>

enum { COLUMNS = 7, KERNEL_COLUMNS = 3, SMALL = 12, LARGE = 21, SIZE_MOST = 4096 };
enum { PAGE, ADDRESS, SIZE, CYCLE, IS_READ, SM, WARP };

const char msw_uvmsmart_line[] = "page 0xaddress size cycle 0|1 sm warp, or K: start end";
static const char SAME[] = "a page of 4 KiB, or of 2 MiB throughout, that holds the address";

typedef struct log_reader {
    msw_pages_content *content;
    msw_lines lines;
    msw_line line;
    msw_field fields[MSW_FIELDS_MAX];
    uint64_t values[COLUMNS];
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
        if (count != COLUMNS)
            return refuse(r, 0, msw_uvmsmart_line);
        for (int i = 0; i < COLUMNS; i++)
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

int msw_pages_uvmsmart(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                       msw_err *err)
{
    log_reader r = {.content = c, .small = true, .large = true, .err = err};
    uint64_t count;
    if (msw_lines_open(&r.lines, c->file, bytes, size, arena, err) ||
        msw_lines_count(&r.lines, &count, err) || see_size(&r))
        return -1;
    c->accesses = msw_arena_take(arena, (count + 1) * sizeof *c->accesses);
    return c->accesses ? keep(&r) : msw_fail_memory(err);
}
