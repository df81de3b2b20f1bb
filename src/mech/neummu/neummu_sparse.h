/* Private to neummu_sparse: embedding rows on several devices, gathered by one of them. Equations:
 * README.md, "Sparse case study". */
#ifndef MSW_MECH_NEUMMU_NEUMMU_SPARSE_H
#define MSW_MECH_NEUMMU_NEUMMU_SPARSE_H

#include "mech/neummu/neummu.h"

#include "memsweep/workload/accesses.h"

typedef struct neummu_sparse_config {
    neummu_config mmu; /* complete only as neummu_sparse_mmu gives it */
    int64_t mode, devices, placement;
    int64_t pcie_cycles, fast_cycles, page_link, fault_parallel, array_cells;
    double pcie_bandwidth, fast_bandwidth, cpu_call, cpu_row, fault_latency;
    double mlp_macs, mlp_utilization;
} neummu_sparse_config;

enum { NEUMMU_SPARSE_COPY, NEUMMU_SPARSE_NUMA_SLOW, NEUMMU_SPARSE_NUMA_FAST, NEUMMU_SPARSE_DEMAND };
enum { NEUMMU_SPARSE_TABLES, NEUMMU_SPARSE_ROWS };
enum { NEUMMU_SPARSE_PCIE, NEUMMU_SPARSE_FAST };
enum { NEUMMU_SPARSE_DEVICES = 64 };

/* Metric numbers, in the order of the table in neummu_sparse_params.c. */
enum {
    NEUMMU_SPARSE_CYCLES,
    NEUMMU_SPARSE_SLOWDOWN,
    NEUMMU_SPARSE_RELATIVE,
    NEUMMU_SPARSE_LATENCY,
    NEUMMU_SPARSE_TRANSLATION,
    NEUMMU_SPARSE_TRANSFER,
    NEUMMU_SPARSE_CPU,
    NEUMMU_SPARSE_FAULT,
    NEUMMU_SPARSE_GATHER,
    NEUMMU_SPARSE_MLP,
    NEUMMU_SPARSE_BATCHES,
    NEUMMU_SPARSE_REQUESTS,
    NEUMMU_SPARSE_REMOTE,
    NEUMMU_SPARSE_BYTES,
    NEUMMU_SPARSE_REMOTE_BYTES,
    NEUMMU_SPARSE_MOVED_BYTES,
    NEUMMU_SPARSE_BLOAT,
    NEUMMU_SPARSE_FAULTS,
    NEUMMU_SPARSE_HITS,
    NEUMMU_SPARSE_MISSES,
    NEUMMU_SPARSE_HIT_RATE,
    NEUMMU_SPARSE_MERGED,
    NEUMMU_SPARSE_WALKS,
    NEUMMU_SPARSE_REDUNDANT,
    NEUMMU_SPARSE_WALK_ACCESSES,
    NEUMMU_SPARSE_PER_WALK,
    NEUMMU_SPARSE_METRICS
};

/* ---- where the requests go: one artifact per placement and page size ---- */

/* Reuse of pages by LRU stack distance d: bin 0 holds d = 0, bin b the distances 2^(b-1) ..
 * 2^b - 1. A run is consecutive requests on one page; a segment is so many runs. */
enum {
    NEUMMU_SPARSE_DEPTHS = 32,
    NEUMMU_SPARSE_RUNS = 64,
    NEUMMU_SPARSE_AREAS = 3,
    NEUMMU_SPARSE_LAGS = 6 /* 1, 4, 16, ... 1024 */
};

typedef struct neummu_sparse_segment {
    uint64_t bytes, remote_bytes;
    uint32_t requests, remote;
    uint16_t runs, cold, faults; /* cold: on pages never used before; faults: remote ones */
    uint16_t far;                /* runs that a TLB may well miss */
    /* Of those, in the 2 MiB, 1 GiB, 512 GiB of the one so many before. */
    uint16_t shared[NEUMMU_SPARSE_LAGS][NEUMMU_SPARSE_AREAS];
    uint8_t reused[NEUMMU_SPARSE_DEPTHS];
} neummu_sparse_segment;

typedef struct neummu_sparse_batch {
    uint64_t first, count; /* requests */
    uint64_t segment_first, segment_count;
    uint64_t bytes, remote_bytes, remote, faults;
    uint64_t busiest_bytes; /* of the other device that has most */
    uint32_t sources;       /* other devices that have some */
} neummu_sparse_batch;

typedef struct neummu_sparse_stream {
    const msw_accesses *accesses;
    const uint32_t *pages;   /* by request: which of the pages below */
    const uint64_t *numbers; /* by page: page number */
    const uint32_t *first_batch;
    const uint8_t *homes; /* the device that has it; 0 gathers */
    const neummu_sparse_batch *batches;
    const neummu_sparse_segment *segments;
    uint64_t page_count, batch_count, segment_count, largest_batch;
    unsigned page_shift;
} neummu_sparse_stream;

int neummu_sparse_build(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);

/* Fills in runs, reuse and segments of a stream whose pages are known. Returns 0, or -1. */
int neummu_sparse_profile(neummu_sparse_stream *stream, neummu_sparse_batch *batches,
                          msw_arena *arena, msw_err *err);

/* Size of a request. */
static inline uint64_t neummu_sparse_bytes(const msw_accesses *accesses, uint64_t request)
{
    return accesses->bytes ? accesses->bytes[request] : accesses->request_bytes;
}

/* ---- what modes and fidelities share ---- */

/* The settings of the MMU, with what neummu_sparse leaves alone filled in. Returns them. */
neummu_config neummu_sparse_mmu(const neummu_sparse_config *config);

/* Cycles of a time in ns. */
double neummu_sparse_cycles(const neummu_sparse_config *config, double ns);

/* Cycles of the copy through the CPU, by cause. */
typedef struct neummu_sparse_copied {
    double transfer, cpu;
} neummu_sparse_copied;

neummu_sparse_copied neummu_sparse_copy(const neummu_sparse_config *config,
                                        const neummu_sparse_batch *batch);

/* Cycles from the start of a batch to its last row, in four settings, each with one more cause of
 * waiting than the one before. */
typedef struct neummu_sparse_times {
    double gather;   /* all rows here, all translations known */
    double transfer; /* rows where they are */
    double fault;    /* faults take their time */
    double all;      /* translations too */
} neummu_sparse_times;

/* Adds a batch to totals: times by cause, counts that all fidelities know. */
void neummu_sparse_add(const neummu_sparse_config *config, const neummu_sparse_batch *batch,
                       const neummu_sparse_times *times, double *totals);

/* Cycles of the dense layers for one batch. */
double neummu_sparse_mlp(const neummu_sparse_config *config, const neummu_sparse_batch *batch);

/* ---- tables and model functions of the record ---- */

extern const msw_param neummu_sparse_params[];
extern const msw_metric neummu_sparse_metrics[];

int neummu_sparse_analytic(const msw_task *task, double *metrics, msw_err *err);
size_t neummu_sparse_state_bytes(const msw_task *task);
int neummu_sparse_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int neummu_sparse_begin(const msw_task *task, void *state, msw_err *err);
int neummu_sparse_warm(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                       msw_err *err);
int neummu_sparse_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                          msw_unit_out *out, msw_err *err);

enum { NEUMMU_SPARSE_STRATA = 24 };

#endif
