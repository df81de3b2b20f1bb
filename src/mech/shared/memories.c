/* SPDX-License-Identifier: MIT */
#include "mech/shared/memories.h"

#include "memsweep/sim/dram_lint.h"

const msw_choice msw_memory_choices[MSW_MEMORIES + 1] = {
    {.name = "mpu_nbu", .doc = "four banks beside a core, 16 GB/s"},
    {.name = "hbm2", .doc = "128-bit channels at 2 Gb/s, 32 GB/s each"},
    {.name = "ddr4_3200", .doc = "64-bit channels of two ranks, 25.6 GB/s each"},
    {.name = "ddr3_1600", .doc = "64-bit channels, 12.8 GB/s each"},
    {.name = "ddr5_4800", .doc = "32-bit channels, 19.2 GB/s each"},
    {.name = "lpddr5_6400", .doc = "16-bit channels, 12.8 GB/s each"},
    {.name = "gddr6_14", .doc = "16-bit channels at 14 Gb/s, 28 GB/s each"},
    {.name = "gddr6_16", .doc = "16-bit channels at 16 Gb/s, 32 GB/s each"},
    {.name = "hbm2e_3200", .doc = "64-bit pseudo-channels at 3.2 Gb/s, 25.6 GB/s each"},
    {.name = "hbm3_5200", .doc = "32-bit pseudo-channels at 5.2 Gb/s, 20.8 GB/s each"},
    {.name = "hbm3_6400", .doc = "32-bit pseudo-channels at 6.4 Gb/s, 25.6 GB/s each"},
    {0},
};

void msw_memory_lint(const msw_dram_config *config, msw_text *lines)
{
    enum { MOST = 8 };
    msw_dram_finding found[MOST];
    size_t count = msw_dram_lint(config, found, MOST);
    for (size_t i = 0; i < count && i < MOST; i++)
        msw_text_add(lines, "%s: %s\n", found[i].rule, found[i].text);
}
