/* SPDX-License-Identifier: MIT */
/* Choices that the MMU mechanisms share. */
#include "mech/shared/rows.h"

#include "memsweep/sim/dram_lint.h"

const msw_choice msw_tlb_policies[MSW_POLICY_RANDOM + 2] = {
    [MSW_POLICY_LRU] = {.name = "lru", .doc = "least recently used"},
    [MSW_POLICY_FIFO] = {.name = "fifo", .doc = "filled longest ago"},
    [MSW_POLICY_TREE] = {.name = "tree",
                         .doc = "pseudo-LRU, a tree of bits; ways must be a power of two"},
    [MSW_POLICY_BIT] = {.name = "bit", .doc = "pseudo-LRU, one bit per way"},
    [MSW_POLICY_RANDOM] = {.name = "random", .doc = "any way"},
    {0},
};

const msw_choice msw_walker_choices[MSW_WALKER_SAME_PATH + 2] = {
    [MSW_WALKER_LONGEST_IDLE] = {.name = "longest_idle",
                                 .doc = "walkers take turns: with many of them each keeps a path "
                                        "of long ago"},
    [MSW_WALKER_WARMEST] = {.name = "warmest",
                            .doc = "the one that was busy last: few walkers keep fresh paths"},
    [MSW_WALKER_SAME_PATH] = {.name = "same_path_first",
                              .doc = "the one whose path shares most levels; of equals the "
                                     "warmest"},
    {0},
};

const msw_choice msw_memory_choices[MSW_MEMORIES + 1] = {
    {.name = "mpu_nbu", .doc = "four banks beside a core, 16 GB/s"},
    {.name = "hbm2", .doc = "128-bit channels at 2 Gb/s, 32 GB/s each, 8 a stack"},
    {.name = "ddr4_3200", .doc = "64-bit channels of two ranks, 25.6 GB/s each"},
    {.name = "ddr3_1600", .doc = "64-bit channels, 12.8 GB/s each"},
    {.name = "ddr5_4800", .doc = "32-bit channels, 19.2 GB/s each, 2 a module"},
    {.name = "lpddr5_6400", .doc = "16-bit channels, 12.8 GB/s each, 4 a package"},
    {.name = "gddr6_14", .doc = "16-bit channels at 14 Gb/s, 28 GB/s each, 2 a device"},
    {.name = "gddr6_16", .doc = "16-bit channels at 16 Gb/s, 32 GB/s each, 2 a device"},
    {.name = "hbm2e_3200", .doc = "64-bit pseudo-channels at 3.2 Gb/s, 25.6 GB/s each, 16 a stack"},
    {.name = "hbm3_5200", .doc = "32-bit pseudo-channels at 5.2 Gb/s, 20.8 GB/s each, 32 a stack"},
    {.name = "hbm3_6400", .doc = "32-bit pseudo-channels at 6.4 Gb/s, 25.6 GB/s each, 32 a stack"},
    {0},
};

uint32_t msw_memory_channels(const msw_dram_config *preset, const msw_memory_size *size)
{
    if (!size->stacks && size->least <= 0)
        return (uint32_t)size->channels;
    uint32_t stacks = size->stacks ? (uint32_t)size->stacks : 1;
    while (stacks < MSW_STACKS_MAX &&
           msw_dram_peak_gbs(preset, preset->channels * stacks) < size->least)
        stacks *= 2;
    return preset->channels * stacks;
}

static const char *name_of(const msw_dram_config *preset)
{
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++)
        if (&p->config == preset)
            return p->name;
    return "this memory";
}

int msw_memory_check(const msw_dram_config *preset, const msw_memory_size *size, msw_err *err)
{
    double peak = msw_dram_peak_gbs(preset, msw_memory_channels(preset, size));
    if (size->stacks & (size->stacks - 1))
        return msw_fail(err,
                        "stacks %lld: addresses are dealt out by bits; allowed: 1, 2, 4, 8, 16",
                        (long long)size->stacks);
    if (peak < size->least)
        return msw_fail(err, "bandwidth %g GB/s: %d stacks of %s have %.4g", size->least,
                        MSW_STACKS_MAX, name_of(preset), peak);
    return 0;
}

void msw_memory_lint(const msw_dram_config *config, msw_text *lines)
{
    enum { MOST = 8 };
    msw_dram_finding found[MOST];
    size_t count = msw_dram_lint(config, found, MOST);
    for (size_t i = 0; i < count && i < MOST; i++)
        msw_text_add(lines, "%s: %s\n", found[i].rule, found[i].text);
}
