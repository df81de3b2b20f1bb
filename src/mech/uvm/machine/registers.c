/* SPDX-License-Identifier: MIT */
/* Walks: their rings, and those that stall, as their SM has no register free
 * for another page that it waits for. */
#include "mech/uvm/machine/machine.h"

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
