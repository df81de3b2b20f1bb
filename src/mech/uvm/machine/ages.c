/* SPDX-License-Identifier: MIT */
/* Which of a scheduler's warps is older: they are ordered by age, so that the first of those that
 * are ready is the oldest. */
#include "mech/uvm/machine/ready.h"

#include <string.h>

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

void uvm_ages_renew(uvm_machine *m, uint32_t sm, uint32_t slot)
{
    uint32_t first = slot * m->launch->warps;
    for (uint32_t i = 0; i < (uint32_t)m->config->schedulers; i++)
        renew_scheduler(m, sm, i, first, first + m->launch->warps);
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
