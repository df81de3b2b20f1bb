/* SPDX-License-Identifier: MIT */
/* Units: the whole program is one, or (sampled) accesses of warps are counted in the order in which
 * they are made, and cut. A further stratum of one unit is what is always simulated. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/metrics.h"
#include "mech/uvm/model.h"
#include "mech/uvm/sample/sample.h"

typedef struct state {
    uvm_machine machine;
    uvm_cut cut;
    uint64_t seen; /* events reported */
} state;

int uvm_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    uvm_cut cut = uvm_cut_of(task);
    (void)err;
    *count = cut.unit ? 2 : 1;
    strata[0] = (msw_stratum){.units = cut.units, .cost = 1};
    strata[1] = (msw_stratum){.units = 1, .cost = 1, .rest = true};
    return 0;
}

size_t uvm_state_bytes(const msw_task *task)
{
    (void)task;
    return sizeof(state);
}

int uvm_begin(const msw_task *task, void *memory, msw_err *err)
{
    state *s = memory;
    *s = (state){.cut = uvm_cut_of(task)};
    if (uvm_machine_init(&s->machine, task, err))
        return -1;
    return s->cut.unit ? uvm_sampler_init(&s->machine, &s->cut) : 0;
}

uint64_t uvm_once(const msw_task *task, size_t stratum)
{
    return stratum ? 1 : uvm_cut_of(task).measured;
}

bool uvm_carried(const msw_task *task)
{
    (void)task;
    return true;
}

int uvm_advance(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    state *s = memory;
    (void)task;
    (void)err;
    if (!s->cut.unit)
        return 0;
    return uvm_sampler_run(&s->machine, stratum ? UINT64_MAX : unit * s->cut.unit, false);
}

/* ---- what a unit gives ---- */

static void fill_causes(double *t)
{
    t[UVM_CYCLES] = t[UVM_BUSY] + t[UVM_MEMORY] + t[UVM_FAULT_WAIT] + t[UVM_LAUNCH] + t[UVM_HOST];
}

static void fill_work(const uvm_machine *m, double *t)
{
    const uvm_totals *a = &m->totals;
    t[UVM_LAUNCH] = (double)a->launch;
    t[UVM_HOST] = (double)a->host;
    t[UVM_INSTRUCTIONS] = (double)a->threads;
    t[UVM_WARP_INSTRUCTIONS] = (double)a->instructions;
    t[UVM_ACCESSES] = (double)a->accesses;
    t[UVM_LINES_ASKED] = (double)(m->sampler ? m->stream->lines : a->lines);
    t[UVM_STALLED] = (double)a->stalled;
}

static void fill_time(const uvm_machine *m, double *t)
{
    const uvm_totals *a = &m->totals;
    fill_work(m, t);
    t[UVM_BUSY] = (double)a->busy;
    t[UVM_MEMORY] = (double)a->memory;
    t[UVM_FAULT_WAIT] = (double)a->fault_wait;
    t[UVM_TLB_HITS] = (double)a->tlb_hits;
    t[UVM_TLB_MISSES] = (double)a->tlb_misses;
    t[UVM_WALKS] = (double)a->walks;
    t[UVM_WALK_HITS] = (double)a->walk_hits;
    t[UVM_JOINED] = (double)a->joined;
    fill_causes(t);
}

/* Totals from those that are estimated. */
static void fill_estimates(const double *of, const double *less, double *t)
{
    static const int METRICS[UVM_ESTIMATES] = {
        [UVM_EST_BUSY] = UVM_BUSY,
        [UVM_EST_MEMORY] = UVM_MEMORY,
        [UVM_EST_FAULT_WAIT] = UVM_FAULT_WAIT,
        [UVM_EST_TLB_HITS] = UVM_TLB_HITS,
        [UVM_EST_TLB_MISSES] = UVM_TLB_MISSES,
        [UVM_EST_WALKS] = UVM_WALKS,
        [UVM_EST_WALK_HITS] = UVM_WALK_HITS,
        [UVM_EST_JOINED] = UVM_JOINED,
    };
    for (int k = 0; k < UVM_ESTIMATES; k++)
        t[METRICS[k]] = of[k] - (less ? less[k] : 0);
    fill_causes(t);
}

static int run_whole(state *s, double *t)
{
    uvm_machine *m = &s->machine;
    if (uvm_machine_run(m))
        return -1;
    fill_time(m, t);
    uvm_fill_pages(&m->pager, t);
    return 0;
}

/* What a unit took beyond what was expected of it. */
static int run_unit(state *s, uint64_t unit, double *t)
{
    uvm_machine *m = &s->machine;
    if (uvm_sampler_run(m, (unit + 1) * s->cut.unit, true))
        return -1;
    fill_estimates(m->sampler->made, m->sampler->expected, t);
    t[UVM_CHARGED] = t[UVM_CYCLES];
    return 0;
}

/* What was expected of all units, and all that is never left out. */
static int run_rest(state *s, double *t)
{
    uvm_machine *m = &s->machine;
    if (uvm_sampler_run(m, UINT64_MAX, false))
        return -1;
    fill_work(m, t);
    fill_estimates(m->sampler->rest, NULL, t);
    uvm_fill_pages(&m->pager, t);
    return 0;
}

int uvm_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                msw_unit_out *out, msw_err *err)
{
    state *s = memory;
    (void)task;
    (void)err;
    int rc = !s->cut.unit ? run_whole(s, out->totals)
             : stratum    ? run_rest(s, out->totals)
                          : run_unit(s, unit, out->totals);
    uint64_t events = uvm_events(&s->machine);
    out->events = events - s->seen;
    s->seen = events;
    return rc;
}
