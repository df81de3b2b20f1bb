/* SMs that run apart. Where pages only come (nothing is evicted, read over the link or predicted
 * from walks) what others do acts on an SM through pages alone that it waits for, or would fault
 * on. So an SM runs on its own, its walks included, up to the next thing that the pager ends, to a
 * walk of its own that faults, or to the end of a CTA whose place is taken by the next of the grid.
 * Of these the earliest is handled in common; then all go on. A fault of one SM may queue pages in
 * the past of another: that one has not met them, else it had stopped there.
 *
 * Time is accounted for in slices: in a slice some warp issues, or it is waited for pages, or for
 * memory. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/sample/sample.h"

/* While nobody waits a sampler looks at all SMs together, about once in a span of its own. */
enum { SPAN = UVM_SLICE * UVM_SLICES / 2, SAMPLER_SPAN = 512, EXPIRED_EVERY = 256 };

bool uvm_may_run_apart(const uvm_machine *m)
{
    const uvm_config *c = m->config;
    return c->migration == UVM_FIRST_TOUCH && m->pager.memory.capacity == UINT64_MAX &&
           (!m->pager.predictor || c->predict_on == UVM_ON_FAULT) && m->limit == UINT64_MAX &&
           !c->fault_registers && c->thrash == UVM_THRASH_OFF;
}

/* ---- time ---- */

/* Warps issue between two cycles. What lies too far ahead for the ring counts as memory. */
static void mark_busy(uvm_machine *m, uint64_t from, uint64_t end)
{
    uvm_busy *b = &m->busy;
    from = msw_max_u64(from, m->clock);
    end = msw_min_u64(end, m->clock + UVM_SLICE * (UVM_SLICES - 1));
    b->end = msw_max_u64(b->end, end);
    uint64_t slice = from / UVM_SLICE, over = msw_div_up(end, UVM_SLICE);
    while (slice < over) {
        uint64_t count = msw_min_u64(over - slice, 64 - slice % 64);
        b->bits[slice / 64 % (UVM_SLICES / 64)] |= UINT64_MAX >> (64 - count) << slice % 64;
        slice += count;
    }
}

static bool take_slice(uvm_busy *b, uint64_t slice, bool over)
{
    uint64_t *word = &b->bits[slice / 64 % (UVM_SLICES / 64)], bit = (uint64_t)1 << slice % 64;
    bool busy = *word & bit;
    if (over)
        *word &= ~bit;
    return busy;
}

/* Time in which no warp issues. */
static void account_idle(uvm_machine *m, uint64_t from, uint64_t until)
{
    uint64_t waits = m->waiting_now ? msw_max_u64(from, m->wait_from) : until;
    waits = msw_min_u64(waits, until);
    m->totals.memory += waits - from;
    m->totals.fault_wait += until - waits;
}

/* All before `until` is known. */
static void account(uvm_machine *m, uint64_t until)
{
    while (m->clock < until && m->clock < m->busy.end) {
        uint64_t slice = m->clock / UVM_SLICE, end = (slice + 1) * UVM_SLICE;
        uint64_t to = msw_min_u64(end, until);
        if (take_slice(&m->busy, slice, to == end))
            m->totals.busy += to - m->clock;
        else
            account_idle(m, m->clock, to);
        m->clock = to;
    }
    if (m->clock < until) {
        account_idle(m, m->clock, until);
        m->clock = until;
    }
}

/* ---- one SM ---- */

static int run_schedulers(uvm_machine *m, uint32_t first, uint32_t end, uint64_t until)
{
    for (uint32_t i = first; i < end; i++) {
        uint64_t from = m->next[i];
        if (from >= until)
            continue;
        if (uvm_schedule(m, i, until))
            return -1;
        mark_busy(m, from, m->schedulers[i].now);
    }
    return 0;
}

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
        if (run_schedulers(m, first, first + count, end))
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
        uint64_t stop, next, span = SPAN;
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
        account(m, msw_min_u64(stop, next));
        if (stop <= next && step_common(m, stop))
            return -1;
        if (++rounds % EXPIRED_EVERY == 0 && uvm_over_limits(m))
            m->stopped = true; /* the engine looks at them itself */
    }
    for (uint32_t i = 0; i < (uint32_t)(m->config->sms * m->config->schedulers); i++)
        latest = msw_max_u64(latest, m->schedulers[i].now);
    if (!m->stopped && !m->paused)
        account(m, msw_max_u64(m->finished, latest));
    return 0;
}
