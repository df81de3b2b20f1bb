/* SPDX-License-Identifier: MIT */
/* The cheap model. In slices of time each SM lets its warps go on, the oldest first, as long as the
 * slice has room for instructions and lines; an access takes the same time always. A page that is
 * not here is asked for as in detail, and ends it. */
#include "mech/uvm/sample/pages.h"

#include "mech/uvm/machine/ready.h"

#include <string.h>

enum { SLICE = 1024, NEAR = 32 };

/* ---- from detail ---- */

/* Walks that have begun end, where the page of each is here. Returns whether all do. */
static bool walks_meet(const uvm_machine *m)
{
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
        const uvm_walks *walks = &m->sms[s].walks;
        for (uint64_t i = walks->head; i < walks->tail; i++)
            if (m->pager.where[walks->ring[i & walks->mask].page] != UVM_VALID)
                return false;
    }
    return true;
}

static int end_all_walks(uvm_machine *m)
{
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
        while (m->walk_next[s] != UINT64_MAX)
            if (uvm_end_local_walks(m, s, m->walk_next[s]))
                return -1;
        uvm_fill_until(m, &m->sms[s], UINT64_MAX);
        if (uvm_end_ctas(m, s, UINT64_MAX))
            return -1;
    }
    return 0;
}

/* ---- and back ---- */

static void wake_all(fast *f)
{
    uvm_machine *m = f->m;
    uint32_t count = (uint32_t)m->config->schedulers;
    uvm_account_end(m);
    m->clock = f->start;
    uvm_slices_start(m);
    for (uint32_t i = 0; i < (uint32_t)m->config->sms * count; i++) {
        uvm_scheduler_start(&m->schedulers[i], m->clock);
        uvm_rebase(&m->sms[i / count], &m->schedulers[i], m->clock);
        m->next[i] = m->clock;
    }
}

/* ---- warps ---- */

/* What the record under way waits for is there then. */
static uint64_t there(const uvm_warp *w, uint64_t time)
{
    for (uint32_t rest = w->site->wait; rest; rest &= rest - 1)
        time = msw_max_u64(time, w->done[(w->accesses - 1 - msw_bits_lowest(rest)) % UVM_OPEN]);
    return time;
}

static int end_warp(fast *f, uint32_t sm, uint32_t number, uint64_t time)
{
    if (!f->m->sms[sm].warps[number].open_accesses)
        return uvm_end_warp(f->m, sm, number, time);
    uvm_block(f->m, sm, number, UVM_ENDED);
    return 0;
}

static void barrier(fast *f, uint32_t sm, uint32_t number, uint64_t time)
{
    uvm_machine *m = f->m;
    uint32_t slot = m->sms[sm].warps[number].cta;
    uvm_cta *cta = &m->sms[sm].ctas[slot];
    uvm_block(m, sm, number, UVM_AT_BARRIER);
    if (++cta->arrived < cta->live)
        return;
    uvm_release(m, sm, slot, time);
    f->again = true;
}

/* The access under way: its pages are here, or it is made as in detail. */
static int make_access(fast *f, uint32_t sm, uint32_t number, uint64_t time)
{
    uvm_machine *m = f->m;
    const uvm_config *c = m->config;
    uvm_warp *w = &m->sms[sm].warps[number];
    uint64_t walked = m->totals.fills;
    if (uvm_fast_pages(f, sm, number, time))
        return -1;
    if (f->missed)
        return uvm_access(m, sm, number, time);
    uint64_t takes = (uint64_t)(c->tlb_cycles + c->path_cycles + c->memory_cycles);
    takes += m->totals.fills > walked ? (uint64_t)c->walk_cycles : 0;
    w->done[w->accesses++ % UVM_OPEN] = time + takes;
    m->totals.accesses++;
    f->s->accesses++;
    uvm_cta *cta = &m->sms[sm].ctas[w->cta];
    cta->last = msw_max_u64(cta->last, time + takes);
    return 0;
}

static int end_record(fast *f, uint32_t sm, uint32_t number)
{
    uvm_machine *m = f->m;
    uvm_warp *w = &m->sms[sm].warps[number];
    const uvm_site *site = w->site;
    uint64_t time = m->sms[sm].ready[number] + site->after * (uint64_t)m->config->issue_cycles;
    f->moved = true;
    f->issue -= (int64_t)(site->before + site->after);
    m->totals.instructions += site->before + site->after;
    m->totals.threads += site->threads;
    if (site->kind == UVM_END)
        return end_warp(f, sm, number, time);
    if (site->kind < UVM_BARRIER && make_access(f, sm, number, time))
        return -1;
    w->site = NULL;
    m->sms[sm].ready[number] = time;
    if (site->kind == UVM_BARRIER)
        barrier(f, sm, number, time);
    return 0;
}

/* A record, or its first part where the rest has to wait. */
static int step(fast *f, uint32_t sm, uint32_t number)
{
    uvm_machine *m = f->m;
    uvm_warp *w = &m->sms[sm].warps[number];
    uint64_t time = msw_max_u64(m->sms[sm].ready[number], f->start);
    if (w->site && w->site->kind == UVM_END && !w->open_accesses)
        return uvm_end_warp(m, sm, number, time);
    if (!w->site) {
        w->site = uvm_read(&w->reader, m->grid.launch->kernel, &w->address);
        time += w->site->before * (uint64_t)m->config->issue_cycles;
    }
    m->sms[sm].ready[number] = time = there(w, time);
    return time < f->end ? end_record(f, sm, number) : 0;
}

/* ---- slices ---- */

static bool is_over(const fast *f)
{
    const uvm_machine *m = f->m;
    return f->missed || f->near || !m->grid.live_ctas || m->totals.accesses >= f->s->detail ||
           m->totals.accesses >= f->s->goal || m->progress.stopped || m->waiters.now ||
           uvm_runs_out(m);
}

static int run_warp(fast *f, uint32_t number, uint32_t warp)
{
    uvm_sm *sm = &f->m->sms[number];
    uint64_t ctas = f->m->grid.next_cta;
    while (sm->ready[warp] < f->end && f->issue > 0 && f->lines > 0 && !f->missed && !f->again) {
        if (step(f, number, warp))
            return -1;
        f->again |= f->m->grid.next_cta != ctas;
    }
    return 0;
}

/* All warps once, the oldest of each scheduler first. */
static int run_oldest(fast *f, uint32_t number)
{
    const uvm_sm *sm = &f->m->sms[number];
    uint32_t count = (uint32_t)f->m->config->schedulers;
    const uvm_scheduler *s = &f->m->schedulers[number * count];
    for (uint32_t age = 0; age < s->warps && !f->missed && !f->again; age++)
        for (uint32_t i = 0; i < count && !f->missed && !f->again; i++)
            if (sm->ready[s[i].by_age[age]] < f->end && run_warp(f, number, s[i].by_age[age]))
                return -1;
    return 0;
}

/* One SM up to the end of the slice; from the oldest warp again where others were woken. */
static int run_sm(fast *f, uint32_t number)
{
    f->issue = f->budget[number].issue + (int64_t)(f->end - f->start) * f->m->config->schedulers;
    f->lines = f->budget[number].lines + (int64_t)(f->end - f->start) * UVM_TICKS;
    do {
        f->again = false;
        if (run_oldest(f, number))
            return -1;
    } while (f->again && !f->missed);
    f->budget[number].issue = f->issue < 0 ? f->issue : 0;
    f->budget[number].lines = f->lines < 0 ? f->lines : 0;
    return 0;
}

/* What ends on the link, or in the handler, at the begin of a slice. */
static int pass(fast *f)
{
    uvm_machine *m = f->m;
    while (uvm_pager_next(&m->pager) <= f->start) {
        uint64_t now = uvm_pager_next(&m->pager);
        if (uvm_step_pager(m, now) || uvm_end_waiting(m, now))
            return -1;
    }
    f->age = m->pager.counts.back + m->pager.counts.evicted;
    return 0;
}

/* When some warp can go on. */
static uint64_t first_ready(const uvm_machine *m)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++)
        for (uint32_t w = 0; w < UVM_MOST_WARPS; w++)
            first = msw_min_u64(first, m->sms[s].ready[w]);
    return first;
}

/* What a slice has done, by the warps that were there. */
static void add_work(fast *f)
{
    uvm_work work = uvm_work_since(f->m);
    uvm_add_work(&f->work, &work);
}

/* Returns 1 where nothing will move; else 0, or -1. */
static int run_slice(fast *f)
{
    uvm_machine *m = f->m;
    if (pass(f))
        return -1;
    f->moved = false;
    f->end = msw_min_u64(f->start + SLICE, uvm_pager_next(&m->pager));
    for (uint32_t s = 0; s < (uint32_t)m->config->sms && !f->missed; s++)
        if (run_sm(f, s))
            return -1;
    add_work(f);
    if (f->missed || !m->grid.live_ctas)
        return 0;
    f->start = f->end;
    if (f->moved)
        return 0;
    uint64_t next = msw_min_u64(uvm_pager_next(&m->pager), first_ready(m));
    f->start = next == UINT64_MAX ? f->start : msw_max_u64(f->start, next);
    return next == UINT64_MAX;
}

int uvm_fast(uvm_machine *m)
{
    uvm_sampler *s = m->sampler;
    if (!walks_meet(m))
        return 0;
    if (uvm_fast_near(m)) {
        s->near = m->totals.accesses + NEAR * s->held;
        return 0;
    }
    fast f = {.m = m, .s = s, .start = m->clock, .budget = s->budget};
    bool apart = m->apart;
    m->apart = false;
    int rc = end_all_walks(m);
    while (rc == 0 && !is_over(&f))
        rc = run_slice(&f);
    m->apart = apart;
    if (rc < 0)
        return -1;
    uvm_expect(m, &f.work, s->rest);
    wake_all(&f);
    s->free = !f.missed;
    if (f.near)
        s->near = m->totals.accesses + NEAR * s->held;
    return 0;
}
