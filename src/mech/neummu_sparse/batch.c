/* SPDX-License-Identifier: MIT */
/* Computes the times of a batch by cause and its counts, which all modes and fidelities share. */
#include "mech/neummu_sparse/batch.h"
#include "mech/neummu_sparse/model.h"

#include <math.h>

neummu_config neummu_sparse_mmu(const neummu_sparse_config *config)
{
    neummu_config mmu = config->mmu;
    mmu.table_levels = 4;
    mmu.issue_width = 1;
    mmu.large_page_size = mmu.walk_cycles = 0;
    mmu.tlb2_entries = mmu.walk_queue = mmu.outstanding = 0;
    mmu.path_ways = mmu.path_cycles = mmu.walk_traffic = 0;
    mmu.tlb_policy = MSW_POLICY_LRU;
    mmu.walker_choice = MSW_WALKER_LONGEST_IDLE;
    mmu.queue_reprobe = mmu.walk_memory = mmu.table_lines = mmu.table_line_ways = 0;
    mmu.path_l5_entries = 2;
    mmu.path_l4_entries = 4;
    mmu.path_l3_entries = 8;
    mmu.path_l2_entries = 32;
    mmu.dma_bytes = 512;
    mmu.memory_preset = MSW_MEMORY_HBM2;
    mmu.memory_stacks = 0;
    mmu.memory_least = 0;
    mmu.slot_bytes = NEUMMU_SLOT_BYTES;
    mmu.path_register_bytes = NEUMMU_PATH_REGISTER_BYTES;
    mmu.scoreboard_bytes = NEUMMU_SCOREBOARD_BYTES;
    mmu.dram_pj_per_bit = NEUMMU_DRAM_PJ_PER_BIT;
    mmu.node = NEUMMU_NODE_NM;
    return mmu;
}

double neummu_sparse_cycles(const neummu_sparse_config *config, double ns)
{
    return ns * config->mmu.frequency;
}

/* Cycles of the dense layers for one batch. */
static double neummu_sparse_mlp(const neummu_sparse_config *config,
                                const neummu_sparse_batch *batch)
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
