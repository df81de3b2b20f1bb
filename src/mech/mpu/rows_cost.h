/* SPDX-License-Identifier: MIT */
/* Private to mpu: rows of its table of parameters: DRAM timings, energies, areas, and how it is
 * simulated. Included by params.c alone. */
#ifndef MSW_MECH_MPU_ROWS_COST_H
#define MSW_MECH_MPU_ROWS_COST_H

#define MPU_ROWS_OF_COST                                                                           \
    MSW_ROW(.name = "t_rcd", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 256,          \
            .def = 14, .neutral = MSW_NO_NEUTRAL, .doc = "ACT to read", .source = MSW_PAPER,       \
            .reference = TABLE_2, .offset = FIELD(t_rcd)),                                         \
        MSW_ROW(.name = "t_rcd_write", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,            \
                .max = 256, .def = 14, .neutral = MSW_NO_NEUTRAL, .doc = "ACT to write",           \
                .source = MSW_INFERRED, .reference = "t_rcd, where the paper has one",             \
                .plausible_min = 10, .plausible_max = 14, .offset = FIELD(t_rcd_write)),           \
        MSW_ROW(.name = "t_ccd", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 64,       \
                .def = 2, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "column command to column command of a bank group", .source = MSW_PAPER,    \
                .reference = TABLE_2, .offset = FIELD(t_ccd)),                                     \
        MSW_ROW(.name = "t_ccd_short", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 64, \
                .def = 2, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "column command to column command of other groups", .source = MSW_INFERRED, \
                .reference = "t_ccd, where the paper has one", .plausible_min = 2,                 \
                .plausible_max = 4, .offset = FIELD(t_ccd_short)),                                 \
        MSW_ROW(.name = "t_rtp", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 256,      \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "read to PRE", .source = MSW_PAPER,    \
                .reference = TABLE_2, .offset = FIELD(t_rtp)),                                     \
        MSW_ROW(.name = "t_rp", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 256,       \
                .def = 14, .neutral = MSW_NO_NEUTRAL, .doc = "PRE to ACT", .source = MSW_PAPER,    \
                .reference = TABLE_2, .offset = FIELD(t_rp)),                                      \
        MSW_ROW(.name = "t_ras", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 512,      \
                .def = 33, .neutral = MSW_NO_NEUTRAL, .doc = "ACT to PRE", .source = MSW_PAPER,    \
                .reference = TABLE_2, .offset = FIELD(t_ras)),                                     \
        MSW_ROW(.name = "t_rfc", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 4096,     \
                .def = 350, .neutral = MSW_NO_NEUTRAL, .doc = "length of a refresh",               \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(t_rfc)),                \
        MSW_ROW(.name = "t_refi", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 65536,   \
                .def = 3900, .neutral = MSW_NO_NEUTRAL, .doc = "refresh to refresh; 0: none",      \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(t_refi)),               \
        MSW_ROW(.name = "t_cl", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 256,       \
                .def = 14, .neutral = MSW_NO_NEUTRAL, .doc = "read to data", .source = MSW_PUBLIC, \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_cl)),                                                            \
        MSW_ROW(.name = "t_cwl", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 256,      \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "write to data", .source = MSW_PUBLIC, \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_cwl)),                                                           \
        MSW_ROW(.name = "t_rrd", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 256,      \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "ACT to ACT of a bank group",          \
                .source = MSW_PUBLIC,                                                              \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_rrd)),                                                           \
        MSW_ROW(.name = "t_rrd_short", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,            \
                .max = 256, .def = 4, .neutral = MSW_NO_NEUTRAL,                                   \
                .doc = "ACT to ACT of other groups", .source = MSW_PUBLIC,                         \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_rrd_short)),                                                     \
        MSW_ROW(.name = "t_faw", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 512,      \
                .def = 16, .neutral = MSW_NO_NEUTRAL, .doc = "four ACTs", .source = MSW_PUBLIC,    \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_faw)),                                                           \
        MSW_ROW(.name = "t_wr", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 256,       \
                .def = 16, .neutral = MSW_NO_NEUTRAL, .doc = "end of written data to PRE",         \
                .source = MSW_PUBLIC,                                                              \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_wr)),                                                            \
        MSW_ROW(.name = "t_wtr", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 256,      \
                .def = 8, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "end of written data to read of a bank group", .source = MSW_PUBLIC,        \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_wtr)),                                                           \
        MSW_ROW(.name = "t_wtr_short", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,            \
                .max = 256, .def = 6, .neutral = MSW_NO_NEUTRAL,                                   \
                .doc = "end of written data to read of other groups", .source = MSW_PUBLIC,        \
                .reference = "the paper does not say; HBM2 at 1 GHz in Ramulator",                 \
                .offset = FIELD(t_wtr_short)),                                                     \
        MSW_ROW(.name = "t_select", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 16,    \
                .def = 1, .neutral = MSW_NEUTRAL(0),                                               \
                .doc = "SEL of another open row to its column command; 0: no such command",        \
                .source = MSW_PUBLIC, .reference = "SA_SEL of the MASA paper",                     \
                .offset = FIELD(t_select)),                                                        \
        MSW_ROW(.name = "t_sibling_read", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,         \
                .max = 64, .def = 2, .neutral = MSW_NEUTRAL(0),                                    \
                .doc = "read to ACT or SEL of another row buffer of the bank",                     \
                .source = MSW_INFERRED, .reference = "the least of Ramulator's SALP.cpp",          \
                .plausible_min = 0, .plausible_max = 7, .acts = "row_buffers > 1",                 \
                .offset = FIELD(t_sibling_read)),                                                  \
        MSW_ROW(.name = "t_sibling_write", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,        \
                .max = 64, .def = 0, .neutral = MSW_NEUTRAL(0),                                    \
                .doc = "write to ACT or SEL of another row buffer of the bank",                    \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 0,                    \
                .plausible_max = 16, .acts = "row_buffers > 1", .offset = FIELD(t_sibling_write)), \
        MSW_ROW(.name = "dram_queue", .kind = MSW_INTEGER, .unit = "requests", .min = 1,           \
                .max = 256, .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,               \
                .doc = "requests waiting at a near-bank unit's memory controller",                 \
                .source = MSW_PUBLIC, .reference = RELEASED "; 4 for each bank",                   \
                .offset = FIELD(dram_queue)),                                                      \
        MSW_ROW(.name = "dram_window", .kind = MSW_INTEGER, .unit = "requests", .min = 0,          \
                .max = 256, .def = 0, .neutral = MSW_NO_NEUTRAL,                                   \
                .doc = "oldest of them that the scheduler sees; 0: all", .source = MSW_UNKNOWN,    \
                .reference = SILENT, .plausible_min = 0, .plausible_max = 16,                      \
                .offset = FIELD(dram_window)),                                                     \
        MSW_ROW(.name = "closing", .kind = MSW_CHOICE, .unit = "", .def = MPU_CLOSE_OLDER,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(CLOSINGS),                                  \
                .doc = "when a request may close an open row", .source = MSW_UNKNOWN,              \
                .reference = SILENT, .offset = FIELD(closing)),                                    \
        MSW_ROW(.name = "hit_cap", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = 256,  \
                .def = 0, .neutral = MSW_NEUTRAL(0),                                               \
                .doc = "closing: last: column commands after which an older request may close "    \
                       "the row; 0: none",                                                         \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 0,                    \
                .plausible_max = 16, .acts = "closing = 'last'", .offset = FIELD(hit_cap)),        \
        MSW_ROW(.name = "read_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,      \
                .def = 0.15, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "read of a bank", \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(read_nj)),              \
        MSW_ROW(.name = "write_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,     \
                .def = 0.15, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "write of a bank", .source = MSW_PAPER, .reference = TABLE_2,               \
                .offset = FIELD(write_nj)),                                                        \
        MSW_ROW(.name = "activate_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,  \
                .def = 0.27, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "ACT",            \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(activate_nj)),          \
        MSW_ROW(.name = "precharge_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100, \
                .def = 0.27, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "PRE",            \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(precharge_nj)),         \
        MSW_ROW(.name = "refresh_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,   \
                .def = 1.13, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "refresh of a bank", .source = MSW_PAPER, .reference = TABLE_2,             \
                .offset = FIELD(refresh_nj)),                                                      \
        MSW_ROW(.name = "rf_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,        \
                .def = 0.04, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "register file access, a register of a warp", .source = MSW_PAPER,          \
                .reference = TABLE_2, .offset = FIELD(rf_nj)),                                     \
        MSW_ROW(.name = "shared_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,    \
                .def = 0.0222, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                        \
                .doc = "shared memory access of a warp", .source = MSW_PAPER,                      \
                .reference = TABLE_2, .offset = FIELD(shared_nj)),                                 \
        MSW_ROW(.name = "collector_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100, \
                .def = 0.04149, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                       \
                .doc = "operand collector access", .source = MSW_PAPER, .reference = TABLE_2,      \
                .offset = FIELD(collector_nj)),                                                    \
        MSW_ROW(.name = "lsu_extension_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001,         \
                .max = 100, .def = 0.03967, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,           \
                .doc = "LSU-extension access", .source = MSW_PAPER, .reference = TABLE_2,          \
                .offset = FIELD(lsu_extension_nj)),                                                \
        MSW_ROW(.name = "icache_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 100,    \
                .def = 0.107, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                         \
                .doc = "instruction cache read", .source = MSW_PUBLIC, .reference = RELEASED,      \
                .offset = FIELD(icache_nj)),                                                       \
        MSW_ROW(.name = "decode_nj", .kind = MSW_REAL, .unit = "nJ", .min = 1e-05, .max = 100,     \
                .def = 0.00087, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                       \
                .doc = "fetch and decode of an instruction", .source = MSW_PUBLIC,                 \
                .reference = RELEASED, .offset = FIELD(decode_nj)),                                \
        MSW_ROW(.name = "tsv_pj", .kind = MSW_REAL, .unit = "pJ/bit", .min = 0.01, .max = 100,     \
                .def = 4.53, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "TSV",            \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(tsv_pj)),               \
        MSW_ROW(.name = "on_chip_pj", .kind = MSW_REAL, .unit = "pJ/bit", .min = 0.01, .max = 100, \
                .def = 0.72, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "link between cores", .source = MSW_PAPER, .reference = TABLE_2,            \
                .offset = FIELD(on_chip_pj)),                                                      \
        MSW_ROW(.name = "off_chip_pj", .kind = MSW_REAL, .unit = "pJ/bit", .min = 0.01,            \
                .max = 100, .def = 4.5, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,               \
                .doc = "link between cubes", .source = MSW_PAPER, .reference = TABLE_2,            \
                .offset = FIELD(off_chip_pj)),                                                     \
        MSW_ROW(.name = "int_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,     \
                .def = 1.155, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                         \
                .doc = "integer and logic operation of a warp", .source = MSW_PUBLIC,              \
                .reference = RELEASED, .offset = FIELD(int_nj)),                                   \
        MSW_ROW(.name = "mul_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,     \
                .def = 1.66, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "integer multiplication of a warp", .source = MSW_PUBLIC,                   \
                .reference = RELEASED, .offset = FIELD(mul_nj)),                                   \
        MSW_ROW(.name = "float_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,   \
                .def = 0.379, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                         \
                .doc = "f32 multiplication or fma of a warp", .source = MSW_PUBLIC,                \
                .reference = RELEASED, .offset = FIELD(float_nj)),                                 \
        MSW_ROW(.name = "float_add_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001,             \
                .max = 10000, .def = 1.155, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,           \
                .doc = "f32 addition of a warp", .source = MSW_PUBLIC, .reference = RELEASED,      \
                .offset = FIELD(float_add_nj)),                                                    \
        MSW_ROW(.name = "double_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,  \
                .def = 2.31, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                          \
                .doc = "f64 operation of a warp", .source = MSW_UNKNOWN,                           \
                .reference = "not in the released tables: twice an f32 addition",                  \
                .plausible_min = 0.76, .plausible_max = 4.6, .offset = FIELD(double_nj)),          \
        MSW_ROW(.name = "int_div_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000, \
                .def = 767, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                           \
                .doc = "integer division of a warp", .source = MSW_PUBLIC, .reference = RELEASED,  \
                .offset = FIELD(int_div_nj)),                                                      \
        MSW_ROW(.name = "float_div_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001,             \
                .max = 10000, .def = 922, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "f32 division of a warp", .source = MSW_PUBLIC, .reference = RELEASED,      \
                .offset = FIELD(float_div_nj)),                                                    \
        MSW_ROW(.name = "root_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,    \
                .def = 439, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                           \
                .doc = "square root of a warp", .source = MSW_PUBLIC, .reference = RELEASED,       \
                .offset = FIELD(root_nj)),                                                         \
        MSW_ROW(.name = "rcp_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,     \
                .def = 438, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                           \
                .doc = "reciprocal of a warp", .source = MSW_PUBLIC, .reference = RELEASED,        \
                .offset = FIELD(rcp_nj)),                                                          \
        MSW_ROW(.name = "exp_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000,     \
                .def = 87, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                            \
                .doc = "ex2, lg2, sin, cos of a warp", .source = MSW_PUBLIC,                       \
                .reference = RELEASED, .offset = FIELD(exp_nj)),                                   \
        MSW_ROW(.name = "convert_nj", .kind = MSW_REAL, .unit = "nJ", .min = 0.0001, .max = 10000, \
                .def = 1.155, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                         \
                .doc = "conversion of a warp", .source = MSW_UNKNOWN,                              \
                .reference = "not in the released tables: an integer operation",                   \
                .plausible_min = 0.38, .plausible_max = 2.3, .offset = FIELD(convert_nj)),         \
        MSW_ROW(.name = "die_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 1, .max = 1000,         \
                .def = 96, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                            \
                .doc = "footprint of a die", .source = MSW_PAPER, .reference = "section VI-A",     \
                .offset = FIELD(die_mm2)),                                                         \
        MSW_ROW(.name = "area_shared_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,         \
                .max = 1000, .def = 0.84, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "shared memories of a die, at the counts and sizes of table II",            \
                .source = MSW_PAPER, .reference = "table III", .offset = FIELD(area_shared_mm2)),  \
        MSW_ROW(.name = "area_rf_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,             \
                .max = 1000, .def = 9.71, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "near-bank register files of a die, at the counts and sizes of table II",   \
                .source = MSW_PAPER, .reference = "table III", .offset = FIELD(area_rf_mm2)),      \
        MSW_ROW(.name = "area_controller_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,     \
                .max = 1000, .def = 0.63, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "memory controllers of a die, at the counts and sizes of table II",         \
                .source = MSW_PAPER, .reference = "table III",                                     \
                .offset = FIELD(area_controller_mm2)),                                             \
        MSW_ROW(.name = "area_collector_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,      \
                .max = 1000, .def = 2.43, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "operand collectors of a die, at the counts and sizes of table II",         \
                .source = MSW_PAPER, .reference = "table III",                                     \
                .offset = FIELD(area_collector_mm2)),                                              \
        MSW_ROW(.name = "area_alu_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,            \
                .max = 1000, .def = 3.74, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "vector ALUs of a die, at the counts and sizes of table II",                \
                .source = MSW_PAPER, .reference = "table III", .offset = FIELD(area_alu_mm2)),     \
        MSW_ROW(.name = "area_lsu_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,            \
                .max = 1000, .def = 2.43, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "LSU-extensions of a die, at the counts and sizes of table II",             \
                .source = MSW_PAPER, .reference = "table III", .offset = FIELD(area_lsu_mm2)),     \
        MSW_ROW(.name = "area_row_buffer_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.0001,     \
                .max = 1000, .def = 0.01, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,             \
                .doc = "support of several row buffers on a die, at the counts and sizes of "      \
                       "table II",                                                                 \
                .source = MSW_PAPER, .reference = "table III",                                     \
                .offset = FIELD(area_row_buffer_mm2)),                                             \
        MSW_ROW(.name = "area_core_mm2", .kind = MSW_REAL, .unit = "mm2", .min = 0.01, .max = 100, \
                .def = 3.4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                           \
                .doc = "a core on the logic die", .source = MSW_PAPER,                             \
                .reference = "section VI-B", .offset = FIELD(area_core_mm2)),                      \
        MSW_ROW(.name = "simulated_cores", .kind = MSW_INTEGER, .unit = "cores", .min = 0,         \
                .max = 8192, .def = 0, .neutral = MSW_NO_NEUTRAL,                                  \
                .doc = "cores that the cycle model simulates; 0: all", .source = MSW_PUBLIC,       \
                .reference = "a choice of simulation, none of the hardware's",                     \
                .offset = FIELD(simulated_cores)),                                                 \
        MSW_ROW(.name = "window_insns", .kind = MSW_INTEGER, .unit = "", .min = 1024,              \
                .max = 1073741824, .def = 131072, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,    \
                .doc = "warp-instructions of a unit of the cycle model", .source = MSW_PUBLIC,     \
                .reference = "a choice of simulation, none of the hardware's",                     \
                .offset = FIELD(window))

#endif
