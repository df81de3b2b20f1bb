/* SPDX-License-Identifier: MIT */
/* The cycle model in units: a unit is a counted task of a tenant. Time is never skipped: whatever
 * is measured, everything runs. */
#include "mech/camdn/machine/system.h"
#include "mech/camdn/qos/service.h"

int camdn_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    strata[0] = (msw_stratum){.units = msw_max_u64(1, camdn_counted(task)), .cost = 1};
    *count = 1;
    return 0;
}

/* Whatever is looked at, everything runs: to look at some of the tasks would save nothing. */
uint64_t camdn_once(const msw_task *task, size_t stratum)
{
    (void)task;
    (void)stratum;
    return UINT64_MAX;
}

size_t camdn_state_bytes(const msw_task *task)
{
    return camdn_system_layout(task, NULL, NULL);
}

int camdn_begin(const msw_task *task, void *state, msw_err *err)
{
    camdn_system *system = state;
    camdn_system_layout(task, system, state);
    return camdn_system_start(task, system, err);
}

int camdn_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)task;
    (void)state;
    (void)stratum;
    (void)unit;
    (void)err;
    return 0;
}

int camdn_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err)
{
    camdn_system *s = state;
    uint64_t before = s->events;
    double line = (double)s->config->line;
    (void)stratum;
    const camdn_result *r = camdn_system_run(s, unit, err);
    if (!r)
        return -1;
    double rest = (double)(r->cycles - r->compute - r->wait_memory - r->wait_pages - r->wait_npu -
                           r->wait_start);
    out->totals[CAMDN_CYCLES] = (double)r->cycles;
    out->totals[CAMDN_COMPUTE] = (double)r->compute;
    out->totals[CAMDN_WAIT_CACHE] = rest;
    out->totals[CAMDN_WAIT_MEMORY] = (double)r->wait_memory;
    out->totals[CAMDN_WAIT_PAGES] = (double)r->wait_pages;
    out->totals[CAMDN_WAIT_NPU] = (double)r->wait_npu;
    out->totals[CAMDN_WAIT_START] = (double)r->wait_start;
    out->totals[CAMDN_TARGETED] = r->target > 0;
    out->totals[CAMDN_IN_TIME] = r->target > 0 && r->cycles < r->target;
    out->totals[CAMDN_STOPPED] = (double)r->stopped;
    out->totals[CAMDN_TASKS] = 1;
    out->totals[CAMDN_REQUESTS] = (double)r->requests;
    out->totals[CAMDN_HITS] = (double)r->hits;
    out->totals[CAMDN_READ] = line * (double)r->reads;
    out->totals[CAMDN_WRITTEN] = line * (double)r->writes;
    out->totals[CAMDN_TRAFFIC] = line * (double)(r->reads + r->writes);
    const msw_graph_product *mix = s->draws.mix;
    camdn_energy_fill(s->config, mix->element_bytes, camdn_macs(&mix->networks[r->network]),
                      out->totals);
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    camdn_limits_add(plans, s->expected, r->network, out->totals);
    out->events = s->events - before;
    return 0;
}
