/* Everything that can be set. "Table 9" and sections are those of the paper (README.md). */
#include "mech/uvm/config.h"

#include "mech/shared/rules.h"
#include "mech/uvm/learn/record.h"
#include "mech/uvm/learn/rows.h"
#include "mech/uvm/machine/machine.h"

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
    [UVM_LEARNED] = {.name = "learned",
                     .doc = "its block, and what a trained predictor names for the page"},
    {0},
};

static const msw_choice BRINGS[] = {
    [UVM_BRINGS_PAGE] = {.name = "page", .doc = "the page that is named"},
    [UVM_BRINGS_BLOCK] = {.name = "block", .doc = "its block of 64 KiB"},
    {0},
};

static const msw_choice HOLDS[] = {
    [UVM_HOLDS_PREDICTED] = {.name = "predicted", .doc = "what is named"},
    [UVM_HOLDS_FAULT] = {.name = "fault", .doc = "the fault and its block, too"},
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
    MSW_ROW(.name = "issue_cycles", CYCLES(100), .min = 1, .def = 1, .neutral = MSW_NEUTRAL(1),
            .doc = "from one instruction of a warp to its next", .source = MSW_UNKNOWN,
            .reference = SILENT, .plausible_min = 1, .plausible_max = 6,
            .offset = FIELD(issue_cycles)),
    MSW_ROW(.name = "fault_wait", .kind = MSW_CHOICE, .unit = "", .def = UVM_WAIT_ACCESS,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(WAITS),
            .doc = "where a warp waits for its accesses", .source = MSW_PUBLIC,
            .reference = CODE ": the warp that faults waits, others run",
            .offset = FIELD(fault_wait)),
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
    MSW_ROW(.name = "prediction_latency", .kind = MSW_REAL, .unit = "ns", .max = 1e6, .def = 1000,
            .neutral = MSW_NEUTRAL(1000),
            .doc = "of one prediction for one fault, one after the other", .source = MSW_PAPER,
            .reference = "section 7.3: 1 us", .offset = FIELD(prediction_ns)),
    MSW_ROW(.name = "prediction_brings", .kind = MSW_CHOICE, .unit = "", .def = UVM_BRINGS_PAGE,
            .neutral = MSW_NEUTRAL(UVM_BRINGS_PAGE), MSW_CHOICES(BRINGS),
            .doc = "what a prediction brings", .source = MSW_PAPER,
            .reference = "section 4: one additional page", .offset = FIELD(prediction_brings)),
    MSW_ROW(.name = "prediction_holds", .kind = MSW_CHOICE, .unit = "", .def = UVM_HOLDS_PREDICTED,
            .neutral = MSW_NEUTRAL(UVM_HOLDS_PREDICTED), MSW_CHOICES(HOLDS),
            .doc = "what waits for a prediction", .source = MSW_UNKNOWN, .reference = SILENT,
            .offset = FIELD(prediction_holds)),
    UVM_PREDICTOR_ROWS{0},
};

int uvm_check(const void *config, msw_err *err)
{
    const uvm_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err))
        return -1;
    if (c->sm_warps % c->schedulers)
        return msw_fail(err, "sm_warps = %lld is not a multiple of schedulers = %lld",
                        (long long)c->sm_warps, (long long)c->schedulers);
    return c->prefetcher == UVM_LEARNED ? uvm_predictor_check(config, err) : 0;
}
