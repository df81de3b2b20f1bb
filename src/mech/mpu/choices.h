/* SPDX-License-Identifier: MIT */
/* Private to mpu: the choices of its parameters; included by params.c alone. */
#ifndef MSW_MECH_MPU_CHOICES_H
#define MSW_MECH_MPU_CHOICES_H

#include "mech/mpu/config.h"

static const msw_choice ROW_PLACEMENTS[] = {
    [MPU_ROWS_MOD] = {.name = "mod", .doc = "row r uses buffer r modulo row_buffers (MASA)"},
    [MPU_ROWS_LRU] = {.name = "lru",
                      .doc = "any row in any buffer; the least recently used one is closed"},
    {0},
};
static const msw_choice ROW_HASHES[] = {
    [MPU_HASH_NONE] = {.name = "none", .doc = "the row's number alone decides its buffer"},
    [MPU_HASH_XOR] = {.name = "xor",
                      .doc = "all groups of the row's bits are XORed: arrays a power of two apart "
                             "meet less often"},
    {0},
};
static const msw_choice PLACEMENTS[] = {
    [MPU_PLACEMENT_LINE] = {.name = "line",
                            .doc =
                                "from the lowest address bit: byte of an access, bank, near-bank "
                                "unit, core, cube, column, row"},
    [MPU_PLACEMENT_ROW] = {.name = "row",
                           .doc =
                               "byte, bank, column, near-bank unit, core, cube, row: a row of all "
                               "banks of a unit, then the next unit"},
    [MPU_PLACEMENT_BANK] = {.name = "bank",
                            .doc = "byte, bank, column, row, near-bank unit, core, cube: a unit is "
                                   "filled before the next one"},
    {0},
};
static const msw_choice DISPATCHES[] = {
    [MPU_DISPATCH_ROUND_ROBIN] = {.name = "round_robin",
                                  .doc = "CTA i goes to core i modulo the cores"},
    [MPU_DISPATCH_OWNER] = {.name = "owner",
                            .doc = "to the core that holds the first line the CTA accesses"},
    {0},
};
static const msw_choice BINDINGS[] = {
    [MPU_BIND_MODULO] = {.name = "modulo", .doc = "warp w of a CTA: sub-core w modulo subcores"},
    [MPU_BIND_FREE] = {.name = "free", .doc = "the sub-core with the fewest warps"},
    {0},
};
static const msw_choice PIPELINES[] = {
    [MPU_PIPELINE_HYBRID] = {.name = "hybrid",
                             .doc = "front end, LSU and network on the logic die, registers, ALUs "
                                    "and LSU-extensions on both (MPU)"},
    [MPU_PIPELINE_BASE] = {.name = "base_die",
                           .doc = "all logic on the logic die: every access crosses the TSVs "
                                  "(PonB)"},
    [MPU_PIPELINE_DRAM] = {.name = "dram_die",
                           .doc = "the whole core on the DRAM die: nothing but the network crosses "
                                  "the TSVs"},
    {0},
};
static const msw_choice SHARED_SIDES[] = {
    [MPU_SHARED_NEAR] = {.name = "near", .doc = "on the DRAM die, beside the near-bank units"},
    [MPU_SHARED_FAR] = {.name = "far", .doc = "on the logic die"},
    {0},
};
static const msw_choice LAYOUTS[] = {
    [MPU_LAYOUT_HORIZONTAL] = {.name = "horizontal",
                               .doc = "all near-bank units of a core on one die"},
    [MPU_LAYOUT_VERTICAL] = {.name = "vertical",
                             .doc = "a core's near-bank units on different dies: near shared "
                                    "memory is split, and reached over the TSVs"},
    {0},
};
static const msw_choice POLICIES[] = {
    [MPU_POLICY_ANNOTATION] = {.name = "annotation", .doc = "hints of the compiler (algorithm 1)"},
    [MPU_POLICY_DEFAULT] = {.name = "default",
                            .doc = "no hints: near when the register track table has all sources "
                                   "there"},
    [MPU_POLICY_NEAR] = {.name = "all_near", .doc = "every instruction that can run near does"},
    [MPU_POLICY_FAR] = {.name = "all_far", .doc = "every instruction that can run far does"},
    {0},
};
static const msw_choice ANNOTATIONS[] = {
    [MPU_ANNOTATION_INTENDED] = {.name = "intended",
                                 .doc = "accesses and jumps side registers; others follow the "
                                        "destination where that is known"},
    [MPU_ANNOTATION_PRINTED] = {.name = "printed",
                                .doc = "algorithm 1 to the letter: every instruction spreads, and "
                                       "an unknown destination counts as a side"},
    {0},
};
static const msw_choice BANK_BUSES[] = {
    [MPU_BUSES_SHARED] = {.name = "shared", .doc = "the banks of a near-bank unit share them"},
    [MPU_BUSES_OWN] = {.name = "own", .doc = "every bank has its own"},
    {0},
};
static const msw_choice REFILLS[] = {
    [MPU_REFILL_EACH] = {.name = "each", .doc = "as soon as one has ended"},
    [MPU_REFILL_BATCH] = {.name = "batch", .doc = "when all of the core have ended"},
    {0},
};
#define SIDES                                                                                      \
    [MPU_AT_FAR] = {.name = "far", .doc = "on the logic die"}, [MPU_AT_NEAR] = {                   \
                                                                   .name = "near",                 \
                                                                   .doc = "on the DRAM die"}
static const msw_choice SIDES_ONLY[] = {SIDES, {0}};
static const msw_choice SIDES_OR_TABLE[] = {
    SIDES,
    [MPU_AT_TABLE] = {.name = "table", .doc = "where the register track table sends it"},
    {0},
};
static const msw_choice SIDES_TABLE_OR_TWICE[] = {
    SIDES,
    [MPU_AT_TABLE] = {.name = "table", .doc = "where the register track table sends it"},
    [MPU_AT_BOTH] = {.name = "both",
                     .doc = "it is executed on each side, its result is valid on both"},
    {0},
};
static const msw_choice GUARDS[] = {
    SIDES,
    [MPU_AT_TABLE] = {.name = "follow", .doc = "where the guarded instruction is"},
    {0},
};
static const msw_choice SCHEDULERS[] = {
    [MPU_SCHEDULER_GTO] = {.name = "gto",
                           .doc = "the same warp until it waits, then the oldest ready one"},
    [MPU_SCHEDULER_ROUND_ROBIN] = {.name = "round_robin", .doc = "the next ready warp"},
    {0},
};
static const msw_choice CLOSINGS[] = {
    [MPU_CLOSE_OLDER] = {.name = "older",
                         .doc = "a request may close a row unless an older one waits for it"},
    [MPU_CLOSE_LAST] = {.name = "last",
                        .doc = "unless any request waits for it, or hit_cap is reached"},
    {0},
};

#endif
