/* neummu_sparse: the record, and what all fidelities share. Equations: README.md, "Sparse case
 * study". */
#include "neummu_sparse.h"

#include <math.h>

static const msw_preset_value IOMMU[] = {
    {"ptw_count", "8"}, {"scoreboard", "off"}, {"prmb_slots", "0"}, {"path_cache", "none"}, {0}};
static const msw_preset_value NEUMMU[] = {{"ptw_count", "128"},
                                          {"scoreboard", "on"},
                                          {"prmb_slots", "32"},
                                          {"path_cache", "register"},
                                          {0}};
static const msw_preset_value ORACLE[] = {{"oracle", "on"}, {0}};
static const msw_preset PRESETS[] = {
    {"iommu", "8 walkers, no merging, no path cache", IOMMU},
    {"neummu", "128 walkers with 32 merge slots and a path register each", NEUMMU},
    {"oracle", "every translation is known at once", ORACLE},
    {0},
};

/* The MMU goes, what it translates for stays. */
static void change_oracle(void *config)
{
    neummu_sparse_config *c = config, own = *c;
    msw_params_defaults(neummu_sparse_params, c);
    neummu_config mmu = c->mmu;
    *c = own;
    c->mmu = mmu;
    c->mmu.oracle = 1;
    c->mmu.page_size = own.mmu.page_size;
    c->mmu.frequency = own.mmu.frequency;
    c->mmu.bandwidth = own.mmu.bandwidth;
    c->mmu.memory_cycles = own.mmu.memory_cycles;
}

/* No pages, no links but the one to the CPU. */
static void change_copy(void *config)
{
    neummu_sparse_config *c = config, plain = {0};
    change_oracle(c);
    msw_params_defaults(neummu_sparse_params, &plain);
    c->mode = NEUMMU_SPARSE_COPY;
    c->mmu.page_size = plain.mmu.page_size;
    c->fast_bandwidth = plain.fast_bandwidth;
    c->fast_cycles = plain.fast_cycles;
    c->page_link = plain.page_link;
    c->fault_latency = plain.fault_latency;
    c->fault_parallel = plain.fault_parallel;
}

static const msw_reference REFERENCES[] = {
    {"oracle", "every translation is known at once", change_oracle},
    {"copy", "without an MMU: rows of other devices are copied through the CPU", change_copy},
    {0},
};

static const char *const STREAM_DEPENDS[] = {"page_size", "devices", "placement", NULL};
static const msw_artifact ARTIFACTS[] = {
    {"stream", STREAM_DEPENDS, false, neummu_sparse_build, false},
    {0},
};

static const msw_agreement AGREEMENT[] = {
    {"cycles", 0.1, NULL}, {"slowdown", 0.1, NULL}, {"requests", 1e-9, NULL}, {0}};
static const msw_monotone MONOTONE[] = {{"fast_cycles", "cycles", +1},
                                        {"fast_bandwidth", "cycles", -1},
                                        {"mlp_macs", "cycles", +1},
                                        {0}};

static const char *const SOURCES[] = {"Hyun et al., NeuMMU, ASPLOS 2020 (arXiv:1911.06859)",
                                      "facebookresearch/dlrm: layers of DLRM", NULL};

static int check(const void *config, msw_err *err)
{
    neummu_config mmu = neummu_sparse_mmu(config);
    return neummu_check(&mmu, err);
}

neummu_config neummu_sparse_mmu(const neummu_sparse_config *config)
{
    neummu_config mmu = config->mmu;
    mmu.table_levels = 4;
    mmu.issue_width = 1;
    mmu.large_page_size = mmu.walk_cycles = 0;
    mmu.tlb2_entries = mmu.walk_queue = mmu.outstanding = 0;
    mmu.path_ways = mmu.path_cycles = mmu.walk_traffic = 0;
    mmu.dma_bytes = 512;
    return mmu;
}

double neummu_sparse_cycles(const neummu_sparse_config *config, double ns)
{
    return ns * config->mmu.frequency;
}

double neummu_sparse_mlp(const neummu_sparse_config *config, const neummu_sparse_batch *batch)
{
    double rate = (double)config->array_cells * config->mlp_utilization;
    return ceil((double)batch->count * config->mlp_macs / rate);
}

neummu_sparse_copied neummu_sparse_copy(const neummu_sparse_config *config,
                                        const neummu_sparse_batch *batch)
{
    if (batch->remote == 0)
        return (neummu_sparse_copied){0};
    double rate = config->pcie_bandwidth / config->mmu.frequency;
    double bytes = (double)(batch->busiest_bytes + batch->remote_bytes);
    double calls = (double)batch->sources + 1;
    return (neummu_sparse_copied){
        .transfer = ceil(bytes / rate) + 2 * (double)config->pcie_cycles,
        .cpu = ceil(neummu_sparse_cycles(config, calls * config->cpu_call +
                                                     (double)batch->remote * config->cpu_row)),
    };
}

static double within(double time, double all)
{
    return fmin(time, all);
}

void neummu_sparse_add(const neummu_sparse_config *config, const neummu_sparse_batch *batch,
                       const neummu_sparse_times *times, double *t)
{
    double gather = within(times->gather, times->all);
    double transfer = within(fmax(gather, times->transfer), times->all);
    double fault = within(fmax(transfer, times->fault), times->all);
    double mlp = neummu_sparse_mlp(config, batch);
    if (config->mode == NEUMMU_SPARSE_COPY) {
        neummu_sparse_copied copied = neummu_sparse_copy(config, batch);
        gather = fmax(0, times->all - copied.transfer - copied.cpu);
        t[NEUMMU_SPARSE_TRANSFER] += copied.transfer;
        t[NEUMMU_SPARSE_CPU] += copied.cpu;
    } else {
        t[NEUMMU_SPARSE_TRANSFER] += transfer - gather;
        t[NEUMMU_SPARSE_FAULT] += fault - transfer;
        t[NEUMMU_SPARSE_TRANSLATION] += times->all - fault;
    }
    t[NEUMMU_SPARSE_GATHER] += gather;
    t[NEUMMU_SPARSE_MLP] += mlp;
    t[NEUMMU_SPARSE_CYCLES] += times->all + mlp;
    t[NEUMMU_SPARSE_BATCHES] += 1;
    t[NEUMMU_SPARSE_REQUESTS] += (double)batch->count;
    t[NEUMMU_SPARSE_REMOTE] += (double)batch->remote;
    t[NEUMMU_SPARSE_BYTES] += (double)batch->bytes;
    t[NEUMMU_SPARSE_REMOTE_BYTES] += (double)batch->remote_bytes;
    bool demand = config->mode == NEUMMU_SPARSE_DEMAND;
    t[NEUMMU_SPARSE_FAULTS] += demand ? (double)batch->faults : 0;
    t[NEUMMU_SPARSE_MOVED_BYTES] += demand ? (double)batch->faults * (double)config->mmu.page_size
                                           : (double)batch->remote_bytes;
}

const msw_mech msw_mech_neummu_sparse = {
    .name = "neummu_sparse",
    .title = "Embedding rows on several devices: copied by the CPU, read in place, paged in",
    .version = 2,
    .sources = SOURCES,
    .params = neummu_sparse_params,
    .config_size = sizeof(neummu_sparse_config),
    .metrics = neummu_sparse_metrics,
    .primary = "cycles",
    .presets = PRESETS,
    .accepts = MSW_PRODUCT_ACCESSES,
    .default_workload = "neumf/b64",
    .random = false,
    .budgeted = true,
    .artifacts = ARTIFACTS,
    .references = REFERENCES,
    .agreement = AGREEMENT,
    .monotone = MONOTONE,
    .check = check,
    .analytic = neummu_sparse_analytic,
    .order = MSW_UNITS_INDEPENDENT,
    .strata_max = NEUMMU_SPARSE_STRATA,
    .state_bytes = neummu_sparse_state_bytes,
    .strata = neummu_sparse_strata,
    .begin = neummu_sparse_begin,
    .warm = neummu_sparse_warm,
    .measure = neummu_sparse_measure,
};
