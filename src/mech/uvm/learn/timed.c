/* SPDX-License-Identifier: MIT */
/* Walks in order of time: those that a machine of the record's defaults makes (table 9), as they
 * end. Only what a trace depends on is taken from the point: the pages and the SMs. So the trace is
 * one for all policies, links and latencies that are looked at with what was learned from it. */
#include "mech/uvm/learn/trace.h"

#include "mech/uvm/machine/machine.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/predict.h"

typedef struct listener {
    const uvm_traced *of;
    uvm_rows *rows;
    uvm_machine *machine;
    msw_arena *work;
    msw_err *err;
} listener;

static int hear(void *self, const uvm_event *event)
{
    listener *l = self;
    if (l->rows->count == l->of->most) {
        l->machine->stopped = true;
        return 0;
    }
    uvm_walked row = uvm_walked_of(l->of->layout, event);
    return uvm_rows_add(l->rows, row, l->work) ? msw_fail_memory(l->err) : 0;
}

static void make_config(const uvm_config *of, uvm_config *c)
{
    msw_params_defaults(uvm_params, c);
    c->prefetcher = of->learner.trace_order == UVM_TIMED_TREE ? UVM_TREE : UVM_NONE;
    c->page_trace = UVM_TRACE_WALK;
    c->page_size = of->page_size;
    c->sms = of->sms;
    c->sm_ctas = of->sm_ctas;
    c->sm_warps = of->sm_warps;
    c->sm_shared = of->sm_shared;
    c->sm_registers = of->sm_registers;
}

int uvm_timed_rows(const uvm_traced *of, uvm_rows *rows, msw_arena *work, msw_err *err)
{
    uvm_config config = {0};
    const void *artifacts[UVM_ARTIFACT_PREDICTIONS + 1] = {NULL};
    uvm_machine *machine = msw_arena_zero(work, 1, sizeof *machine);
    msw_task task = *of->task;
    make_config(of->config, &config);
    task.config = &config;
    task.artifacts = artifacts;
    task.arena = work;
    task.details = NULL;
    task.event_budget = 0; /* a trace that is shared depends on no point's limits */
    task.deadline_ns = 0;
    artifacts[UVM_ARTIFACT_STREAM] = of->stream;
    artifacts[UVM_ARTIFACT_LAYOUT] = of->layout;
    if (!machine)
        return msw_fail_memory(err);
    if (uvm_build_link(&task, NULL, work, &artifacts[UVM_ARTIFACT_LINK], err) ||
        uvm_machine_init(machine, &task, err))
        return -1;
    listener l = {of, rows, machine, work, err};
    machine->tap = hear;
    machine->tapped = &l;
    machine->apart = false; /* else SMs would run ahead of each other */
    return uvm_machine_run(machine);
}
