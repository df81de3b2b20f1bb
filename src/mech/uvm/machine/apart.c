/* SPDX-License-Identifier: MIT */
/* SMs that run apart. Where pages only come (nothing is evicted, read over the link or predicted
 * from walks) what others do acts on an SM through pages alone that it waits for, or would fault
 * on. So an SM runs on its own, its walks included, up to the next thing that the pager ends, to a
 * walk of its own that faults, or to the end of a CTA whose place is taken by the next of the grid.
 * Of these the earliest is handled in common; then all go on. A fault of one SM may queue pages in
 * the past of another: that one has not met them, else it had stopped there.
 *
 * How far an SM runs changes nothing but the memory that it takes to note what it did. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/sample/sample.h"

/* While nobody waits a sampler looks at all SMs together, about once in a span of its own. */
enum { SAMPLER_SPAN = 512, EXPIRED_EVERY = 256 };

bool uvm_may_run_apart(const uvm_machine *m)
{
    const uvm_config *c = m->config;
    return c->migration == UVM_FIRST_TOUCH && m->pager.memory.capacity == UINT64_MAX &&
           (!m->pager.predictor || c->predict_on == UVM_ON_FAULT) && m->limit == UINT64_MAX &&
           !c->fault_registers && c->thrash == UVM_THRASH_OFF;
}

/* ---- one SM ---- */

/* When the first warp of an SM can issue. */
static inline uint64_t first_issue(const uvm_machine *m, uint32_t first, uint32_t end)
{
    uint64_t time = msw_min_u64(m->next[first], m->next[end - 1]);
    if (end - first > 2)
        for (uint32_t i = first + 1; i + 1 < end; i++)
            time = msw_min_u64(time, m->next[i]);
    return time;
}

/* Up to `until`, or to its own stop. */
static int run_sm(uvm_machine *m, uint32_t number, uint64_t until, uint64_t least)
{
    uvm_sm *sm = &m->sms[number];
    uint32_t count = (uint32_t)m->config->schedulers, first = number * count;
    while (!m->stopped) {
        uint64_t warps = first_issue(m, first, first + count), walks = m->walk_next[number];
        uint64_t end = msw_min_u64(until, sm->cta_stop);
        if (msw_min_u64(warps, walks) >= end)
            return 0;
        if (walks <= warps) {
            int rc = uvm_end_local_walks(m, number, walks);
            if (rc == 1)
                sm->walk_stop = walks;
            if (rc)
                return rc < 0 ? -1 : 0;
            continue;
        }
        end = msw_min_u64(msw_min_u64(end, walks), warps + least);
        if (uvm_issue(m, number, end))
            return -1;
    }
    return 0;
}

/* ---- all of them ---- */

/* Runs all that are not stopped. Returns the first stop; *next is the first thing that any has left
 * to do. */
static int run_all(uvm_machine *m, uint64_t until, uint64_t *stop, uint64_t *next)
{
    uint64_t least = (uint64_t)(m->config->walk_cycles + m->config->tlb_cycles);
    uint32_t count = (uint32_t)m->config->schedulers;
    *stop = *next = UINT64_MAX;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
        uvm_sm *sm = &m->sms[s];
        if (sm->walk_stop == UINT64_MAX && run_sm(m, s, until, least))
            return -1;
        *stop = msw_min_u64(*stop, msw_min_u64(sm->walk_stop, sm->cta_stop));
        *next = msw_min_u64(*next, m->walk_next[s]);
        *next = msw_min_u64(*next, first_issue(m, s * count, (s + 1) * count));
    }
    return 0;
}

/* What ends in this cycle: transfers and batches, walks that fault, CTAs. */
static int step_common(uvm_machine *m, uint64_t now)
{
    size_t faults = 0;
    uint32_t sms = (uint32_t)m->config->sms;
    if (uvm_pager_next(&m->pager) <= now && uvm_step_pager(m, now))
        return -1;
    for (uint32_t s = 0; s < sms; s++) {
        if (m->sms[s].walk_stop > now)
            continue;
        m->sms[s].walk_stop = UINT64_MAX;
        if (uvm_end_sm_walks(m, s, now, &faults))
            return -1;
    }
    if (faults && uvm_pager_fault(&m->pager, now, m->faults, faults))
        return -1;
    for (uint32_t s = 0; s < sms; s++)
        if (m->sms[s].cta_stop <= now && uvm_end_ctas(m, s, now))
            return -1;
    return uvm_end_waiting(m, now);
}

int uvm_run_apart(uvm_machine *m)
{
    uint64_t rounds = 0, latest = m->clock;
    while (m->live_ctas && !m->stopped) {
        uint64_t stop, next, span = m->span;
        if (m->sampler && uvm_sampler_turn(m))
            return -1;
        if (m->sampler && m->sampler->free_since != UINT64_MAX)
            span = SAMPLER_SPAN;
        if (m->paused || !m->live_ctas)
            break;
        m->horizon = uvm_pager_next(&m->pager);
        if (run_all(m, msw_min_u64(m->horizon, m->clock + span), &stop, &next))
            return -1;
        if (!m->live_ctas)
            break;
        stop = msw_min_u64(stop, m->horizon);
        if (stop == UINT64_MAX && next == UINT64_MAX)
            return msw_fail_kind(m->err, MSW_ERR_INTERNAL, "uvm: nothing can go on");
        uvm_account(m, msw_min_u64(stop, next));
        if (stop <= next && step_common(m, stop))
            return -1;
        if (++rounds % EXPIRED_EVERY == 0 && uvm_over_limits(m))
            m->stopped = true; /* the engine looks at them itself */
    }
    for (uint32_t i = 0; i < (uint32_t)(m->config->sms * m->config->schedulers); i++)
        latest = msw_max_u64(latest, m->schedulers[i].now);
    if (!m->stopped && !m->paused) {
        uvm_account(m, msw_max_u64(m->finished, latest));
        uvm_account_end(m);
    }
    return 0;
}
