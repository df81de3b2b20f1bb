/* SPDX-License-Identifier: MIT */
/* dram_presets: named memories. A preset's numbers, with the class of their sources, are lists
 * X(name, value, class) from which both its configuration and its table of sources are made. */
#include "sim/dram/state.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */

#define SIZES_mpu_nbu(X) \
    X(clock_ps, 1000, PAPER) X(burst_bytes, 32, PAPER) X(channels, 1, PAPER) X(ranks, 1, PAPER) \
    X(groups, 1, DERIVED) X(banks, 4, PAPER) X(rows, 16384, DERIVED) X(columns, 32, SIMULATOR)
#define TIMES_mpu_nbu(X) \
    X(bl, 2, PAPER) X(cl, 14, SIMULATOR) X(cwl, 4, SIMULATOR) X(rcd, 14, PAPER) X(rp, 14, PAPER) \
    X(ras, 33, PAPER) X(rc, 47, DERIVED) X(ccd_s, 2, PAPER) X(ccd_l, 2, PAPER) X(rtp, 4, PAPER) \
    X(rrd_s, 4, SIMULATOR) X(rrd_l, 4, SIMULATOR) X(faw, 16, SIMULATOR) X(wr, 16, SIMULATOR) \
    X(wtr_s, 6, SIMULATOR) X(wtr_l, 8, SIMULATOR) X(rtw, 2, SIMULATOR) X(rtrs, 1, SIMULATOR) \
    X(rfc, 350, PAPER) X(refi, 3900, PAPER)

#define SIZES_hbm2(X) \
    X(clock_ps, 1000, STANDARD) X(burst_bytes, 64, STANDARD) X(channels, 8, STANDARD) \
    X(ranks, 1, SIMULATOR) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 32768, SIMULATOR) \
    X(columns, 32, STANDARD)
#define TIMES_hbm2(X) \
    X(bl, 2, STANDARD) X(cl, 14, SIMULATOR) X(cwl, 4, SIMULATOR) X(rcd, 14, SIMULATOR) \
    X(rp, 14, SIMULATOR) X(ras, 34, SIMULATOR) X(rc, 48, DERIVED) X(ccd_s, 1, SIMULATOR) \
    X(ccd_l, 2, SIMULATOR) X(rtp, 6, SIMULATOR) X(rrd_s, 4, SIMULATOR) X(rrd_l, 6, SIMULATOR) \
    X(faw, 30, SIMULATOR) X(wr, 16, SIMULATOR) X(wtr_s, 6, SIMULATOR) X(wtr_l, 8, SIMULATOR) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, SIMULATOR) X(rfc, 260, SIMULATOR) X(refi, 3900, SIMULATOR)

/* The nanoseconds of hbm2 at 1.6 GHz, rounded up; ccd and bl of a pseudo-channel. */
#define SIZES_hbm2e_3200(X) \
    X(clock_ps, 625, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 16, STANDARD) \
    X(ranks, 1, DERIVED) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 32768, SIMULATOR) \
    X(columns, 32, STANDARD)
#define TIMES_hbm2e_3200(X) \
    X(bl, 2, STANDARD) X(cl, 23, DERIVED) X(cwl, 7, DERIVED) X(rcd, 23, DERIVED) \
    X(rp, 23, DERIVED) X(ras, 55, DERIVED) X(rc, 78, DERIVED) X(ccd_s, 2, SIMULATOR) \
    X(ccd_l, 4, SIMULATOR) X(rtp, 10, DERIVED) X(rrd_s, 7, DERIVED) X(rrd_l, 10, DERIVED) \
    X(faw, 28, DERIVED) X(wr, 26, DERIVED) X(wtr_s, 10, DERIVED) X(wtr_l, 13, DERIVED) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, DERIVED) X(rfc, 416, SIMULATOR) X(refi, 6240, SIMULATOR)

/* The nanoseconds of hbm3_6400 at 1.3 GHz, rounded up. */
#define SIZES_hbm3_5200(X) \
    X(clock_ps, 769, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 32, STANDARD) \
    X(ranks, 1, DERIVED) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 32768, SIMULATOR) \
    X(columns, 32, STANDARD)
#define TIMES_hbm3_5200(X) \
    X(bl, 2, STANDARD) X(cl, 22, DERIVED) X(cwl, 7, DERIVED) X(rcd, 22, DERIVED) \
    X(rp, 22, DERIVED) X(ras, 39, DERIVED) X(rc, 61, DERIVED) X(ccd_s, 2, SIMULATOR) \
    X(ccd_l, 4, SIMULATOR) X(rtp, 5, DERIVED) X(rrd_s, 7, DERIVED) X(rrd_l, 7, DERIVED) \
    X(faw, 28, DERIVED) X(wr, 20, DERIVED) X(wtr_s, 7, DERIVED) X(wtr_l, 10, DERIVED) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, DERIVED) X(rfc, 455, DERIVED) X(refi, 5070, SIMULATOR)

#define SIZES_hbm3_6400(X) \
    X(clock_ps, 625, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 32, STANDARD) \
    X(ranks, 1, DERIVED) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 32768, SIMULATOR) \
    X(columns, 32, STANDARD)
#define TIMES_hbm3_6400(X) \
    X(bl, 2, STANDARD) X(cl, 26, SIMULATOR) X(cwl, 8, SIMULATOR) X(rcd, 26, SIMULATOR) \
    X(rp, 26, SIMULATOR) X(ras, 48, SIMULATOR) X(rc, 74, SIMULATOR) X(ccd_s, 2, SIMULATOR) \
    X(ccd_l, 4, SIMULATOR) X(rtp, 6, SIMULATOR) X(rrd_s, 8, SIMULATOR) X(rrd_l, 8, SIMULATOR) \
    X(faw, 32, DERIVED) X(wr, 24, SIMULATOR) X(wtr_s, 8, SIMULATOR) X(wtr_l, 12, SIMULATOR) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, DERIVED) X(rfc, 560, SIMULATOR) X(refi, 6240, SIMULATOR)

#define SIZES_ddr3_1600(X) \
    X(clock_ps, 1250, STANDARD) X(burst_bytes, 64, STANDARD) X(channels, 1, DERIVED) \
    X(ranks, 1, DERIVED) X(groups, 1, STANDARD) X(banks, 8, STANDARD) X(rows, 65536, STANDARD) \
    X(columns, 128, STANDARD)
#define TIMES_ddr3_1600(X) \
    X(bl, 4, STANDARD) X(cl, 11, STANDARD) X(cwl, 8, STANDARD) X(rcd, 11, STANDARD) \
    X(rp, 11, STANDARD) X(ras, 28, STANDARD) X(rc, 39, STANDARD) X(ccd_s, 4, STANDARD) \
    X(ccd_l, 4, STANDARD) X(rtp, 6, STANDARD) X(rrd_s, 5, STANDARD) X(rrd_l, 5, STANDARD) \
    X(faw, 24, STANDARD) X(wr, 12, STANDARD) X(wtr_s, 6, STANDARD) X(wtr_l, 6, STANDARD) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, SIMULATOR) X(rfc, 208, STANDARD) X(refi, 6240, STANDARD)

#define SIZES_ddr4_3200(X) \
    X(clock_ps, 625, STANDARD) X(burst_bytes, 64, STANDARD) X(channels, 1, DERIVED) \
    X(ranks, 2, DERIVED) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 131072, STANDARD) \
    X(columns, 128, STANDARD)
#define TIMES_ddr4_3200(X) \
    X(bl, 4, STANDARD) X(cl, 22, STANDARD) X(cwl, 16, STANDARD) X(rcd, 22, STANDARD) \
    X(rp, 22, STANDARD) X(ras, 52, STANDARD) X(rc, 74, STANDARD) X(ccd_s, 4, STANDARD) \
    X(ccd_l, 8, STANDARD) X(rtp, 12, STANDARD) X(rrd_s, 4, STANDARD) X(rrd_l, 8, STANDARD) \
    X(faw, 16, STANDARD) X(wr, 24, STANDARD) X(wtr_s, 4, STANDARD) X(wtr_l, 12, STANDARD) \
    X(rtw, 2, SIMULATOR) X(rtrs, 1, SIMULATOR) X(rfc, 560, STANDARD) X(refi, 12480, STANDARD)

#define SIZES_ddr5_4800(X) \
    X(clock_ps, 417, STANDARD) X(burst_bytes, 64, STANDARD) X(channels, 2, STANDARD) \
    X(ranks, 1, DERIVED) X(groups, 8, STANDARD) X(banks, 4, STANDARD) X(rows, 65536, STANDARD) \
    X(columns, 64, STANDARD)
#define TIMES_ddr5_4800(X) \
    X(bl, 8, STANDARD) X(cl, 40, STANDARD) X(cwl, 38, STANDARD) X(rcd, 39, STANDARD) \
    X(rp, 39, STANDARD) X(ras, 77, STANDARD) X(rc, 116, STANDARD) X(ccd_s, 8, STANDARD) \
    X(ccd_l, 12, STANDARD) X(rtp, 18, STANDARD) X(rrd_s, 8, STANDARD) X(rrd_l, 12, STANDARD) \
    X(faw, 32, STANDARD) X(wr, 72, STANDARD) X(wtr_s, 6, STANDARD) X(wtr_l, 24, STANDARD) \
    X(rtw, 4, SIMULATOR) X(rtrs, 2, SIMULATOR) X(rfc, 708, STANDARD) X(refi, 9360, STANDARD)

#define SIZES_lpddr5_6400(X) \
    X(clock_ps, 1250, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 4, DERIVED) \
    X(ranks, 1, DERIVED) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 32768, STANDARD) \
    X(columns, 64, STANDARD)
#define TIMES_lpddr5_6400(X) \
    X(bl, 2, STANDARD) X(cl, 17, STANDARD) X(cwl, 9, SIMULATOR) X(rcd, 15, STANDARD) \
    X(rp, 15, STANDARD) X(ras, 34, STANDARD) X(rc, 49, DERIVED) X(ccd_s, 2, STANDARD) \
    X(ccd_l, 4, STANDARD) X(rtp, 6, STANDARD) X(rrd_s, 4, STANDARD) X(rrd_l, 4, STANDARD) \
    X(faw, 16, STANDARD) X(wr, 28, STANDARD) X(wtr_s, 5, STANDARD) X(wtr_l, 10, STANDARD) \
    X(rtw, 1, SIMULATOR) X(rtrs, 2, SIMULATOR) X(rfc, 168, STANDARD) X(refi, 3125, STANDARD)

#define SIZES_gddr6_14(X) \
    X(clock_ps, 571, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 2, STANDARD) \
    X(ranks, 1, STANDARD) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 16384, STANDARD) \
    X(columns, 64, STANDARD)
#define TIMES_gddr6_14(X) \
    X(bl, 2, STANDARD) X(cl, 24, DATASHEET) X(cwl, 6, DATASHEET) X(rcd, 26, DATASHEET) \
    X(rp, 26, DATASHEET) X(ras, 53, DATASHEET) X(rc, 79, DATASHEET) X(ccd_s, 2, DERIVED) \
    X(ccd_l, 3, DERIVED) X(rtp, 4, DATASHEET) X(rrd_s, 7, DATASHEET) X(rrd_l, 7, DATASHEET) \
    X(faw, 28, DATASHEET) X(wr, 26, DATASHEET) X(wtr_s, 9, DATASHEET) X(wtr_l, 11, DATASHEET) \
    X(rtw, 4, SIMULATOR) X(rtrs, 1, DERIVED) X(rfc, 210, DATASHEET) X(refi, 3333, DATASHEET)

/* The nanoseconds of gddr6_14 at 2 GHz, rounded up. */
#define SIZES_gddr6_16(X) \
    X(clock_ps, 500, STANDARD) X(burst_bytes, 32, STANDARD) X(channels, 2, STANDARD) \
    X(ranks, 1, STANDARD) X(groups, 4, STANDARD) X(banks, 4, STANDARD) X(rows, 16384, STANDARD) \
    X(columns, 64, STANDARD)
#define TIMES_gddr6_16(X) \
    X(bl, 2, STANDARD) X(cl, 28, DERIVED) X(cwl, 7, DERIVED) X(rcd, 30, DERIVED) \
    X(rp, 30, DERIVED) X(ras, 61, DERIVED) X(rc, 91, DERIVED) X(ccd_s, 2, DERIVED) \
    X(ccd_l, 4, DERIVED) X(rtp, 5, DERIVED) X(rrd_s, 8, DERIVED) X(rrd_l, 8, DERIVED) \
    X(faw, 32, DERIVED) X(wr, 30, DERIVED) X(wtr_s, 11, DERIVED) X(wtr_l, 13, DERIVED) \
    X(rtw, 4, SIMULATOR) X(rtrs, 1, DERIVED) X(rfc, 240, DERIVED) X(refi, 3800, DERIVED)

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
