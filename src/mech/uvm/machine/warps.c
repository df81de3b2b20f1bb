/* SPDX-License-Identifier: MIT */
/* Schedulers and warps. A scheduler issues one instruction per cycle, of the same warp as long as
 * it can, else of the oldest that can. A warp waits for a load where an instruction uses it. */
#include "mech/uvm/machine/ready.h"

#include "mech/uvm/stream/records.h"

static inline int16_t uvm_first(const int16_t *soon)
{
    int16_t first = soon[0];
    for (int i = 1; i < UVM_ROW; i++)
        first = soon[i] < first ? soon[i] : first;
    return first;
}

/* When the first warp is ready that does not run. */
static inline uint64_t uvm_first_ready(const uvm_sm *sm, const uvm_scheduler *s)
{
    int16_t first = uvm_first(s->soon);
    for (uint32_t r = 1; r < s->rows; r++) {
        int16_t other = uvm_first(s->soon + r * UVM_ROW);
        first = other < first ? other : first;
    }
    return first < UVM_FAR ? s->base + (uint64_t)first : uvm_first_far(sm, s);
}

/* Makes the warp that runs one of them again. */
static inline void uvm_put_back(const uvm_sm *sm, uvm_scheduler *s)
{
    if (s->warp != UVM_MOST_WARPS)
        s->soon[sm->age[s->warp]] = uvm_soon(s, sm->ready[s->warp]);
    s->warp = UVM_MOST_WARPS;
}

/* The oldest warp that is ready now becomes the one that runs. Returns whether there is one; else
 * *earliest says when there will be. */
static inline bool uvm_choose(const uvm_sm *sm, uvm_scheduler *s, uint64_t *earliest)
{
    uint64_t own = s->warp == UVM_MOST_WARPS ? UINT64_MAX : sm->ready[s->warp];
    if (s->now - s->base >= UVM_REBASE)
        uvm_rebase(sm, s, s->now);
    int16_t now = (int16_t)(s->now - s->base);
    uint64_t due = uvm_due(s->soon, now);
    for (uint32_t r = 1; r < s->rows; r++)
        due |= uvm_due(s->soon + r * UVM_ROW, now) << r * UVM_ROW;
    if (own <= s->now)
        due |= (uint64_t)1 << sm->age[s->warp];
    if (!due) {
        *earliest = msw_min_u64(own, uvm_first_ready(sm, s));
        return false;
    }
    uint32_t age = msw_bits_lowest(due);
    uvm_put_back(sm, s);
    s->warp = s->by_age[age];
    s->soon[age] = UVM_FAR;
    return true;
}

/* A scheduler at work. The time of the warp that runs is in its SM only (ready.h). */
typedef struct turn {
    uvm_machine *m;
    uvm_sm *sm;
    uvm_scheduler *s;
    uint32_t number; /* of the SM */
    const uvm_kernel *kernel;
    uint64_t issue_cycles;
} turn;

/* ---- records ---- */

/* As uvm_block, of the warp that runs. */
static inline void stop(const turn *t, uint32_t warp, uvm_warp_state state)
{
    t->sm->ready[warp] = UINT64_MAX;
    t->sm->warps[warp].state = state;
}

/* Whether the time of an access is known; else its warp waits for it. */
static inline bool is_known(const turn *t, uint32_t warp, uint32_t access)
{
    uvm_warp *w = &t->sm->warps[warp];
    if (!w->open[access])
        return true;
    w->awaited = access;
    stop(t, warp, UVM_AWAITS);
    return false;
}

/* Waits for all that the record under way needs, from `ready` on, and for the room that its own
 * access takes. Returns whether the warp can go on now. */
static inline bool all_there(const turn *t, uint32_t warp, uint64_t ready)
{
    const uvm_warp *w = &t->sm->warps[warp];
    for (uint32_t rest = w->site->wait; rest; rest &= rest - 1) {
        uint32_t access = (w->accesses - 1 - msw_bits_lowest(rest)) % UVM_OPEN;
        if (!is_known(t, warp, access))
            return false;
        ready = msw_max_u64(ready, w->done[access]);
    }
    if (w->site->kind < UVM_BARRIER && !is_known(t, warp, w->accesses % UVM_OPEN))
        return false;
    t->sm->ready[warp] = ready;
    return ready <= t->s->now;
}

static int at_barrier(const turn *t, uint32_t warp, uint64_t time)
{
    uint32_t slot = t->sm->warps[warp].cta;
    uvm_cta *cta = &t->sm->ctas[slot];
    stop(t, warp, UVM_AT_BARRIER);
    if (++cta->arrived == cta->live)
        uvm_release(t->m, t->number, slot, time);
    return 0;
}

static int at_end(const turn *t, uint32_t warp, uint64_t time)
{
    if (t->sm->warps[warp].open_accesses) {
        stop(t, warp, UVM_ENDED);
        return 0;
    }
    return uvm_end_warp(t->m, t->number, warp, time);
}

/* The access of a record, after which the warp may go on at `time`. */
static int at_access(const turn *t, uint32_t warp, uint64_t time)
{
    uvm_warp *w = &t->sm->warps[warp];
    if (uvm_access(t->m, t->number, warp, time))
        return -1;
    w->site = NULL;
    t->sm->ready[warp] = time;
    uint32_t access = (w->accesses - 1) % UVM_OPEN;
    if (t->m->config->fault_wait == UVM_WAIT_ACCESS)
        is_known(t, warp, access);
    return 0;
}

static inline int end_record(const turn *t, uint32_t warp)
{
    uvm_machine *m = t->m;
    uvm_warp *w = &t->sm->warps[warp];
    const uvm_site *site = w->site;
    uint64_t time = t->s->now + site->after * t->issue_cycles;
    t->s->now += site->after;
    m->totals.instructions += site->before + site->after;
    m->totals.threads += site->threads;
    if (m->totals.threads >= m->limit)
        m->stopped = true;
    if (site->kind < UVM_BARRIER)
        return at_access(t, warp, time);
    if (site->kind == UVM_END)
        return at_end(t, warp, time);
    w->site = NULL;
    return at_barrier(t, warp, time);
}

/* A record in two parts: what is issued before anything has to be waited for, and the rest; a warp
 * that has to wait between them keeps its place. */
static inline int issue(const turn *t, uint32_t warp)
{
    uvm_warp *w = &t->sm->warps[warp];
    uint64_t ready = t->sm->ready[warp];
    if (!w->site) {
        w->site = uvm_next_record(&w->reader, t->kernel, &w->address);
        ready = t->s->now + w->site->before * t->issue_cycles;
        t->s->now += w->site->before;
    } else if (w->site->kind == UVM_END && !w->open_accesses) {
        return uvm_end_warp(t->m, t->number, warp, t->s->now);
    }
    return all_there(t, warp, ready) ? end_record(t, warp) : 0;
}

/* ---- schedulers ---- */

/* A warp that can issue before `end` becomes the one that runs. Returns whether there is one; else
 * the scheduler waits. */
static inline bool find_warp(const turn *t, uint64_t end, uint64_t *next)
{
    uint64_t earliest = 0;
    while (!uvm_choose(t->sm, t->s, &earliest)) {
        if (earliest >= end) {
            uvm_put_back(t->sm, t->s);
            *next = earliest;
            return false;
        }
        t->s->now = earliest;
    }
    return true;
}

static inline void note_busy(uvm_machine *m, uint64_t from, uint64_t end)
{
    if (end > from)
        uvm_mark_busy(m, from, end);
}

/* Lets one issue up to the end of its turn. */
static int run_turn(uvm_machine *m, uint32_t sm, uint32_t number)
{
    uvm_scheduler *s = &m->schedulers[number];
    turn t = {m, &m->sms[sm], s, sm, m->grid.launch->kernel, (uint64_t)m->config->issue_cycles};
    uint64_t from = s->now = msw_max_u64(s->now, m->next[number]);
    while (s->now < m->turn_end && !m->stopped) {
        if (s->warp == UVM_MOST_WARPS || t.sm->ready[s->warp] > s->now) {
            uint64_t idle = s->now;
            if (!find_warp(&t, m->turn_end, &m->next[number])) {
                note_busy(m, from, idle);
                return 0;
            }
            if (s->now > idle) {
                note_busy(m, from, idle);
                from = s->now;
            }
        }
        if (issue(&t, s->warp))
            return -1;
    }
    m->next[number] = s->now;
    note_busy(m, from, s->now);
    return 0;
}

/* The scheduler whose turn is first, the lower number where times are the same; its turn ends where
 * that of another begins. */
static uint32_t first_turn(uvm_machine *m, uint32_t first, uint32_t over, uint64_t end)
{
    uint32_t best = first;
    uint64_t least = m->next[first];
    m->turn_end = end;
    for (uint32_t i = first + 1; i < over; i++) {
        uint64_t next = m->next[i];
        if (next < least) {
            m->turn_end = msw_min_u64(m->turn_end, least);
            least = next;
            best = i;
        } else {
            m->turn_end = msw_min_u64(m->turn_end, next + (next < end));
        }
    }
    return best;
}

int uvm_issue(uvm_machine *m, uint32_t sm, uint64_t end)
{
    uint32_t count = (uint32_t)m->config->schedulers, first = sm * count;
    while (!m->stopped) {
        end = msw_min_u64(end, m->sms[sm].cta_stop);
        uint32_t number = first_turn(m, first, first + count, end);
        if (m->next[number] >= end)
            return 0;
        if (run_turn(m, sm, number))
            return -1;
    }
    return 0;
}
