/* SPDX-License-Identifier: MIT */
/* Lines of accesses pass the TLB, walk and fault. An SM looks up one line per cycle and begins
 * one walk per cycle; walks take the same time all and do not hinder each other. Lines that
 * waited for pages are replayed when these come, or when all of their batch is here. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/pages/predict.h"
#include "mech/uvm/stream/records.h"

#include <string.h>

/* A page enters the TLB at `time`. Returns 0, or -1. */
static inline int uvm_add_fill(uvm_machine *m, uvm_sm *sm, uint64_t page, uint64_t time)
{
    if ((!sm->fills || sm->fill_tail - sm->fill_head > sm->fill_mask) && uvm_grow_fills(m, sm))
        return -1;
    if (sm->fill_head == sm->fill_tail)
        sm->fill_next = time;
    sm->fills[sm->fill_tail++ & sm->fill_mask] = (uvm_fill){time, page};
    return 0;
}

/* Reports a walk when page_trace is `wanted`. Returns 0, or -1. */
static inline int uvm_tell(const uvm_machine *m, int64_t wanted, uint64_t time, uint32_t sm,
                           const uvm_walk *walk)
{
    return m->config->page_trace == wanted ? uvm_tell_page(m, time, sm, walk) : 0;
}

/* An access under way. */
typedef struct lookup {
    uvm_machine *m;
    uvm_sm *sm;
    uvm_warp *w;
    uint32_t number, warp, access; /* number: of the SM */
    bool write;
    bool walked;   /* the access has begun a walk for that page */
    uint64_t base; /* number of the line at the start of page 0 */
    unsigned shift;
    uint64_t page; /* of the line before */
    uint64_t data; /* of the SM */
    uint64_t last; /* when the last line that hit answers */
    uint64_t hits;
} lookup;

static inline void hit(lookup *l, uint64_t page, uint64_t time)
{
    uvm_pager *p = &l->m->pager;
    uint64_t served = uvm_served(l->m, l->number, &l->data, time);
    l->last = msw_max_u64(l->last, served);
    if (!l->write)
        return;
    p->flags[page] |= UVM_DIRTY;
    if (p->memory.lines)
        p->memory.busy[page] = msw_max_u64(p->memory.busy[page], served);
}

static inline uvm_walk walk_of(const lookup *l, uint64_t page)
{
    return (uvm_walk){.page = page,
                      .warp = (uint8_t)l->warp,
                      .access = (uint8_t)l->access,
                      .pc = (uint16_t)l->w->site->slot,
                      .write = l->write};
}

static inline int miss(const lookup *l, uint64_t page, uint64_t time)
{
    l->w->open[l->access]++;
    l->w->open_accesses++;
    l->m->totals.tlb_misses++;
    uvm_pager_hold(&l->m->pager, page);
    return uvm_begin_walk(l->m, l->number, walk_of(l, page), time);
}

/* What is reported of a line. Returns 0, or -1. */
static int tell_line(uvm_machine *m, uint32_t sm, const uvm_walk *line, uint64_t time)
{
    uvm_pager_access(&m->pager, line->page, 1);
    return uvm_tell(m, UVM_TRACE_ALL, time, sm, line);
}

/* One line of a page of the host that the TLB holds. Returns 0, or -1; 1: it needs a walk, since
 * the page is fetched at this access, or is on its way. */
static int remote_hit(uvm_machine *m, uint64_t page, bool write, uint64_t time, uint64_t *last)
{
    uvm_pager *p = &m->pager;
    if (p->where[page] != UVM_ON_HOST || p->flags[page] & (UVM_REQUESTED_PAGE | UVM_HELD) ||
        uvm_memory_fetches(p, page, write, time))
        return 1;
    m->totals.tlb_hits++;
    *last = msw_max_u64(*last, uvm_memory_remote(p, page, time, 1));
    return 0;
}

/* One line. A line of the page of the line before needs no look-up of its own. */
static inline int look_up(lookup *l, uint64_t line, uint64_t time)
{
    uvm_machine *m = l->m;
    uint64_t page = (line - l->base) >> l->shift;
    bool same = page == l->page;
    if (m->layout->chunk_of[page] == UVM_NO_CHUNK) {
        hit(l, page, time);
        return 0;
    }
    time += (uint64_t)m->config->tlb_cycles;
    if (!m->plain) {
        uvm_walk told = walk_of(l, page);
        if (tell_line(m, l->number, &told, time))
            return -1;
    }
    if (same && l->walked)
        return m->config->walk_of == UVM_WALK_PAGE ? 0 : miss(l, page, time);
    l->page = page;
    l->walked = !same && !uvm_translates(m, l->sm, page);
    if (!m->plain && m->remote && !l->walked && m->pager.where[page] != UVM_VALID) {
        uint64_t last = l->last;
        l->walked = remote_hit(m, page, l->write, time, &last);
        l->last = last;
        if (!l->walked)
            return 0;
    }
    if (l->walked)
        return miss(l, page, time);
    l->hits++;
    uvm_pager_use(&m->pager, page, time);
    hit(l, page, time);
    return 0;
}

int uvm_access(uvm_machine *m, uint32_t number, uint32_t warp, uint64_t time)
{
    uint64_t lines[UVM_LINES];
    uvm_sm *sm = &m->sms[number];
    uvm_warp *w = &sm->warps[warp];
    uint32_t count = uvm_lines_of(m->stream, w->site, w->address, lines);
    lookup l = {.m = m,
                .sm = sm,
                .w = w,
                .number = number,
                .warp = warp,
                .access = w->accesses % UVM_OPEN,
                .write = w->site->kind != UVM_LOAD,
                .base = m->layout->base >> UVM_LINE_SHIFT,
                .shift = m->layout->shift - UVM_LINE_SHIFT,
                .page = UINT64_MAX,
                .data = sm->data};
    uint64_t port = msw_max_u64(sm->port, time);
    uint64_t later = (uint64_t)msw_max_i64(m->config->tlb_cycles, 1) - 1; /* than its turn */
    w->accesses++;
    for (uint32_t i = 0; i < count; i++, port++) {
        port = uvm_can_send(m, l.data, port + later) - later;
        uvm_fill_until(m, sm, port);
        if (look_up(&l, lines[i], port))
            return -1;
    }
    sm->port = port;
    sm->data = l.data;
    m->totals.accesses++;
    m->totals.lines += count;
    m->totals.tlb_hits += l.hits;
    w->done[l.access] = l.last;
    sm->ctas[w->cta].last = msw_max_u64(sm->ctas[w->cta].last, l.last);
    return 0;
}

/* ---- walks that end ---- */

static int add_waiter(uvm_machine *m, uint32_t sm, const uvm_walk *walk, uint64_t now)
{
    uint32_t at = m->waiters.free;
    if (at) {
        m->waiters.free = m->waiters.list[at - 1].next;
    } else {
        if (m->waiters.count == m->waiters.room) {
            uint32_t room = 2 * m->waiters.room + 1024;
            uvm_waiter *grown = msw_arena_take(m->task->arena, room * sizeof *grown);
            if (!grown)
                return msw_fail_memory(m->err);
            if (m->waiters.count)
                memcpy(grown, m->waiters.list, m->waiters.count * sizeof *grown);
            m->waiters.list = grown;
            m->waiters.room = room;
        }
        at = ++m->waiters.count;
    }
    m->waiters.list[at - 1] = (uvm_waiter){m->waiters.last_of[walk->page],
                                           sm,
                                           walk->warp,
                                           walk->access,
                                           walk->pc & 0x7fff,
                                           walk->write};
    m->waiters.last_of[walk->page] = at;
    m->waiters.now++;
    uvm_mark_wait(m, now);
    return 0;
}

/* One line of an access answers at `time`, after it had to wait for its walk. */
static inline void take_answer(uvm_machine *m, uint32_t sm, uint32_t number, uint32_t access,
                               uint64_t time)
{
    uvm_warp *w = &m->sms[sm].warps[number];
    uvm_cta *cta = &m->sms[sm].ctas[w->cta];
    m->waiters.answered++;
    w->done[access] = msw_max_u64(w->done[access], time);
    cta->last = msw_max_u64(cta->last, time);
    w->open_accesses--;
    if (--w->open[access] == 0 && w->state == UVM_AWAITS && w->awaited == access)
        uvm_wake(m, sm, number, w->done[access]);
    if (!w->open_accesses && w->state == UVM_ENDED)
        uvm_wake(m, sm, number, time); /* to end in its turn */
}

/* An answer to a walk is taken when the load/store unit has time for it; then its page is in the
 * TLB. Returns 0, or -1. */
static inline int answer(uvm_machine *m, uint32_t number, const uvm_walk *walk, uint64_t now)
{
    uint64_t page = walk->page;
    uvm_sm *sm = &m->sms[number];
    if (m->config->answers == UVM_ANSWERS_ONE) {
        now = uvm_can_send(m, sm->data, msw_max_u64(now, sm->answer_port));
        sm->answer_port = now + 1;
    }
    if (m->pager.where[page] == UVM_VALID && uvm_add_fill(m, sm, page, now))
        return -1;
    uint64_t served = uvm_served(m, number, &sm->data, now);
    uvm_pager_let_go(&m->pager, page, walk->write ? served : now);
    uvm_pager_use(&m->pager, page, now);
    take_answer(m, number, walk->warp, walk->access, served);
    return 0;
}

/* Ends the walk for a page that is here and has been touched before, when nobody records it.
 * Returns 0, or -1; 1: this is not such a walk. */
static inline int end_plain(uvm_machine *m, uint32_t sm, const uvm_walk *walk, uint64_t now)
{
    enum { TOUCHED = UVM_REQUESTED_PAGE | UVM_USED | UVM_SEEN };
    uvm_pager *p = &m->pager;
    uint8_t flags = p->flags[walk->page];
    if (!m->plain || p->where[walk->page] != UVM_VALID || (flags & TOUCHED) != TOUCHED)
        return 1;
    if (walk->write)
        p->flags[walk->page] = flags | UVM_DIRTY;
    m->totals.walk_hits += !walk->merged;
    return answer(m, sm, walk, now);
}

/* Ends any other walk. A fault is added to those of this cycle unless its page has one there. */
static int end_any(uvm_machine *m, uint32_t sm, const uvm_walk *walk, uint64_t now, size_t *faults)
{
    uvm_pager *p = &m->pager;
    bool open = p->flags[walk->page] & UVM_REQUESTED_PAGE;
    if (uvm_tell(m, UVM_TRACE_WALK, now, sm, walk) ||
        (!open && uvm_tell(m, UVM_TRACE_FIRST, now, sm, walk)))
        return -1;
    if (p->where[walk->page] == UVM_ON_HOST && !open &&
        !uvm_memory_fetches(p, walk->page, walk->write, now)) {
        uvm_pager_let_go(p, walk->page, now);
        take_answer(m, sm, walk->warp, walk->access, uvm_memory_remote(p, walk->page, now, 1));
        return m->remote ? uvm_add_fill(m, &m->sms[sm], walk->page, now) : 0;
    }
    if (m->sms[sm].waits_for && uvm_stalls(m, &m->sms[sm], walk))
        return uvm_add_walk(m, &m->sms[sm].stalled, walk);
    uvm_pager_request(p, walk->page, walk->write);
    if (m->config->touch == UVM_REQUESTED || p->where[walk->page] == UVM_VALID)
        uvm_pager_touch(p, walk->page);
    bool held = p->flags[walk->page] & UVM_HELD;
    bool faults_now = p->where[walk->page] == UVM_ON_HOST && !open && !held;
    if (p->predictor) {
        uvm_event event = uvm_event_of(m, sm, walk->warp, walk->pc, walk->page);
        if (uvm_ahead_event(p, now, &event, faults_now))
            return -1;
    }
    if (p->where[walk->page] == UVM_VALID) {
        m->totals.walk_hits += !walk->merged;
        return answer(m, sm, walk, now);
    }
    m->totals.joined += p->where[walk->page] == UVM_QUEUED || open || held;
    if (faults_now)
        m->faults[(*faults)++] = walk->page;
    return add_waiter(m, sm, walk, now);
}

static inline int end_walk(uvm_machine *m, uint32_t sm, const uvm_walk *walk, uint64_t now,
                           size_t *faults)
{
    int rc = end_plain(m, sm, walk, now);
    return rc > 0 ? end_any(m, sm, walk, now, faults) : rc;
}

static void next_walk(uvm_machine *m, uint32_t number)
{
    const uvm_walks *walks = &m->sms[number].walks;
    m->walk_next[number] =
        walks->head < walks->tail ? walks->ring[walks->head & walks->mask].end : UINT64_MAX;
}

int uvm_end_sm_walks(uvm_machine *m, uint32_t s, uint64_t now, size_t *faults)
{
    uvm_walks *walks = &m->sms[s].walks;
    while (walks->head < walks->tail && walks->ring[walks->head & walks->mask].end <= now) {
        uvm_walk walk = walks->ring[walks->head++ & walks->mask];
        m->sms[s].rewalks -= walk.again;
        if (end_walk(m, s, &walk, now, faults) || (walk.again && uvm_walk_again(m, s, now)))
            return -1;
    }
    next_walk(m, s);
    return 0;
}

int uvm_end_local_walks(uvm_machine *m, uint32_t s, uint64_t now)
{
    uvm_walks *walks = &m->sms[s].walks;
    const uvm_pager *p = &m->pager;
    size_t faults = 0;
    while (walks->head < walks->tail && walks->ring[walks->head & walks->mask].end <= now) {
        uvm_walk walk = walks->ring[walks->head & walks->mask];
        if (p->where[walk.page] == UVM_ON_HOST &&
            !(p->flags[walk.page] & (UVM_REQUESTED_PAGE | UVM_HELD)))
            return 1;
        walks->head++;
        if (end_walk(m, s, &walk, now, &faults))
            return -1;
    }
    next_walk(m, s);
    return 0;
}

/* ---- pages that come and go ---- */

/* Takes the list of those that wait for a page. Returns the one that has waited longest. */
static uint32_t first_waiter(uvm_machine *m, uint64_t page)
{
    uint32_t at = m->waiters.last_of[page], before = 0;
    m->waiters.last_of[page] = 0;
    while (at) {
        uint32_t next = m->waiters.list[at - 1].next;
        m->waiters.list[at - 1].next = before;
        before = at;
        at = next;
    }
    return before;
}

/* Whether pages leave before the accesses that wait for them have walked again, without an end: all
 * that have ever waited at once have walked so often, and nothing has been issued or answered. */
static bool walks_in_vain(uvm_machine *m)
{
    enum { ROUNDS = 64, LEAST = 4096 };
    uint64_t work = m->totals.instructions + m->waiters.answered;
    if (work != m->work)
        m->again = 0;
    m->work = work;
    return ++m->again > (uint64_t)ROUNDS * m->waiters.count + LEAST;
}

static int fail_in_vain(const uvm_machine *m)
{
    return msw_fail_kind(
        m->err, MSW_ERR_UNFIT,
        "no progress: pages leave memory for %llu of them before accesses walk again; "
        "less oversubscription, or replay_walks: off",
        (unsigned long long)m->pager.memory.capacity);
}

/* An access whose page has come: it is answered, or walks again. */
static int go_on(uvm_machine *m, const uvm_waiter *w, uint64_t page, uint64_t now)
{
    uvm_sm *sm = &m->sms[w->sm];
    if (sm->waits_for)
        uvm_free_register(sm, page);
    uvm_walk walk = {.page = page, .warp = w->warp, .access = w->access};
    walk.pc = w->pc;
    walk.write = w->write;
    if (m->config->replay_walks) {
        if (walks_in_vain(m))
            return fail_in_vain(m);
        return uvm_begin_walk(m, w->sm, walk, now);
    }
    if (m->pager.where[page] == UVM_ON_HOST && m->pager.thrash) {
        uvm_pager_let_go(&m->pager, page, now);
        take_answer(m, w->sm, w->warp, w->access, uvm_memory_remote(&m->pager, page, now, 1));
        return 0;
    }
    return answer(m, w->sm, &walk, now);
}

static void forget(const uvm_machine *m, uvm_sm *sm, uint64_t page)
{
    msw_page entry = {page << m->layout->shift, m->layout->shift};
    if (sm->translated)
        sm->translated[page / 64] &= ~((uint64_t)1 << page % 64);
    else
        msw_tlb_invalidate(&sm->tlb, 0, entry);
}

static int page_comes(uvm_machine *m, uint64_t page, uint64_t now)
{
    uint32_t at = first_waiter(m, page);
    for (uint32_t s = 0; m->remote && s < (uint32_t)m->config->sms; s++)
        forget(m, &m->sms[s], page); /* it was that of the host */
    if (at && m->pager.where[page] == UVM_VALID)
        uvm_pager_touch(&m->pager, page);
    while (at) {
        uvm_waiter waiter = m->waiters.list[at - 1];
        m->waiters.list[at - 1].next = m->waiters.free;
        m->waiters.free = at;
        m->waiters.now--;
        m->slices.waiting--;
        if (go_on(m, &waiter, page, now) ||
            (m->sms[waiter.sm].waits_for && uvm_walk_again(m, waiter.sm, now)))
            return -1;
        at = waiter.next;
    }
    return 0;
}

/* Pages have come: all that wait for them go on. */
static int uvm_pages_come(uvm_machine *m, uint64_t now, const uvm_move *come)
{
    for (uint32_t i = 0; i < come->count; i++)
        if (page_comes(m, come->first + i, now))
            return -1;
    return 0;
}

void uvm_page_gone(void *machine, uint64_t page, uint64_t time)
{
    uvm_machine *m = machine;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
        uvm_fill_until(m, &m->sms[s], time);
        forget(m, &m->sms[s], page);
    }
}

static int hold(uvm_machine *m, uvm_move come)
{
    if (m->held.count == m->held.room) {
        size_t room = 2 * m->held.room + 64;
        uvm_move *grown = msw_arena_take(m->task->arena, room * sizeof *grown);
        if (!grown)
            return msw_fail_memory(m->err);
        if (m->held.count)
            memcpy(grown, m->held.list, m->held.count * sizeof *grown);
        m->held.list = grown;
        m->held.room = room;
    }
    m->held.list[m->held.count++] = come;
    return 0;
}

int uvm_step_pager(uvm_machine *m, uint64_t now)
{
    uvm_move come;
    bool by_batch = m->config->replay == UVM_REPLAY_BATCH && m->config->fault_charge == UVM_BATCHED;
    if (uvm_pager_step(&m->pager, now, &come))
        return -1;
    if (!by_batch)
        return uvm_pages_come(m, now, &come);
    if (come.count && hold(m, come))
        return -1;
    if (!m->pager.batch.replays)
        return 0;
    for (size_t i = 0; i < m->held.count; i++)
        if (uvm_pages_come(m, now, &m->held.list[i]))
            return -1;
    m->held.count = 0;
    return 0;
}
