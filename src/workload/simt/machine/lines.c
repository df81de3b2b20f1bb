/* SPDX-License-Identifier: MIT */
/* Coalescing: which lines of 128 bytes, and which of their sectors of 32, an access touches. */
#include "memsweep/base/bits.h"
#include "workload/simt/machine/code.h"

static uint32_t bits_from(uint32_t first, uint32_t count)
{
    return count >= 32 ? UINT32_MAX : ((1u << count) - 1) << first;
}

/* The sectors that active lanes touch, when lane `lane` begins at `offset` of the line. */
static uint32_t row_sectors(uint32_t lanes, uint32_t lane, uint32_t offset, uint32_t bytes)
{
    uint32_t sectors = 0;
    for (lanes >>= lane; lanes; lanes >>= 1, offset += bytes)
        if (lanes & 1)
            sectors |= 1u << offset / 32;
    return sectors;
}

/* Lanes that follow each other in memory: cut into lines directly, and sectors are only looked at
 * by lane where some of a line's lanes are off. */
static void row_lines(msw_simt_step *step, uint32_t mask)
{
    uint32_t bytes = step->bytes, first = msw_bits_lowest(mask);
    uint32_t last = msw_bits_highest(mask);
    uint64_t at = step->addresses[first], end = at + (uint64_t)(last - first + 1) * bytes;
    while (at < end) {
        uint64_t line = at & ~(uint64_t)127, stop = line + 128 < end ? line + 128 : end;
        uint32_t count = (uint32_t)(stop - at) / bytes, offset = (uint32_t)(at - line);
        uint32_t span = bits_from(first, count), lanes = mask & span;
        uint32_t low = offset / 32, high = (uint32_t)(stop - 1 - line) / 32;
        uint32_t sectors = lanes == span ? bits_from(low, high - low + 1)
                                         : row_sectors(lanes, first, offset, bytes);
        if (lanes)
            step->lines[step->line_count++] = (msw_simt_line){line, lanes, sectors};
        first += count;
        at = stop;
    }
}

static uint32_t sectors_of(uint64_t address, uint32_t bytes)
{
    uint32_t first = (uint32_t)(address & 127) / 32;
    uint32_t last = (uint32_t)((address & 127) + bytes - 1) / 32;
    return bits_from(first, last - first + 1);
}

/* Any addresses: the newest lines first, as neighbours in number are mostly neighbours in memory.
 * */
static void add_lane(msw_simt_step *step, uint32_t lane)
{
    uint64_t address = step->addresses[lane], line = address & ~(uint64_t)127;
    uint32_t i = step->line_count;
    while (i > 0 && step->lines[i - 1].address != line)
        i--;
    if (i == 0) {
        step->lines[step->line_count++] =
            (msw_simt_line){line, 1u << lane, sectors_of(address, step->bytes)};
        return;
    }
    step->lines[i - 1].lanes |= 1u << lane;
    step->lines[i - 1].sectors |= sectors_of(address, step->bytes);
}

void simt_lines(msw_simt_step *step, uint32_t mask, const simt_survey *survey)
{
    step->line_count = 0;
    if (survey->same) {
        step->lines[step->line_count++] = (msw_simt_line){survey->low & ~(uint64_t)127, mask,
                                                          sectors_of(survey->low, step->bytes)};
        return;
    }
    if (survey->row) {
        row_lines(step, mask);
        return;
    }
    for (; mask; mask &= mask - 1)
        add_lane(step, msw_bits_lowest(mask));
}
