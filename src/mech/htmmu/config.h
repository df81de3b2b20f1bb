/* SPDX-License-Identifier: MIT */
/* Private to htmmu: what can be set. */
#ifndef MSW_MECH_HTMMU_CONFIG_H
#define MSW_MECH_HTMMU_CONFIG_H

#include "memsweep/base/bits.h"
#include "memsweep/param/param.h"

/* A field for each parameter; meaning, unit and source of each are in params.c. Choices hold the
 * numbers of the enums below. */
typedef struct htmmu_config {
    int64_t requester, window;
    double rate;
    int64_t burst;
    double peak_rate;
    int64_t streams, router, router_by, router_bit, free_choice, divert;
    int64_t l1_entries, l1_ways, l1_coalesce, l1_cycles, l1_mshrs, register_holds, mshr_merge;
    int64_t l2_entries, l2_ways, l2_coalesce, l2_cycles, l2_ports, l2_mshrs;
    int64_t policy, coalesce_fill;
    int64_t ptu_queue, merge_entries, merge_items, items_full, reprobe;
    int64_t path_cache, tpc_entries, tpc_ways, tpc_cycles;
    int64_t page_size, large_page;
    double large_share;
    int64_t table_levels, level_cycles;
    int64_t memory_model, memory_preset, memory_channels, memory_banks, memory_path;
    double dram_pj_per_bit, node;
    int64_t tlb_entry_bytes, item_bytes, tpc_entry_bytes, bank_gates;
    int64_t walker_choice, table_lines, table_line_ways, table_line_cycles;
} htmmu_config;

enum { HTMMU_CLOSED, HTMMU_OPEN, HTMMU_TIMED };
enum { HTMMU_ROUTER_NONE, HTMMU_ROUTER_BITS, HTMMU_ROUTER_ADAPTIVE };
enum { HTMMU_BY_ADDRESS, HTMMU_BY_REQUESTER };
enum { HTMMU_FREE_NEXT, HTMMU_FREE_LOWEST, HTMMU_FREE_LEAST };
enum { HTMMU_DIVERT_BUSY, HTMMU_DIVERT_STALLED };
enum { HTMMU_HOLDS_MISS, HTMMU_HOLDS_PAGE };
enum { HTMMU_FILL_PAGE, HTMMU_FILL_BLOCK };
enum { HTMMU_FULL_WALK, HTMMU_FULL_WAIT };
enum { HTMMU_MEMORY_FIXED, HTMMU_MEMORY_BANKS };
enum { HTMMU_PATH_NONE, HTMMU_PATH_REGISTER, HTMMU_PATH_SHARED, HTMMU_PATH_UNIFIED };

enum { HTMMU_LINE_BYTES = 64 }; /* of the page table */
enum { HTMMU_BANKS = 16 };      /* of the first TLB, at most */

extern const msw_param htmmu_params[];

/* Rules across parameters. Returns 0, or -1 with why the config cannot exist. */
int htmmu_check(const void *config, msw_err *err);

/* Entries of one bank of the first TLB. */
static inline int64_t htmmu_bank_entries(const htmmu_config *config)
{
    return config->l1_entries / config->streams;
}

#endif
