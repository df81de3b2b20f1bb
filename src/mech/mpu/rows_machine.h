/* SPDX-License-Identifier: MIT */
/* Private to mpu: rows of its table of parameters: organisation, where things are, and on which
 * side. Included by params.c alone. */
#ifndef MSW_MECH_MPU_ROWS_MACHINE_H
#define MSW_MECH_MPU_ROWS_MACHINE_H

#define MPU_ROWS_OF_ORGANISATION                                                                   \
    MSW_ROW(.name = "processors", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64, .def = 8,  \
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "cubes", .source = MSW_PAPER,     \
            .reference = TABLE_2, .offset = FIELD(processors)),                                    \
        MSW_ROW(.name = "processor_columns", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64, \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                            \
                .doc = "columns of the mesh of cubes", .source = MSW_PUBLIC,                       \
                .reference = RELEASED, .offset = FIELD(processor_columns)),                        \
        MSW_ROW(.name = "dies", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16, .def = 4,    \
                .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "DRAM dies of a cube",        \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(dies)),                 \
        MSW_ROW(.name = "cores", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64, .def = 16,  \
                .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "cores of a cube",            \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(cores)),                \
        MSW_ROW(.name = "core_columns", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64,      \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                            \
                .doc = "columns of the mesh of cores in a cube", .source = MSW_PUBLIC,             \
                .reference = RELEASED, .offset = FIELD(core_columns)),                             \
        MSW_ROW(.name = "subcores", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16,          \
                .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                            \
                .doc = "sub-cores of a core, each with a near-bank unit", .source = MSW_PAPER,     \
                .reference = TABLE_2, .offset = FIELD(subcores)),                                  \
        MSW_ROW(.name = "banks", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 16, .def = 4,   \
                .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "banks of a near-bank unit",  \
                .source = MSW_PAPER, .reference = TABLE_2, .offset = FIELD(banks)),                \
        MSW_ROW(.name = "bank_groups", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4,        \
                .def = 1, .neutral = MSW_NEUTRAL(1), .scale = MSW_POW2,                            \
                .doc = "bank groups of a near-bank unit", .source = MSW_UNKNOWN,                   \
                .reference = SILENT, .plausible_min = 1, .plausible_max = 2,                       \
                .offset = FIELD(bank_groups)),                                                     \
        MSW_ROW(.name = "bank_bytes", .kind = MSW_SIZE, .unit = "B", .min = 1048576,               \
                .max = 1073741824, .def = 16 * MIB, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,  \
                .doc = "bytes of a bank", .source = MSW_PAPER, .reference = TABLE_2,               \
                .offset = FIELD(bank_bytes)),                                                      \
        MSW_ROW(.name = "bank_io_bytes", .kind = MSW_SIZE, .unit = "B", .min = 8, .max = 128,      \
                .def = 32, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                           \
                .doc = "bytes of an access to a bank", .source = MSW_PAPER, .reference = TABLE_2,  \
                .offset = FIELD(bank_io_bytes)),                                                   \
        MSW_ROW(.name = "row_bytes", .kind = MSW_SIZE, .unit = "B", .min = 256, .max = 16384,      \
                .def = 1024, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                         \
                .doc = "bytes of a row of a bank", .source = MSW_PUBLIC,                           \
                .reference = "the paper does not say; HBM2 pseudo channel, and " RELEASED_WORD,    \
                .offset = FIELD(row_bytes)),                                                       \
        MSW_ROW(.name = "row_buffers", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 8,        \
                .def = 4, .neutral = MSW_NO_NEUTRAL,                                               \
                .doc = "rows of a bank that may be open at once", .source = MSW_PAPER,             \
                .reference = TABLE_2, .offset = FIELD(row_buffers)),                               \
        MSW_ROW(.name = "row_placement", .kind = MSW_CHOICE, .unit = "", .def = MPU_ROWS_MOD,      \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(ROW_PLACEMENTS),                            \
                .doc = "which buffer a row opens in", .source = MSW_PAPER,                         \
                .reference = "section IV-C", .offset = FIELD(row_placement)),                      \
        MSW_ROW(.name = "row_hash", .kind = MSW_CHOICE, .unit = "", .def = MPU_HASH_NONE,          \
                .neutral = MSW_NEUTRAL(MPU_HASH_NONE), MSW_CHOICES(ROW_HASHES),                    \
                .doc = "what decides the buffer of a row under row_placement: mod",                \
                .source = MSW_UNKNOWN, .reference = SILENT,                                        \
                .acts = "row_placement = 'mod' AND row_buffers > 1", .offset = FIELD(row_hash)),   \
        MSW_ROW(.name = "placement", .kind = MSW_CHOICE, .unit = "", .def = MPU_PLACEMENT_LINE,    \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PLACEMENTS),                                \
                .doc = "where an address lies", .source = MSW_PUBLIC, .reference = RELEASED,       \
                .offset = FIELD(placement)),                                                       \
        MSW_ROW(.name = "array_gap", .kind = MSW_SIZE, .unit = "B", .min = 0, .max = 1073741824,   \
                .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,                            \
                .doc = "bytes left free before each array but the first", .source = MSW_UNKNOWN,   \
                .reference = SILENT, .plausible_min = 0, .plausible_max = 16 * MIB,                \
                .offset = FIELD(array_gap)),                                                       \
        MSW_ROW(.name = "dispatch", .kind = MSW_CHOICE, .unit = "",                                \
                .def = MPU_DISPATCH_ROUND_ROBIN, .neutral = MSW_NO_NEUTRAL,                        \
                MSW_CHOICES(DISPATCHES), .doc = "which core gets a CTA", .source = MSW_PUBLIC,     \
                .reference = RELEASED, .offset = FIELD(dispatch)),                                 \
        MSW_ROW(.name = "binding", .kind = MSW_CHOICE, .unit = "", .def = MPU_BIND_MODULO,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(BINDINGS),                                  \
                .doc = "which sub-core and near-bank unit get a warp", .source = MSW_PUBLIC,       \
                .reference = RELEASED, .offset = FIELD(binding)),                                  \
        MSW_ROW(.name = "pipeline", .kind = MSW_CHOICE, .unit = "", .def = MPU_PIPELINE_HYBRID,    \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PIPELINES),                                 \
                .doc = "which die the logic is on", .source = MSW_PAPER,                           \
                .reference = "section IV-B", .offset = FIELD(pipeline)),                           \
        MSW_ROW(.name = "shared_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_SHARED_NEAR,     \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SHARED_SIDES),                              \
                .doc = "where shared memory is", .source = MSW_PAPER, .reference = "section IV-C", \
                .offset = FIELD(shared_side)),                                                     \
        MSW_ROW(.name = "layout", .kind = MSW_CHOICE, .unit = "", .def = MPU_LAYOUT_HORIZONTAL,    \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(LAYOUTS),                                   \
                .doc = "where a core's near-bank units are", .source = MSW_PAPER,                  \
                .reference = "fig. 5", .offset = FIELD(layout)),                                   \
        MSW_ROW(.name = "policy", .kind = MSW_CHOICE, .unit = "", .def = MPU_POLICY_ANNOTATION,    \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(POLICIES),                                  \
                .doc = "what decides where an instruction runs", .source = MSW_PAPER,              \
                .reference = "sections IV-B and V-B", .offset = FIELD(policy)),                    \
        MSW_ROW(.name = "annotation", .kind = MSW_CHOICE, .unit = "",                              \
                .def = MPU_ANNOTATION_INTENDED, .neutral = MSW_NO_NEUTRAL,                         \
                MSW_CHOICES(ANNOTATIONS), .doc = "reading of algorithm 1", .source = MSW_INFERRED, \
                .reference = "section V-B: its text, not its listing, gives a pass that "          \
                             "separates registers",                                                \
                .offset = FIELD(annotation)),                                                      \
        MSW_ROW(.name = "guard_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_TABLE,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(GUARDS),                                    \
                .doc = "where the predicate of a guarded instruction is read",                     \
                .source = MSW_PUBLIC, .reference = RELEASED, .offset = FIELD(guard_side)),         \
        MSW_ROW(.name = "special_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_OR_TABLE),                            \
                .doc = "moves of special registers (thread and CTA numbers)",                      \
                .source = MSW_UNKNOWN, .reference = SILENT, .acts = "pipeline = 'hybrid'",         \
                .offset = FIELD(special_side)),                                                    \
        MSW_ROW(.name = "atomic_shared_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_NEAR,  \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_ONLY),                                \
                .doc = "atomics on shared memory, where that is near", .source = MSW_PUBLIC,       \
                .reference = RELEASED, .offset = FIELD(atomic_shared_side)),                       \
        MSW_ROW(.name = "atomic_global_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,   \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_ONLY),                                \
                .doc = "operands of atomics on global memory", .source = MSW_UNKNOWN,              \
                .reference = SILENT, .offset = FIELD(atomic_global_side)),                         \
        MSW_ROW(.name = "shuffle_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_ONLY), .doc = "shuffles",             \
                .source = MSW_UNKNOWN, .reference = SILENT, .acts = "pipeline = 'hybrid'",         \
                .offset = FIELD(shuffle_side)),                                                    \
        MSW_ROW(.name = "vote_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,            \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_ONLY),                                \
                .doc = "votes, matches and reductions over a warp", .source = MSW_UNKNOWN,         \
                .reference = SILENT, .acts = "pipeline = 'hybrid'", .offset = FIELD(vote_side)),   \
        MSW_ROW(.name = "barrier_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,         \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_ONLY), .doc = "operands of barriers", \
                .source = MSW_UNKNOWN, .reference = SILENT, .acts = "pipeline = 'hybrid'",         \
                .offset = FIELD(barrier_side)),                                                    \
        MSW_ROW(.name = "sfu_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_FAR,             \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_OR_TABLE),                            \
                .doc = "long operations: divisions, roots, exponentials", .source = MSW_UNKNOWN,   \
                .reference = SILENT, .acts = "pipeline = 'hybrid'", .offset = FIELD(sfu_side)),    \
        MSW_ROW(.name = "both_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_TABLE,          \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_TABLE_OR_TWICE),                      \
                .doc = "instructions annotated with both sides", .source = MSW_PUBLIC,             \
                .reference = RELEASED, .offset = FIELD(both_side)),                                \
        MSW_ROW(.name = "unknown_side", .kind = MSW_CHOICE, .unit = "", .def = MPU_AT_TABLE,       \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SIDES_OR_TABLE),                            \
                .doc = "instructions annotated with no side", .source = MSW_PUBLIC,                \
                .reference = RELEASED, .offset = FIELD(unknown_side))

#endif
