/* SPDX-License-Identifier: MIT */
/* Issue: where an instruction runs, what moves first, and when its result is there. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* ---- register moves ---- */

/* A register of 32 bits or less takes one access of the file at either end. */
static uint64_t move_one(mpu_machine *m, mpu_core *core, mpu_subcore *sub, uint32_t reg, bool near,
                         uint64_t now)
{
    uint64_t bytes = mpu_move_bytes(&m->kernel->kernel->regs[reg]);
    uint64_t command = (uint64_t)m->config->tsv_command_cycles + core->tsv.delay;
    uint32_t engine;
    uint64_t start = mpu_serve(&sub->moves, now + 1, &engine), end;
    if (near)
        end = mpu_tsv_send(&core->tsv, MPU_TSV_UP, start + 1, bytes) + 1 + command;
    else
        end = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, start + command + 1, bytes) + 1;
    sub->moves.free[engine] = end;
    return end;
}

static uint64_t move_all(mpu_machine *m, mpu_core *core, mpu_subcore *sub, const mpu_issue *issue,
                         uint64_t now)
{
    uint64_t end = now;
    for (uint32_t i = 0; i < issue->move_count; i++) {
        uint64_t one = move_one(m, core, sub, issue->moves[i].reg, issue->moves[i].to_near, now);
        end = msw_max_u64(end, one);
    }
    return end;
}

/* ---- results ---- */

static void result(mpu_machine *m, mpu_warp *w, uint64_t time, unsigned metric)
{
    const mpu_op *op = &m->ops[w->pc];
    for (uint32_t d = op->uses; d < op->count; d++) {
        w->values[op->regs[d]] = time;
        w->causes[op->regs[d]] = (uint8_t)(metric - MPU_ISSUE);
    }
    w->last = msw_max_u64(w->last, time);
}

/* Goes over the TSVs to the near side, holding an offload engine until it has left. */
static uint64_t offload(mpu_machine *m, mpu_core *core, mpu_subcore *sub, const mpu_warp *w,
                        uint64_t time)
{
    const mpu_config *c = m->config;
    bool immediate = m->kernel->insns[w->pc].has_immediate;
    uint64_t bytes = (uint64_t)(c->offload_bytes + (immediate ? c->immediate_bytes : 0));
    uint32_t engine;
    uint64_t start = mpu_serve(&sub->engines, time, &engine);
    uint64_t end = mpu_tsv_send(&core->tsv, MPU_TSV_UP, start, bytes);
    sub->engines.free[engine] = end;
    return end;
}

static uint64_t commit(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t time)
{
    uint64_t end = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, (uint64_t)m->config->commit_bytes);
    w->last = msw_max_u64(w->last, end);
    return end;
}

static void compute(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                    const mpu_issue *issue, uint64_t ready, uint64_t now)
{
    const mpu_config *c = m->config;
    uint64_t collect = (uint64_t)c->collect_cycles, arrives = ready, cause = MPU_STALL_ALU;
    bool sfu = m->ops[w->pc].unit == MPU_UNIT_SFU;
    if (issue->offloaded) {
        arrives = offload(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        cause = arrives > now + 3 + core->tsv.delay ? MPU_STALL_TSV : cause;
    }
    uint64_t start = arrives + collect;
    if (sfu)
        start = mpu_serve_for(&sub->sfus, start, 1);
    else if (issue->side == MPU_NEAR)
        start = mpu_serve_for(&sub->alus, start, 1);
    uint64_t end = start + m->ops[w->pc].latency + (uint64_t)c->writeback_cycles;
    result(m, w, end, issue->move_count ? MPU_STALL_TSV : (unsigned)cause);
    if (issue->offloaded)
        commit(m, core, w, end);
}

/* A near shared memory that is split over dies is reached over the TSVs, but for the own part. */
static uint64_t cross_dies(mpu_machine *m, mpu_core *core, const mpu_warp *w, uint64_t time)
{
    const mpu_config *c = m->config;
    if (c->layout != MPU_LAYOUT_VERTICAL || c->shared_side != MPU_SHARED_NEAR)
        return time;
    uint64_t bytes = mpu_split_shared_bytes(c, &m->kernel->insns[w->pc], w->lanes);
    return mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, bytes);
}

static void access_shared(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                          const mpu_issue *issue, uint64_t ready)
{
    const mpu_config *c = m->config;
    uint64_t collect = (uint64_t)c->collect_cycles, arrives = ready;
    if (issue->offloaded) {
        arrives = offload(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        arrives = cross_dies(m, core, w, arrives);
    }
    uint64_t start = msw_max_u64(arrives + collect, core->shared_free);
    core->shared_free = start + w->conflicts;
    uint64_t end =
        start + (uint64_t)c->shared_cycles + w->conflicts - 1 + (uint64_t)c->writeback_cycles;
    result(m, w, end, MPU_STALL_SHARED);
    if (issue->offloaded)
        commit(m, core, w, end);
}

/* Branches, exits and barriers are over when they commit, near ones when that has come down.
 * Returns when. */
static uint64_t control(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                        const mpu_issue *issue, uint64_t ready)
{
    uint64_t collect = (uint64_t)m->config->collect_cycles;
    if (issue->offloaded) {
        uint64_t arrives = offload(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        return commit(m, core, w, arrives + collect + 1);
    }
    uint64_t end = ready + collect + 1;
    w->last = msw_max_u64(w->last, end);
    return end;
}

void mpu_issue_insn(mpu_machine *m, mpu_core *core, uint32_t subcore, mpu_warp *w, uint64_t now)
{
    mpu_subcore *sub = &core->subs[subcore];
    mpu_issue issue;
    mpu_track_issue(m->config, m->kernel, w->pc, &w->track, &issue);
    if (issue.move_count) {
        mpu_count_insn(m->config, m->kernel, w->pc, &issue, m->totals);
        m->kinds[m->ops[w->pc].unit][issue.side == MPU_NEAR]++;
    } else {
        m->issues[2 * w->pc + (issue.side == MPU_NEAR)]++;
    }
    uint64_t ready = issue.move_count ? move_all(m, core, sub, &issue, now) : now;
    uint64_t next = now + 1;
    switch ((mpu_unit)m->ops[w->pc].unit) {
    case MPU_UNIT_LSU:
        if (w->lanes)
            mpu_access_issue(m, core, subcore, w, ready);
        break;
    case MPU_UNIT_SHARED:
        access_shared(m, core, sub, w, &issue, ready);
        break;
    case MPU_UNIT_CONTROL:
        next = control(m, core, sub, w, &issue, ready);
        break;
    case MPU_UNIT_CONST:
        result(m, w,
               ready + (uint64_t)(m->config->collect_cycles + m->config->writeback_cycles) + 1,
               MPU_STALL_ALU);
        break;
    default:
        compute(m, core, sub, w, &issue, ready, now);
    }
    m->issued++;
    core->issued++;
    if (m->ops[w->pc].branches)
        next += (uint64_t)m->config->front_cycles;
    mpu_warp_advance(m, core, w, now, next);
}
