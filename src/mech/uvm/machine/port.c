/* What stands between an SM and the memory: lines that wait for it, and pages that enter the TLB
 * when their answers are taken. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/model.h"

/* ---- the memory ---- */

uint64_t uvm_can_send(const uvm_machine *m, const uvm_sm *sm, uint64_t time)
{
    uint64_t room = (uint64_t)m->config->sm_queue * m->line_ticks;
    uint64_t full = sm->data > room ? (sm->data - room) / UVM_TICKS : 0;
    return msw_max_u64(time, full);
}

uint64_t uvm_served(const uvm_machine *m, uvm_sm *sm, uint64_t time)
{
    const uvm_config *c = m->config;
    uint64_t start = msw_max_u64(sm->data, time * UVM_TICKS);
    sm->data = start + m->line_ticks;
    return start / UVM_TICKS + (uint64_t)(c->path_cycles + c->memory_cycles);
}

/* ---- the TLB ---- */

int uvm_add_fill(uvm_machine *m, uvm_sm *sm, uint64_t page, uint64_t time)
{
    if (!sm->fills || sm->fill_tail - sm->fill_head > sm->fill_mask) {
        uint64_t room = sm->fills ? 2 * (sm->fill_mask + 1) : 256;
        uvm_fill *ring = msw_arena_take(m->task->arena, room * sizeof *ring);
        if (!ring)
            return msw_fail_memory(m->err);
        for (uint64_t i = sm->fill_head; i < sm->fill_tail; i++)
            ring[i & (room - 1)] = sm->fills[i & sm->fill_mask];
        sm->fills = ring;
        sm->fill_mask = room - 1;
    }
    sm->fills[sm->fill_tail++ & sm->fill_mask] = (uvm_fill){time, page};
    return 0;
}

void uvm_fill_until(uvm_machine *m, uvm_sm *sm, uint64_t time)
{
    while (sm->fill_head < sm->fill_tail && sm->fills[sm->fill_head & sm->fill_mask].time <= time) {
        uvm_fill fill = sm->fills[sm->fill_head++ & sm->fill_mask];
        msw_page entry = {fill.page << m->layout->shift, m->layout->shift};
        if (uvm_translates(m, sm, fill.page))
            continue;
        m->totals.fills++;
        if (sm->translated)
            sm->translated[fill.page / 64] |= (uint64_t)1 << fill.page % 64;
        else
            msw_tlb_fill(&sm->tlb, 0, entry, 0, fill.time);
    }
}

/* ---- what is told of them ---- */

int uvm_tell(const uvm_machine *m, int64_t wanted, uint64_t time, uint32_t sm, const uvm_walk *walk)
{
    enum { PCS = 64 };
    if (m->config->page_trace != wanted || !m->task->details)
        return 0;
    double row[] = {(double)time,
                    (double)sm,
                    (double)walk->warp,
                    (double)(m->kernel * PCS + walk->pc),
                    (double)(walk->page + (m->layout->base >> m->layout->shift)),
                    (double)walk->write};
    return msw_detail_add(m->task, UVM_DETAIL_PAGES, row, m->err);
}
