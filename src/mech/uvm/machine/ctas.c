/* SPDX-License-Identifier: MIT */
/* CTAs come and go; their warps wait for barriers and answers. A scheduler keeps its warps in the
 * order of their age, so that the first of those that are ready is the oldest. */
#include "mech/uvm/machine/ready.h"

#include <string.h>

/* A warp can issue from `time` on; UINT64_MAX: not. */
static inline void uvm_set_ready(uvm_sm *sm, uvm_scheduler *s, uint32_t warp, uint64_t time)
{
    sm->ready[warp] = time;
    if (s->warp != warp)
        s->soon[sm->age[warp]] = uvm_soon(s, time);
}

void uvm_scheduler_start(uvm_scheduler *s, uint64_t now)
{
    s->now = s->base = now;
    s->warp = UVM_MOST_WARPS;
    for (int i = 0; i < UVM_MOST_WARPS; i++)
        s->soon[i] = UVM_FAR;
}

void uvm_ages_init(uvm_machine *m, uint32_t sm)
{
    uint32_t schedulers = (uint32_t)m->config->schedulers;
    uint32_t warps = (uint32_t)m->config->sm_warps / schedulers;
    for (uint32_t i = 0; i < schedulers; i++) {
        uvm_scheduler *s = &m->schedulers[sm * schedulers + i];
        uvm_scheduler_start(s, 0);
        s->warps = warps;
        s->rows = (uint32_t)msw_div_up(warps, UVM_ROW);
        for (uint32_t w = 0; w < warps; w++)
            s->by_age[w] = (uint8_t)(w * schedulers + i);
        for (uint32_t w = 0; w < warps; w++)
            m->sms[sm].age[s->by_age[w]] = (uint8_t)w;
    }
}

/* Those from `first` to `end` become the youngest. */
static void renew(uvm_sm *sm, uvm_scheduler *s, uint32_t first, uint32_t end)
{
    uint8_t young[UVM_MOST_WARPS];
    int16_t soon[UVM_MOST_WARPS];
    uint32_t kept = 0, moved = 0;
    for (uint32_t a = 0; a < s->warps; a++) {
        uint8_t warp = s->by_age[a];
        bool moves = warp >= first && warp < end;
        young[moved] = warp;
        soon[moved] = s->soon[a];
        s->soon[kept] = s->soon[a];
        s->by_age[kept] = warp;
        kept += !moves;
        moved += moves;
    }
    memcpy(s->by_age + kept, young, moved);
    memcpy(s->soon + kept, soon, moved * sizeof *soon);
    for (uint32_t a = 0; a < s->warps; a++)
        sm->age[s->by_age[a]] = (uint8_t)a;
}

/* The same where they follow each other in age, `count` from age `at` on. */
static void renew_row(uvm_sm *sm, uvm_scheduler *s, uint32_t at, uint32_t count)
{
    uint8_t young[UVM_MOST_WARPS];
    int16_t soon[UVM_MOST_WARPS];
    uint32_t left = s->warps - at - count;
    memcpy(young, s->by_age + at, count);
    memcpy(soon, s->soon + at, count * sizeof *soon);
    memmove(s->by_age + at, s->by_age + at + count, left);
    memmove(s->soon + at, s->soon + at + count, left * sizeof *soon);
    memcpy(s->by_age + at + left, young, count);
    memcpy(s->soon + at + left, soon, count * sizeof *soon);
    for (uint32_t a = at; a < s->warps; a++)
        sm->age[s->by_age[a]] = (uint8_t)a;
}

/* The first warp of a scheduler from `first` on. */
static uint32_t first_of(uint32_t first, uint32_t scheduler, uint32_t schedulers)
{
    return first + (scheduler + schedulers - first % schedulers) % schedulers;
}

/* The warps of a CTA were placed together, so they follow each other unless CTAs had another size
 * before. */
static void renew_scheduler(uvm_machine *m, uint32_t number, uint32_t scheduler, uint32_t first,
                            uint32_t end)
{
    uint32_t step = (uint32_t)m->config->schedulers;
    uvm_sm *sm = &m->sms[number];
    uvm_scheduler *s = &m->schedulers[number * step + scheduler];
    uint32_t warp = first_of(first, scheduler, step), count = 0;
    if (warp >= end)
        return;
    uint32_t at = sm->age[warp];
    for (; warp < end && at + count < s->warps; warp += step, count++)
        if (s->by_age[at + count] != warp)
            break;
    if (warp < end)
        renew(sm, s, first, end);
    else
        renew_row(sm, s, at, count);
}

/* The warps of a CTA become the youngest, in their order. */
static void uvm_ages_renew(uvm_machine *m, uint32_t sm, uint32_t slot)
{
    uint32_t first = slot * m->grid.launch->warps;
    for (uint32_t i = 0; i < (uint32_t)m->config->schedulers; i++)
        renew_scheduler(m, sm, i, first, first + m->grid.launch->warps);
}

void uvm_rebase(const uvm_sm *sm, uvm_scheduler *s, uint64_t now)
{
    s->base = now;
    for (uint32_t a = 0; a < s->warps; a++)
        if (s->by_age[a] != s->warp)
            s->soon[a] = uvm_soon(s, sm->ready[s->by_age[a]]);
}

uint64_t uvm_first_far(const uvm_sm *sm, const uvm_scheduler *s)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t a = 0; a < s->warps; a++)
        if (s->by_age[a] != s->warp)
            first = msw_min_u64(first, sm->ready[s->by_age[a]]);
    return first;
}

void uvm_wake(uvm_machine *m, uint32_t sm, uint32_t warp, uint64_t time)
{
    uvm_warp *w = &m->sms[sm].warps[warp];
    uvm_scheduler *s = &m->schedulers[w->scheduler];
    uint64_t start = msw_max_u64(time, s->now);
    uvm_set_ready(&m->sms[sm], s, warp, time);
    w->state = UVM_RUNS;
    if (start < m->next[w->scheduler])
        m->next[w->scheduler] = start;
    m->turn_end = msw_min_u64(m->turn_end, start);
}

void uvm_block(uvm_machine *m, uint32_t sm, uint32_t warp, uvm_warp_state state)
{
    uvm_warp *w = &m->sms[sm].warps[warp];
    uvm_set_ready(&m->sms[sm], &m->schedulers[w->scheduler], warp, UINT64_MAX);
    w->state = state;
}

/* A warp before its first record. Times of accesses are set by these. */
static void start_warp(uvm_warp *w, uint32_t slot)
{
    w->site = NULL;
    w->cta = slot;
    w->accesses = w->open_accesses = 0;
    memset(w->open, 0, sizeof w->open);
}

int uvm_start_cta(uvm_machine *m, uint32_t sm, uint32_t slot, uint64_t time)
{
    uint32_t count = m->grid.launch->warps;
    uvm_sm *s = &m->sms[sm];
    uvm_warp *warps = &s->warps[slot * count];
    for (uint32_t w = 0; w < count; w++) {
        start_warp(&warps[w], slot);
        m->grid.readers[w] = warps[w].reader;
    }
    uvm_heads_next(&m->grid.heads, m->grid.readers);
    s->ctas[slot] = (uvm_cta){.live = count, .number = m->grid.next_cta, .last = time};
    uvm_ages_renew(m, sm, slot);
    m->grid.next_cta++;
    m->grid.live_ctas++;
    m->grid.first_sm = (sm + 1) % (uint32_t)m->config->sms;
    for (uint32_t w = 0; w < count; w++) {
        warps[w].reader.at = m->grid.readers[w].at;
        uvm_wake(m, sm, slot * count + w, time);
    }
    return 0;
}

static bool link_idle(const uvm_machine *m)
{
    return m->pager.in.until == UINT64_MAX && m->pager.out.until == UINT64_MAX;
}

/* Whether the end of a CTA has to wait for its turn among those of others: it frees a place for the
 * next one, or the link may be idle. */
static bool waits_for_turn(const uvm_machine *m, uint64_t time)
{
    if (m->config->cta_end == UVM_END_LINK)
        return link_idle(m) || time >= m->horizon;
    return m->grid.next_cta < m->grid.launch->ctas;
}

/* A CTA that may not end yet keeps its place. */
static int end_cta(uvm_machine *m, uint32_t sm, uint32_t slot, uint64_t time)
{
    time = msw_max_u64(time, m->sms[sm].ctas[slot].last);
    if (m->config->cta_end == UVM_END_LINK && !link_idle(m)) {
        m->sms[sm].ctas[slot] = (uvm_cta){.ended = true, .last = time};
        m->grid.ended_ctas++;
        return 0;
    }
    m->grid.live_ctas--;
    m->finished = msw_max_u64(m->finished, time);
    if (m->grid.next_cta == m->grid.launch->ctas)
        return 0;
    return uvm_start_cta(m, sm, slot, time + 1 + (uint64_t)m->config->cta_gap * sm);
}

int uvm_end_ctas(uvm_machine *m, uint32_t number, uint64_t now)
{
    uvm_sm *sm = &m->sms[number];
    sm->cta_stop = UINT64_MAX;
    for (uint64_t rest = sm->ending; rest; rest &= rest - 1) {
        uint32_t slot = msw_bits_lowest(rest);
        uint64_t time = sm->ctas[slot].last;
        if (time > now) {
            sm->cta_stop = msw_min_u64(sm->cta_stop, time);
            continue;
        }
        sm->ending &= ~((uint64_t)1 << slot);
        if (end_cta(m, number, slot, time))
            return -1;
    }
    return 0;
}

int uvm_end_waiting(uvm_machine *m, uint64_t now)
{
    if (!m->grid.ended_ctas || !link_idle(m))
        return 0;
    m->grid.ended_ctas = 0;
    for (uint32_t slot = 0; slot < m->grid.ctas_held; slot++)
        for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
            uvm_cta *cta = &m->sms[s].ctas[slot];
            if (!cta->ended)
                continue;
            cta->ended = false;
            if (end_cta(m, s, slot, now))
                return -1;
        }
    return 0;
}

void uvm_release(uvm_machine *m, uint32_t sm, uint32_t slot, uint64_t time)
{
    uvm_sm *s = &m->sms[sm];
    s->ctas[slot].arrived = 0;
    for (uint32_t w = 0; w < m->grid.launch->warps; w++)
        if (s->warps[slot * m->grid.launch->warps + w].state == UVM_AT_BARRIER)
            uvm_wake(m, sm, slot * m->grid.launch->warps + w, time);
}

int uvm_end_warp(uvm_machine *m, uint32_t sm, uint32_t warp, uint64_t time)
{
    uint32_t slot = m->sms[sm].warps[warp].cta;
    uvm_cta *cta = &m->sms[sm].ctas[slot];
    uvm_block(m, sm, warp, UVM_FREE);
    if (--cta->live == 0) {
        uvm_sm *s = &m->sms[sm];
        cta->last = msw_max_u64(time, cta->last);
        if (!waits_for_turn(m, cta->last))
            return end_cta(m, sm, slot, time);
        s->ending |= (uint64_t)1 << slot;
        s->cta_stop = msw_min_u64(s->cta_stop, cta->last);
        m->turn_end = msw_min_u64(m->turn_end, cta->last);
        return 0;
    }
    if (cta->arrived == cta->live)
        uvm_release(m, sm, slot, time);
    return 0;
}
