/* neummu_sparse: everything that can be set and everything that is measured. The MMU's entries say
 * the same as those of neummu. */
#include "neummu_sparse.h"

static const msw_choice MODES[] = {
    {"copy", "no MMU: rows of other devices are copied to the CPU, and from there"},
    {"numa_slow", "rows of other devices are read in place, over PCIe"},
    {"numa_fast", "rows of other devices are read in place, over the link between devices"},
    {"demand", "pages of other devices are moved here when first touched, and stay"},
    {0},
};
static const msw_choice PLACEMENTS[] = {
    {"tables", "whole tables, one device after the other"},
    {"rows", "the rows of every table, one device after the other"},
    {0},
};
static const msw_choice PAGE_LINKS[] = {
    {"pcie", "the link to the CPU"},
    {"fast", "the link between devices"},
    {0},
};
static const msw_choice SLOTS_FULL[] = {
    {"walk", "it takes a free walker, beside the walk it cannot wait for"},
    {"block", "it waits, and all behind it, until that walk ends"},
    {0},
};
static const msw_choice PATH_CACHES[] = {
    {"none", "every walk reads all levels"},
    {"register", "each walker keeps the path of its last walk (TPreg)"},
    {"shared", "all walkers share a cache of paths (TPC)"},
    {"unified", "all walkers share a cache of page-table entries (UPTC)"},
    {0},
};

#define PAPER    "arXiv:1911.06859, "
#define TABLE    PAPER "table I; remembered, not read"
#define FIELD(f) offsetof(neummu_sparse_config, f)

const msw_param neummu_sparse_params[] = {
    {"mode", MSW_CHOICE, "", 0, 0, NEUMMU_SPARSE_NUMA_FAST, NAN, MSW_LINEAR, MODES, NULL,
     "how rows of other devices come here", MSW_PAPER, PAPER "section V", 0, 0, FIELD(mode)},
    {"devices", MSW_INTEGER, "", 1, NEUMMU_SPARSE_DEVICES, 4, NAN, MSW_POW2, NULL, NULL,
     "devices that the rows lie on; the first one gathers", MSW_UNKNOWN, "not recovered", 2, 16,
     FIELD(devices)},
    {"placement", MSW_CHOICE, "", 0, 0, NEUMMU_SPARSE_TABLES, NAN, MSW_LINEAR, PLACEMENTS, NULL,
     "what is spread over the devices", MSW_UNKNOWN, "not recovered", 0, 0, FIELD(placement)},
    {"oracle", MSW_FLAG, "", 0, 1, 0, NAN, MSW_LINEAR, NULL, NULL,
     "every translation is known at once: the reference", MSW_PAPER, PAPER "section III-C", 0, 0,
     FIELD(mmu.oracle)},
    {"page_size", MSW_SIZE, "B", 4096, 1073741824, 4096, NAN, MSW_POW2, NULL, NULL,
     "size of all pages, a power of two", MSW_PAPER, PAPER "section V", 0, 0, FIELD(mmu.page_size)},
    {"tlb_entries", MSW_INTEGER, "entries", 1, 1048576, 2048, NAN, MSW_POW2, NULL, NULL,
     "translations the TLB holds", MSW_PAPER, PAPER "fig. 8", 0, 0, FIELD(mmu.tlb_entries)},
    {"tlb_ways", MSW_INTEGER, "ways", 0, 1024, 0, NAN, MSW_POW2, NULL, NULL,
     "ways of the TLB; 0: fully associative", MSW_UNKNOWN, "not recovered", 0, 16,
     FIELD(mmu.tlb_ways)},
    {"tlb_cycles", MSW_INTEGER, "cycles", 0, 1000, 5, NAN, MSW_LINEAR, NULL, NULL,
     "latency of a hit", MSW_INFERRED, TABLE "; the same in casys-kaist/mNPUsim single.cfg", 1, 10,
     FIELD(mmu.tlb_cycles)},
    {"ptw_count", MSW_INTEGER, "walkers", 1, 4096, 128, NAN, MSW_POW2, NULL, NULL,
     "page-table walkers", MSW_INFERRED, PAPER "section IV-B; remembered, not read", 64, 256,
     FIELD(mmu.ptw_count)},
    {"walk_level_cycles", MSW_INTEGER, "cycles", 1, 10000, 100, NAN, MSW_LINEAR, NULL, NULL,
     "one page-table access", MSW_INFERRED, TABLE "; the same in casys-kaist/mNPUsim single.cfg",
     50, 200, FIELD(mmu.walk_level_cycles)},
    {"scoreboard", MSW_FLAG, "", 0, 1, 1, NAN, MSW_LINEAR, NULL, NULL,
     "misses look for a walk of their page (PTS); off: every miss walks", MSW_PAPER,
     PAPER "section IV-A", 0, 0, FIELD(mmu.scoreboard)},
    {"prmb_slots", MSW_INTEGER, "requests", 0, UINT32_MAX, 32, NAN, MSW_POW2, NULL, "unlimited",
     "requests that can be merged to a walk", MSW_INFERRED,
     PAPER "section IV-A; remembered, not read", 8, 32, FIELD(mmu.prmb_slots)},
    {"slots_full", MSW_CHOICE, "", 0, 0, NEUMMU_SLOTS_WALK, NAN, MSW_LINEAR, SLOTS_FULL, NULL,
     "what happens to a miss whose page's walk has no slot left", MSW_INFERRED,
     PAPER "section IV-A: blocked when all walkers are busy and all slots full", 0, 0,
     FIELD(mmu.slots_full)},
    {"reprobe", MSW_FLAG, "", 0, 1, 0, NAN, MSW_LINEAR, NULL, NULL,
     "a blocked miss looks into the TLB again before it walks", MSW_UNKNOWN,
     "the paper does not say", 0, 0, FIELD(mmu.reprobe)},
    {"return_cycles", MSW_INTEGER, "cycles", 0, 16, 1, NAN, MSW_LINEAR, NULL, NULL,
     "cycles between the answers to merged requests", MSW_PAPER, PAPER "section IV-A", 0, 0,
     FIELD(mmu.return_cycles)},
    {"path_cache", MSW_CHOICE, "", 0, 0, NEUMMU_PATH_REGISTER, NAN, MSW_LINEAR, PATH_CACHES, NULL,
     "what lets a walk skip upper levels", MSW_PAPER, PAPER "section IV-C", 0, 0,
     FIELD(mmu.path_cache)},
    {"path_entries", MSW_INTEGER, "entries", 1, 65536, 16, NAN, MSW_POW2, NULL, NULL,
     "paths (shared) or page-table entries (unified) kept", MSW_UNKNOWN, "not recovered", 1, 1024,
     FIELD(mmu.path_entries)},
    {"frequency", MSW_REAL, "GHz", 0.25, 4, 1, NAN, MSW_LINEAR, NULL, NULL,
     "clock of array, DMA engine and MMU", MSW_INFERRED, TABLE, 0.7, 1.5, FIELD(mmu.frequency)},
    {"bandwidth", MSW_REAL, "GB/s", 1, 4096, 600, NAN, MSW_LOG, NULL, NULL,
     "bandwidth of the gathering device's memory", MSW_INFERRED, TABLE, 300, 900,
     FIELD(mmu.bandwidth)},
    {"memory_cycles", MSW_INTEGER, "cycles", 0, 10000, 100, NAN, MSW_LINEAR, NULL, NULL,
     "memory latency", MSW_INFERRED, TABLE, 50, 200, FIELD(mmu.memory_cycles)},
    {"pcie_bandwidth", MSW_REAL, "GB/s", 1, 4096, 16, NAN, MSW_LOG, NULL, NULL,
     "bandwidth between a device and the CPU", MSW_INFERRED, TABLE, 12, 32, FIELD(pcie_bandwidth)},
    {"pcie_cycles", MSW_INTEGER, "cycles", 0, 100000, 600, NAN, MSW_LINEAR, NULL, NULL,
     "latency of that link", MSW_UNKNOWN, "not recovered", 300, 2000, FIELD(pcie_cycles)},
    {"fast_bandwidth", MSW_REAL, "GB/s", 1, 4096, 160, NAN, MSW_LOG, NULL, NULL,
     "bandwidth between devices, into the gathering one", MSW_INFERRED, TABLE, 100, 300,
     FIELD(fast_bandwidth)},
    {"fast_cycles", MSW_INTEGER, "cycles", 0, 100000, 150, NAN, MSW_LINEAR, NULL, NULL,
     "latency of that link", MSW_INFERRED, TABLE, 100, 700, FIELD(fast_cycles)},
    {"cpu_call", MSW_REAL, "ns", 0, 1e6, 10000, NAN, MSW_LINEAR, NULL, NULL,
     "copy: the CPU starts one transfer", MSW_UNKNOWN, "not recovered", 2000, 20000,
     FIELD(cpu_call)},
    {"cpu_row", MSW_REAL, "ns", 0, 1e5, 50, NAN, MSW_LINEAR, NULL, NULL,
     "copy: the CPU puts one row in its place", MSW_UNKNOWN, "not recovered", 10, 200,
     FIELD(cpu_row)},
    {"fault_latency", MSW_REAL, "ns", 0, 1e7, 20000, NAN, MSW_LINEAR, NULL, NULL,
     "demand: from a fault to the start of its page's transfer", MSW_UNKNOWN, "not recovered", 5000,
     50000, FIELD(fault_latency)},
    {"fault_parallel", MSW_INTEGER, "faults", 1, 1024, 16, NAN, MSW_POW2, NULL, NULL,
     "demand: faults handled at the same time", MSW_UNKNOWN, "not recovered", 1, 256,
     FIELD(fault_parallel)},
    {"page_link", MSW_CHOICE, "", 0, 0, NEUMMU_SPARSE_FAST, NAN, MSW_LINEAR, PAGE_LINKS, NULL,
     "demand: the link that pages come over", MSW_UNKNOWN, "not recovered", 0, 0, FIELD(page_link)},
    {"mlp_macs", MSW_REAL, "", 0, 1e9, 18245, NAN, MSW_LINEAR, NULL, NULL,
     "multiplications of the dense layers per request", MSW_PUBLIC,
     "DLRM's layers for Criteo Kaggle: 474368 per sample of 26 look-ups", 1000, 200000,
     FIELD(mlp_macs)},
    {"mlp_utilization", MSW_REAL, "", 0.01, 1, 0.5, NAN, MSW_LINEAR, NULL, NULL,
     "share of the array's cells that work", MSW_UNKNOWN, "small layers", 0.1, 1,
     FIELD(mlp_utilization)},
    {"array_cells", MSW_INTEGER, "cells", 1, 1048576, 16384, NAN, MSW_POW2, NULL, NULL,
     "multipliers of the array", MSW_INFERRED, TABLE, 4096, 65536, FIELD(array_cells)},
    {0},
};

#define TOTAL(name, unit, goal, doc)                                                               \
    {                                                                                              \
        name, unit, goal, MSW_TOTAL, NULL, NULL, NULL, 0, false, 0, 1e18, doc                      \
    }
#define CAUSE(name, doc)                                                                           \
    {                                                                                              \
        name, "cycles", MSW_GOAL_NONE, MSW_TOTAL, NULL, NULL, NULL, 0, true, 0, 1e18, doc          \
    }
#define RATIO(name, unit, goal, num, den, max, doc)                                                \
    {                                                                                              \
        name, unit, goal, MSW_RATIO, num, den, NULL, 0, false, 0, max, doc                         \
    }

const msw_metric neummu_sparse_metrics[] = {
    TOTAL("cycles", "cycles", MSW_GOAL_LOWER, "time of all batches"),
    {"slowdown", "", MSW_GOAL_LOWER, MSW_PAIRED, "cycles", "cycles", "oracle", 0, false, 0.9, 1e6,
     "cycles over those with every translation known at once"},
    {"relative_latency", "", MSW_GOAL_LOWER, MSW_PAIRED, "cycles", "cycles", "copy", 0, false, 0,
     1e6, "cycles over those of the copy through the CPU"},
    RATIO("batch_latency", "cycles", MSW_GOAL_LOWER, "cycles", "batches", 1e18, "cycles per batch"),
    CAUSE("translation", "rows wait for translations"),
    CAUSE("transfer", "rows or pages of other devices are on their way"),
    CAUSE("cpu", "the CPU starts copies and puts rows in their places"),
    CAUSE("fault", "faults are handled"),
    CAUSE("gather", "rows are asked for and come out of the memory here"),
    CAUSE("mlp", "the dense layers are computed"),
    TOTAL("batches", "batches", MSW_GOAL_NONE, "batches gathered and computed"),
    TOTAL("requests", "requests", MSW_GOAL_NONE, "requests for rows or parts of them"),
    TOTAL("remote_requests", "requests", MSW_GOAL_NONE, "those for rows of other devices"),
    TOTAL("row_bytes", "B", MSW_GOAL_NONE, "bytes asked for"),
    TOTAL("remote_bytes", "B", MSW_GOAL_NONE, "bytes asked for that other devices had at first"),
    TOTAL("moved_bytes", "B", MSW_GOAL_LOWER, "bytes that came from other devices"),
    RATIO("bloat", "", MSW_GOAL_LOWER, "moved_bytes", "remote_bytes", 1e9,
          "bytes that came per byte that was asked for"),
    TOTAL("page_faults", "pages", MSW_GOAL_LOWER, "pages moved here"),
    TOTAL("tlb_hits", "requests", MSW_GOAL_HIGHER, "translations the TLB answers"),
    TOTAL("tlb_misses", "requests", MSW_GOAL_LOWER, "translations it does not"),
    RATIO("tlb_hit_rate", "", MSW_GOAL_HIGHER, "tlb_hits", "requests", 1, "TLB hit rate"),
    TOTAL("merged", "requests", MSW_GOAL_HIGHER, "misses merged to a walk under way"),
    TOTAL("walks", "walks", MSW_GOAL_LOWER, "page walks"),
    TOTAL("redundant_walks", "walks", MSW_GOAL_LOWER, "walks for a page that was being walked"),
    TOTAL("walk_accesses", "accesses", MSW_GOAL_LOWER, "page-table accesses"),
    RATIO("accesses_per_walk", "accesses", MSW_GOAL_LOWER, "walk_accesses", "walks", 5,
          "page-table accesses of a walk"),
    {0},
};
