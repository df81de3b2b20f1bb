/* SPDX-License-Identifier: MIT */
/* Private to mpu: rows of its table of parameters: cores, clocks, buses and latencies. Included by
 * params.c alone. */
#ifndef MSW_MECH_MPU_ROWS_CORE_H
#define MSW_MECH_MPU_ROWS_CORE_H

#define MPU_ROWS_OF_CORE                                                                           \
    MSW_ROW(.name = "warps", .kind = MSW_INTEGER, .unit = "warps", .min = 1, .max = 64, .def = 4,  \
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "warps of a sub-core at once",    \
            .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(warps)),                  \
        MSW_ROW(.name = "ctas", .kind = MSW_INTEGER, .unit = "CTAs", .min = 1, .max = 64,          \
                .def = 32, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                           \
                .doc = "CTAs of a core at once", .source = MSW_UNKNOWN, .reference = SILENT,       \
                .plausible_min = 8, .plausible_max = 32, .offset = FIELD(ctas)),                   \
        MSW_ROW(.name = "scheduler", .kind = MSW_CHOICE, .unit = "", .def = MPU_SCHEDULER_GTO,     \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SCHEDULERS),                                \
                .doc = "which ready warp issues", .source = MSW_UNKNOWN,                           \
                .reference =                                                                       \
                    "the paper does not say; that of its simulator's ancestor, GPGPU-Sim",         \
                .offset = FIELD(scheduler)),                                                       \
        MSW_ROW(.name = "issue_width", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4,        \
                .def = 1, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "instructions that a sub-core issues in a cycle", .source = MSW_INFERRED,   \
                .reference = "512 sub-cores at 1 GHz", .plausible_min = 1, .plausible_max = 2,     \
                .offset = FIELD(issue_width)),                                                     \
        MSW_ROW(.name = "far_alus", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16,          \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "vector ALUs of a sub-core",           \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(far_alus)),           \
        MSW_ROW(.name = "near_alus", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16,         \
                .def = 1, .neutral = MSW_NO_NEUTRAL, .doc = "vector ALUs of a near-bank unit",     \
                .source = MSW_PAPER, .reference = "table III: 16 on a die of 16 units",            \
                .offset = FIELD(near_alus)),                                                       \
        MSW_ROW(.name = "sfus", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4, .def = 1,     \
                .neutral = MSW_NO_NEUTRAL, .doc = "units for long operations of a sub-core",       \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(sfus)),               \
        MSW_ROW(.name = "lsus", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4, .def = 1,     \
                .neutral = MSW_NO_NEUTRAL, .doc = "load-store units of a sub-core",                \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(lsus)),               \
        MSW_ROW(.name = "far_collectors", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 32,    \
                .def = 16, .neutral = MSW_NO_NEUTRAL, .doc = "operand collectors of a sub-core",   \
                .source = MSW_PUBLIC, .reference = RELEASED "; 4 for each ALU",                    \
                .offset = FIELD(far_collectors)),                                                  \
        MSW_ROW(.name = "near_collectors", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 32,   \
                .def = 4, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "operand collectors of a near-bank unit", .source = MSW_PAPER,              \
                .reference = "table III: 64 on a die of 16 units",                                 \
                .offset = FIELD(near_collectors)),                                                 \
        MSW_ROW(.name = "offload_engines", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64,   \
                .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                            \
                .doc = "instructions of a sub-core under way to or on the near side",              \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(offload_engines)),    \
        MSW_ROW(.name = "move_engines", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 8,       \
                .def = 1, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "register moves of a sub-core at once", .source = MSW_PUBLIC,               \
                .reference = RELEASED, .offset = FIELD(move_engines)),                             \
        MSW_ROW(.name = "pending", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 256,          \
                .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                            \
                .doc = "accesses in each of the tables of local, remote and near ones",            \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(pending)),            \
        MSW_ROW(.name = "stage_buffers", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 32,     \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "instructions between two stages",     \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(stage_buffers)),      \
        MSW_ROW(.name = "far_rf_bytes", .kind = MSW_SIZE, .unit = "B", .min = 4096,                \
                .max = 1048576, .def = 32768, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,        \
                .doc = "register file of a sub-core", .source = MSW_PAPER, .reference = TABLE_2,   \
                .offset = FIELD(far_rf_bytes)),                                                    \
        MSW_ROW(.name = "near_rf_bytes", .kind = MSW_SIZE, .unit = "B", .min = 1024,               \
                .max = 1048576, .def = 16384, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,        \
                .doc = "register file of a near-bank unit", .source = MSW_PAPER,                   \
                .reference = TABLE_2, .offset = FIELD(near_rf_bytes)),                             \
        MSW_ROW(.name = "shared_bytes", .kind = MSW_SIZE, .unit = "B", .min = 4096,                \
                .max = 1048576, .def = 65536, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,        \
                .doc = "shared memory of a core", .source = MSW_PAPER, .reference = TABLE_2,       \
                .offset = FIELD(shared_bytes)),                                                    \
        MSW_ROW(.name = "icache_bytes", .kind = MSW_SIZE, .unit = "B", .min = 4096,                \
                .max = 1048576, .def = 131072, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,       \
                .doc = "instruction cache of a core", .source = MSW_PAPER, .reference = TABLE_2,   \
                .offset = FIELD(icache_bytes)),                                                    \
        MSW_ROW(.name = "remote_cache_bytes", .kind = MSW_SIZE, .unit = "B", .min = 0,             \
                .max = 1048576, .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,            \
                .doc = "read-only cache for lines of other cores at a core's network interface",   \
                .source = MSW_PAPER, .reference = "section VI-A: no data cache",                   \
                .offset = FIELD(remote_cache_bytes)),                                              \
        MSW_ROW(.name = "core_ghz", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 8,         \
                .def = 1, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                             \
                .doc = "clock of cores, near-bank units and DRAM commands", .source = MSW_PAPER,   \
                .reference = TABLE_2, .offset = FIELD(core_ghz)),                                  \
        MSW_ROW(.name = "tsv_ghz", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 8,          \
                .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "clock of TSVs",     \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(tsv_ghz)),              \
        MSW_ROW(.name = "router_ghz", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 8,       \
                .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "clock of routers",  \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(router_ghz)),           \
        MSW_ROW(.name = "on_chip_ghz", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 8,      \
                .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                             \
                .doc = "clock of links between cores", .source = MSW_PAPER, .reference = TABLE_2,  \
                .offset = FIELD(on_chip_ghz)),                                                     \
        MSW_ROW(.name = "off_chip_ghz", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 8,     \
                .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,                             \
                .doc = "clock of links between cubes", .source = MSW_PAPER, .reference = TABLE_2,  \
                .offset = FIELD(off_chip_ghz)),                                                    \
        MSW_ROW(.name = "tsv_bits", .kind = MSW_INTEGER, .unit = "bits", .min = 64, .max = 16384,  \
                .def = 1024, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                         \
                .doc = "data TSVs of a cube, shared evenly by its cores", .source = MSW_PAPER,     \
                .reference = TABLE_2, .offset = FIELD(tsv_bits)),                                  \
        MSW_ROW(.name = "tsv_duplex", .kind = MSW_FLAG, .unit = "", .def = 0,                      \
                .neutral = MSW_NO_NEUTRAL, .doc = "TSVs carry data both ways at once",             \
                .source = MSW_INFERRED,                                                            \
                .reference = "table II: 64 bits per core; " RELEASED_WORD " both ways at once",    \
                .offset = FIELD(tsv_duplex)),                                                      \
        MSW_ROW(.name = "tsv_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 16,  \
                .def = 1, .neutral = MSW_NO_NEUTRAL, .doc = "delay of a TSV, core cycles",         \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 0,                    \
                .plausible_max = 2, .offset = FIELD(tsv_cycles)),                                  \
        MSW_ROW(.name = "tsv_command_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,     \
                .max = 16, .def = 1, .neutral = MSW_NO_NEUTRAL,                                    \
                .doc = "cycles that a command takes of the command TSVs", .source = MSW_PUBLIC,    \
                .reference = RELEASED, .offset = FIELD(tsv_command_cycles)),                       \
        MSW_ROW(.name = "offload_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 64,    \
                .def = 8, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "TSV bytes of an offloaded instruction: mask and operation",                \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(offload_bytes)),      \
        MSW_ROW(.name = "immediate_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 16,  \
                .def = 0, .neutral = MSW_NEUTRAL(0),                                               \
                .doc = "further TSV bytes where it has an immediate operand",                      \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 0,                    \
                .plausible_max = 8, .acts = "pipeline = 'hybrid'",                                 \
                .offset = FIELD(immediate_bytes)),                                                 \
        MSW_ROW(.name = "access_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 64,     \
                .def = 8, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "TSV bytes of a load or store that is offloaded whole",                     \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(access_bytes)),       \
        MSW_ROW(.name = "request_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 64,    \
                .def = 0, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "TSV data bytes of the address of a DRAM transaction; 0: command TSVs "     \
                       "carry it",                                                                 \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(request_bytes)),      \
        MSW_ROW(.name = "commit_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 64,     \
                .def = 0, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "TSV data bytes of the return of an offloaded instruction; 0: command "     \
                       "TSVs carry it",                                                            \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 0,                    \
                .plausible_max = 8, .acts = "pipeline = 'hybrid'", .offset = FIELD(commit_bytes)), \
        MSW_ROW(.name = "on_chip_bits", .kind = MSW_INTEGER, .unit = "bits", .min = 16,            \
                .max = 4096, .def = 256, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,             \
                .doc = "width of links between cores", .source = MSW_PAPER, .reference = TABLE_2,  \
                .offset = FIELD(on_chip_bits)),                                                    \
        MSW_ROW(.name = "off_chip_bits", .kind = MSW_INTEGER, .unit = "bits", .min = 16,           \
                .max = 4096, .def = 128, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,             \
                .doc = "width of links between cubes", .source = MSW_PAPER, .reference = TABLE_2,  \
                .offset = FIELD(off_chip_bits)),                                                   \
        MSW_ROW(.name = "router_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,          \
                .max = 64, .def = 2, .neutral = MSW_NO_NEUTRAL,                                    \
                .doc = "delay of a router, router cycles", .source = MSW_UNKNOWN,                  \
                .reference = SILENT, .plausible_min = 1, .plausible_max = 4,                       \
                .offset = FIELD(router_cycles)),                                                   \
        MSW_ROW(.name = "packet_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 16, .max = 1024,  \
                .def = 64, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                           \
                .doc = "payload of a packet, at most", .source = MSW_PUBLIC,                       \
                .reference = RELEASED, .offset = FIELD(packet_bytes)),                             \
        MSW_ROW(.name = "header_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 0, .max = 64,     \
                .def = 16, .neutral = MSW_NO_NEUTRAL,                                              \
                .doc = "bytes of a request, and of the head of a packet: one flit",                \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(header_bytes)),       \
        MSW_ROW(.name = "front_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,           \
                .max = 64, .def = 4, .neutral = MSW_NO_NEUTRAL, .doc = "from fetch to issue",      \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 2,                    \
                .plausible_max = 8, .offset = FIELD(front_cycles)),                                \
        MSW_ROW(.name = "collect_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,         \
                .max = 64, .def = 2, .neutral = MSW_NO_NEUTRAL, .doc = "from issue to operands",   \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 1,                    \
                .plausible_max = 4, .offset = FIELD(collect_cycles)),                              \
        MSW_ROW(.name = "writeback_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,       \
                .max = 64, .def = 2, .neutral = MSW_NO_NEUTRAL, .doc = "from result to commit",    \
                .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 1,                    \
                .plausible_max = 4, .offset = FIELD(writeback_cycles)),                            \
        MSW_ROW(.name = "lsu_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 64,  \
                .def = 3, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "range and mask check, coalescing, decision", .source = MSW_PUBLIC,         \
                .reference = RELEASED, .offset = FIELD(lsu_cycles)),                               \
        MSW_ROW(.name = "shared_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,          \
                .max = 256, .def = 2, .neutral = MSW_NO_NEUTRAL,                                   \
                .doc = "access to shared memory without bank conflicts", .source = MSW_UNKNOWN,    \
                .reference = SILENT, .plausible_min = 1, .plausible_max = 20,                      \
                .offset = FIELD(shared_cycles)),                                                   \
        MSW_ROW(.name = "alu_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 256, \
                .def = 1, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "integer and f32 addition, multiplication, fma", .source = MSW_PUBLIC,      \
                .reference = RELEASED, .offset = FIELD(alu_cycles)),                               \
        MSW_ROW(.name = "half_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,            \
                .max = 256, .def = 3, .neutral = MSW_NO_NEUTRAL, .doc = "f16 operations",          \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(half_cycles)),        \
        MSW_ROW(.name = "double_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,          \
                .max = 256, .def = 5, .neutral = MSW_NO_NEUTRAL,                                   \
                .doc = "f64 addition, multiplication, fma", .source = MSW_PUBLIC,                  \
                .reference = RELEASED, .offset = FIELD(double_cycles)),                            \
        MSW_ROW(.name = "int_div_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,         \
                .max = 1024, .def = 118, .neutral = MSW_NO_NEUTRAL, .doc = "integer division",     \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(int_div_cycles)),     \
        MSW_ROW(.name = "float_div_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,       \
                .max = 1024, .def = 198, .neutral = MSW_NO_NEUTRAL, .doc = "f32 division",         \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(float_div_cycles)),   \
        MSW_ROW(.name = "double_div_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,      \
                .max = 1024, .def = 155, .neutral = MSW_NO_NEUTRAL,                                \
                .doc = "f64 division and roots", .source = MSW_PUBLIC, .reference = RELEASED,      \
                .offset = FIELD(double_div_cycles)),                                               \
        MSW_ROW(.name = "root_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,            \
                .max = 1024, .def = 57, .neutral = MSW_NO_NEUTRAL, .doc = "rcp, sqrt",             \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(root_cycles)),        \
        MSW_ROW(.name = "rsqrt_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,           \
                .max = 1024, .def = 28, .neutral = MSW_NO_NEUTRAL, .doc = "rsqrt, lg2",            \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(rsqrt_cycles)),       \
        MSW_ROW(.name = "exp_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,             \
                .max = 1024, .def = 19, .neutral = MSW_NO_NEUTRAL, .doc = "ex2, tanh",             \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(exp_cycles)),         \
        MSW_ROW(.name = "sin_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,             \
                .max = 1024, .def = 8, .neutral = MSW_NO_NEUTRAL, .doc = "sin, cos",               \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(sin_cycles))

#endif
