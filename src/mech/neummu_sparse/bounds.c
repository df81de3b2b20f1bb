/* SPDX-License-Identifier: MIT */
/* neummu_sparse: what the use of each resource takes at least. Equations: docs/models/bounds.md. */
#include "mech/neummu_sparse/batch.h"
#include "mech/neummu_sparse/metrics.h"
#include "mech/neummu_sparse/model.h"

#include <math.h>

/* Rates of links are ratios of whole numbers: a little above what was asked for. */
static double at_rate(const neummu_sparse_config *c, double bytes, double bandwidth)
{
    double rate = bandwidth / c->mmu.frequency, cycles = 1;
    while (cycles < 4096 && rate * 2 * cycles < 1 << 19)
        cycles *= 2;
    return bytes / fmax(rate, fmax(floor(rate * cycles + 0.5), 1) / cycles);
}

static double link_time(const neummu_sparse_config *c, const double *m)
{
    double others = (double)c->devices - 1;
    if (c->mode == NEUMMU_SPARSE_COPY)
        return others > 0
                   ? at_rate(c, m[NEUMMU_SPARSE_REMOTE_BYTES] * (1 + 1 / others), c->pcie_bandwidth)
                   : 0;
    return at_rate(c, m[NEUMMU_SPARSE_MOVED_BYTES],
                   neummu_sparse_over_pcie(c) ? c->pcie_bandwidth : c->fast_bandwidth);
}

/* Rows that are read from the memory here. */
static double local_bytes(const neummu_sparse_config *c, const double *m)
{
    double there = c->mode == NEUMMU_SPARSE_DEMAND ? 0 : m[NEUMMU_SPARSE_REMOTE_BYTES];
    return m[NEUMMU_SPARSE_BYTES] - there;
}

void neummu_sparse_bounds(const msw_task *task, double *m)
{
    const neummu_sparse_config *c = task->config;
    bool copies = c->mode == NEUMMU_SPARSE_COPY;
    double fault = floor(neummu_sparse_cycles(c, c->fault_latency));
    double rate = (double)c->array_cells * c->mlp_utilization;
    m[NEUMMU_SPARSE_LEAST_ISSUE] = copies ? 0 : m[NEUMMU_SPARSE_REQUESTS];
    m[NEUMMU_SPARSE_LEAST_MEMORY] = at_rate(c, local_bytes(c, m), c->mmu.bandwidth);
    m[NEUMMU_SPARSE_LEAST_LINK] = link_time(c, m);
    m[NEUMMU_SPARSE_LEAST_WALKERS] = m[NEUMMU_SPARSE_WALK_ACCESSES] *
                                     (double)c->mmu.walk_level_cycles / (double)c->mmu.ptw_count;
    m[NEUMMU_SPARSE_LEAST_HANDLERS] = m[NEUMMU_SPARSE_FAULTS] * fault / (double)c->fault_parallel;
    m[NEUMMU_SPARSE_LEAST_CPU] =
        copies ? neummu_sparse_cycles(c, m[NEUMMU_SPARSE_REMOTE] * c->cpu_row) : 0;
    m[NEUMMU_SPARSE_LEAST_ARRAY] = m[NEUMMU_SPARSE_REQUESTS] * c->mlp_macs / rate;
}
