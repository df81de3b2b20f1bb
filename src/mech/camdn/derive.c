/* SPDX-License-Identifier: MIT */
/* Derives metrics: what follows from configuration and networks alone, and the energy of a task
 * from the cost table (docs/models/costs.md), at 45 nm (README.md, "Energy"). Areas are those of
 * the paper's table III (45 nm, square micrometres), each scaled with what it grows with:
 * scratchpad and data with bytes, the array with cells, tags with lines, the page table with
 * entries x bits of an entry (512 x 10). */
#include "mech/camdn/plan/plan.h"

#include "memsweep/base/math.h"
#include "memsweep/sim/energy.h"

#include <math.h>

static msw_sram slice_of(const camdn_config *c)
{
    double bytes = (double)c->cache / (double)c->slices, lines = bytes / (double)c->line;
    msw_sram sram = {.bytes = bytes, .access_bits = 8 * (double)c->line};
    if (c->control == CAMDN_PAGED) /* pages have no tags */
        return sram;
    sram.entries = lines;
    sram.tag_bits = 48 - (double)msw_bits_highest((uint64_t)(c->cache / c->ways));
    sram.ways = (double)c->ways;
    return sram;
}

double camdn_macs(const msw_graph_network *net)
{
    double macs = 0;
    for (uint32_t o = 0; o < net->op_count; o++)
        macs += (double)net->ops[o].macs;
    return macs;
}

void camdn_energy_fill(const camdn_config *c, uint32_t element_bytes, double macs, double *totals)
{
    msw_cost cost;
    msw_cost_init(&cost);
    msw_sram slice = slice_of(c), own = {.bytes = (double)c->scratchpad};
    own.access_bits = slice.access_bits;
    msw_sram_cost cache = msw_cost_sram(&cost, &slice), pad = msw_cost_sram(&cost, &own);
    double requests = totals[CAMDN_REQUESTS], fills = totals[CAMDN_READ] / (double)c->line;
    double memory = msw_cost_move_pj(cost.dram_pj_per_bit, totals[CAMDN_TRAFFIC]);
    double inside = macs * msw_cost_mac_pj(&cost, element_bytes) + requests * pad.write_pj;
    totals[CAMDN_ENERGY_MEMORY] = memory / 1e3;
    totals[CAMDN_ENERGY_CACHE] = (requests * cache.read_pj + fills * cache.write_pj) / 1e3;
    totals[CAMDN_ENERGY_NPU] = inside / 1e3;
    totals[CAMDN_ENERGY] =
        totals[CAMDN_ENERGY_MEMORY] + totals[CAMDN_ENERGY_CACHE] + totals[CAMDN_ENERGY_NPU];
}

static double entry_bits(const camdn_config *c)
{
    return 1 + (double)msw_bits_width((uint64_t)c->pages - 1); /* number and valid bit */
}

static double table_share(const camdn_config *c)
{
    double scratchpad = 6302e3 * (double)c->scratchpad / 262144;
    double array = 1302e3 * (double)(c->arrays * c->array_rows * c->array_cols) / 1024;
    double table = 73e3 * (double)c->pages * entry_bits(c) / (512 * 10);
    return table / (scratchpad + array + table + 228e3);
}

static double nec_share(const camdn_config *c)
{
    double bytes = (double)c->cache / (double)c->slices / 2097152;
    double lines = bytes * 64 / (double)c->line, nec = 66e3;
    return nec / (21878e3 * bytes + 2398e3 * lines + nec + 334e3);
}

/* Bytes of the cache that the CPU side has: the general ways, or what NPUs leave it where all fill
 * all ways, each as much as another. */
static double cpu_bytes(const camdn_config *c)
{
    double all = (double)c->cache, ways = (double)c->ways;
    int64_t taken = c->control == CAMDN_PAGED ? c->npu_ways : camdn_tagged_ways(c);
    return taken < c->ways ? all * (double)(c->ways - taken) / ways
                           : all / (double)(camdn_running(c) + 1);
}

/* Cycles of an instruction with so many bytes of cache. */
static double cpu_cycles(const camdn_config *c, double bytes)
{
    double misses = c->cpu_misses / 1000 * msw_math_pow(bytes / 1048576, -c->cpu_exponent);
    return c->cpu_cpi + misses * ((double)c->cache_cycles + camdn_memory_cycles(c));
}

static double cpu_slowdown(const camdn_config *c)
{
    return cpu_cycles(c, cpu_bytes(c)) / cpu_cycles(c, (double)c->cache);
}

/* Counts the counted tasks of each network, and returns for how long they came. */
static double count_tasks(const msw_task *task, double *tasks)
{
    const camdn_config *c = task->config;
    uint64_t counted = camdn_counted(task), first = camdn_first_counted(task);
    double from = 0, to = 0;
    if (c->arrivals == CAMDN_CLOSED) {
        camdn_draws draws = camdn_draws_of(task);
        for (uint64_t u = first; u < first + counted; u++)
            tasks[camdn_draw(&draws, (uint32_t)(u % (uint64_t)c->tenants),
                             u / (uint64_t)c->tenants)]++;
        return 0;
    }
    camdn_job *list = msw_arena_zero(task->arena, camdn_job_count(task) + 1, sizeof *list);
    camdn_jobs jobs;
    msw_err err = {0};
    if (!list || camdn_jobs_fill(task, list, &jobs, &err))
        return NAN;
    for (uint64_t u = first; u < first + counted; u++) {
        tasks[list[u].network]++;
        from = u == first ? (double)list[u].time : from;
        to = (double)list[u].time;
    }
    return to - from;
}

/* Tasks that are counted hold pages while they run: NPUs side by side, and as long as they come and
 * the last one runs where NPUs are idle in between. */
static double clairvoyant_of(const msw_task *task, const double *metrics)
{
    const camdn_config *c = task->config;
    double tasks[MSW_GRAPH_NETWORKS_MAX] = {0}, come = count_tasks(task, tasks);
    double ran = metrics[CAMDN_CYCLES] - metrics[CAMDN_WAIT_START];
    double each = ran / fmax(metrics[CAMDN_TASKS], 1);
    double tenants = (double)(c->arrivals == CAMDN_CLOSED ? c->tenants : camdn_running(c));
    double window = c->arrivals == CAMDN_CLOSED ? ran / tenants : fmax(come + each, ran / tenants);
    return camdn_clairvoyant(task, tasks, window);
}

void camdn_derive(const msw_task *task, double *metrics)
{
    metrics[CAMDN_CLAIRVOYANT] = clairvoyant_of(task, metrics);
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    metrics[CAMDN_USED_ONCE] = plans->used_once;
    metrics[CAMDN_BEYOND_1MIB] = plans->beyond_1mib;
    metrics[CAMDN_BEYOND_2MIB] = plans->beyond_2mib;
    metrics[CAMDN_CPU_SLOWDOWN] = cpu_slowdown(task->config);
    metrics[CAMDN_TABLE_SHARE] = table_share(task->config);
    metrics[CAMDN_NEC_SHARE] = nec_share(task->config);
    camdn_energy_chip(task->config, metrics);
}

double camdn_sram_bits(const void *config)
{
    const camdn_config *c = config;
    double table = (double)(c->tenants * c->pages) * entry_bits(c);
    return c->control == CAMDN_PAGED ? table : 0;
}
