/* SPDX-License-Identifier: MIT */
/* How much was simulated, and whether that is more than a point may take. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/sample/sample.h"

/* Accesses of the cheap model that take as long as an event in detail, measured: README.md. */
enum { FAST_ACCESSES = 2 };

uint64_t uvm_events(const uvm_machine *m)
{
    uint64_t fast = m->sampler ? m->sampler->accesses / FAST_ACCESSES : 0;
    return m->totals.lines + m->totals.walks + fast;
}

bool uvm_over_limits(const uvm_machine *m)
{
    uint64_t budget = m->task->event_budget;
    return msw_task_expired(m->task) || (budget && uvm_events(m) > budget);
}
