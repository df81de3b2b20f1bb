/* SPDX-License-Identifier: MIT */
/* When what waited for pages is replayed: when they come, or when all of their batch is here. */
#include "mech/uvm/machine/machine.h"

#include <string.h>

static int hold(uvm_machine *m, uvm_move come)
{
    if (m->held_count == m->held_room) {
        size_t room = 2 * m->held_room + 64;
        uvm_move *grown = msw_arena_take(m->task->arena, room * sizeof *grown);
        if (!grown)
            return msw_fail_memory(m->err);
        if (m->held_count)
            memcpy(grown, m->held, m->held_count * sizeof *grown);
        m->held = grown;
        m->held_room = room;
    }
    m->held[m->held_count++] = come;
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
    if (!m->pager.replays)
        return 0;
    for (size_t i = 0; i < m->held_count; i++)
        if (uvm_pages_come(m, now, &m->held[i]))
            return -1;
    m->held_count = 0;
    return 0;
}
