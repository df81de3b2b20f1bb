/* SPDX-License-Identifier: MIT */
/* htmmu: what the use of each resource takes at least. Equations: docs/models/bounds.md. */
#include "mech/shared/bounds.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/metrics.h"
#include "mech/htmmu/model.h"

#include "memsweep/workload/accesses.h"

/* Cycles of all walks together. */
static double walk_time(const htmmu_config *c, const double *m)
{
    double look_ups = c->path_cache == HTMMU_PATH_NONE ? 0 : m[HTMMU_WALKS];
    double accesses = c->memory_model == HTMMU_MEMORY_FIXED
                          ? m[HTMMU_WALK_ACCESSES] * (double)c->level_cycles
                          : m[HTMMU_READ_CYCLES];
    return accesses + look_ups * (double)c->tpc_cycles;
}

/* When the last request is made. */
static double last_made(const msw_task *task)
{
    const htmmu_config *c = task->config;
    const msw_accesses *a = task->product->data;
    uint64_t last = a->count - 1, burst = (uint64_t)c->burst;
    if (c->requester == HTMMU_CLOSED || a->count == 0)
        return 0;
    if (c->requester == HTMMU_TIMED)
        return a->cycles ? (double)a->cycles[last] : 0;
    return floor((double)(last / burst) * ((double)burst / c->rate) +
                 (double)(last % burst) / c->peak_rate);
}

/* Of buses, banks and activations the busiest. */
static double memory_time(const htmmu_config *c, const double *m)
{
    msw_dram_config dram;
    msw_err err;
    if (c->memory_model == HTMMU_MEMORY_FIXED || htmmu_memory_config(c, &dram, &err))
        return 0;
    double reads = m[HTMMU_READS], opened = reads - m[HTMMU_ROW_HITS];
    double channels = dram.channels, ranks = channels * dram.ranks;
    double banks = ranks * dram.groups * dram.banks * dram.buffers;
    double bus = reads * (double)dram.t.bl / channels;
    /* The first opening of a bank, and the first four of a rank, wait for none. */
    double bank = (opened / banks - 1) * (double)dram.t.rc;
    double activations = (opened / (4 * ranks) - 1) * (double)dram.t.faw;
    return fmax(bus, fmax(bank, activations));
}

/* From what the two TLBs, the walkers and the memory did. */
static void bound_misses(const msw_task *task, double *m)
{
    const htmmu_config *c = task->config;
    double walks = walk_time(c, m), registers = (double)(c->streams * c->l1_mshrs);
    double further = c->l2_entries ? m[HTMMU_L2_HITS] + m[HTMMU_MERGED] + m[HTMMU_WALKS] : 0;
    double held = further * (double)c->l2_cycles + walks;
    double all = m[HTMMU_REQUESTS] * (double)c->l1_cycles + held;
    m[HTMMU_LEAST_WINDOW] = all / (double)c->window;
    m[HTMMU_LEAST_L2_PORTS] = m[HTMMU_L2_LOOKUPS] / (double)c->l2_ports;
    m[HTMMU_LEAST_REGISTERS] = c->register_holds == HTMMU_HOLDS_MISS ? held / registers : 0;
    m[HTMMU_LEAST_WALKERS] = walks / (double)c->merge_entries;
    m[HTMMU_LEAST_MEMORY] = memory_time(c, m);
    for (int i = HTMMU_LEAST_WINDOW; i <= HTMMU_LEAST_MEMORY; i++)
        m[i] = msw_least_of_use(task, m[i], m[HTMMU_CYCLES]);
}

void htmmu_bounds(const msw_task *task, double *m)
{
    const htmmu_config *c = task->config;
    double streams = c->router == HTMMU_ROUTER_NONE ? 1 : (double)c->streams;
    m[HTMMU_LEAST_REQUESTER] = last_made(task);
    m[HTMMU_LEAST_PORTS] = m[HTMMU_REQUESTS] / streams;
    bound_misses(task, m);
}
