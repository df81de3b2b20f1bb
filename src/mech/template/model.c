/* SPDX-License-Identifier: MIT */
/* template: the closed form and the cycle model. Equations: README.md. */
#include "mech/template/template.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/accesses.h"

/* Fills in what `windows` windows of this many bytes take. */
static void fill(const template_config *config, double windows, double bytes, double *totals)
{
    totals[TEMPLATE_WAIT] = windows * (double)config->latency;
    totals[TEMPLATE_TRANSFER] = bytes / config->bytes_per_cycle;
    totals[TEMPLATE_CYCLES] = totals[TEMPLATE_WAIT] + totals[TEMPLATE_TRANSFER];
    totals[TEMPLATE_BYTES] = bytes;
}

int template_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    (void)err;
    const template_config *config = task->config;
    const msw_summary *all = &task->product->summary;
    uint64_t window = (uint64_t)config->in_flight, windows = msw_div_up(all->accesses, window);
    fill(config, (double)windows, (double)all->bytes, metrics);
    return 0;
}

/* Whole windows, and the last one where it is short. */
int template_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    const msw_accesses *accesses = task->product->data;
    uint64_t window = (uint64_t)((const template_config *)task->config)->in_flight;
    *count = 0;
    if (accesses->count >= window)
        strata[(*count)++] = (msw_stratum){.units = accesses->count / window, .cost = 1};
    if (accesses->count % window)
        strata[(*count)++] = (msw_stratum){.units = 1, .cost = 1};
    return 0;
}

int template_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                     msw_unit_out *out, msw_err *err)
{
    (void)state; /* there is none */
    (void)err;
    const template_config *config = task->config;
    const msw_accesses *a = task->product->data;
    uint64_t window = (uint64_t)config->in_flight, whole = a->count / window;
    uint64_t first = (stratum ? whole : unit) * window, end = first + window;
    double bytes = 0;
    for (uint64_t i = first; i < end && i < a->count; i++, out->events++)
        bytes += a->bytes ? a->bytes[i] : a->request_bytes;
    fill(config, 1, bytes, out->totals);
    return 0;
}

/* A request is under way for the latency at least; the memory brings this many bytes a cycle. */
void template_bounds(const msw_task *task, double *metrics)
{
    const template_config *config = task->config;
    double requests = (double)task->product->summary.accesses;
    metrics[TEMPLATE_LEAST_WINDOW] = requests * (double)config->latency / (double)config->in_flight;
    metrics[TEMPLATE_LEAST_MEMORY] = metrics[TEMPLATE_BYTES] / config->bytes_per_cycle;
}
