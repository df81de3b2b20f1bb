/* SPDX-License-Identifier: MIT */
/* The whole program is one unit: what is sampled is run as `full` (README.md, "Sampling"). */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/model.h"

int uvm_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)task;
    (void)err;
    *count = 1;
    strata[0] = (msw_stratum){.units = 1, .cost = 1};
    return 0;
}

static void fill_time(const uvm_machine *m, double *t)
{
    const uvm_totals *a = &m->totals;
    t[UVM_LAUNCH] = (double)a->launch;
    t[UVM_HOST] = (double)a->host;
    t[UVM_INSTRUCTIONS] = (double)a->threads;
    t[UVM_WARP_INSTRUCTIONS] = (double)a->instructions;
    t[UVM_ACCESSES] = (double)a->accesses;
    t[UVM_LINES_ASKED] = (double)a->lines;
    t[UVM_STALLED] = (double)a->stalled;
    t[UVM_BUSY] = (double)a->busy;
    t[UVM_MEMORY] = (double)a->memory;
    t[UVM_FAULT_WAIT] = (double)a->fault_wait;
    t[UVM_TLB_HITS] = (double)a->tlb_hits;
    t[UVM_TLB_MISSES] = (double)a->tlb_misses;
    t[UVM_WALKS] = (double)a->walks;
    t[UVM_WALK_HITS] = (double)a->walk_hits;
    t[UVM_JOINED] = (double)a->joined;
    t[UVM_CYCLES] = t[UVM_BUSY] + t[UVM_MEMORY] + t[UVM_FAULT_WAIT] + t[UVM_LAUNCH] + t[UVM_HOST];
}

int uvm_machine_measure(uvm_machine *m, msw_unit_out *out)
{
    if (uvm_machine_run(m))
        return -1;
    fill_time(m, out->totals);
    uvm_fill_pages(&m->pager, out->totals);
    out->events = uvm_events(m);
    return 0;
}

int uvm_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                msw_unit_out *out, msw_err *err)
{
    uvm_machine *m = msw_arena_take(task->arena, sizeof *m);
    (void)memory;
    (void)stratum;
    (void)unit;
    if (!m)
        return msw_fail_memory(err);
    return uvm_machine_init(m, task, err) ? -1 : uvm_machine_measure(m, out);
}
