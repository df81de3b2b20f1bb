/* SPDX-License-Identifier: MIT */
/* The time of work while nobody waits, as measured before. */
#include "mech/uvm/sample/sample.h"

uvm_work uvm_work_since(uvm_machine *m)
{
    uvm_sampler *s = m->sampler;
    const uvm_totals *t = &m->totals;
    uvm_work work = {(double)(t->accesses - s->last_accesses), (double)(t->fills - s->last_fills),
                     (double)(t->instructions - s->last_instructions) / s->last_warps};
    s->last_warps = (double)msw_max_u64(1, m->grid.live_ctas * m->grid.launch->warps);
    s->last_accesses = t->accesses;
    s->last_fills = t->fills;
    s->last_instructions = t->instructions;
    return work;
}

void uvm_add_work(uvm_work *sum, const uvm_work *more)
{
    sum->accesses += more->accesses;
    sum->fills += more->fills;
    sum->turns += more->turns;
}

void uvm_expect(const uvm_machine *m, const uvm_work *work, double *sum)
{
    const uvm_pace *p = &m->sampler->paces[m->grid.kernel];
    if (!(p->work.turns > 0 && p->work.accesses > 0))
        return;
    for (int k = 0; k <= UVM_EST_FAULT_WAIT; k++)
        sum[k] += work->turns * p->values[k] / p->work.turns;
    double fills = p->work.fills > 0 ? work->fills / p->work.fills : 0;
    for (int k = UVM_EST_TLB_MISSES; k <= UVM_EST_JOINED; k++)
        sum[k] += fills * p->values[k];
    double seen = p->values[UVM_EST_TLB_HITS] + p->values[UVM_EST_TLB_MISSES];
    sum[UVM_EST_TLB_HITS] += work->accesses * seen / p->work.accesses;
    sum[UVM_EST_TLB_HITS] -= fills * p->values[UVM_EST_TLB_MISSES];
}

void uvm_add_pace(uvm_pace *p, const double *made, const uvm_work *work)
{
    const double keep = 0.75;
    if (!(work->turns > 0))
        return;
    p->work.accesses *= keep;
    p->work.fills *= keep;
    p->work.turns *= keep;
    uvm_add_work(&p->work, work);
    for (int k = 0; k < UVM_ESTIMATES; k++)
        p->values[k] = keep * p->values[k] + made[k];
}

bool uvm_runs_out(const uvm_machine *m)
{
    return m->grid.next_cta == m->grid.launch->ctas &&
           4 * m->grid.live_ctas < 3 * m->sampler->held / m->grid.launch->warps;
}
