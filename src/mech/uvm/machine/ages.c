/* Which of a scheduler's warps is older: they are ordered by age, so that the first of those that
 * are ready is the oldest. */
#include "mech/uvm/machine/ready.h"

void uvm_scheduler_start(uvm_scheduler *s, uint64_t now)
{
    s->now = s->base = now;
    s->warp = UVM_MOST_WARPS;
    for (int i = 0; i < UVM_MOST_WARPS; i++)
        s->soon[i] = UVM_FAR;
}

static void place(uvm_sm *sm, uvm_scheduler *s, uint32_t age, uint8_t warp)
{
    sm->age[warp] = (uint8_t)age;
    s->by_age[age] = warp;
}

void uvm_ages_init(uvm_machine *m, uint32_t sm)
{
    uint32_t schedulers = (uint32_t)m->config->schedulers;
    uint32_t warps = (uint32_t)m->config->sm_warps / schedulers;
    for (uint32_t i = 0; i < schedulers; i++) {
        uvm_scheduler *s = &m->schedulers[sm * schedulers + i];
        uvm_scheduler_start(s, 0);
        s->warps = warps;
        s->rows = (warps + UVM_ROW - 1) / UVM_ROW;
        for (uint32_t w = 0; w < warps; w++)
            place(&m->sms[sm], s, w, (uint8_t)(w * schedulers + i));
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
        place(sm, s, kept, warp);
        kept += !moves;
        moved += moves;
    }
    for (uint32_t i = 0; i < moved; i++) {
        s->soon[kept + i] = soon[i];
        place(sm, s, kept + i, young[i]);
    }
}

void uvm_ages_renew(uvm_machine *m, uint32_t sm, uint32_t slot)
{
    uint32_t first = slot * m->launch->warps, end = first + m->launch->warps;
    uint32_t schedulers = (uint32_t)m->config->schedulers;
    for (uint32_t i = 0; i < schedulers; i++)
        renew(&m->sms[sm], &m->schedulers[sm * schedulers + i], first, end);
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
