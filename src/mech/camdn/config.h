/* SPDX-License-Identifier: MIT */
/* Private to camdn: its configuration, and the numbers of the metrics. */
#ifndef MSW_MECH_CAMDN_CONFIG_H
#define MSW_MECH_CAMDN_CONFIG_H

#include "memsweep/mech/mechanism.h"

enum { CAMDN_REPLACE_LRU, CAMDN_REPLACE_DRRIP };
enum { CAMDN_SHARE_ALL, CAMDN_SHARE_WAYS, CAMDN_SHARE_UTILITY };
enum { CAMDN_TAGGED, CAMDN_PAGED };
enum { CAMDN_EQUAL, CAMDN_DYNAMIC };
enum { CAMDN_BLOCKS_NONE, CAMDN_BLOCKS_TABLE, CAMDN_BLOCKS_PAGES, CAMDN_BLOCKS_WHOLE };
enum { CAMDN_NEXT_SHARE, CAMDN_NEXT_LEAST, CAMDN_NEXT_MOST };
enum { CAMDN_ESTIMATE_SHARED, CAMDN_ESTIMATE_ALONE };
enum { CAMDN_DRAW_RANDOM, CAMDN_DRAW_DECK, CAMDN_DRAW_PINNED };
enum { CAMDN_CLOSED, CAMDN_POISSON, CAMDN_LIST };
enum { CAMDN_BY_ARRIVAL, CAMDN_BY_SCORE, CAMDN_BY_URGENCY };
enum { CAMDN_GANG_ONE, CAMDN_GANG_STATIC, CAMDN_GANG_EQUAL, CAMDN_GANG_AURORA };
enum { CAMDN_RATE_MOCA, CAMDN_RATE_STATIC, CAMDN_RATE_EQUAL, CAMDN_RATE_AURORA };
enum { CAMDN_MEMORY_FIXED, CAMDN_MEMORY_BANKS };
enum { CAMDN_WEIGHTS_PRIVATE, CAMDN_WEIGHTS_SHARED };

enum { CAMDN_TENANTS_MAX = 64, CAMDN_LEVELS_MAX = 16 };
enum { CAMDN_LINES_MOST = 1 << 20 }; /* under way, of all tenants */

enum {
    CAMDN_TRANSLATE_NONE,
    CAMDN_TRANSLATE_IDEAL,
    CAMDN_TRANSLATE_PRIVATE,
    CAMDN_TRANSLATE_WALKERS,
    CAMDN_TRANSLATE_SHARED
};
enum { CAMDN_BEFORE_CACHE, CAMDN_AT_MISS };
enum { CAMDN_WALKS_FIXED, CAMDN_WALKS_MEMORY, CAMDN_WALKS_CACHE };
enum { CAMDN_WALKERS_POOL, CAMDN_WALKERS_PARTS, CAMDN_WALKERS_STEALING };
enum { CAMDN_FILL_ARRIVES, CAMDN_FILL_CLAIMS };
enum { CAMDN_FRAMES_LINEAR, CAMDN_FRAMES_SCATTERED, CAMDN_FRAMES_TOUCHED };
enum { CAMDN_STORES_POSTED, CAMDN_STORES_WAITED };
enum { CAMDN_CHANNELS_ALL, CAMDN_CHANNELS_PARTS };

/* Translation in front of the cache. */
typedef struct camdn_translation {
    int64_t kind, lines, ahead, width, page;
    int64_t tlb_entries, tlb_ways, tlb_policy, tlb_cycles, fill;
    int64_t tlb2_entries, tlb2_ways, tlb2_cycles;
    int64_t walkers, level_cycles, walk_cycles, queue;
    int64_t scoreboard, slots, slots_full, return_cycles, path_cache, path_entries;
    int64_t memory, walk_ways, share, first, least, most, frames;
} camdn_translation;

typedef struct camdn_config {
    int64_t tenants, npus, tasks, first, draw, weights;
    int64_t arrivals, scheduler;
    double interval, arrival_scale, target_scale;
    int64_t arrays, array_rows, array_cols, dataflow, scratchpad, accumulator, sum_bytes, single,
        depthwise;
    int64_t lanes, tiling, requests, burst, port_bytes;
    int64_t cache, slices, ways, line, replacement, share, bypass;
    int64_t control, npu_ways, tagged_ways, pages; /* pages: of the whole cache */
    int64_t utility_cycles, throttle;
    int64_t levels, blocks, allocation, next, estimate, page_cycles, release_cycles;
    double timeout;
    int64_t cache_cycles, slice_bytes;
    int64_t memory, memory_preset, channels, stacks, memory_cycles;
    double bandwidth, frequency, least; /* least: bandwidth that stacks are doubled for */
    double cpu_misses, cpu_exponent, cpu_cpi;
    int64_t npu_policy, gang, multicast, rate_policy, residents;
    int64_t hopeless_gives;
    double load, throttle_least; /* per cent */
    int64_t colours;             /* of banks */
    int64_t mesh_width, link_bytes, hop_cycles, start_cycles;
    int64_t stores, channels_share;
    camdn_translation translation;
} camdn_config;

/* In the order of the columns. */
enum {
    CAMDN_CYCLES,
    CAMDN_COMPUTE,
    CAMDN_WAIT_CACHE,
    CAMDN_WAIT_MEMORY,
    CAMDN_WAIT_PAGES,
    CAMDN_WAIT_NPU,
    CAMDN_WAIT_START,
    CAMDN_WAIT_TRANSLATION,
    CAMDN_STOPPED,
    CAMDN_TASKS,
    CAMDN_LATENCY,
    CAMDN_TARGETED,
    CAMDN_IN_TIME,
    CAMDN_SLA,
    CAMDN_REQUESTS,
    CAMDN_HITS,
    CAMDN_HIT_RATE,
    CAMDN_READ,
    CAMDN_WRITTEN,
    CAMDN_TRAFFIC,
    CAMDN_TRAFFIC_TASK,
    CAMDN_UNCACHED,
    CAMDN_LAYERWISE,
    CAMDN_FUSED,
    CAMDN_FUSED_PAGES,
    CAMDN_FIXED,
    CAMDN_CLAIRVOYANT,
    CAMDN_ENERGY,
    CAMDN_ENERGY_MEMORY,
    CAMDN_ENERGY_CACHE,
    CAMDN_ENERGY_NPU,
    CAMDN_ENERGY_TASK,
    CAMDN_USED_ONCE,
    CAMDN_BEYOND_1MIB,
    CAMDN_BEYOND_2MIB,
    CAMDN_CPU_SLOWDOWN,
    CAMDN_TABLE_SHARE,
    CAMDN_NEC_SHARE,
    CAMDN_TRANSLATIONS,
    CAMDN_TLB_HITS,
    CAMDN_TLB_MISSES,
    CAMDN_WALKS,
    CAMDN_MERGED,
    CAMDN_WALK_ACCESSES,
    CAMDN_ENERGY_DRAM,
    CAMDN_ENERGY_LINKS,
    CAMDN_ENERGY_TRANSLATION,
    CAMDN_ENERGY_STATIC,
    CAMDN_ENERGY_ALL,
    CAMDN_EDP,
    CAMDN_PEAK,
    CAMDN_LEAST_ARRAY,
    CAMDN_LEAST_PORT,
    CAMDN_LEAST_MEMORY,
    CAMDN_LEAST_FLIGHT,
    CAMDN_LEAST_WALK,
    CAMDN_BOUND_SHARE,
    CAMDN_METRICS,
};

extern const msw_param camdn_params[];
extern const msw_metric camdn_metrics[];
extern const msw_self_check camdn_checks[];
extern const msw_law camdn_laws[];

#endif
