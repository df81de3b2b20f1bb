/* SPDX-License-Identifier: MIT */
#include "lines_channel.h"

#include "testing.h"

#include <stdlib.h>

msw_dram_lines_config lines_config(uint32_t banks, uint32_t window)
{
    return (msw_dram_lines_config){.banks = banks,
                                   .buffers = 1,
                                   .groups = 1,
                                   .placing = MSW_DRAM_LINES_LRU,
                                   .ahead = true,
                                   .window = window,
                                   .controller = 1,
                                   .capacity = 16,
                                   .t = {.bl = 2,
                                         .cl = 14,
                                         .cwl = 4,
                                         .rcd = 14,
                                         .rp = 14,
                                         .ras = 33,
                                         .rc = 47,
                                         .ccd_s = 2,
                                         .ccd_l = 2,
                                         .rtp = 4,
                                         .rrd_s = 4,
                                         .rrd_l = 4,
                                         .faw = 16,
                                         .wr = 16,
                                         .wtr_s = 6,
                                         .wtr_l = 8,
                                         .rtw = 2}};
}

msw_dram_lines *lines_start(const msw_dram_lines_config *config)
{
    msw_err err = {0};
    assert_ok(msw_dram_lines_check(config, &err), err);
    void *memory = aligned_alloc(64, (msw_dram_lines_bytes(config) + 63) / 64 * 64);
    assert_non_null(memory);
    return msw_dram_lines_init(memory, config);
}

uint64_t lines_take(msw_dram_lines *lines, uint64_t now, msw_dram_lines_completion *last)
{
    uint64_t ended = 0;
    while (msw_dram_lines_when(lines) <= now)
        ended += msw_dram_lines_next(lines, now, last);
    return ended;
}

uint64_t lines_take_all(msw_dram_lines *lines, msw_dram_lines_completion *last)
{
    uint64_t ended = 0;
    for (uint64_t when; (when = msw_dram_lines_when(lines)) != MSW_DRAM_NEVER;)
        ended += lines_take(lines, when, last);
    return ended;
}
