/* SPDX-License-Identifier: MIT */
/* dram_presets: named memories. A preset's numbers, with the class of their sources, are lists in
 * preset_numbers.h from which both its configuration and its table of sources are made. */
#include "memsweep/base/text.h"
#include "sim/dram/preset_numbers.h"
#include "sim/dram/state.h"

#include <stdio.h>
#include <string.h>

#define SET(field, value, source_class)  .field = (value),
#define TELL(field, value, source_class) {#field, value, MSW_DRAM_##source_class},

#define NUMBERS(preset)                                                                            \
    static const msw_dram_number NUMBERS_##preset[] = {                                            \
        SIZES_##preset(TELL) TIMES_##preset(TELL){NULL, 0, MSW_DRAM_UNKNOWN}}

NUMBERS(mpu_nbu);
NUMBERS(hbm2);
NUMBERS(hbm2e_3200);
NUMBERS(hbm3_5200);
NUMBERS(hbm3_6400);
NUMBERS(ddr3_1600);
NUMBERS(ddr4_3200);
NUMBERS(ddr5_4800);
NUMBERS(lpddr5_6400);
NUMBERS(gddr6_14);
NUMBERS(gddr6_16);

/* The fixed model answers a closed bank (controller + rcd + cl) at the peak of the bus. */
#define CONFIG(preset, address_map, buses, latency, bytes_per_cycle)                               \
    .config = {SIZES_##preset(SET).buffers = 1,                                                    \
               .map = address_map,                                                                 \
               .command_buses = (buses),                                                           \
               .read_depth = 32,                                                                   \
               .write_depth = 32,                                                                  \
               .write_high = 26,                                                                   \
               .write_low = 6,                                                                     \
               .controller = 1,                                                                    \
               .posted_writes = true,                                                              \
               .forward = true,                                                                    \
               .t = {TIMES_##preset(SET)},                                                         \
               .fixed_latency = (latency),                                                         \
               .fixed_bytes_per_cycle = (bytes_per_cycle)},                                        \
    .numbers = NUMBERS_##preset

#define RAMULATOR "Ramulator 2.1 (python/ramulator/dram)"

/* Where ccd_l is longer than a burst, neighbouring bursts must lie in different groups; a channel
 * takes four bursts of each. */
#define GROUPS_LOW "row rank bank col ch col:2 bg"

const msw_dram_preset msw_dram_presets[] = {
    {.name = "mpu_nbu",
     .doc = "one near-bank unit of MPU: four 16 MiB banks behind one controller, 16 GB/s",
     .source = "MPU (arXiv 2103.06653) Table II for rcd ccd rtp rp ras rfc refi; the rest, not "
               "given there, from the HBM2 configurations of DRAMsim3",
     CONFIG(mpu_nbu, "row bank ch col", 1, 29, 16),
     /* Of several row buffers per bank; classes and sources: rule 10 of docs/models/sim-dram.md. */
     .config.t.sel = 1,
     .config.t.ra = 2},
    {.name = "hbm2",
     .doc = "one HBM2 stack of eight 128-bit channels at 2 Gb/s per pin, 8 Gb dies, 256 GB/s",
     .source = "DRAMsim3 configs/HBM2_8Gb_x128.ini (rtp: its tRTP_L)",
     CONFIG(hbm2, "row rank bg bank ch col", 2, 29, 32)},
    {.name = "ddr4_3200",
     .doc = "one DDR4-3200AA channel of two ranks of 8 Gb x4 devices, 25.6 GB/s",
     .source = "JESD79-4C speed bin 3200AA as in DRAMsim3 configs/DDR4_8Gb_x4_3200.ini and the "
               "DDR4_3200AA and DDR4_8Gb_x4 presets of Ramulator 2 (same values; rfc 350 ns, "
               "refi 7.8 us)",
     CONFIG(ddr4_3200, "row ch rank bank bg col", 1, 45, 16)},
    {.name = "ddr3_1600",
     .doc = "one DDR3-1600K channel (11-11-11) of one rank of 4 Gb x8 devices, 12.8 GB/s",
     .source = "JESD79-3F speed bin 1600K, 4 Gb x8, as in the DDR3_1600K and DDR3_4Gb_x8 presets "
               "of " RAMULATOR "; rtrs: DRAMsim3 configs/DDR3_8Gb_x8_1600.ini",
     CONFIG(ddr3_1600, "row ch rank bank bg col", 1, 23, 16)},
    {.name = "ddr5_4800",
     .doc = "one DDR5-4800B module (40-39-39): two 32-bit channels of 16 Gb x8 devices, 38.4 GB/s",
     .source = "JESD79-5B speed bin 4800B and the 16 Gb tables (rfc 295 ns); ccd wtr wr rtp rrd "
               "refi also in the DDR5_4800 presets of " RAMULATOR "; rtw: DDR5 of Ramulator 2.0",
     CONFIG(ddr5_4800, GROUPS_LOW, 1, 80, 8)},
    {.name = "lpddr5_6400",
     .doc = "four x16 channels of LPDDR5-6400, 8 Gb each, bursts of 16, 51.2 GB/s",
     .source = "JESD209-5 as in gem5's LPDDR5_6400_1x16_BG_BL16 (18, 18, 42 ns) and the "
               "LPDDR5_6400 preset of " RAMULATOR,
     CONFIG(lpddr5_6400, GROUPS_LOW, 1, 33, 16)},
    {.name = "gddr6_14",
     .doc = "one 8 Gb GDDR6 device at 14 Gb/s per pin: two x16 channels, 56 GB/s",
     .source = "Samsung's 8 Gb GDDR6 data sheet as in the GDDR6_2000_1350mV_quad preset "
               "of " RAMULATOR "; ccd: half of its 4 and 6, which are those of bursts of four "
               "cycles (JESD250: a burst of 16 takes two)",
     CONFIG(gddr6_14, GROUPS_LOW, 1, 51, 16)},
    {.name = "gddr6_16",
     .doc = "one 8 Gb GDDR6 device at 16 Gb/s per pin: two x16 channels, 64 GB/s",
     .source = "the nanoseconds of gddr6_14 at 2 GHz",
     CONFIG(gddr6_16, GROUPS_LOW, 1, 59, 16)},
    {.name = "hbm2e_3200",
     .doc = "one 8 GiB HBM2E stack of 16 64-bit pseudo-channels at 3.2 Gb/s per pin, 410 GB/s",
     .source = "JESD235C for the sizes; the nanoseconds of hbm2 at 1.6 GHz; ccd and rfc from the "
               "HBM2 preset of " RAMULATOR "; its faw of 15 ns is less than four rrd_s",
     CONFIG(hbm2e_3200, GROUPS_LOW, 2, 47, 16)},
    {.name = "hbm3_5200",
     .doc = "one 16 GiB HBM3 stack of 32 32-bit pseudo-channels at 5.2 Gb/s per pin, 666 GB/s",
     .source = "JESD238 for the sizes; the nanoseconds of hbm3_6400 at 1.3 GHz",
     CONFIG(hbm3_5200, GROUPS_LOW, 2, 45, 16)},
    {.name = "hbm3_6400",
     .doc = "one 16 GiB HBM3 stack of 32 32-bit pseudo-channels at 6.4 Gb/s per pin, 819 GB/s",
     .source = "JESD238 for the sizes; the HBM3_6400Mbps and HBM3_8Gb presets of " RAMULATOR
               ", which JEDEC leaves to vendors; its faw of 15 ns is less than four rrd_s",
     CONFIG(hbm3_6400, GROUPS_LOW, 2, 53, 16)},
    {.name = NULL},
};

static void refuse_name(const char *name, msw_err *err)
{
    const char *nearest = msw_nearest(name, &msw_dram_presets[0].name, sizeof(msw_dram_presets[0]));
    char all[256];
    size_t used = 0;
    for (const msw_dram_preset *p = msw_dram_presets; p->name && used < sizeof all; p++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", p->name);
    if (nearest)
        msw_fail(err, "no memory preset \"%s\"; did you mean \"%s\"?", name, nearest);
    else
        msw_fail(err, "no memory preset \"%s\"; presets are %s", name, all);
}

const msw_dram_config *msw_dram_preset_find(const char *name, msw_err *err)
{
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++)
        if (!strcmp(p->name, name))
            return &p->config;
    refuse_name(name, err);
    return NULL;
}
