/* SPDX-License-Identifier: MIT */
/* The units of the null mechanism, one by one. Equations: analytic.c.
 *
 * A unit depends on its predecessor through carry; moving to a unit therefore sets the delay its
 * predecessor leaves, which is all the state there is. */
#include "mech/null/instrument.h"

#include "memsweep/base/rng.h"
#include "memsweep/workload/synth.h"

#include <math.h>

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

/* What the unit before leaves. */
static double delay_before(const msw_task *task, size_t stratum, uint64_t unit)
{
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    uint64_t position = stratum * p->units + unit;
    return position ? c->carry * p->weights[position - 1] : 0;
}

int null_move(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)err;
    ((null_state *)state)->delay = delay_before(task, stratum, unit);
    return 0;
}

static void unit_totals(const msw_task *task, size_t stratum, uint64_t unit, double delay,
                        double *slots)
{
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    const null_tilt *tilt = task->artifacts[0];
    double w = p->weights[stratum * p->units + unit];
    /* A random order of its own: u must not follow the weights or the sampler's order. */
    uint64_t rank = msw_permute(unit, p->units, ~task->stream - stratum);
    double u = ((double)rank + 0.5) / (double)p->units;
    double stall = w * (c->gain - 1) * (0.5 + u) + delay;
    slots[NULL_BUSY] = w;
    slots[NULL_STALL] = stall;
    slots[NULL_CYCLES] = w + stall;
    slots[NULL_WORK] = tilt->tilt[stratum] * (2 + u);
    slots[NULL_PEAK] = w + stall;
}

/* 1, or 1 + unit_events times the weight over its mean in the stratum. */
static uint64_t events_of(const msw_task *task, size_t stratum, double weight)
{
    const null_config *c = task->config;
    const null_tilt *tilt = task->artifacts[0];
    return 1 + (uint64_t)((double)c->unit_events * weight / tilt->mean[stratum]);
}

int null_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err)
{
    (void)err;
    const null_config *c = task->config;
    null_state *s = state;
    unit_totals(task, stratum, unit, s->delay, out->totals);
    s->delay = c->carry * out->totals[NULL_BUSY];
    msw_unit_record(out, 0, out->totals[NULL_CYCLES], 1);
    out->events = events_of(task, stratum, out->totals[NULL_BUSY]);
    return 0;
}

/* ---- predictions, with planted errors ---- */

enum { RARE_ONE_IN = 50, LARGE = 10 };

bool null_predictable(const void *config)
{
    return ((const null_config *)config)->predict_law != NULL_NO_LAW;
}

/* Relative error of the prediction: README.md. Its random order is that of no other number. */
static double planted_error(const msw_task *task, size_t stratum, uint64_t unit, double weight)
{
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    const null_tilt *tilt = task->artifacts[0];
    const double owner[] = {c->gain, c->carry};
    uint64_t key = task->stream ^ msw_hash_bytes(owner, sizeof owner).lo;
    uint64_t rank = msw_permute(unit, p->units, key + stratum);
    double v = ((double)rank + 0.5) / (double)p->units;
    switch (c->predict_law) {
    case NULL_SMALL:
        return c->predict_error * (2 * v - 1);
    case NULL_RARE:
        return v < 1.0 / RARE_ONE_IN ? LARGE * c->predict_error : 0;
    case NULL_BIASED:
        return c->predict_error * (0.5 + v);
    default:
        return fmin(c->predict_error * (weight / tilt->mean[stratum] - 1),
                    LARGE * c->predict_error);
    }
}

int null_predict(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                 msw_err *err)
{
    (void)err;
    const null_config *c = task->config;
    unit_totals(task, stratum, unit, delay_before(task, stratum, unit), out->totals);
    double error = planted_error(task, stratum, unit, out->totals[NULL_BUSY]);
    out->uncertain = c->predict_flags && error >= LARGE * c->predict_error && error > 0;
    out->totals[NULL_CYCLES] /= 1 + error;
    out->events = 1;
    return 0;
}

/* No cheaper than unit by unit: here to be compared with that. */
int null_predict_sum(const msw_task *task, size_t stratum, msw_unit_prediction *out, msw_err *err)
{
    const null_config *c = task->config;
    const msw_synth_product *p = task->product->data;
    double slots[NULL_METRICS] = {0};
    out->events = 1;
    out->uncertain = !c->predict_sum;
    for (uint64_t u = 0; u < p->units && !out->uncertain; u++) {
        msw_unit_prediction one = {.totals = slots};
        if (null_predict(task, stratum, u, &one, err))
            return -1;
        out->uncertain = one.uncertain;
        out->totals[NULL_CYCLES] += slots[NULL_CYCLES];
        out->totals[NULL_BUSY] += slots[NULL_BUSY];
        out->scale[NULL_CYCLES] = fmax(out->scale[NULL_CYCLES], fabs(slots[NULL_CYCLES]));
        out->scale[NULL_BUSY] = fmax(out->scale[NULL_BUSY], fabs(slots[NULL_BUSY]));
    }
    return 0;
}
