/* SPDX-License-Identifier: MIT */
/* Private to dram: the numbers of the presets, each with the class of its source; the sources
 * themselves are in presets.c and docs/models/dram-presets.md. X(name, value, class). */
#ifndef MSW_SIM_DRAM_PRESET_NUMBERS_H
#define MSW_SIM_DRAM_PRESET_NUMBERS_H

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

#endif
