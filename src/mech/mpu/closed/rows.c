/* SPDX-License-Identifier: MIT */
/* Open rows of banks, in the order of accesses, without time. */
#include "mech/mpu/closed/profile.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

#define BANKS_MOST ((uint64_t)1 << 18)

int mpu_rows_init(mpu_rows *rows, const mpu_map *map, msw_arena *arena, msw_err *err)
{
    uint64_t banks = (uint64_t)mpu_bank_count(map->config);
    rows->config = map->config;
    rows->row_bits = map->row_bits;
    rows->banks = banks < BANKS_MOST ? banks : BANKS_MOST;
    rows->open =
        msw_arena_zero(arena, rows->banks * (uint64_t)map->config->row_buffers, sizeof *rows->open);
    rows->last = msw_arena_zero(arena, rows->banks, sizeof *rows->last);
    return rows->open && rows->last ? 0 : msw_fail_memory(err);
}

/* Rows are opened in buffers: in which of its bank's. */
static void see_opening(mpu_rows *rows, uint64_t bank, uint32_t buffer)
{
    rows->opened++;
    rows->moved += rows->last[bank] != buffer;
    rows->last[bank] = (uint8_t)buffer;
}

double mpu_rows_buffers(const mpu_rows *rows)
{
    double most = (double)rows->config->row_buffers;
    if (rows->config->row_placement == MPU_ROWS_LRU || rows->opened <= rows->moved)
        return most;
    return fmin(rows->opened / (rows->opened - rows->moved), most);
}

static uint32_t find_row(const uint32_t *open, uint32_t buffers, uint32_t row)
{
    uint32_t at = 0;
    while (at < buffers && open[at] != row + 1)
        at++;
    return at;
}

/* Any row in any buffer: the first is the one used last. */
static uint32_t use_lru(uint32_t *open, uint32_t buffers, uint32_t row)
{
    uint32_t at = find_row(open, buffers, row), last = at < buffers ? at : buffers - 1;
    uint32_t before = at < buffers ? row + 1 : open[last];
    memmove(open + 1, open, last * sizeof *open);
    open[0] = row + 1;
    return before;
}

bool mpu_rows_use(mpu_rows *rows, const mpu_location *at, double *totals)
{
    const mpu_config *c = rows->config;
    uint32_t buffers = (uint32_t)c->row_buffers, before;
    uint64_t bank = ((uint64_t)at->core * (uint64_t)c->subcores + at->unit) * (uint64_t)c->banks;
    bank = (bank + at->bank) % rows->banks;
    uint32_t *open = rows->open + bank * buffers;
    if (c->row_placement == MPU_ROWS_LRU) {
        before = use_lru(open, buffers, at->row);
    } else {
        uint32_t buffer = mpu_row_buffer(c, at->row, rows->row_bits);
        before = open[buffer];
        open[buffer] = at->row + 1;
        if (before != at->row + 1)
            see_opening(rows, bank, buffer);
    }
    totals[before == at->row + 1 ? MPU_ROW_HITS : before ? MPU_ROW_CONFLICTS : MPU_ROW_CLOSED]++;
    return before == at->row + 1;
}
