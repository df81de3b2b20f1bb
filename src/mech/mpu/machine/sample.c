/* SPDX-License-Identifier: MIT */
/* A sample of a program of many launches: whole launches, in strata of those that are alike. Only
 * the launches that build what others take addresses from are run besides, in their slice
 * (README.md, "Sampling"). */
#include "mech/mpu/machine/machine.h"

#include "mech/mpu/count/count.h"
#include "memsweep/base/bits.h"

#include <math.h>

enum { ALIKE_MOST = 16, STRATA = 48, PILOT_LEAST = 8 };

static void add_stage(const mpu_groups *groups, size_t stage, mpu_units *units)
{
    size_t h = msw_min_u64(groups->of_stage[stage], STRATA - 1);
    mpu_launches *of = &units->launches[h];
    of->stages[of->count] = stage;
    of->times[of->count++] = units->launch_count++;
    of->insns += units->insns[stage];
}

/* Room for the launches of a stratum. */
static int allocate_launches(const mpu_groups *groups, size_t h, msw_arena *arena, mpu_launches *of)
{
    double count = groups->list[h].launches;
    for (size_t more = h + 1; h == STRATA - 1 && more < groups->count; more++)
        count += groups->list[more].launches;
    of->stages = msw_arena_take(arena, (size_t)count * sizeof *of->stages);
    of->times = msw_arena_take(arena, (size_t)count * sizeof *of->times);
    return of->stages && of->times ? 0 : -1;
}

int mpu_launches_sort(const msw_simt_product *product, msw_arena *arena, mpu_units *units,
                      msw_err *err)
{
    mpu_groups groups = {.count = STRATA + 1};
    for (uint32_t most = ALIKE_MOST; most && groups.count > STRATA; most /= 2)
        if (mpu_groups_of(product, most, arena, &groups, err))
            return -1;
    units->launch_strata = msw_min_u64(groups.count, STRATA);
    for (size_t h = 0; h < units->launch_strata; h++)
        if (allocate_launches(&groups, h, arena, &units->launches[h]))
            return msw_fail_memory(err);
    for (size_t s = 0; s < product->stage_count; s++)
        if (product->stages[s].kind == MSW_SIMT_STAGE_LAUNCH)
            add_stage(&groups, s, units);
    return 0;
}

enum { LEAD_EACH = 256 };

uint64_t mpu_simulated_subcores(const mpu_config *c)
{
    uint64_t cores = (uint64_t)(c->simulated_cores ? c->simulated_cores : mpu_core_count(c));
    return msw_min_u64(cores, (uint64_t)mpu_core_count(c)) * (uint64_t)c->subcores;
}

uint64_t mpu_lead_insns(const mpu_config *c)
{
    return LEAD_EACH * mpu_simulated_subcores(c);
}

/* A long one finds little of what the launch before it left. */
size_t mpu_launch_lead_from(const msw_task *task, const mpu_units *units, size_t from, size_t stage)
{
    const mpu_config *c = task->config;
    double insns = units->insns[stage] < (double)c->window ? 0 : HUGE_VAL;
    size_t first = stage;
    while (first > from && insns < (double)mpu_lead_insns(c))
        insns += units->insns[--first];
    return first;
}

double mpu_launch_lead(const msw_task *task, const mpu_units *units)
{
    const mpu_config *c = task->config;
    double all = 0, need = (double)mpu_lead_insns(c);
    for (size_t h = 0; h < units->launch_strata; h++)
        all += units->launches[h].insns;
    double each = fmax(all / (double)msw_max_u64(units->launch_count, 1), 1);
    return each < (double)c->window ? ceil(need / each) : 0;
}

bool mpu_samples_launches(const msw_task *task, const mpu_units *units)
{
    double cost = 0, each = 1 + mpu_launch_lead(task, units);
    if (task->fidelity != MSW_SAMPLED || !units->launch_strata)
        return false;
    uint64_t pilot = (uint64_t)task->sampling.pilot / units->launch_strata;
    pilot = msw_max_u64(pilot, PILOT_LEAST);
    for (size_t h = 0; h < units->launch_strata; h++)
        for (uint64_t n = pilot; n <= 2 * pilot; n += pilot)
            cost += each * (double)msw_min_u64(n, units->launches[h].count);
    return cost < (double)units->launch_count;
}

void mpu_launch_strata(const mpu_units *units, msw_stratum *strata)
{
    for (size_t h = 0; h < units->launch_strata; h++) {
        const mpu_launches *of = &units->launches[h];
        strata[h] = (msw_stratum){
            .units = of->count, .cost = of->insns / (double)of->count + 1, .times = of->times};
    }
}

int mpu_launch_whole(mpu_machine *m, size_t stage, msw_err *err)
{
    if (mpu_launch_start(m, stage, err) || mpu_machine_run(m, UINT64_MAX, err))
        return -1;
    mpu_settle(m, m->now);
    return 0;
}
