/* Which of an SM's warps is older: they are ranked by age, and sets of them are bits by rank, so
 * that the first of a set is the oldest. */
#include "mech/uvm/machine/machine.h"

#include <string.h>

static void place(uvm_machine *m, uvm_sm *sm, uint32_t rank, uint8_t warp)
{
    sm->rank[warp] = (uint8_t)rank;
    sm->by_rank[rank] = warp;
    sm->of[warp % (uint32_t)m->config->schedulers] |= (uint64_t)1 << rank;
}

void uvm_ages_init(uvm_machine *m, uvm_sm *sm)
{
    for (uint32_t w = 0; w < UVM_MOST_WARPS; w++)
        place(m, sm, w, (uint8_t)w);
}

void uvm_ages_renew(uvm_machine *m, uvm_sm *sm, uint32_t slot)
{
    uint32_t first = slot * m->launch->warps, end = first + m->launch->warps, rank = 0;
    uint8_t before[UVM_MOST_WARPS];
    uint64_t awake = sm->awake;
    memcpy(before, sm->by_rank, sizeof before);
    memset(sm->of, 0, sizeof sm->of);
    sm->awake = 0;
    for (uint32_t r = 0; r < UVM_MOST_WARPS; r++) {
        if (before[r] >= first && before[r] < end)
            continue;
        sm->awake |= (awake >> r & 1) << rank;
        place(m, sm, rank++, before[r]);
    }
    for (uint32_t w = first; w < end; w++)
        place(m, sm, rank++, (uint8_t)w);
}
