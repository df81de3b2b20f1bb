/* SPDX-License-Identifier: MIT */
/* neummu: everything that can be set and measured. "Table I" means a number that is remembered,
 * not read. The first eight metrics after cycles and slowdown add up to the cycles.
 *
 * Machines by their public figures, as presets. `npu_cols` puts a chip's matrix units side by
 * side; `frequency` is the published peak over two operations a cell and cycle; what is not said
 * keeps its default. Sources and arithmetic: README.md, 'Machines'. */
#include "mech/shared/tables.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/neummu/model.h"
#include "mech/shared/rows.h"

#include <assert.h>

const msw_choice neummu_slots_full[] = {
    [NEUMMU_SLOTS_WALK] =
        {.name = "walk",
         .doc = "it takes a free walker, in addition to the walk it cannot wait for"},
    [NEUMMU_SLOTS_BLOCK] = {.name = "block",
                            .doc = "it waits, and all behind it, until that walk ends"},
    {0},
};

static const msw_choice BOUNDARIES[] = {
    [NEUMMU_BOUNDARY_STORED] = {.name = "stored",
                                .doc =
                                    "they wait until the last tile has been computed and stored"},
    [NEUMMU_BOUNDARY_FORWARDED] =
        {.name = "forwarded",
         .doc = "the last tile's output stays on chip where it fits: it is not loaded, and the "
                "rest waits for its computing only; else as stored"},
    [NEUMMU_BOUNDARY_ORDERED] =
        {.name = "ordered",
         .doc = "they wait for the computing and are issued behind the stores, whose end they do "
                "not await"},
    [NEUMMU_BOUNDARY_OVERLAPPED] =
        {.name = "overlapped",
         .doc = "as any other tile's: they run while the last tile computes, whatever it produces"},
    {0},
};

static const msw_choice MEMORIES[] = {
    [NEUMMU_MEMORY_FLAT] = {.name = "flat",
                            .doc = "bandwidth and memory_cycles, whatever the addresses"},
    [NEUMMU_MEMORY_BANKS] =
        {.name = "banks",
         .doc = "memory_channels of memory_preset, by the closed form of its banks: "
                "few bytes in a row are slow"},
    {0},
};

const msw_choice neummu_path_caches[] = {
    [NEUMMU_PATH_NONE] = {.name = "none", .doc = "every walk reads all levels"},
    [NEUMMU_PATH_REGISTER] = {.name = "register",
                              .doc = "each walker keeps the path of its last walk (TPreg)"},
    [NEUMMU_PATH_SHARED] = {.name = "shared", .doc = "all walkers share a cache of paths (TPC)"},
    [NEUMMU_PATH_UNIFIED] = {.name = "unified",
                             .doc = "all walkers share a cache of page-table entries (UPTC)"},
    [NEUMMU_PATH_LEVELS] = {.name = "levels",
                            .doc = "all walkers share one small cache for each upper level"},
    {0},
};

#define FIELD(f) offsetof(neummu_config, f)
#define SAME(v)  .def = (v), .neutral = MSW_NEUTRAL(v) /* the default adds nothing */

#define SILENT "the paper does not say"

static const msw_choice WALK_MEMORIES[] = {
    [NEUMMU_WALKS_FIXED] = {.name = "fixed", .doc = "walk_level_cycles an access"},
    [NEUMMU_WALKS_SHARED] = {.name = "shared",
                             .doc = "an access is a read of the memory (memory_model) and waits "
                                    "behind the data asked for before"},
    {0},
};

static const msw_choice PREFETCHES[] = {
    [NEUMMU_PREFETCH_NONE] = {.name = "none", .doc = "a page is walked when it is asked for"},
    [NEUMMU_PREFETCH_NEXT_PAGE] = {.name = "next_page",
                                   .doc = "the pages that follow by number, whatever the tile"},
    [NEUMMU_PREFETCH_TILE] = {.name = "tile", .doc = "the next page visits of the transfer"},
    [NEUMMU_PREFETCH_LAYER] = {.name = "layer",
                               .doc = "and those of the layer's transfers behind it"},
    [NEUMMU_PREFETCH_NETWORK] = {.name = "network", .doc = "and those of the next layer"},
    {0},
};

#define LEVEL_ROW(level, entries, also)                                                            \
    MSW_ROW(.name = "path_l" #level "_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 0,  \
            .max = 4096, .def = (entries), .neutral = MSW_NEUTRAL(entries), .scale = MSW_POW2,     \
            .doc = "level " #level " entries kept, with path_cache: levels", .source = MSW_PUBLIC, \
            .reference = "ChampSim: its walker's cache of level " #level,                          \
            .acts = "NOT oracle AND path_cache = 'levels'" also,                                   \
            .offset = FIELD(path_l##level##_entries))

const msw_param neummu_params[] = {
    {NEUMMU_ORACLE_ROW, .offset = FIELD(oracle)},
    MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = 1073741824,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "size of pages, a power of two", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section III-C", .plausible_min = 4096,
            .plausible_max = 2097152, .offset = FIELD(page_size)),
    MSW_ROW(.name = "large_page_size", .kind = MSW_SIZE, .unit = "B", .min = 0, .max = 1073741824,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "aligned areas of this size that lie wholly inside one tensor are one page; 0: "
                   "all pages are "
                   "of page_size",
            .source = MSW_PUBLIC,
            .reference = "what an operating system does with large allocations",
            .plausible_min = 2097152, .plausible_max = 1073741824,
            .offset = FIELD(large_page_size)),
    {NEUMMU_TLB_ENTRIES_ROW, .acts = "NOT oracle", .offset = FIELD(tlb_entries)},
    {NEUMMU_TLB_WAYS_ROW, .acts = "NOT oracle AND tlb_entries > 1", .offset = FIELD(tlb_ways)},
    {NEUMMU_TLB_CYCLES_ROW, .acts = "NOT oracle", .offset = FIELD(tlb_cycles)},
    MSW_ROW(.name = "tlb2_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 0,
            .max = 1048576, .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "translations a second-level TLB holds; 0: there is none", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "fig. 8", .acts = "NOT oracle",
            .offset = FIELD(tlb2_entries)),
    MSW_ROW(.name = "tlb2_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "ways of the second level; 0: fully associative", .source = MSW_UNKNOWN,
            .reference = "not used by the paper", .plausible_min = 0, .plausible_max = 16,
            .acts = "NOT oracle AND tlb2_entries > 1", .offset = FIELD(tlb2_ways)),
    MSW_ROW(.name = "tlb2_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 1000,
            .def = 10, .neutral = MSW_NEUTRAL(10), .doc = "latency the second level adds",
            .source = MSW_UNKNOWN, .reference = "not used by the paper", .plausible_min = 5,
            .plausible_max = 50, .acts = "NOT oracle AND tlb2_entries > 0",
            .offset = FIELD(tlb2_cycles)),
    MSW_ROW(.name = "tlb_policy", .kind = MSW_CHOICE, .unit = "", .def = MSW_POLICY_LRU,
            .neutral = MSW_NEUTRAL(MSW_POLICY_LRU), MSW_CHOICES(msw_tlb_policies),
            .doc = "replacement in both TLBs; all but lru make full one pass",
            .source = MSW_UNKNOWN, .reference = "the paper does not say", .acts = "NOT oracle",
            .offset = FIELD(tlb_policy)),
    {NEUMMU_PTW_COUNT_ROW, .acts = "NOT oracle", .offset = FIELD(ptw_count)},
    {NEUMMU_WALK_LEVEL_CYCLES_ROW,
     .acts = "NOT oracle AND walk_cycles = 0 AND walk_memory = 'fixed'",
     .offset = FIELD(walk_level_cycles)},
    MSW_ROW(.name = "walk_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 100000,
            .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "a whole walk, whatever it reads; 0: walk_level_cycles for each access",
            .source = MSW_PUBLIC, .reference = "casys-kaist/mNPUsim: walks of fixed length",
            .plausible_min = 100, .plausible_max = 1600, .acts = "NOT oracle",
            .offset = FIELD(walk_cycles)),
    MSW_ROW(.name = "table_levels", .kind = MSW_INTEGER, .unit = "levels", .min = 4, .max = 5,
            .def = 4, .neutral = MSW_NEUTRAL(4),
            .doc = "levels of the page table; large pages end the walk earlier",
            .source = MSW_PAPER, .reference = NEUMMU_PAPER "section II-C", .acts = "NOT oracle",
            .offset = FIELD(table_levels)),
    {NEUMMU_SCOREBOARD_ROW, .acts = "NOT oracle", .offset = FIELD(scoreboard)},
    {NEUMMU_PRMB_SLOTS_ROW, .acts = "NOT oracle AND scoreboard", .offset = FIELD(prmb_slots)},
    {NEUMMU_SLOTS_FULL_ROW, .acts = "NOT oracle AND scoreboard", .offset = FIELD(slots_full)},
    {NEUMMU_REPROBE_ROW, .acts = "NOT oracle", .offset = FIELD(reprobe)},
    MSW_ROW(.name = "walk_queue", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = 65536,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "misses that can wait for a walker without holding up the ones behind",
            .source = MSW_UNKNOWN, .reference = "the paper does not say", .plausible_min = 0,
            .plausible_max = 1024, .acts = "NOT oracle", .offset = FIELD(walk_queue)),
    {NEUMMU_RETURN_CYCLES_ROW, .acts = "NOT oracle AND scoreboard AND prmb_slots > 0",
     .offset = FIELD(return_cycles)},
    {NEUMMU_PATH_CACHE_ROW, .acts = "NOT oracle", .offset = FIELD(path_cache)},
    MSW_ROW(.name = "path_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1, .max = 65536,
            .def = 16, .neutral = MSW_NEUTRAL(16), .scale = MSW_POW2,
            .doc = "paths (shared) or page-table entries (unified) kept", .source = MSW_UNKNOWN,
            .reference = "not recovered", .plausible_min = 1, .plausible_max = 1024,
            .acts = "NOT oracle AND path_cache IN ('shared', 'unified')",
            .offset = FIELD(path_entries)),
    MSW_ROW(.name = "path_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "ways of the unified cache; 0: fully associative", .source = MSW_UNKNOWN,
            .reference = "not recovered", .plausible_min = 0, .plausible_max = 16,
            .acts = "NOT oracle AND path_cache = 'unified' AND path_entries > 1",
            .offset = FIELD(path_ways)),
    MSW_ROW(.name = "path_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 100,
            .def = 0, .neutral = MSW_NEUTRAL(0), .doc = "one look-up of the path cache",
            .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 0,
            .plausible_max = 5, .acts = "NOT oracle AND path_cache <> 'none'",
            .offset = FIELD(path_cycles)),
    MSW_ROW(.name = "walk_traffic", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "page-table accesses take memory bandwidth, a 64-byte line each",
            .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section II-C: fixed latency and bandwidth",
            .acts = "NOT oracle AND walk_memory = 'fixed'", .offset = FIELD(walk_traffic)),
    MSW_ROW(.name = "boundary", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_BOUNDARY_STORED,
            .neutral = MSW_NEUTRAL(NEUMMU_BOUNDARY_STORED), MSW_CHOICES(BOUNDARIES),
            .doc = "what the loads of a layer's first tile wait for, where tiles overlap "
                   "(npu_overlap, "
                   "double buffers; not in lists)",
            .source = MSW_UNKNOWN,
            .reference = "the paper does not say; README.md, 'The layer boundary'",
            .offset = FIELD(boundary)),
    MSW_ROW(.name = "dma_bytes", .kind = MSW_SIZE, .unit = "B", .min = 64, .max = 4096, .def = 512,
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "longest DMA transaction, a power of two", .source = MSW_INFERRED,
            .reference = "one translation per cycle has to be able to ask for the bandwidth",
            .plausible_min = 64, .plausible_max = 1024, .offset = FIELD(dma_bytes)),
    MSW_ROW(.name = "issue_width", .kind = MSW_INTEGER, .unit = "requests", .min = 1, .max = 1024,
            .def = 1, .neutral = MSW_NEUTRAL(1), .scale = MSW_POW2, .max_word = "unlimited",
            .doc = "translations asked for per cycle", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "fig. 7", .offset = FIELD(issue_width)),
    MSW_ROW(.name = "outstanding", .kind = MSW_INTEGER, .unit = "requests", .min = 0, .max = 65536,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc = "misses that may be unanswered at once; 0: no limit", .source = MSW_UNKNOWN,
            .reference = "the paper does not say", .plausible_min = 0, .plausible_max = 4096,
            .acts = "NOT oracle", .offset = FIELD(outstanding)),
    MSW_ROW(.name = "frequency", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 5, .def = 1,
            .neutral = MSW_NO_NEUTRAL, .doc = "clock of array, DMA engine and MMU",
            .source = MSW_INFERRED, .reference = NEUMMU_TABLE, .plausible_min = 0.7,
            .plausible_max = 1.5, .offset = FIELD(frequency)),
    MSW_ROW(.name = "bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 1, .max = 16384,
            .def = 600, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "memory bandwidth, all channels", .source = MSW_INFERRED,
            .reference = NEUMMU_TABLE, .plausible_min = 300, .plausible_max = 900,
            .acts = "memory_model = 'flat'", .offset = FIELD(bandwidth)),
    {NEUMMU_MEMORY_CYCLES_ROW, .acts = "memory_model = 'flat'", .offset = FIELD(memory_cycles)},
    MSW_ROW(.name = "memory_model", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_MEMORY_FLAT,
            .neutral = MSW_NEUTRAL(NEUMMU_MEMORY_FLAT), MSW_CHOICES(MEMORIES),
            .doc = "what the memory is", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section II-C: fixed latency and bandwidth",
            .offset = FIELD(memory_model)),
    MSW_ROW(.name = "memory_preset", .kind = MSW_CHOICE, .unit = "", .def = MSW_MEMORY_HBM2,
            .neutral = MSW_NEUTRAL(MSW_MEMORY_HBM2), MSW_CHOICES(msw_memory_choices),
            .doc = "whose channels; but for energy with memory_model: banks", .source = MSW_PUBLIC,
            .reference = "docs/models/dram-presets.md", .offset = FIELD(memory_preset)),
    MSW_ROW(.name = "memory_channels", .kind = MSW_INTEGER, .unit = "channels", .min = 1,
            .max = 256, .def = 16, .neutral = MSW_NEUTRAL(16), .scale = MSW_POW2,
            .doc = "channels of memory_preset; but for energy with memory_model: banks",
            .source = MSW_PUBLIC, .reference = "two HBM2 stacks of eight",
            .acts = "memory_stacks = 0 AND memory_least_bandwidth = 0",
            .offset = FIELD(memory_channels)),
    {MSW_MEMORY_STACKS_ROW, .offset = FIELD(memory_stacks)},
    {MSW_MEMORY_LEAST_ROW, .offset = FIELD(memory_least)},
    MSW_ROW(.name = "dram_pj_per_bit", .kind = MSW_REAL, .unit = "pJ/bit", .min = 1, .max = 100,
            SAME(NEUMMU_DRAM_PJ_PER_BIT), .doc = "energy of a page-table access",
            .source = MSW_PUBLIC, .reference = "Horowitz, ISSCC 2014 (45 nm)", .plausible_min = 10,
            .plausible_max = 45, .acts = "NOT oracle", .offset = FIELD(dram_pj_per_bit)),
    MSW_ROW(.name = "node", .kind = MSW_REAL, .unit = "nm", .min = 7, .max = 45,
            SAME(NEUMMU_NODE_NM), .doc = "technology of the on-chip structures",
            .source = MSW_PAPER, .reference = NEUMMU_PAPER "fig. 12: 45 nm energies",
            .offset = FIELD(node)),
    MSW_ROW(.name = "slot_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 64,
            SAME(NEUMMU_SLOT_BYTES), .doc = "one merge slot", .source = MSW_UNKNOWN,
            .reference = "remembered: 8 B x 32 x 128 = 32 KiB", .plausible_min = 4,
            .plausible_max = 16,
            .acts = "NOT oracle AND ((scoreboard AND prmb_slots > 0) OR walk_queue > 0)",
            .offset = FIELD(slot_bytes)),
    MSW_ROW(.name = "path_register_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 64,
            SAME(NEUMMU_PATH_REGISTER_BYTES), .doc = "one path register", .source = MSW_UNKNOWN,
            .reference = "remembered: 16 B x 128 = 2 KiB", .plausible_min = 8, .plausible_max = 24,
            .acts = "NOT oracle AND path_cache IN ('register', 'shared')",
            .offset = FIELD(path_register_bytes)),
    MSW_ROW(.name = "scoreboard_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 64,
            SAME(NEUMMU_SCOREBOARD_BYTES), .doc = "one scoreboard entry", .source = MSW_UNKNOWN,
            .reference = "remembered: 6 B", .plausible_min = 5, .plausible_max = 8,
            .acts = "NOT oracle AND scoreboard", .offset = FIELD(scoreboard_bytes)),
    MSW_ROW(.name = "profile_window", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,
            .max = 1000000000, .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "window of the detail tables bursts (full and sampled) and walkers; 0: none is "
                   "written",
            .source = MSW_PUBLIC, .reference = "a choice of the reader",
            .offset = FIELD(profile_window)),
    MSW_ROW(.name = "profile_layers", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "writes the detail tables layers and walk_latency, at every fidelity",
            .source = MSW_PUBLIC, .reference = "a choice of the reader",
            .offset = FIELD(profile_layers)),
    MSW_ROW(.name = "walker_choice", .kind = MSW_CHOICE, .unit = "", .def = MSW_WALKER_LONGEST_IDLE,
            .neutral = MSW_NEUTRAL(MSW_WALKER_LONGEST_IDLE), MSW_CHOICES(msw_walker_choices),
            .doc = "which of several free walkers a walk takes", .source = MSW_UNKNOWN,
            .reference = SILENT, .acts = "NOT oracle", .offset = FIELD(walker_choice)),
    MSW_ROW(.name = "queue_reprobe", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NEUTRAL(0),
            .doc = "a miss that waited in walk_queue looks into the TLBs again when it starts",
            .source = MSW_UNKNOWN, .reference = SILENT, .acts = "NOT oracle AND walk_queue > 0",
            .offset = FIELD(queue_reprobe)),
    MSW_ROW(.name = "walk_memory", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_WALKS_FIXED,
            .neutral = MSW_NEUTRAL(NEUMMU_WALKS_FIXED), MSW_CHOICES(WALK_MEMORIES),
            .doc = "what a page-table access takes", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section II-C: fixed latency", .acts = "NOT oracle",
            .offset = FIELD(walk_memory)),
    {MSW_TABLE_LINES_ROW, .acts = "NOT oracle", .offset = FIELD(table_lines)},
    {MSW_TABLE_LINE_WAYS_ROW, .acts = "NOT oracle AND table_lines > 1",
     .offset = FIELD(table_line_ways)},
    {MSW_TABLE_LINE_CYCLES_ROW, .acts = "NOT oracle AND table_lines > 0",
     .offset = FIELD(table_line_cycles)},
    MSW_ROW(.name = "tlb_prefetch", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_PREFETCH_NONE,
            .neutral = MSW_NEUTRAL(NEUMMU_PREFETCH_NONE), MSW_CHOICES(PREFETCHES),
            .doc = "translations asked for ahead of the DMA engine", .source = MSW_PUBLIC,
            .reference = "not in the paper: what its descriptors allow; README.md, 'Prefetch'",
            .acts = "NOT oracle", .offset = FIELD(tlb_prefetch)),
    MSW_ROW(.name = "tlb_prefetch_depth", .kind = MSW_INTEGER, .unit = "visits", .min = 1,
            .max = 65536, .def = 32, .neutral = MSW_NEUTRAL(32), .scale = MSW_POW2,
            .doc = "page visits the look-ahead runs before the engine, with tlb_prefetch",
            .source = MSW_PUBLIC, .reference = "a choice of the designer",
            .acts = "NOT oracle AND tlb_prefetch <> 'none'", .offset = FIELD(tlb_prefetch_depth)),
    MSW_ROW(.name = "tlb_prefetch_spare", .kind = MSW_INTEGER, .unit = "walkers", .min = 0,
            .max = 4096, .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "walkers that prefetches leave free for misses", .source = MSW_PUBLIC,
            .reference = "a choice of the designer",
            .acts = "NOT oracle AND tlb_prefetch <> 'none'", .offset = FIELD(tlb_prefetch_spare)),
    LEVEL_ROW(5, 2, " AND table_levels = 5"),
    LEVEL_ROW(4, 4, ""),
    LEVEL_ROW(3, 8, ""),
    LEVEL_ROW(2, 32, ""),
    {0},
};

#define MACHINE(rows, cols, ghz, gigabytes, bytes)                                                 \
    {.param = "npu_rows", .value = rows}, {.param = "npu_cols", .value = cols},                    \
        {.param = "npu_element_bytes", .value = bytes}, {.param = "frequency", .value = ghz},      \
    {                                                                                              \
        .param = "bandwidth", .value = gigabytes                                                   \
    }

const msw_preset_value neummu_preset_tpu_v1[] = {
    MACHINE("256", "256", "0.7", "34", "1"),
    {.param = "npu_spm_activation", .value = "24MiB"},
    {.param = "npu_spm_weight", .value = "256KiB"},
    {0},
};
const msw_preset_value neummu_preset_tpu_v3[] = {MACHINE("128", "512", "1.068", "900", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v4[] = {MACHINE("128", "1024", "1.049", "1200", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v5e[] = {MACHINE("128", "512", "1.503", "820", "2"), {0}};
const msw_preset_value neummu_preset_tpu_v5p[] = {
    MACHINE("128", "1024", "1.751", "2800", "2"),
    {0},
};
const msw_preset_value neummu_preset_gaudi2[] = {MACHINE("256", "512", "1.648", "2460", "2"), {0}};
const msw_preset_value neummu_preset_gaudi3[] = {
    MACHINE("256", "2048", "1.75", "3670", "2"),
    {.param = "npu_spm_activation", .value = "48MiB"},
    {.param = "npu_spm_weight", .value = "48MiB"},
    {.param = "npu_vector_lanes", .value = "8200"},
    {0},
};
const msw_preset_value neummu_preset_h100_copy[] = {
    {.param = "frequency", .value = "1.98"},
    {.param = "bandwidth", .value = "64"},
    {0},
};

/* Known of every unit before it is measured. */
#define EXACTLY                                                                                    \
    {                                                                                              \
        .largest = 1e-9, .typical = 1e-9                                                           \
    }

const msw_metric neummu_metrics[] = {
    [NEUMMU_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                            .doc = "time from the first load to the last store",
                            .predicted = {.largest = 1, .typical = 0.3}),
    [NEUMMU_SLOWDOWN] =
        PAIRED(.name = "slowdown", .num = "cycles", .den = "cycles", .reference = "oracle",
               .min = 0.999999, .floor = 0.999999, .max = 1e6,
               .doc = "cycles over those with every translation known at once"),
    [NEUMMU_LAYER_START] =
        CAUSE(.name = "layer_start", .doc = "a layer's first tile waits for translations"),
    [NEUMMU_FILL] = CAUSE(.name = "fill", .doc = "a layer's first tile waits for its data"),
    [NEUMMU_TRANSLATION] = CAUSE(.name = "translation", .doc = "other tiles wait for translations"),
    [NEUMMU_MEMORY] = CAUSE(.name = "memory", .doc = "other tiles wait for their data"),
    [NEUMMU_COMPUTE] = CAUSE(.name = "compute", .doc = "the array computes", .predicted = EXACTLY),
    [NEUMMU_WRITE_BACK] =
        CAUSE(.name = "write_back", .doc = "outputs are stored and nothing else can be done"),
    [NEUMMU_STORE_TRANSLATION] =
        CAUSE(.name = "store_translation", .doc = "such stores wait for translations"),
    [NEUMMU_TILES] =
        TOTAL(.name = "tiles", .unit = "tiles", .doc = "tiles computed", .predicted = EXACTLY),
    [NEUMMU_TRANSLATIONS] = TOTAL(.name = "translations", .unit = "requests",
                                  .doc = "DMA transactions, each translated once"),
    [NEUMMU_PAGES] = TOTAL(.name = "page_touches", .unit = "pages",
                           .doc = "distinct pages loaded, summed over tiles", .predicted = EXACTLY),
    [NEUMMU_PAGES_PER_TILE] =
        RATIO(.name = "pages_per_tile", .unit = "pages", .num = "page_touches", .den = "tiles",
              .max = 1e9, .doc = "distinct pages a tile loads, mean"),
    [NEUMMU_PAGES_MAX] = MAXIMUM(.name = "pages_max", .unit = "pages", .max = 1e9,
                                 .doc = "distinct pages a tile loads, largest"),
    [NEUMMU_TLB_HITS] = TOTAL(NEUMMU_TLB_HITS_ROW),
    [NEUMMU_TLB_MISSES] = TOTAL(NEUMMU_TLB_MISSES_ROW),
    [NEUMMU_TLB_HIT_RATE] =
        RATIO(.name = "tlb_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "tlb_hits",
              .den = "translations", .max = 1, .doc = "TLB hit rate"),
    [NEUMMU_TLB2_HITS] = TOTAL(.name = "tlb2_hits", .unit = "requests", .goal = MSW_GOAL_HIGHER,
                               .doc = "misses the second-level TLB answers", .unstated = true),
    [NEUMMU_MERGED] = TOTAL(.name = "merged", .unit = "requests",
                            .doc = "misses merged into a walk of their page"),
    [NEUMMU_WALKS] = TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                           .doc = "page-table walks, redundant ones and prefetches included"),
    [NEUMMU_REPLAYED] = TOTAL(.name = "replayed", .unit = "requests",
                              .doc = "blocked misses that found their page after all"),
    [NEUMMU_REDUNDANT] = TOTAL(.name = "redundant_walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                               .doc = "walks begun while another for the page was under way"),
    [NEUMMU_BLOCKED_WALKERS] =
        TOTAL(.name = "blocked_walkers", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by busy walkers"),
    [NEUMMU_BLOCKED_SLOTS] =
        TOTAL(.name = "blocked_slots", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by full merge slots", .unstated = true),
    [NEUMMU_BLOCKED_OUTSTANDING] =
        TOTAL(.name = "blocked_outstanding", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by the limit of unanswered misses"),
    [NEUMMU_WALK_STEPS] = TOTAL(.name = "walk_steps", .unit = "accesses",
                                .doc = "page-table entries needed, saved or not"),
    [NEUMMU_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "accesses",
                                   .goal = MSW_GOAL_LOWER, .doc = "page-table accesses to memory"),
    [NEUMMU_PATH_HITS_L4] =
        TOTAL(.name = "path_hits_l4", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 4 accesses the path cache saves"),
    [NEUMMU_PATH_HITS_L3] =
        TOTAL(.name = "path_hits_l3", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 3 accesses the path cache saves"),
    [NEUMMU_PATH_HITS_L2] =
        TOTAL(.name = "path_hits_l2", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 2 accesses the path cache saves"),
    [NEUMMU_PATH_RATE_L4] =
        RATIO(.name = "path_rate_l4", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l4",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 4"),
    [NEUMMU_PATH_RATE_L3] =
        RATIO(.name = "path_rate_l3", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l3",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 3"),
    [NEUMMU_PATH_RATE_L2] =
        RATIO(.name = "path_rate_l2", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l2",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 2"),
    [NEUMMU_ACCESSES_PER_WALK] =
        RATIO(.name = "accesses_per_walk", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .num = "walk_accesses", .den = "walks", .max = 5,
              .doc = "page-table accesses of a walk, mean"),
    [NEUMMU_PREFETCH_LOOKUPS] =
        TOTAL(.name = "prefetch_lookups", .unit = "requests", .doc = "pages looked up ahead"),
    [NEUMMU_PREFETCHES] =
        TOTAL(.name = "prefetches", .unit = "walks", .doc = "walks begun for pages not asked for"),
    [NEUMMU_PREFETCHES_USEFUL] =
        TOTAL(.name = "prefetches_useful", .unit = "walks", .goal = MSW_GOAL_HIGHER,
              .doc = "prefetches whose page a TLB held when it was asked for"),
    [NEUMMU_PREFETCHES_LATE] = TOTAL(.name = "prefetches_late", .unit = "walks",
                                     .doc = "prefetches under way when their page was asked for"),
    [NEUMMU_ENERGY] =
        TOTAL(.name = "energy_translation_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER, .energy = true,
              .doc = "TLB, scoreboard, merge slots, path cache and page-table accesses"),
    [NEUMMU_SRAM] = DERIVED(.name = "sram_bytes", .exact = true, .priced = true, .unit = "B",
                            .goal = MSW_GOAL_LOWER, .max = 1e15,
                            .doc = "SRAM of TLBs, merge slots, path cache, scoreboard and queue"),
    [NEUMMU_AREA] = DERIVED(.name = "area_mm2", .exact = true, .priced = true, .unit = "mm2",
                            .goal = MSW_GOAL_LOWER, .max = 1e15, .doc = "area of the same"),
    [NEUMMU_LEAKAGE] = DERIVED(.name = "leakage_mw", .priced = true, .unit = "mW",
                               .goal = MSW_GOAL_LOWER, .max = 1e15, .doc = "leakage of the same"),
    [NEUMMU_PREFETCHES_USELESS] =
        DERIVED(.name = "prefetches_useless", .unit = "walks", .goal = MSW_GOAL_LOWER, .max = 1e15,
                .doc = "prefetches thrown out before their page was asked for, or for nothing",
                .unstated = true),
    [NEUMMU_ENERGY_ARRAY] = ENERGY_PART(.name = "energy_array_nj", .doc = "cells of the array"),
    [NEUMMU_ENERGY_PADS] =
        ENERGY_PART(.name = "energy_scratchpad_nj", .doc = "reads and writes of scratchpads"),
    [NEUMMU_ENERGY_MEMORY] =
        ENERGY_PART(.name = "energy_memory_nj",
                    .doc = "memory: rows opened, bits, refresh, standby of memory_preset"),
    [NEUMMU_ENERGY_STATIC] =
        ENERGY_PART(.name = "energy_static_nj", .doc = "leakage of scratchpads and MMU"),
    [NEUMMU_ENERGY_ALL] = ENERGY_ALL(.doc = "array, scratchpads, memory, leakage and translation"),
    [NEUMMU_EDP] = EDP,
    [NEUMMU_AREA_ALL] = DERIVED(.name = "chip_mm2", .unit = "mm2", .goal = MSW_GOAL_LOWER,
                                .max = 1e9, .doc = "area of array, scratchpads and MMU"),
    [NEUMMU_PEAK] = DERIVED(.name = "peak_bandwidth", .exact = true, .priced = true, .unit = "GB/s",
                            .max = 1e6, .doc = "what the memory's pins carry"),
    [NEUMMU_LEAST_ARRAY] =
        LEAST(.name = "least_array", .exact = true,
              .doc = "an array of this size needs at least so many cycles for all tiles"),
    [NEUMMU_LEAST_ISSUE] =
        LEAST(.name = "least_issue",
              .doc = "issue_width needs at least so many cycles for all translations"),
    [NEUMMU_LEAST_MEMORY] =
        LEAST(.name = "least_memory",
              .doc = "this bandwidth needs at least so many cycles for all bytes"),
    [NEUMMU_LEAST_WALKERS] =
        LEAST(.name = "least_walkers",
              .doc = "so many walkers need at least this for the walks of the row"),
    [NEUMMU_LEAST_OUTSTANDING] =
        LEAST(.name = "least_outstanding",
              .doc = "so many misses under way need at least this for those of the row"),
    [NEUMMU_BOUND_SHARE] = BOUND_SHARE,
    [NEUMMU_METRICS] = {0},
};
static_assert(sizeof neummu_metrics / sizeof *neummu_metrics == NEUMMU_METRICS + 1,
              "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check neummu_checks[] = {
    {.left = "layer_start + fill + translation + memory + compute + write_back + store_translation",
     .right = "cycles",
     .equal = true},
    {.left = "tlb_hits + tlb_misses", .right = "translations", .equal = true},
    {.left = "tlb2_hits", .right = "tlb_misses"},
    {.left = "merged", .right = "tlb_misses"},
    {.left = "walks", .right = "tlb_misses + prefetches"},
    {.left = "redundant_walks", .right = "walks"},
    {.left = "walk_accesses", .right = "walk_steps"},
    {.left = "prefetches", .right = "prefetch_lookups"},
    {.left = "prefetches_useful", .right = "prefetches"},
    {0},
};
