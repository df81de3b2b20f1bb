/* SPDX-License-Identifier: MIT */
/* The port of an SM: rings of walks, walks that stall because no register is free for another
 * page, pages that enter the TLB, and the reports of walks. */
#include "mech/uvm/machine/machine.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/predict.h"

int uvm_grow_walks(uvm_machine *m, uvm_walks *walks)
{
    uint64_t room = walks->mask ? 2 * (walks->mask + 1) : 256;
    uvm_walk *ring = msw_arena_take(m->task->arena, room * sizeof *ring);
    if (!ring)
        return msw_fail_memory(m->err);
    for (uint64_t i = walks->head; i < walks->tail; i++)
        ring[i & (room - 1)] = walks->ring[i & walks->mask];
    walks->ring = ring;
    walks->mask = room - 1;
    return 0;
}

uvm_walk *uvm_find_walk(const uvm_walks *walks, uint64_t page)
{
    for (uint64_t i = walks->tail; i > walks->head; i--)
        if (walks->ring[(i - 1) & walks->mask].page == page)
            return &walks->ring[(i - 1) & walks->mask];
    return NULL;
}

/* ---- registers ---- */

bool uvm_stalls(uvm_machine *m, uvm_sm *sm, const uvm_walk *walk)
{
    uint64_t *word = &sm->waits_for[walk->page / 64], bit = (uint64_t)1 << walk->page % 64;
    if (m->pager.where[walk->page] == UVM_VALID || *word & bit)
        return false;
    if (sm->registers >= (uint64_t)m->config->fault_registers) {
        m->totals.stalled++;
        return true;
    }
    sm->registers++;
    *word |= bit;
    return false;
}

void uvm_free_register(uvm_sm *sm, uint64_t page)
{
    uint64_t *word = &sm->waits_for[page / 64], bit = (uint64_t)1 << page % 64;
    sm->registers -= *word >> page % 64 & 1;
    *word &= ~bit;
}

int uvm_walk_again(uvm_machine *m, uint32_t number, uint64_t now)
{
    uvm_sm *sm = &m->sms[number];
    uvm_walks *stalled = &sm->stalled;
    while (stalled->head < stalled->tail &&
           sm->registers + sm->rewalks < (uint64_t)m->config->fault_registers) {
        uvm_walk walk = stalled->ring[stalled->head++ & stalled->mask];
        walk.again = true;
        sm->rewalks++;
        if (uvm_begin_walk(m, number, walk, now))
            return -1;
    }
    return 0;
}

int uvm_grow_fills(uvm_machine *m, uvm_sm *sm)
{
    uint64_t room = sm->fills ? 2 * (sm->fill_mask + 1) : 256;
    uvm_fill *ring = msw_arena_take(m->task->arena, room * sizeof *ring);
    if (!ring)
        return msw_fail_memory(m->err);
    for (uint64_t i = sm->fill_head; i < sm->fill_tail; i++)
        ring[i & (room - 1)] = sm->fills[i & sm->fill_mask];
    sm->fills = ring;
    sm->fill_mask = room - 1;
    return 0;
}

void uvm_take_fills(uvm_machine *m, uvm_sm *sm, uint64_t time)
{
    sm->fill_next = UINT64_MAX;
    for (; sm->fill_head < sm->fill_tail; sm->fill_head++) {
        uvm_fill fill = sm->fills[sm->fill_head & sm->fill_mask];
        msw_page entry = {fill.page << m->layout->shift, m->layout->shift};
        if (fill.time > time) {
            sm->fill_next = fill.time;
            return;
        }
        if (uvm_translates(m, sm, fill.page))
            continue;
        if (sm->translated)
            sm->translated[fill.page / 64] |= (uint64_t)1 << fill.page % 64;
        else
            msw_tlb_fill(&sm->tlb, 0, entry, 0, fill.time);
    }
}

uvm_event uvm_event_of(const uvm_machine *m, uint32_t sm, uint32_t warp, uint32_t slot,
                       uint64_t page)
{
    const uvm_sm *mine = &m->sms[sm];
    return (uvm_event){.page = page,
                       .sm = sm,
                       .warp = warp,
                       .pc = slot,
                       .cta = mine->ctas[mine->warps[warp].cta].number,
                       .at = (uint32_t)(m->totals.threads >> 10),
                       .launch = m->grid.launches,
                       .kernel = m->grid.kernel,
                       .hit = m->pager.where[page] == UVM_VALID};
}

int uvm_tell_page(const uvm_machine *m, uint64_t time, uint32_t sm, const uvm_walk *walk)
{
    enum { PCS = 64 };
    if (m->tap.call) {
        uvm_event event = uvm_event_of(m, sm, walk->warp, walk->pc, walk->page);
        return m->tap.call(m->tap.self, &event);
    }
    if (!m->task->details)
        return 0;
    const uvm_warp *w = &m->sms[sm].warps[walk->warp];
    uint32_t last = w->accesses - 1;
    double row[] = {(double)time,
                    (double)sm,
                    (double)walk->warp,
                    (double)(m->grid.kernel * PCS + walk->pc),
                    (double)(walk->page + (m->layout->base >> m->layout->shift)),
                    (double)walk->write,
                    (double)m->sms[sm].ctas[w->cta].number,
                    (double)m->grid.launches,
                    (double)(last - (last - walk->access) % UVM_OPEN)};
    return msw_detail_add(m->task, UVM_DETAIL_PAGES, row, m->err);
}
