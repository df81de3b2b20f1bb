/* SPDX-License-Identifier: MIT */
/* Steps CTAs and warps: where they start, what they access, which values they wait for, barriers
 * and ends. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* ---- accesses ---- */

/* Blocks of the same row and column of a unit's banks are one request. */
static uint32_t merge_blocks(const mpu_access *access, mpu_part *parts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const mpu_location *at = &access->blocks[i].at;
        mpu_part *p = count ? &parts[count - 1] : NULL;
        if (!p || p->core != at->core || p->unit != at->unit || p->row != at->row ||
            p->column != at->column || p->banks >> at->bank & 1) {
            p = &parts[count++];
            *p = (mpu_part){.row = at->row,
                            .column = at->column,
                            .core = (uint16_t)at->core,
                            .unit = (uint8_t)at->unit};
        }
        p->banks |= (uint16_t)(1U << at->bank);
        p->blocks++;
    }
    return count;
}

/* Takes the access of a step into the warp. */
static void set_access(mpu_machine *m, mpu_core *core, mpu_warp *w, uint32_t insn)
{
    uint32_t unit = (uint32_t)(w - core->warps) / m->positions;
    mpu_access_of(&m->map, &m->step, core->index, unit, &m->access);
    w->whole = m->access.whole && m->launch.kernel->insns[insn].is_load_whole &&
               m->config->pipeline != MPU_PIPELINE_BASE;
    w->part_count = (uint16_t)merge_blocks(&m->access, w->parts);
    mpu_count_access(m->config, m->launch.kernel, insn, &m->access, core->index, m->counts.totals);
}

static mpu_subcore *sub_of(mpu_core *core, const mpu_warp *warp)
{
    return &core->subs[warp->subcore];
}

static void issue_soon(mpu_core *core, const mpu_warp *warp, uint64_t time)
{
    uint32_t s = warp->subcore;
    core->next[s] = msw_min_u64(core->next[s], msw_max_u64(time, core->subs[s].issued_at));
}

/* ---- the next instruction ---- */

static uint64_t value_time(const mpu_warp *w, uint32_t reg, uint64_t time, uint8_t *cause)
{
    if (w->values[reg] <= time)
        return time;
    *cause = w->causes[reg];
    return w->values[reg];
}

/* Sources and destinations must have no value under way. */
static void plan_warp(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t earliest)
{
    const mpu_op *op = &m->launch.ops[w->pc];
    mpu_subcore *sub = sub_of(core, w);
    uint64_t time = earliest, bit = (uint64_t)1 << w->position;
    for (uint32_t r = 0; r < op->count; r++)
        time = value_time(w, op->regs[r], time, &w->cause);
    *w->ready = time;
    sub->accesses = op->unit == MPU_UNIT_LSU ? sub->accesses | bit : sub->accesses & ~bit;
    if (time != MPU_NEVER)
        issue_soon(core, w, time);
}

void mpu_warp_wake(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t now)
{
    if (w->state == MPU_WARP_RUNS && *w->ready == MPU_NEVER)
        plan_warp(m, core, w, now);
}

void mpu_warp_take_event(mpu_machine *m, mpu_core *core, mpu_warp *w)
{
    const msw_simt_step *step = &m->step;
    uint32_t insn = step->first + step->count - 1;
    if (step->event != MSW_SIMT_EVENT_ACCESS)
        return;
    w->lanes = (uint16_t)msw_bits_count(step->lanes);
    if (step->space == MSW_SIMT_SHARED)
        w->conflicts =
            (uint8_t)mpu_shared_cycles(step, m->launch.kernel->kernel->insns[insn].is_atomic);
    else
        set_access(m, core, w, insn);
}

/* Runs the warp ahead, up to its next access, barrier, branch or end. */
static void fetch_run(mpu_machine *m, mpu_core *core, mpu_warp *w)
{
    msw_simt_cta *cta = core->slots[w->slot].cta;
    if (msw_simt_run(cta, w->number, UINT32_MAX, &m->step, m->err)) {
        m->failed = true;
        *w->ready = MPU_NEVER;
        return;
    }
    w->pc = m->step.first;
    w->end = m->step.first + m->step.count;
    w->event = (uint8_t)m->step.event;
    mpu_warp_take_event(m, core, w);
}

/* ---- starting ---- */

static void start_warp(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t now)
{
    uint32_t regs = m->launch.kernel->kernel->reg_count;
    w->state = MPU_WARP_RUNS;
    sub_of(core, w)->order[w->position] = m->launch.running++;
    w->last = now;
    w->flying = 0;
    w->cause = MPU_IDLE - MPU_ISSUE;
    memset(w->values, 0, regs * sizeof *w->values);
    mpu_track_start(m->launch.kernel->kernel, &w->track);
    fetch_run(m, core, w);
    if (!m->failed)
        plan_warp(m, core, w, now + (uint64_t)m->config->front_cycles);
}

/* The sub-core that gets the core's next warp: in turn, or the one with the fewest. */
static uint32_t choose_subcore(const mpu_machine *m, const mpu_core *core)
{
    uint32_t subs = (uint32_t)m->config->subcores, turn = core->started_warps % subs, best = turn;
    for (uint32_t i = 1; i < subs; i++) {
        uint32_t s = (turn + i) % subs;
        if (core->subs[s].warps < core->subs[best].warps)
            best = s;
    }
    bool room = core->subs[turn].warps < m->positions;
    return m->config->binding == MPU_BIND_MODULO && room ? turn : best;
}

static mpu_warp *seat_warp(mpu_machine *m, mpu_core *core)
{
    uint32_t s = choose_subcore(m, core);
    mpu_warp *w = &core->warps[(size_t)s * m->positions];
    while (w->state != MPU_WARP_EMPTY)
        w++;
    core->subs[s].warps++;
    core->started_warps++;
    return w;
}

static uint64_t cta_number(const mpu_machine *m, const mpu_core *core)
{
    if (m->launch.cta_list)
        return m->launch.cta_list[m->launch.cta_first[core->index] + core->next_cta];
    return core->index + core->next_cta * m->core_count;
}

static void start_cta(mpu_machine *m, mpu_core *core, uint32_t slot, uint64_t now)
{
    mpu_cta *c = &core->slots[slot];
    c->cta = msw_simt_cta_start(m->launch.code, cta_number(m, core), c->block);
    c->arrived = 0;
    c->released = 0;
    c->running = m->launch.warps_per_cta;
    core->next_cta++;
    core->waiting_ctas--;
    core->ctas++;
    for (uint32_t i = 0; i < m->launch.warps_per_cta && !m->failed; i++) {
        mpu_warp *w = seat_warp(m, core);
        w->slot = (uint16_t)slot;
        w->number = (uint16_t)i;
        start_warp(m, core, w, now);
    }
}

bool mpu_next_cta(mpu_machine *m, mpu_core *core, mpu_cta *c)
{
    if (!core->waiting_ctas)
        return false;
    c->cta = msw_simt_cta_start(m->launch.code, cta_number(m, core), c->block);
    core->next_cta++;
    core->waiting_ctas--;
    core->started_warps += m->launch.warps_per_cta;
    m->launch.cta_count--;
    return true;
}

void mpu_start_ctas(mpu_machine *m, mpu_core *core, uint64_t now)
{
    if (core->ctas && m->config->cta_refill == MPU_REFILL_BATCH)
        return;
    if (!core->ctas)
        core->started_warps = 0;
    for (uint32_t s = 0; s < m->launch.slots_per_core && core->waiting_ctas && !m->failed; s++)
        if (!core->slots[s].cta)
            start_cta(m, core, s, now);
}

/* ---- barriers and ends ---- */

/* All running warps of a CTA have arrived: they go on a cycle after the last. */
static void release_barrier(mpu_machine *m, mpu_core *core, uint32_t slot)
{
    mpu_cta *c = &core->slots[slot];
    uint64_t on = c->released + 1;
    c->arrived = 0;
    c->released = 0;
    for (uint32_t i = 0; i < (uint32_t)m->config->subcores * m->positions; i++) {
        mpu_warp *w = &core->warps[i];
        if (w->state != MPU_WARP_AT_BARRIER || w->slot != slot)
            continue;
        w->state = MPU_WARP_RUNS;
        fetch_run(m, core, w);
        w->cause = MPU_STALL_BARRIER - MPU_ISSUE;
        if (!m->failed)
            plan_warp(m, core, w, on + (uint64_t)m->config->front_cycles);
    }
}

static void arrive_at_barrier(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t time)
{
    mpu_cta *c = &core->slots[w->slot];
    w->state = MPU_WARP_AT_BARRIER;
    *w->ready = MPU_NEVER;
    c->released = msw_max_u64(c->released, time);
    if (++c->arrived == c->running)
        release_barrier(m, core, w->slot);
}

/* The exit has issued and all before it has ended. */
static void leave_cta(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t time)
{
    mpu_cta *c = &core->slots[w->slot];
    w->state = MPU_WARP_EMPTY;
    sub_of(core, w)->warps--;
    c->released = msw_max_u64(c->released, c->arrived ? time : 0);
    if (--c->running) {
        if (c->arrived == c->running)
            release_barrier(m, core, w->slot);
        return;
    }
    m->launch.end = msw_max_u64(m->launch.end, time);
    c->cta = NULL;
    core->ctas--;
    m->launch.cta_count--;
    mpu_start_ctas(m, core, time);
}

void mpu_warp_advance(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t now, uint64_t earliest)
{
    w->cause = MPU_STALL_ALU - MPU_ISSUE;
    if (++w->pc < w->end) {
        plan_warp(m, core, w, now + 1);
        return;
    }
    switch ((msw_simt_event)w->event) {
    case MSW_SIMT_EVENT_EXIT:
        w->state = MPU_WARP_ENDS;
        sub_of(core, w)->accesses &= ~((uint64_t)1 << w->position);
        *w->ready = msw_max_u64(earliest, w->last);
        w->last = *w->ready;
        if (w->flying)
            *w->ready = MPU_NEVER;
        else
            issue_soon(core, w, *w->ready);
        return;
    case MSW_SIMT_EVENT_BARRIER:
        arrive_at_barrier(m, core, w, earliest);
        return;
    default:
        fetch_run(m, core, w);
        if (!m->failed)
            plan_warp(m, core, w, earliest);
    }
}

void mpu_warp_resume(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t now)
{
    fetch_run(m, core, w);
    w->cause = MPU_STALL_ALU - MPU_ISSUE;
    if (!m->failed)
        plan_warp(m, core, w, now);
}

void mpu_warp_leave(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t now)
{
    *w->ready = MPU_NEVER;
    leave_cta(m, core, w, now);
}
