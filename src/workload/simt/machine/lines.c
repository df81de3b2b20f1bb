/* Coalescing: which lines of 128 bytes, and which of their sectors of 32, an access touches. */
#include "workload/simt/machine/code.h"

bool simt_in_a_row(const uint64_t *addresses, uint32_t bytes)
{
    uint64_t first = addresses[0], wrong = 0;
    for (uint32_t i = 0; i < MSW_SIMT_LANES; i++)
        wrong |= addresses[i] ^ (first + (uint64_t)i * bytes);
    return wrong == 0;
}

static uint32_t bits_from(uint32_t first, uint32_t count)
{
    return count >= 32 ? UINT32_MAX : ((1u << count) - 1) << first;
}

static void row_lines(msw_simt_step *step)
{
    uint64_t at = step->addresses[0], end = at + (uint64_t)step->bytes * MSW_SIMT_LANES;
    uint32_t lane = 0;
    while (at < end) {
        uint64_t line = at & ~(uint64_t)127;
        uint64_t stop = line + 128 < end ? line + 128 : end;
        uint32_t count = (uint32_t)(stop - at) / step->bytes;
        uint32_t low = (uint32_t)(at - line) / 32, high = (uint32_t)(stop - 1 - line) / 32;
        step->lines[step->line_count++] =
            (msw_simt_line){line, bits_from(lane, count), bits_from(low, high - low + 1)};
        lane += count;
        at = stop;
    }
}

static void add_lane(msw_simt_step *step, uint32_t lane)
{
    uint64_t address = step->addresses[lane], line = address & ~(uint64_t)127;
    uint32_t first = (uint32_t)(address & 127) / 32;
    uint32_t last = (uint32_t)((address & 127) + step->bytes - 1) / 32;
    uint32_t sectors = bits_from(first, last - first + 1), i = step->line_count;
    while (i > 0 && step->lines[i - 1].address != line)
        i--;
    if (i == 0) {
        step->lines[step->line_count++] = (msw_simt_line){line, 1u << lane, sectors};
        return;
    }
    step->lines[i - 1].lanes |= 1u << lane;
    step->lines[i - 1].sectors |= sectors;
}

void simt_lines(msw_simt_step *step, uint32_t mask)
{
    step->line_count = 0;
    if (mask == UINT32_MAX && simt_in_a_row(step->addresses, step->bytes)) {
        row_lines(step);
        return;
    }
    for (; mask; mask &= mask - 1)
        add_lane(step, (uint32_t)__builtin_ctz(mask));
}
