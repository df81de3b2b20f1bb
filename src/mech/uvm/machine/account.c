/* SPDX-License-Identifier: MIT */
/* Accounts for the time of a launch where SMs run apart, and for the limits of a point. SMs are
 * ahead of the clock by different times, so that what they do is noted by the slice of time in
 * which they do it, and a slice is classed when all that happens in it is known. So it does not
 * matter how far they run. */
#include "mech/uvm/machine/machine.h"

#include "memsweep/base/bits.h"

enum { AHEAD = UVM_SLICE * (UVM_SLICES - 1) }; /* of the clock, what the rings have room for */

void uvm_slices_start(uvm_machine *m)
{
    m->slices = (uvm_slices){.end = m->clock, .from = m->clock, .waiting = (int64_t)m->waiters.now};
}

/* What lies too far ahead for the ring counts as memory. */
void uvm_mark_busy(uvm_machine *m, uint64_t from, uint64_t end)
{
    uvm_slices *b = &m->slices;
    from = msw_max_u64(from, m->clock);
    end = msw_min_u64(end, m->clock + AHEAD);
    b->end = msw_max_u64(b->end, end);
    uint64_t slice = from / UVM_SLICE, over = msw_div_up(end, UVM_SLICE);
    while (slice < over) {
        uint64_t count = msw_min_u64(over - slice, 64 - slice % 64);
        b->busy[slice / 64 % (UVM_SLICES / 64)] |= UINT64_MAX >> (64 - count) << slice % 64;
        slice += count;
    }
}

/* A line that waits for less than the rest of a slice is taken to wait for all of it. */
void uvm_mark_wait(uvm_machine *m, uint64_t from)
{
    uvm_slices *b = &m->slices;
    from = msw_min_u64(msw_max_u64(from, m->clock), m->clock + AHEAD - 1);
    b->end = msw_max_u64(b->end, from + 1);
    b->begun[from / UVM_SLICE % UVM_SLICES] |= UINT64_MAX << from % UVM_SLICE;
    b->begins[from / UVM_SLICE % UVM_SLICES]++;
}

/* Cycles of a slice between two times, as bits. */
static uint64_t cycles(uint64_t from, uint64_t until)
{
    return msw_bits_mask((unsigned)(until - from)) << from % UVM_SLICE;
}

/* The slice under way is over, or the launch. */
static void class_slice(uvm_machine *m)
{
    uvm_slices *b = &m->slices;
    uvm_totals *t = &m->totals;
    uint64_t slice = b->from / UVM_SLICE, at = slice % UVM_SLICES, all = m->clock - b->from;
    uint64_t *word = &b->busy[slice / 64 % (UVM_SLICES / 64)], bit = (uint64_t)1 << slice % 64;
    uint64_t waited = msw_bits_count((b->waited | b->begun[at]) & cycles(b->from, m->clock));
    if (*word & bit) {
        t->busy += all;
    } else {
        t->fault_wait += waited;
        t->memory += all - waited;
    }
    *word &= ~bit;
    b->waiting += b->begins[at];
    b->begun[at] = b->waited = 0;
    b->begins[at] = 0;
    b->from = m->clock;
}

/* Whole slices in which nothing issues or begins to wait. */
static void skip_slices(uvm_machine *m, uint64_t until)
{
    uint64_t whole = (until - m->clock) / UVM_SLICE * UVM_SLICE;
    *(m->slices.waiting > 0 ? &m->totals.fault_wait : &m->totals.memory) += whole;
    m->clock += whole;
    m->slices.from = m->clock;
}

void uvm_account(uvm_machine *m, uint64_t until)
{
    uvm_slices *b = &m->slices;
    while (m->clock < until) {
        uint64_t end = (m->clock / UVM_SLICE + 1) * UVM_SLICE, to = msw_min_u64(end, until);
        if (b->waiting > 0)
            b->waited |= cycles(m->clock, to);
        m->clock = to;
        if (to < end)
            return;
        class_slice(m);
        if (to >= b->end && to < until)
            skip_slices(m, until);
    }
}

void uvm_account_end(uvm_machine *m)
{
    if (m->clock > m->slices.from)
        class_slice(m);
}

uint64_t uvm_events(const uvm_machine *m)
{
    return m->totals.lines + m->totals.walks;
}

bool uvm_over_limits(const uvm_machine *m)
{
    uint64_t budget = m->task->event_budget;
    return msw_task_expired(m->task) || (budget && uvm_events(m) > budget);
}
