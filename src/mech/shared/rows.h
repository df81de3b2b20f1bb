/* SPDX-License-Identifier: MIT */
/* Private to mech: rows of parameter tables that mechanisms share, but for the offset: those of
 * the MMU, and the presets of memory with what their lint says. */
#ifndef MSW_MECH_SHARED_ROWS_H
#define MSW_MECH_SHARED_ROWS_H

#include "memsweep/base/text.h"
#include "memsweep/param/param.h"
#include "memsweep/sim/assoc.h"
#include "memsweep/sim/dram.h"
#include "memsweep/sim/walker.h"

/* Replacement in a TLB: the policies that need no stream of the future and no set duelling. */
extern const msw_choice msw_tlb_policies[MSW_POLICY_RANDOM + 2];
extern const msw_choice msw_walker_choices[MSW_WALKER_SAME_PATH + 2];

#define MSW_TABLE_LINES_ROW                                                                        \
    .name = "table_lines", .kind = MSW_INTEGER, .unit = "lines", .min = 0, .max = 65536, .def = 0, \
    .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,                                                  \
    .doc = "64-byte lines of the page table that the walkers keep; 0: none",                       \
    .source = MSW_UNKNOWN, .reference = "the paper does not say", .plausible_min = 0,              \
    .plausible_max = 1024
#define MSW_TABLE_LINE_WAYS_ROW                                                                    \
    .name = "table_line_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024,         \
    .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,                                        \
    .doc = "ways of that cache; 0: fully associative", .source = MSW_UNKNOWN,                      \
    .reference = "the paper does not say", .plausible_min = 0, .plausible_max = 16
#define MSW_TABLE_LINE_CYCLES_ROW                                                                  \
    .name = "table_line_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 1000,     \
    .def = 4, .neutral = MSW_NEUTRAL(4), .doc = "one look-up of it, hit or miss",                  \
    .source = MSW_UNKNOWN, .reference = "the paper does not say", .plausible_min = 1,              \
    .plausible_max = 20

/* In the order of msw_dram_presets, which new ones end. */
enum { MSW_MEMORY_HBM2 = 1, MSW_MEMORIES = 11 };
extern const msw_choice msw_memory_choices[MSW_MEMORIES + 1];

/* Returns the configuration of a choice. */
static inline const msw_dram_config *msw_memory_of(int64_t choice)
{
    return &msw_dram_presets[choice].config;
}

/* Memory as it is bought: a number of stacks (channels, packages, devices, as the preset has them),
 * or as many as carry a bandwidth. */
enum { MSW_STACKS_MAX = 16 };
#define MSW_MEMORY_STACKS_ROW                                                                      \
    .name = "memory_stacks", .kind = MSW_INTEGER, .unit = "", .min = 0, .max = MSW_STACKS_MAX,     \
    .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,                                        \
    .doc = "stacks or devices of memory_preset, a power of two; 0: memory_channels counts",        \
    .source = MSW_UNKNOWN, .reference = "a choice", .plausible_min = 0, .plausible_max = 8
#define MSW_MEMORY_LEAST_ROW                                                                       \
    .name = "memory_least_bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 0, .max = 16384,    \
    .def = 0, .neutral = MSW_NEUTRAL(0),                                                           \
    .doc = "stacks are doubled until they have this peak; 0: as many as memory_stacks says",       \
    .source = MSW_UNKNOWN, .reference = "a choice", .plausible_min = 0, .plausible_max = 1000

typedef struct msw_memory_size {
    int64_t stacks, channels; /* channels: where no stacks and no bandwidth are asked for */
    double least;             /* GB/s */
} msw_memory_size;

/* Returns how many channels of a preset that are. */
uint32_t msw_memory_channels(const msw_dram_config *preset, const msw_memory_size *size);

/* Refuses what cannot be dealt out by bits of addresses, and a bandwidth that MSW_STACKS_MAX stacks
 * do not have. Returns 0, or -1. */
int msw_memory_check(const msw_dram_config *preset, const msw_memory_size *size, msw_err *err);

/* Appends the findings of the lint, one a line. */
void msw_memory_lint(const msw_dram_config *config, msw_text *lines);

#endif
