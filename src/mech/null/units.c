/* The units of the null mechanism, one by one. Equations: analytic.c.
 *
 * A unit depends on its predecessor through carry; moving to a unit therefore sets the delay its
 * predecessor leaves, which is all the state there is. */
#include "mech/null/instrument.h"

#include "memsweep/base/rng.h"
#include "memsweep/workload/synth.h"

typedef struct null_state {
    double delay; /* what the unit before leaves to the next */
} null_state;

size_t null_state_bytes(const msw_task *task)
{
    (void)task;
    return sizeof(null_state);
}

static int add_detail(const msw_task *task, const msw_synth_product *p, uint64_t h, msw_err *err)
{
    double mean = 0;
    for (uint64_t i = 0; i < p->units; i++)
        mean += p->weights[h * p->units + i] / (double)p->units;
    return msw_detail_add(task, 0, (double[]){(double)h, (double)p->units, mean}, err);
}

int null_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const msw_synth_product *p = task->product->data;
    *count = p->strata;
    for (uint64_t h = 0; h < p->strata; h++) {
        strata[h] = (msw_stratum){.units = p->units, .cost = 1};
        if (task->details && add_detail(task, p, h, err))
            return -1;
    }
    return 0;
}

int null_begin(const msw_task *task, void *state, msw_err *err)
{
    null_state *s = state;
    s->delay = 0;
    return null_cost(task, err);
}

int null_move(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)err;
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    uint64_t position = stratum * p->units + unit;
    ((null_state *)state)->delay = position ? c->carry * p->weights[position - 1] : 0;
    return 0;
}

int null_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err)
{
    (void)err;
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    const null_tilt *tilt = task->artifacts[0];
    null_state *s = state;
    double w = p->weights[stratum * p->units + unit];
    /* A random order of its own: u must not follow the weights or the sampler's order. */
    uint64_t rank = msw_permute(unit, p->units, ~task->stream - stratum);
    double u = ((double)rank + 0.5) / (double)p->units;
    double stall = w * (c->gain - 1) * (0.5 + u) + s->delay;
    s->delay = c->carry * w;
    out->totals[NULL_BUSY] = w;
    out->totals[NULL_STALL] = stall;
    out->totals[NULL_CYCLES] = w + stall;
    out->totals[NULL_WORK] = tilt->tilt[stratum] * (2 + u);
    out->totals[NULL_PEAK] = w + stall;
    msw_unit_record(out, 0, w + stall, 1);
    out->events = 1;
    return 0;
}
