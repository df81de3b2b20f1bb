/* Schedulers and warps. A scheduler issues one instruction per cycle, of the same warp as long as
 * it can, else of the oldest that can. A warp waits for a load where an instruction uses it. */
#include "mech/uvm/machine/machine.h"

static uint32_t sm_of(const uvm_machine *m, uint32_t scheduler)
{
    return scheduler / (uint32_t)m->config->schedulers;
}

/* ---- records ---- */

/* Waits for one of the last accesses. Returns whether its time is known; then *ready is not before
 * it. */
static bool is_there(uvm_machine *m, uint32_t sm, uint32_t number, uint32_t access, uint64_t *ready)
{
    uvm_warp *w = &m->sms[sm].warps[number];
    if (w->open[access]) {
        w->awaited = access;
        uvm_block(m, sm, number, UVM_AWAITS);
        return false;
    }
    *ready = msw_max_u64(*ready, w->done[access]);
    return true;
}

/* Waits for all that the record under way needs, and for the room that its own access takes.
 * Returns whether the warp can go on at `now`. */
static bool all_there(uvm_machine *m, uint32_t sm, uint32_t number, uint64_t now)
{
    uvm_warp *w = &m->sms[sm].warps[number];
    uint64_t ready = m->sms[sm].ready[number], none = 0;
    for (uint32_t rest = w->site->wait; rest; rest &= rest - 1) {
        uint32_t access = (w->accesses - 1 - msw_bits_lowest(rest)) % UVM_OPEN;
        if (!is_there(m, sm, number, access, &ready))
            return false;
    }
    if (w->site->kind < UVM_BARRIER && !is_there(m, sm, number, w->accesses % UVM_OPEN, &none))
        return false;
    m->sms[sm].ready[number] = ready;
    return ready <= now;
}

/* The first part of a record: what is issued before anything has to be waited for. Returns whether
 * the rest can follow at once. */
static bool begin_record(uvm_machine *m, uint32_t sm, uint32_t number, uvm_scheduler *s)
{
    const uvm_site *site = m->sms[sm].warps[number].site;
    uint64_t time = s->now + site->before * (uint64_t)m->config->issue_cycles;
    s->now += site->before;
    m->sms[sm].ready[number] = time;
    return all_there(m, sm, number, s->now);
}

static int at_barrier(uvm_machine *m, uint32_t sm, uint32_t number, uint64_t time)
{
    uint32_t slot = m->sms[sm].warps[number].cta;
    uvm_cta *cta = &m->sms[sm].ctas[slot];
    uvm_block(m, sm, number, UVM_AT_BARRIER);
    if (++cta->arrived == cta->live)
        uvm_release(m, sm, slot, time);
    return 0;
}

static int at_end(uvm_machine *m, uint32_t sm, uint32_t number, uint64_t time)
{
    if (m->sms[sm].warps[number].open_accesses) {
        uvm_block(m, sm, number, UVM_ENDED);
        return 0;
    }
    return uvm_end_warp(m, sm, number, time);
}

static int end_record(uvm_machine *m, uint32_t sm, uint32_t number, uvm_scheduler *s)
{
    uvm_warp *w = &m->sms[sm].warps[number];
    const uvm_site *site = w->site;
    uint64_t time = s->now + site->after * (uint64_t)m->config->issue_cycles;
    s->now += site->after;
    m->totals.instructions += site->before + site->after;
    m->totals.threads += site->threads;
    m->stopped |= m->totals.threads >= m->limit;
    if (site->kind == UVM_END)
        return at_end(m, sm, number, time);
    if (site->kind < UVM_BARRIER && uvm_access(m, sm, number, time))
        return -1;
    w->site = NULL;
    m->sms[sm].ready[number] = time;
    if (site->kind == UVM_BARRIER)
        return at_barrier(m, sm, number, time);
    uint32_t access = (w->accesses - 1) % UVM_OPEN;
    if (m->config->fault_wait == UVM_WAIT_ACCESS && w->open[access]) {
        w->awaited = access;
        uvm_block(m, sm, number, UVM_AWAITS);
    }
    return 0;
}

/* A record in two parts: a warp that has to wait between them keeps its place. */
static int issue(uvm_machine *m, uint32_t sm, uint32_t number, uvm_scheduler *s)
{
    uvm_warp *w = &m->sms[sm].warps[number];
    if (w->site && w->site->kind == UVM_END && !w->open_accesses)
        return uvm_end_warp(m, sm, number, s->now);
    if (!w->site) {
        w->site = uvm_read(&w->reader, m->launch->kernel, &w->address);
        if (!begin_record(m, sm, number, s))
            return 0;
    } else if (!all_there(m, sm, number, s->now)) {
        return 0;
    }
    return end_record(m, sm, number, s);
}

int uvm_schedule(uvm_machine *m, uint32_t number, uint64_t end)
{
    uint32_t sm = sm_of(m, number), step = (uint32_t)m->config->schedulers;
    uvm_scheduler *s = &m->schedulers[number];
    s->now = msw_max_u64(s->now, m->next[number]);
    while (s->now < end && !m->stopped) {
        uint64_t earliest = 0;
        if (s->warp == UVM_MOST_WARPS || m->sms[sm].ready[s->warp] > s->now) {
            s->warp = uvm_oldest(&m->sms[sm], number % step, s, &earliest);
            if (s->warp == UVM_MOST_WARPS && earliest >= end) {
                m->next[number] = earliest;
                return 0;
            }
            if (s->warp == UVM_MOST_WARPS) {
                s->now = earliest;
                continue;
            }
        }
        if (issue(m, sm, s->warp, s))
            return -1;
    }
    m->next[number] = s->now;
    return 0;
}
