/* SPDX-License-Identifier: MIT */
/* What is counted as what, and when the cheap model may take over. */
#include "mech/uvm/sample/sample.h"

#include "mech/uvm/model.h"

#include <math.h>
#include <string.h>

enum { LEARN = 2 }; /* accesses of each warp that show a kernel's pace */

static void read_totals(const uvm_machine *m, double *out)
{
    const uvm_totals *t = &m->totals;
    out[UVM_EST_BUSY] = (double)t->busy;
    out[UVM_EST_MEMORY] = (double)t->memory;
    out[UVM_EST_FAULT_WAIT] = (double)t->fault_wait;
    out[UVM_EST_TLB_HITS] = (double)t->tlb_hits;
    out[UVM_EST_TLB_MISSES] = (double)t->tlb_misses;
    out[UVM_EST_WALKS] = (double)t->walks;
    out[UVM_EST_WALK_HITS] = (double)t->walk_hits;
    out[UVM_EST_JOINED] = (double)t->joined;
}

static bool learns(const uvm_machine *m)
{
    const uvm_pace *p = &m->sampler->paces[m->grid.kernel];
    return p->learned < (1 + LEARN) * m->sampler->held;
}

/* Counts what happened since the last look. */
static void count(uvm_machine *m)
{
    uvm_sampler *s = m->sampler;
    double now[UVM_ESTIMATES], made[UVM_ESTIMATES];
    read_totals(m, now);
    uvm_work work = uvm_work_since(m);
    for (int k = 0; k < UVM_ESTIMATES; k++)
        made[k] = now[k] - s->last[k];
    memcpy(s->last, now, sizeof now);
    uvm_pace *p = &s->paces[m->grid.kernel];
    if (!s->free) {
        for (int k = 0; k < UVM_ESTIMATES; k++)
            s->rest[k] += made[k];
        return;
    }
    if (learns(m)) {
        bool warm = p->learned >= s->held;
        p->learned += (uint64_t)work.accesses;
        if (warm)
            uvm_add_pace(p, made, &work);
        for (int k = 0; k < UVM_ESTIMATES; k++)
            s->rest[k] += made[k];
        return;
    }
    double expected[UVM_ESTIMATES] = {0};
    uvm_expect(m, &work, expected);
    for (int k = 0; k < UVM_ESTIMATES; k++) {
        s->rest[k] += expected[k];
        s->made[k] += made[k];
        s->expected[k] += expected[k];
    }
    uvm_add_work(&s->worked, &work);
}

/* Nobody waits for a page, or will for what has happened so far. */
static bool nobody_waits(const uvm_machine *m)
{
    if (m->waiters.now || m->held.count)
        return false;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++)
        if (m->sms[s].walk_stop != UINT64_MAX)
            return false;
    return true;
}

void uvm_sampler_launch(uvm_machine *m)
{
    uvm_sampler *s = m->sampler;
    s->held = m->grid.live_ctas * m->grid.launch->warps;
    s->free_since = m->clock;
    s->free = false;
    memset(s->met, 0,
           (size_t)(m->config->sms * m->config->sm_warps) * m->stream->slots_most * sizeof *s->met);
    read_totals(m, s->last);
    uvm_work_since(m);
}

void uvm_sampler_end(uvm_machine *m)
{
    count(m);
    m->sampler->free = false;
}

int uvm_sampler_turn(uvm_machine *m)
{
    uvm_sampler *s = m->sampler;
    count(m);
    if (m->totals.accesses >= s->goal) {
        m->progress.paused = true;
        return 0;
    }
    bool waits = !nobody_waits(m) || m->grid.ended_ctas;
    s->near = waits ? 0 : s->near;
    s->free_since = waits ? UINT64_MAX : msw_min_u64(s->free_since, m->clock);
    s->free = !waits && m->clock >= s->free_since + s->cut.settle && !uvm_runs_out(m);
    if (!s->free || s->measures || m->totals.accesses < s->near || learns(m) ||
        m->totals.accesses >= s->detail)
        return 0;
    return uvm_fast(m);
}

int uvm_sampler_init(uvm_machine *m, const uvm_cut *cut)
{
    size_t kernels = m->stream->stage_count + 1;
    size_t warps = (size_t)(m->config->sms * m->config->sm_warps);
    msw_arena *arena = m->task->arena;
    uvm_sampler *s = msw_arena_zero(arena, 1, sizeof *s);
    if (!s)
        return msw_fail_memory(m->err);
    s->cut = *cut;
    s->paces = msw_arena_zero(arena, kernels, sizeof *s->paces);
    s->met = msw_arena_zero(arena, warps * m->stream->slots_most + 1, sizeof *s->met);
    s->goal = s->detail = UINT64_MAX;
    s->last_warps = 1;
    s->budget = msw_arena_zero(arena, (size_t)m->config->sms, sizeof *s->budget);
    if (!s->paces || !s->met || !s->budget)
        return msw_fail_memory(m->err);
    m->sampler = s;
    return 0;
}
