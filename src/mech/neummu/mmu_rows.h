/* SPDX-License-Identifier: MIT */
/* Private to mech: rows of the tables of neummu that neummu_sparse has too, but for the offset. */
#ifndef MSW_MECH_NEUMMU_MMU_ROWS_H
#define MSW_MECH_NEUMMU_MMU_ROWS_H

#include "mech/neummu/config.h"
#include "memsweep/mech/mechanism.h"

#define NEUMMU_PAPER "arXiv:1911.06859, "
#define NEUMMU_TABLE NEUMMU_PAPER "table I; remembered, not read"

extern const msw_choice neummu_slots_full[3], neummu_path_caches[6];
extern const msw_preset_value neummu_preset_iommu[], neummu_preset_neummu[], neummu_preset_oracle[];

/* ---- parameters ---- */

#define NEUMMU_ORACLE_ROW                                                                          \
    .name = "oracle", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0, .neutral = MSW_NO_NEUTRAL, \
    .doc = "every translation is known at once: the reference", .source = MSW_PAPER,               \
    .reference = NEUMMU_PAPER "section III-C"
#define NEUMMU_TLB_ENTRIES_ROW                                                                     \
    .name = "tlb_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1, .max = 1048576,       \
    .def = 2048, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,                                     \
    .doc = "translations the TLB holds", .source = MSW_PAPER, .reference = NEUMMU_PAPER "fig. 8"
#define NEUMMU_TLB_WAYS_ROW                                                                        \
    .name = "tlb_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024, .def = 0,      \
    .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "ways of the TLB; 0: fully associative",  \
    .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 0, .plausible_max = 16
#define NEUMMU_TLB_CYCLES_ROW                                                                      \
    .name = "tlb_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 1000, .def = 5,  \
    .neutral = MSW_NO_NEUTRAL, .doc = "latency of a hit", .source = MSW_INFERRED,                  \
    .reference = NEUMMU_TABLE "; the same in casys-kaist/mNPUsim single.cfg", .plausible_min = 1,  \
    .plausible_max = 10
#define NEUMMU_PTW_COUNT_ROW                                                                       \
    .name = "ptw_count", .kind = MSW_INTEGER, .unit = "walkers", .min = 1, .max = 4096,            \
    .def = 128, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "page-table walkers",         \
    .source = MSW_INFERRED, .reference = NEUMMU_PAPER "section IV-B; remembered, not read",        \
    .plausible_min = 64, .plausible_max = 256
#define NEUMMU_WALK_LEVEL_CYCLES_ROW                                                               \
    .name = "walk_level_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1, .max = 10000,    \
    .def = 100, .neutral = MSW_NO_NEUTRAL, .doc = "one page-table access", .source = MSW_INFERRED, \
    .reference = NEUMMU_TABLE "; the same in casys-kaist/mNPUsim single.cfg", .plausible_min = 50, \
    .plausible_max = 200
#define NEUMMU_SCOREBOARD_ROW                                                                      \
    .name = "scoreboard", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 1,                        \
    .neutral = MSW_NO_NEUTRAL,                                                                     \
    .doc = "misses look for a walk of their page (PTS); off: every miss walks",                    \
    .source = MSW_PAPER, .reference = NEUMMU_PAPER "section IV-A"
#define NEUMMU_PRMB_SLOTS_ROW                                                                      \
    .name = "prmb_slots", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = UINT32_MAX,    \
    .def = 32, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .max_word = "unlimited",              \
    .doc = "requests that can be merged into a walk", .source = MSW_INFERRED,                      \
    .reference = NEUMMU_PAPER "section IV-A; remembered, not read", .plausible_min = 8,            \
    .plausible_max = 32
#define NEUMMU_SLOTS_FULL_ROW                                                                      \
    .name = "slots_full", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_SLOTS_WALK,                \
    .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(neummu_slots_full),                                     \
    .doc = "what happens to a miss whose page's walk has no slot left", .source = MSW_INFERRED,    \
    .reference = NEUMMU_PAPER "section IV-A: blocked when all walkers are busy and all slots full"
#define NEUMMU_REPROBE_ROW                                                                         \
    .name = "reprobe", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,                           \
    .neutral = MSW_NO_NEUTRAL, .doc = "a blocked miss looks into the TLB again before it walks",   \
    .source = MSW_UNKNOWN, .reference = "the paper does not say"
#define NEUMMU_RETURN_CYCLES_ROW                                                                   \
    .name = "return_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 16, .def = 1, \
    .neutral = MSW_NO_NEUTRAL, .doc = "cycles between the answers to merged requests",             \
    .source = MSW_PAPER, .reference = NEUMMU_PAPER "section IV-A"
#define NEUMMU_PATH_CACHE_ROW                                                                      \
    .name = "path_cache", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_PATH_REGISTER,             \
    .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(neummu_path_caches),                                    \
    .doc = "what lets a walk skip upper levels", .source = MSW_PAPER,                              \
    .reference = NEUMMU_PAPER "section IV-C"
#define NEUMMU_MEMORY_CYCLES_ROW                                                                   \
    .name = "memory_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 10000,        \
    .def = 100, .neutral = MSW_NO_NEUTRAL, .doc = "memory latency", .source = MSW_INFERRED,        \
    .reference = NEUMMU_TABLE, .plausible_min = 50, .plausible_max = 200

/* ---- metrics ---- */

#define NEUMMU_TLB_HITS_ROW                                                                        \
    .name = "tlb_hits", .unit = "requests", .goal = MSW_GOAL_HIGHER,                               \
    .doc = "translations the TLB answers"
#define NEUMMU_TLB_MISSES_ROW                                                                      \
    .name = "tlb_misses", .unit = "requests", .goal = MSW_GOAL_LOWER,                              \
    .doc = "translations it does not"

/* ---- presets ---- */

#define NEUMMU_IOMMU_ROW                                                                           \
    .name = "iommu", .doc = "8 walkers, no merging, no path cache", .values = neummu_preset_iommu
#define NEUMMU_NEUMMU_ROW                                                                          \
    .name = "neummu", .doc = "128 walkers with 32 merge slots and a path register each",           \
    .values = neummu_preset_neummu
#define NEUMMU_ORACLE_PRESET_ROW                                                                   \
    .name = "oracle", .doc = "every translation is known at once", .values = neummu_preset_oracle

#endif
