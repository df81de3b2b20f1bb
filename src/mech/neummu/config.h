/* SPDX-License-Identifier: MIT */
/* Private to mech: what can be set of neummu, and of the MMU that neummu_sparse shares with it. */
#ifndef MSW_MECH_NEUMMU_CONFIG_H
#define MSW_MECH_NEUMMU_CONFIG_H

#include "mech/shared/rows.h"

#include "memsweep/base/bits.h"
#include "memsweep/param/param.h"
#include "memsweep/sim/translate.h"

/* A field for each parameter; meaning, unit and source of each are in params.c. Choices hold the
 * numbers of the enums below. */
typedef struct neummu_config {
    int64_t oracle;
    int64_t page_size, large_page_size;
    int64_t tlb_entries, tlb_ways, tlb_cycles;
    int64_t tlb2_entries, tlb2_ways, tlb2_cycles;
    int64_t tlb_policy;
    int64_t ptw_count, walk_level_cycles, walk_cycles, table_levels;
    int64_t scoreboard, prmb_slots, slots_full, reprobe, walk_queue, return_cycles;
    int64_t path_cache, path_entries, path_ways, path_cycles;
    int64_t walk_traffic, boundary;
    int64_t dma_bytes, issue_width, outstanding;
    double frequency, bandwidth;
    int64_t memory_cycles, memory_model, memory_preset, memory_channels, memory_stacks;
    double memory_least;
    double dram_pj_per_bit, node;
    int64_t slot_bytes, path_register_bytes, scoreboard_bytes;
    int64_t profile_window, profile_layers;
    int64_t walker_choice, queue_reprobe;
    int64_t walk_memory, table_lines, table_line_ways, table_line_cycles;
    int64_t tlb_prefetch, tlb_prefetch_depth, tlb_prefetch_spare;
    int64_t path_l5_entries, path_l4_entries, path_l3_entries, path_l2_entries;
} neummu_config;

enum { NEUMMU_SLOTS_WALK, NEUMMU_SLOTS_BLOCK };
enum {
    NEUMMU_BOUNDARY_STORED,
    NEUMMU_BOUNDARY_FORWARDED,
    NEUMMU_BOUNDARY_ORDERED,
    NEUMMU_BOUNDARY_OVERLAPPED
};
enum { NEUMMU_MEMORY_FLAT, NEUMMU_MEMORY_BANKS };
enum {
    NEUMMU_PATH_NONE,
    NEUMMU_PATH_REGISTER,
    NEUMMU_PATH_SHARED,
    NEUMMU_PATH_UNIFIED,
    NEUMMU_PATH_LEVELS
};
/* How far translations are asked for ahead: in order, each looks further than the one before. */
enum {
    NEUMMU_PREFETCH_NONE,
    NEUMMU_PREFETCH_NEXT_PAGE,
    NEUMMU_PREFETCH_TILE,
    NEUMMU_PREFETCH_LAYER,
    NEUMMU_PREFETCH_NETWORK
};
enum { NEUMMU_WALKS_FIXED, NEUMMU_WALKS_SHARED };
enum { NEUMMU_LINE_BYTES = 64 }; /* a page-table access moves one line */

/* Defaults of what the MMU's structures cost: neummu_sparse has no others. */
enum {
    NEUMMU_SLOT_BYTES = 8,
    NEUMMU_PATH_REGISTER_BYTES = 16,
    NEUMMU_SCOREBOARD_BYTES = 6,
    NEUMMU_DRAM_PJ_PER_BIT = 20,
    NEUMMU_NODE_NM = 45
};

extern const msw_param neummu_params[];

/* Rules across parameters. Returns 0, or -1 with why the config cannot exist. */
int neummu_check(const void *config, msw_err *err);

/* Returns the MMU that a config describes, its times in ticks. */
msw_mmu_config neummu_mmu_config(const neummu_config *config);

/* Channels of the memory. */
msw_memory_size neummu_memory_size(const neummu_config *config);
uint32_t neummu_channels(const neummu_config *config);

/* Whether page-table accesses are reads of the memory that carries the data. */
static inline bool neummu_reads_memory(const neummu_config *config)
{
    return config->walk_memory == NEUMMU_WALKS_SHARED;
}

/* Whether they are timed one by one. */
static inline bool neummu_times_accesses(const neummu_config *config)
{
    return neummu_reads_memory(config) || config->table_lines;
}

/* Whether misses that wait for a walker wait in line until they start. */
static inline bool neummu_queue_waits(const neummu_config *config)
{
    return config->walk_queue &&
           (config->queue_reprobe || config->walker_choice || neummu_times_accesses(config));
}

/* Whether translations are asked for ahead. */
static inline bool neummu_prefetches(const neummu_config *config)
{
    return !config->oracle && config->tlb_prefetch != NEUMMU_PREFETCH_NONE;
}

/* Returns how page-table accesses are made, in ticks. */
msw_walkread_config neummu_read_config(const neummu_config *config);

/* Log2 of the page sizes; no large pages: 0. */
typedef struct neummu_shifts {
    unsigned small, large;
} neummu_shifts;

static inline neummu_shifts neummu_shifts_of(const neummu_config *config)
{
    return (neummu_shifts){msw_bits_log2((uint64_t)config->page_size),
                           msw_bits_log2((uint64_t)config->large_page_size)};
}

#endif
