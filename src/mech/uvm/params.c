/* Everything that can be set. "Table 9" and sections are those of the paper (README.md). */
#include "mech/uvm/config.h"

#include "mech/shared/rules.h"
#include "mech/uvm/machine/machine.h"
#include "mech/uvm/pages/predict.h"

static const msw_choice PREFETCHERS[] = {
    [UVM_NONE] = {.name = "none", .doc = "a fault brings its page"},
    [UVM_BULK] = {.name = "bulk", .doc = "all managed arrays are copied before the first launch"},
    [UVM_USER] = {.name = "user",
                  .doc = "the same, but the first launch does not wait: pages come in order of the "
                         "arrays"},
    [UVM_BLOCK] = {.name = "block", .doc = "a fault brings its block of 64 KiB"},
    [UVM_TREE] = {.name = "tree",
                  .doc = "blocks, and nodes of a tree over 2 MiB that get fuller than tree_share, "
                         "upwards (UVMSmart)"},
    [UVM_TREE_DRIVER] = {.name = "tree_driver",
                         .doc = "blocks, and the largest node that is fuller than tree_share (open "
                                "driver of NVIDIA)"},
    [UVM_RANDOM] = {.name = "random",
                    .doc = "a fault brings its page and another of its 2 MiB, drawn at random"},
    [UVM_CROSS_BLOCK] = {.name = "cross_block",
                         .doc = "tree, and the next 2 MiB of the allocation when a tree is full"},
    [UVM_SEQUENTIAL] = {.name = "sequential", .doc = "predicts the next pages"},
    [UVM_LAST_DELTA] = {.name = "last_delta", .doc = "predicts the last distance again"},
    [UVM_STRIDE] = {.name = "stride", .doc = "predicts by the stride of each load and store"},
    [UVM_MARKOV1] = {.name = "markov1", .doc = "predicts by what followed the last difference"},
    [UVM_MARKOV2] = {.name = "markov2", .doc = "predicts by what followed the last two"},
    [UVM_BEST_OFFSET] = {.name = "best_offset", .doc = "predicts by the offset that fitted best"},
    [UVM_MULTI_STRIDE] = {.name = "multi_stride",
                          .doc = "predicts by four strides in each of four regions, as far as each "
                                 "is likely"},
    [UVM_ORACLE] = {.name = "oracle", .doc = "knows in which order pages are touched first"},
    {0},
};

static const msw_choice UNITS[] = {
    [UVM_PER_PAGE] = {.name = "page", .doc = "a page"},
    [UVM_PER_BLOCK] = {.name = "block", .doc = "its block of 64 KiB"},
    {0},
};

static const msw_choice TRIGGERS[] = {
    [UVM_ON_FAULT] = {.name = "fault", .doc = "a far fault"},
    [UVM_ON_WALK] = {.name = "walk", .doc = "every walk that ends"},
    {0},
};

static const msw_choice CLUSTERS[] = {
    [UVM_BY_SM] = {.name = "sm", .doc = "those of an SM"},
    [UVM_BY_WARP] = {.name = "warp", .doc = "those of a warp"},
    {0},
};

static const msw_choice SERVERS[] = {
    [UVM_SERVER_SERIAL] = {.name = "serial", .doc = "one after the other"},
    [UVM_SERVER_PIPELINED] = {.name = "pipelined", .doc = "any number at once"},
    {0},
};

static const msw_choice CHARGES[] = {
    [UVM_EXCLUDED] = {.name = "excluded",
                      .doc = "faults take no time; cycles_charged adds them up afterwards"},
    [UVM_SERIAL] = {.name = "serial",
                    .doc = "each fault holds the link's read queue before its transfer"},
    [UVM_BATCHED] = {.name = "batched",
                     .doc =
                         "a handler takes up to batch_faults at once, one batch after the other"},
    {0},
};

static const msw_choice LINKS[] = {
    [UVM_PCIE3] = {.name = "pcie3", .doc = "PCIe 3.0 x16, bandwidth by size of transfer"},
    [UVM_PCIE4] = {.name = "pcie4", .doc = "PCIe 4.0 x16, bandwidth by size of transfer"},
    [UVM_PCIE5] = {.name = "pcie5", .doc = "PCIe 5.0 x16, bandwidth by size of transfer"},
    [UVM_FIXED] = {.name = "fixed", .doc = "link_bandwidth, whatever the size"},
    {0},
};

static const msw_choice WALKS_OF[] = {
    [UVM_WALK_LINE] = {.name = "line",
                       .doc = "each line of 128 B that misses the TLB is walked for"},
    [UVM_WALK_PAGE] = {.name = "page", .doc = "lines of one instruction on one page share a walk"},
    {0},
};

static const msw_choice WAITS[] = {
    [UVM_WAIT_USE] = {.name = "use", .doc = "a warp waits where an instruction uses the value"},
    [UVM_WAIT_ACCESS] = {.name = "access",
                         .doc = "a warp waits until all pages of its access are there"},
    {0},
};

static const msw_choice CTA_ENDS[] = {
    [UVM_END_ACCESSES] = {.name = "accesses", .doc = "its own accesses"},
    [UVM_END_LINK] = {.name = "link", .doc = "and until nothing is on the link or waits for it"},
    {0},
};

static const msw_choice ANSWERS[] = {
    [UVM_ANSWERS_ONE] = {.name = "one", .doc = "one per cycle, those that have waited longest first"},
    [UVM_ANSWERS_ALL] = {.name = "all", .doc = "all that are there"},
    {0},
};

static const msw_choice EVICTIONS[] = {
    [UVM_LRU_CHUNK] = {.name = "lru_chunk", .doc = "the chunk of 2 MiB touched longest ago"},
    [UVM_LFU_CHUNK] = {.name = "lfu_chunk", .doc = "the chunk with the fewest accesses"},
    [UVM_EVICT_TREE] = {.name = "tree",
                        .doc = "the oldest block of the chunk touched longest ago, and nodes of its "
                               "tree that get emptier than half"},
    [UVM_LRU_BLOCK] = {.name = "lru_block", .doc = "the block of 64 KiB touched longest ago"},
    [UVM_RANDOM_PAGE] = {.name = "random_page", .doc = "a page drawn at random"},
    [UVM_LRU_PAGE] = {.name = "lru_page", .doc = "the page touched longest ago"},
    [UVM_ROOT_CHUNK] = {.name = "root_chunk",
                        .doc = "the chunk that came first, whenever touched (open driver)"},
    {0},
};

static const msw_choice WRITE_BACKS[] = {
    [UVM_WRITE_ALL] = {.name = "all", .doc = "all"},
    [UVM_WRITE_DIRTY] = {.name = "dirty", .doc = "those written"},
    {0},
};

static const msw_choice MIGRATIONS[] = {
    [UVM_FIRST_TOUCH] = {.name = "first_touch", .doc = "at its first access"},
    [UVM_ZERO_COPY] = {.name = "zero_copy", .doc = "never: pinned to the host"},
    [UVM_DELAYED] = {.name = "delayed",
                     .doc = "at a write, or when its block has had migrate_threshold accesses"},
    [UVM_DELAYED_WHEN_FULL] = {.name = "delayed_when_full",
                               .doc = "first touch until memory is short, then delayed"},
    [UVM_ADAPTIVE] = {.name = "adaptive",
                      .doc = "delayed, with a threshold that grows with the memory in use, then "
                             "with the evictions of the chunk"},
    {0},
};

static const msw_choice SYNCS[] = {
    [UVM_SYNC_WAITS] = {.name = "waits", .doc = "pages stay where they are"},
    [UVM_SYNC_DIRTY] = {.name = "dirty",
                        .doc = "pages that the device has written go back to the host"},
    {0},
};

static const msw_choice HOSTS[] = {
    [UVM_HOST_IGNORED] = {.name = "ignored", .doc = "pages stay where they are"},
    [UVM_HOST_MIGRATES] = {.name = "migrates", .doc = "pages that the host touches go back to it"},
    {0},
};

static const msw_choice TOUCHES[] = {
    [UVM_REQUESTED] = {.name = "requested", .doc = "a page is touched when its walk ends"},
    [UVM_ANSWERED] = {.name = "answered", .doc = "a page is touched when it answers"},
    {0},
};

#define FIELD(name)  offsetof(uvm_config, name)
#define CODE         "public code of the simulator UVMSmart"
#define SILENT       "the paper does not say"
#define FLAG         .kind = MSW_FLAG, .unit = "", .max = 1
#define CYCLES(most) .kind = MSW_INTEGER, .unit = "cycles", .max = most

const msw_param uvm_params[] = {
    MSW_ROW(.name = "prefetcher", .kind = MSW_CHOICE, .unit = "", .def = UVM_TREE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PREFETCHERS),
            .doc = "what comes beside the page that faults", .source = MSW_PAPER,
            .reference = "section 7.1: the baseline is UVMSmart, whose default this is",
            .offset = FIELD(prefetcher)),
    MSW_ROW(.name = "tree_share", .kind = MSW_REAL, .unit = "", .min = 0.01, .max = 1, .def = 0.5,
            .neutral = MSW_NEUTRAL(0.5), .doc = "a node fuller than this share of it is filled",
            .source = MSW_PUBLIC, .reference = CODE "; the driver has 0.51",
            .offset = FIELD(tree_share)),
    MSW_ROW(.name = "fault_brings", .kind = MSW_CHOICE, .unit = "", .def = UVM_PER_BLOCK,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(UNITS),
            .doc = "what a fault brings under a prefetcher that predicts", .source = MSW_PAPER,
            .reference = "section 6: 15 other pages of its 64 KB", .offset = FIELD(fault_brings)),
    MSW_ROW(.name = "predict_on", .kind = MSW_CHOICE, .unit = "", .def = UVM_ON_FAULT,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(TRIGGERS), .doc = "what makes it predict",
            .source = MSW_UNKNOWN, .reference = SILENT, .offset = FIELD(predict_on)),
    MSW_ROW(.name = "predict_by", .kind = MSW_CHOICE, .unit = "", .def = UVM_BY_WARP,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(CLUSTERS), .doc = "whose pages are one sequence",
            .source = MSW_PAPER, .reference = "section 6: SM and warp",
            .offset = FIELD(predict_by)),
    MSW_ROW(.name = "predict_unit", .kind = MSW_CHOICE, .unit = "", .def = UVM_PER_PAGE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(UNITS), .doc = "what a prediction brings",
            .source = MSW_PAPER, .reference = "section 6: one page",
            .offset = FIELD(predict_unit)),
    MSW_ROW(.name = "predict_distance", .kind = MSW_INTEGER, .unit = "pages", .min = 1, .max = 63,
            .def = 30, .neutral = MSW_NO_NEUTRAL,
            .doc = "of the sequence, between a page and the one that is predicted from it",
            .source = MSW_PAPER, .reference = "table 3", .offset = FIELD(predict_distance)),
    MSW_ROW(.name = "predict_degree", .kind = MSW_INTEGER, .unit = "pages", .min = 1,
            .max = UVM_DEGREE_MOST, .def = 1, .neutral = MSW_NEUTRAL(1),
            .doc = "that sequential and oracle predict at once", .source = MSW_PAPER,
            .reference = "section 6: one page", .offset = FIELD(predict_degree)),
    MSW_ROW(.name = "predict_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 16,
            .max = 1 << 20, .def = 1024, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of the table of stride and Markov predictors", .source = MSW_UNKNOWN,
            .reference = "not of the paper", .plausible_min = 64, .plausible_max = 65536,
            .offset = FIELD(predict_entries)),
    MSW_ROW(.name = "predict_latency", .kind = MSW_REAL, .unit = "ns", .max = 1e5, .def = 1000,
            .neutral = MSW_NEUTRAL(0), .doc = "of one prediction", .source = MSW_PAPER,
            .reference = "section 7.3: 1 us", .offset = FIELD(predict_ns)),
    MSW_ROW(.name = "predict_server", .kind = MSW_CHOICE, .unit = "", .def = UVM_SERVER_SERIAL,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SERVERS), .doc = "how predictions overlap",
            .source = MSW_UNKNOWN, .reference = SILENT, .offset = FIELD(predict_server)),
    MSW_ROW(.name = "predict_queue", .kind = MSW_INTEGER, .unit = "predictions", .min = 1,
            .max = 65536, .def = 16, .neutral = MSW_NEUTRAL(65536), .scale = MSW_POW2,
            .doc = "under way or waiting at once; what comes beyond is not predicted",
            .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 1, .plausible_max = 256,
            .offset = FIELD(predict_queue)),
    MSW_ROW(.name = "fault_charge", .kind = MSW_CHOICE, .unit = "", .def = UVM_EXCLUDED,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(CHARGES),
            .doc = "how the handling of faults counts", .source = MSW_UNKNOWN,
            .reference = SILENT ", excluded is the default of UVMSmart",
            .offset = FIELD(fault_charge)),
    MSW_ROW(.name = "fault_latency", .kind = MSW_REAL, .unit = "ns", .max = 1e6, .def = 45000,
            .neutral = MSW_NO_NEUTRAL, .doc = "handling of a far fault, or of a batch of them",
            .source = MSW_PAPER, .reference = "table 9: 45 us", .offset = FIELD(fault_ns)),
    MSW_ROW(.name = "batch_faults", .kind = MSW_INTEGER, .unit = "faults", .min = 1, .max = 65536,
            .def = 256, .neutral = MSW_NEUTRAL(256), .scale = MSW_POW2,
            .doc = "faults of a batch at most", .source = MSW_PUBLIC,
            .reference = "NVIDIA/open-gpu-kernel-modules: uvm_perf_fault_batch_count",
            .offset = FIELD(batch_faults)),
    MSW_ROW(.name = "link", .kind = MSW_CHOICE, .unit = "", .def = UVM_PCIE3,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(LINKS), .doc = "between host and device",
            .source = MSW_PAPER, .reference = "table 9: PCIe 3.0 x16", .offset = FIELD(link)),
    MSW_ROW(.name = "link_bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 0.1, .max = 2000,
            .def = 12, .neutral = MSW_NEUTRAL(12), .scale = MSW_LOG,
            .doc = "of each direction, with link: fixed", .source = MSW_UNKNOWN,
            .reference = "what large copies reach over PCIe 3.0 x16", .plausible_min = 8,
            .plausible_max = 500, .offset = FIELD(link_bandwidth)),
    MSW_ROW(.name = "link_cycles", CYCLES(10000), .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "from the end of a transfer until its pages can be used", .source = MSW_UNKNOWN,
            .reference = SILENT, .plausible_min = 0, .plausible_max = 1000,
            .offset = FIELD(link_cycles)),
    MSW_ROW(.name = "link_pj_per_bit", .kind = MSW_REAL, .unit = "pJ", .max = 1000, .def = 10,
            .neutral = MSW_NO_NEUTRAL, .doc = "energy of a bit over the link",
            .source = MSW_UNKNOWN, .reference = "serial links between chips", .plausible_min = 4,
            .plausible_max = 30, .offset = FIELD(link_pj_per_bit)),
    MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = 2 << 20,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of pages that fault and migrate", .source = MSW_PAPER, .reference = "table 9",
            .offset = FIELD(page_size)),
    MSW_ROW(.name = "tlb_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1, .max = 65536,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "of the TLB of an SM, fully associative, LRU", .source = MSW_PUBLIC,
            .reference = CODE, .offset = FIELD(tlb_entries)),
    MSW_ROW(.name = "tlb_cycles", CYCLES(100), .def = 1, .neutral = MSW_NO_NEUTRAL,
            .doc = "one look-up", .source = MSW_PUBLIC, .reference = CODE,
            .offset = FIELD(tlb_cycles)),
    MSW_ROW(.name = "walk_cycles", CYCLES(10000), .min = 1, .def = 100, .neutral = MSW_NO_NEUTRAL,
            .doc = "one page walk", .source = MSW_PAPER, .reference = "table 9",
            .offset = FIELD(walk_cycles)),
    MSW_ROW(.name = "merge_walks", FLAG, .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "misses of an SM on a page that it walks for already begin no walk",
            .source = MSW_UNKNOWN, .reference = SILENT, .plausible_max = 1,
            .offset = FIELD(merge_walks)),
    MSW_ROW(.name = "walk_of", .kind = MSW_CHOICE, .unit = "", .def = UVM_WALK_LINE,
            .neutral = MSW_NEUTRAL(UVM_WALK_LINE), MSW_CHOICES(WALKS_OF),
            .doc = "what misses of one instruction share", .source = MSW_UNKNOWN,
            .reference = SILENT, .offset = FIELD(walk_of)),
    MSW_ROW(.name = "memory_cycles", CYCLES(10000), .def = 100, .neutral = MSW_NO_NEUTRAL,
            .doc = "an access to the memory of the device", .source = MSW_PAPER,
            .reference = "table 9: DRAM latency", .offset = FIELD(memory_cycles)),
    MSW_ROW(.name = "path_cycles", CYCLES(10000), .def = 100, .neutral = MSW_NO_NEUTRAL,
            .doc = "from an SM to the memory and back", .source = MSW_INFERRED,
            .reference = "table 9: interconnect latency, which may be that of the link",
            .plausible_min = 0, .plausible_max = 400, .offset = FIELD(path_cycles)),
    MSW_ROW(.name = "memory_lines", .kind = MSW_REAL, .unit = "lines/cycle", .max = 1024,
            .def = 5.5, .neutral = MSW_NEUTRAL(0),
            .doc = "that the memory of the device serves, shared evenly by the SMs of a launch; 0: "
                   "any number",
            .source = MSW_PUBLIC,
            .reference = CODE ": 22 banks of L2, each 32 B per cycle", .offset = FIELD(memory_lines)),
    MSW_ROW(.name = "sm_lines", .kind = MSW_REAL, .unit = "lines/cycle", .max = 64, .def = 0.4,
            .neutral = MSW_NEUTRAL(0), .doc = "that an SM takes or sends; 0: any number",
            .source = MSW_PUBLIC,
            .reference = CODE ": five flits of 32 B a line, two per cycle", .offset = FIELD(sm_lines)),
    MSW_ROW(.name = "sm_queue", .kind = MSW_INTEGER, .unit = "lines", .min = 1, .max = 4096,
            .def = 8, .neutral = MSW_NEUTRAL(4096), .scale = MSW_POW2,
            .doc = "of an SM that wait for the memory, before its load/store unit stalls",
            .source = MSW_UNKNOWN, .reference = SILENT, .plausible_min = 1, .plausible_max = 64,
            .offset = FIELD(sm_queue)),
    MSW_ROW(.name = "clock", .kind = MSW_REAL, .unit = "GHz", .min = 0.1, .max = 10, .def = 1.481,
            .neutral = MSW_NO_NEUTRAL, .doc = "of the SMs; cycles are its", .source = MSW_PAPER,
            .reference = "table 9", .offset = FIELD(clock_ghz)),
    MSW_ROW(.name = "sms", .kind = MSW_INTEGER, .unit = "SMs", .min = 1, .max = 256, .def = 28,
            .neutral = MSW_NO_NEUTRAL, .doc = "streaming multiprocessors", .source = MSW_PAPER,
            .reference = "table 9", .offset = FIELD(sms)),
    MSW_ROW(.name = "schedulers", .kind = MSW_INTEGER, .unit = "schedulers", .min = 1,
            .max = UVM_MOST_SCHEDULERS, .def = 2, .neutral = MSW_NO_NEUTRAL,
            .doc = "of an SM, one instruction per cycle each, greedy then oldest",
            .source = MSW_PUBLIC, .reference = "UVMSmart's file for the GTX 1080 Ti",
            .offset = FIELD(schedulers)),
    MSW_ROW(.name = "sm_ctas", .kind = MSW_INTEGER, .unit = "CTAs", .min = 1, .max = 64, .def = 32,
            .neutral = MSW_NO_NEUTRAL, .doc = "of an SM at once", .source = MSW_PAPER,
            .reference = "table 9", .offset = FIELD(sm_ctas)),
    MSW_ROW(.name = "sm_warps", .kind = MSW_INTEGER, .unit = "warps", .min = 1,
            .max = UVM_MOST_WARPS, .def = 64, .neutral = MSW_NO_NEUTRAL, .doc = "of an SM at once",
            .source = MSW_PAPER, .reference = "table 9", .offset = FIELD(sm_warps)),
    MSW_ROW(.name = "sm_shared", .kind = MSW_SIZE, .unit = "B", .min = 0, .max = 1 << 20,
            .def = 96 << 10, .neutral = MSW_NO_NEUTRAL, .doc = "shared memory of an SM",
            .source = MSW_PUBLIC, .reference = "GTX 1080 Ti (Pascal, compute capability 6.1)",
            .offset = FIELD(sm_shared)),
    MSW_ROW(.name = "sm_registers", .kind = MSW_INTEGER, .unit = "registers", .min = 0,
            .max = 1 << 20, .def = 65536, .neutral = MSW_NO_NEUTRAL,
            .doc = "of an SM; a thread takes as many as are live at once, in eights",
            .source = MSW_PUBLIC, .reference = "GTX 1080 Ti (Pascal, compute capability 6.1)",
            .offset = FIELD(sm_registers)),
    MSW_ROW(.name = "issue_cycles", CYCLES(100), .min = 1, .def = 6, .neutral = MSW_NEUTRAL(1),
            .doc = "from one instruction of a warp to its next", .source = MSW_INFERRED,
            .reference = "UVMSmart's file for the GTX 1080 Ti: 4 for most, 13 for products, and "
                         "the stages before and after; a warp need not depend on each",
            .plausible_min = 1, .plausible_max = 13, .offset = FIELD(issue_cycles)),
    MSW_ROW(.name = "fault_wait", .kind = MSW_CHOICE, .unit = "", .def = UVM_WAIT_USE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(WAITS),
            .doc = "where a warp waits for its accesses", .source = MSW_PUBLIC,
            .reference = CODE ": the scoreboard holds a warp where it needs a value",
            .offset = FIELD(fault_wait)),
    MSW_ROW(.name = "cta_end", .kind = MSW_CHOICE, .unit = "", .def = UVM_END_LINK,
            .neutral = MSW_NEUTRAL(UVM_END_ACCESSES), MSW_CHOICES(CTA_ENDS),
            .doc = "what a CTA waits for before it makes room for the next one",
            .source = MSW_PUBLIC,
            .reference = CODE ": warps end while no transfer is under way or waits",
            .offset = FIELD(cta_end)),
    MSW_ROW(.name = "answers", .kind = MSW_CHOICE, .unit = "", .def = UVM_ANSWERS_ONE,
            .neutral = MSW_NEUTRAL(UVM_ANSWERS_ALL), MSW_CHOICES(ANSWERS),
            .doc = "answers to walks and faults that an SM takes per cycle", .source = MSW_PUBLIC,
            .reference = CODE ": its load/store unit takes one", .offset = FIELD(answers)),
    MSW_ROW(.name = "oversubscription", .kind = MSW_REAL, .unit = "", .min = 1, .max = 16, .def = 1,
            .neutral = MSW_NEUTRAL(1),
            .doc = "pages of managed arrays over those that the device holds; 1: it holds all",
            .source = MSW_PAPER, .reference = "section 7.1: 1 GB, no oversubscription",
            .offset = FIELD(oversubscription)),
    MSW_ROW(.name = "eviction", .kind = MSW_CHOICE, .unit = "", .def = UVM_LRU_CHUNK,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(EVICTIONS),
            .doc = "what leaves where memory is short", .source = MSW_PUBLIC,
            .reference = CODE ": policy 0", .offset = FIELD(eviction)),
    MSW_ROW(.name = "write_back", .kind = MSW_CHOICE, .unit = "", .def = UVM_WRITE_ALL,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(WRITE_BACKS),
            .doc = "which pages go over the link when they are evicted", .source = MSW_PUBLIC,
            .reference = CODE ": invalidate_clean is off", .offset = FIELD(write_back)),
    MSW_ROW(.name = "prefetch_when_full", FLAG, .def = 1, .neutral = MSW_NEUTRAL(1),
            .doc = "the prefetcher goes on after memory has been short once",
            .source = MSW_PUBLIC, .reference = CODE ": hwprefetch_oversub",
            .offset = FIELD(prefetch_when_full)),
    MSW_ROW(.name = "migration", .kind = MSW_CHOICE, .unit = "", .def = UVM_FIRST_TOUCH,
            .neutral = MSW_NEUTRAL(UVM_FIRST_TOUCH), MSW_CHOICES(MIGRATIONS),
            .doc = "when a page that is not here is fetched, and not read where it is",
            .source = MSW_PUBLIC, .reference = CODE ": enable_dma", .offset = FIELD(migration)),
    MSW_ROW(.name = "migrate_threshold", .kind = MSW_INTEGER, .unit = "accesses", .min = 1,
            .max = 1 << 20, .def = 8, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "lines of a block of 64 KiB that are accessed before it is fetched",
            .source = MSW_PUBLIC, .reference = CODE, .offset = FIELD(migrate_threshold)),
    MSW_ROW(.name = "migrate_penalty", .kind = MSW_INTEGER, .unit = "", .min = 0, .max = 1024,
            .def = 2, .neutral = MSW_NO_NEUTRAL,
            .doc = "adaptive: the threshold times this and the times the chunk was evicted + 1",
            .source = MSW_PUBLIC, .reference = CODE, .offset = FIELD(migrate_penalty)),
    MSW_ROW(.name = "remote_cycles", CYCLES(100000), .min = 1, .def = 200,
            .neutral = MSW_NO_NEUTRAL, .doc = "a line over the link, one after the other",
            .source = MSW_PAPER, .reference = "table 9: zero-copy", .offset = FIELD(remote_cycles)),
    MSW_ROW(.name = "launch_cycles", CYCLES(10000000), .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "before each launch", .source = MSW_UNKNOWN,
            .reference = "not in the paper; UVMSmart's file has 222150", .plausible_min = 0,
            .plausible_max = 222150, .offset = FIELD(launch_cycles)),
    MSW_ROW(.name = "sync", .kind = MSW_CHOICE, .unit = "", .def = UVM_SYNC_DIRTY,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SYNCS),
            .doc = "what happens where the host waits for the device", .source = MSW_PUBLIC,
            .reference = CODE, .offset = FIELD(sync)),
    MSW_ROW(.name = "sync_resets_tree", FLAG, .def = 1, .neutral = MSW_NEUTRAL(1),
            .doc = "after it the tree counts from nothing, clean pages left out",
            .source = MSW_PUBLIC, .reference = CODE, .offset = FIELD(sync_resets_tree)),
    MSW_ROW(.name = "host_access", .kind = MSW_CHOICE, .unit = "", .def = UVM_HOST_IGNORED,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(HOSTS), .doc = "what the host's accesses do",
            .source = MSW_PUBLIC, .reference = CODE, .offset = FIELD(host_access)),
    MSW_ROW(.name = "touch", .kind = MSW_CHOICE, .unit = "", .def = UVM_REQUESTED,
            .neutral = MSW_NEUTRAL(UVM_REQUESTED), MSW_CHOICES(TOUCHES),
            .doc = "when an access counts as a touch of its page", .source = MSW_UNKNOWN,
            .reference = SILENT, .offset = FIELD(touch)),
    MSW_ROW(.name = "run_share", .kind = MSW_REAL, .unit = "", .min = 0.001, .max = 1, .def = 1,
            .neutral = MSW_NEUTRAL(1),
            .doc = "the program ends after this share of its instructions of threads",
            .source = MSW_INFERRED,
            .reference = "table 10 cuts some kernels: README, 'The paper's cuts'",
            .plausible_min = 0.05, .plausible_max = 1, .offset = FIELD(run_share)),
    {0},
};

int uvm_check(const void *config, msw_err *err)
{
    const uvm_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err))
        return -1;
    if (c->sm_warps % c->schedulers)
        return msw_fail(err, "sm_warps = %lld is not a multiple of schedulers = %lld",
                        (long long)c->sm_warps, (long long)c->schedulers);
    return 0;
}
