/* SPDX-License-Identifier: MIT */
/* neummu: what the use of each resource takes at least. Equations: docs/models/bounds.md. */
#include "mech/shared/bounds.h"
#include "mech/neummu/config.h"
#include "mech/neummu/metrics.h"
#include "mech/neummu/model.h"
#include "mech/shared/memories.h"

#include "memsweep/workload/npu.h"

#define LEVELS_MOST 5

/* What walks take at least: so many, with so many accesses in all. */
static double walk_time(const neummu_config *c, double walks, double accesses)
{
    double access = (double)c->walk_level_cycles;
    if (c->walk_cycles)
        return walks * (double)c->walk_cycles;
    if (neummu_reads_memory(c))
        access = c->memory_model == NEUMMU_MEMORY_FLAT ? (double)c->memory_cycles : 0;
    double look_ups = c->path_cache == NEUMMU_PATH_NONE ? 0 : walks;
    return accesses * access + look_ups * (double)c->path_cycles;
}

/* Prefetches may still walk when all data are there, one in each walker. */
static double finished_time(const neummu_config *c, const double *m)
{
    double open = fmin((double)c->ptw_count, m[NEUMMU_PREFETCHES]);
    double time = walk_time(c, m[NEUMMU_WALKS], m[NEUMMU_WALK_ACCESSES]);
    return fmax(time - walk_time(c, open, open * LEVELS_MOST), 0);
}

/* Of misses alone; with prefetches it is not known whose accesses are whose: one each. */
static double missed_time(const neummu_config *c, const double *m)
{
    double walks = m[NEUMMU_WALKS] - m[NEUMMU_PREFETCHES];
    return walk_time(c, walks, m[NEUMMU_PREFETCHES] > 0 ? walks : m[NEUMMU_WALK_ACCESSES]);
}

/* Bytes per cycle at most. The flat memory counts in 2^-20 of a tick a byte. */
static double peak(const neummu_config *c)
{
    double width = (double)c->issue_width, unit = (double)(1 << 20);
    if (c->memory_model == NEUMMU_MEMORY_FLAT) {
        double ticks = floor(width * c->frequency / c->bandwidth * unit + 0.5);
        return ticks > 0 ? width * unit / ticks : INFINITY;
    }
    const msw_dram_config *channel = msw_memory_of(c->memory_preset);
    double burst_ns = (double)channel->t.bl * (double)channel->clock_ps / 1000;
    return (double)c->memory_channels * (double)channel->burst_bytes / burst_ns / c->frequency;
}

/* Of the outputs of layers' last tiles, what may never leave the chip to come back. */
static double kept(const neummu_config *c, const msw_npu_product *p)
{
    double layers = 0;
    if (c->boundary != NEUMMU_BOUNDARY_FORWARDED)
        return 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        layers += (double)p->layers[l].repeat;
    return layers * (double)p->kept_bytes;
}

static double memory_time(const msw_task *task, const double *m)
{
    const neummu_config *c = task->config;
    const msw_npu_product *p = task->product->data;
    double bytes = (double)p->load_bytes + (double)p->store_bytes - kept(c, p);
    bool counts = c->walk_traffic || neummu_reads_memory(c);
    if (counts && !c->oracle && task->fidelity != MSW_ANALYTIC)
        bytes += m[NEUMMU_WALK_ACCESSES] * NEUMMU_LINE_BYTES;
    return bytes > 0 ? bytes / peak(c) : 0;
}

/* The share of the tiles that are the first one of a layer's further executions. */
static double repeated_share(const msw_npu_product *p)
{
    double again = 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        again += (double)p->layers[l].repeat - 1;
    return p->tiles_run ? again / (double)p->tiles_run : 0;
}

/* All executions of a layer after its first are as its second one, whose first tile was loaded in
 * the time of the one before and the next layer's in its own. So where the first tiles of further
 * executions decide whether a bound exceeds the cycles, it is no more than these. */
static double least_of(const msw_task *task, double least, double cycles)
{
    double sure = least * (1 - repeated_share(task->product->data));
    return least > cycles && sure <= cycles ? cycles : msw_least_of_use(task, least, cycles);
}

void neummu_bounds(const msw_task *task, double *m)
{
    const neummu_config *c = task->config;
    const msw_npu_product *p = task->product->data;
    double walkers = c->oracle ? 0 : finished_time(c, m) / (double)c->ptw_count;
    double misses = c->oracle || !c->outstanding ? 0 : missed_time(c, m) / (double)c->outstanding;
    m[NEUMMU_LEAST_ARRAY] = (double)p->compute_cycles;
    m[NEUMMU_LEAST_ISSUE] = m[NEUMMU_TRANSLATIONS] / (double)c->issue_width;
    m[NEUMMU_LEAST_MEMORY] = least_of(task, memory_time(task, m), m[NEUMMU_CYCLES]);
    m[NEUMMU_LEAST_WALKERS] = least_of(task, walkers, m[NEUMMU_CYCLES]);
    m[NEUMMU_LEAST_OUTSTANDING] = least_of(task, misses, m[NEUMMU_CYCLES]);
}
