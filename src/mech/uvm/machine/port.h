/* SPDX-License-Identifier: MIT */
/* Private to uvm, a part of machine.h: what is between an SM and the memory, lines that wait
 * for it, walks, and pages that enter the TLB when their answers are taken. */
#ifndef MSW_MECH_UVM_PORT_H
#define MSW_MECH_UVM_PORT_H

#include "mech/uvm/machine/machine.h"

/* ---- the memory ---- */

/* Returns the earliest time from `time` on at which an SM can send a line whose memory is taken
 * until `data`, in ticks. */
static inline uint64_t uvm_can_send(const uvm_machine *m, uint64_t data, uint64_t time)
{
    uint64_t room = (uint64_t)m->config->sm_queue * m->line_ticks;
    uint64_t full = data > room ? (data - room) / UVM_TICKS : 0;
    return msw_max_u64(time, full);
}

/* Sends a line. Returns when it answers. */
static inline uint64_t uvm_served(const uvm_machine *m, uint64_t *data, uint64_t time)
{
    const uvm_config *c = m->config;
    uint64_t start = msw_max_u64(*data, time * UVM_TICKS);
    *data = start + m->line_ticks;
    return start / UVM_TICKS + (uint64_t)(c->path_cycles + c->memory_cycles);
}

/* ---- the TLB ---- */

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

/* Puts pages whose time has come into the TLB. */
static inline void uvm_fill_until(uvm_machine *m, uvm_sm *sm, uint64_t time)
{
    if (sm->fill_next <= time)
        uvm_take_fills(m, sm, time);
}

/* Whether an SM's TLB has a page, which counts as its use. */
static inline bool uvm_translates(const uvm_machine *m, uvm_sm *sm, uint64_t page)
{
    if (sm->translated)
        return sm->translated[page / 64] >> page % 64 & 1;
    return msw_tlb_probe(&sm->tlb, 0, page << m->layout->shift) != UINT64_MAX;
}

/* ---- walks ---- */

/* Appends a walk to a ring. Returns 0, or -1. */
static inline int uvm_add_walk(uvm_machine *m, uvm_walks *walks, const uvm_walk *walk)
{
    if ((walks->tail - walks->head > walks->mask || !walks->ring) && uvm_grow_walks(m, walks))
        return -1;
    walks->ring[walks->tail++ & walks->mask] = *walk;
    return 0;
}

/* Begins a walk. Returns 0, or -1. */
static inline int uvm_begin_walk(uvm_machine *m, uint32_t number, uvm_walk walk, uint64_t time)
{
    uvm_sm *sm = &m->sms[number];
    uvm_walks *walks = &sm->walks;
    if (m->config->merge_walks && uvm_find_walk(walks, walk.page)) {
        walk.end = walks->ring[(walks->tail - 1) & walks->mask].end;
        walk.merged = true;
    } else {
        time = msw_max_u64(time, sm->walk_port);
        sm->walk_port = time + 1;
        walk.end = time + (uint64_t)m->config->walk_cycles;
        m->totals.walks++;
    }
    if (walks->head == walks->tail)
        m->walk_next[number] = walk.end;
    return uvm_add_walk(m, walks, &walk);
}

/* Reports a walk when page_trace is `wanted`. Returns 0, or -1. */
static inline int uvm_tell(const uvm_machine *m, int64_t wanted, uint64_t time, uint32_t sm,
                           const uvm_walk *walk)
{
    return m->config->page_trace == wanted ? uvm_tell_page(m, time, sm, walk) : 0;
}

#endif
