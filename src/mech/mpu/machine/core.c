/* SPDX-License-Identifier: MIT */
/* Runs one core through a window of time: sub-cores issue, controllers decide, messages arrive. Of
 * an instruction that issues: where it runs, which registers move first, and when its result is
 * there. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* ---- register moves ---- */

/* A register of 32 bits or less takes one access of the file at either end. */
static uint64_t move_reg(mpu_machine *m, mpu_core *core, mpu_subcore *sub, uint32_t reg, bool near,
                         uint64_t now)
{
    uint64_t bytes = mpu_move_bytes(m->config, &m->launch.kernel->kernel->regs[reg]);
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

static uint64_t move_regs(mpu_machine *m, mpu_core *core, mpu_subcore *sub, const mpu_issue *issue,
                          uint64_t now)
{
    uint64_t end = now;
    for (uint32_t i = 0; i < issue->move_count; i++) {
        uint64_t one = move_reg(m, core, sub, issue->moves[i].reg, issue->moves[i].to_near, now);
        end = msw_max_u64(end, one);
    }
    return end;
}

/* ---- results ---- */

static void set_result(mpu_machine *m, mpu_warp *w, uint64_t time, unsigned metric)
{
    const mpu_op *op = &m->launch.ops[w->pc];
    for (uint32_t d = op->uses; d < op->count; d++) {
        w->values[op->regs[d]] = time;
        w->causes[op->regs[d]] = (uint8_t)(metric - MPU_ISSUE);
    }
    w->last = msw_max_u64(w->last, time);
}

/* Goes over the TSVs to the near side, holding an offload engine until it has left. */
static uint64_t offload_insn(mpu_machine *m, mpu_core *core, mpu_subcore *sub, const mpu_warp *w,
                             uint64_t time)
{
    const mpu_config *c = m->config;
    bool immediate = m->launch.kernel->insns[w->pc].has_immediate;
    uint64_t bytes = (uint64_t)(c->offload_bytes + (immediate ? c->immediate_bytes : 0));
    uint32_t engine;
    uint64_t start = mpu_serve(&sub->engines, time, &engine);
    uint64_t end = mpu_tsv_send(&core->tsv, MPU_TSV_UP, start, bytes);
    sub->engines.free[engine] = end;
    return end;
}

static uint64_t commit_insn(mpu_machine *m, mpu_core *core, mpu_warp *w, uint64_t time)
{
    uint64_t end = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, (uint64_t)m->config->commit_bytes);
    w->last = msw_max_u64(w->last, end);
    return end;
}

static void issue_compute(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                          const mpu_issue *issue, uint64_t ready, uint64_t now)
{
    const mpu_config *c = m->config;
    uint64_t collect = (uint64_t)c->collect_cycles, arrives = ready, cause = MPU_STALL_ALU;
    bool sfu = m->launch.ops[w->pc].unit == MPU_UNIT_SFU;
    if (issue->offloaded) {
        arrives = offload_insn(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        cause = arrives > now + 3 + core->tsv.delay ? MPU_STALL_TSV : cause;
    }
    uint64_t start = arrives + collect;
    if (sfu)
        start = mpu_serve_for(&sub->sfus, start, 1);
    else if (issue->side == MPU_NEAR)
        start = mpu_serve_for(&sub->alus, start, 1);
    uint64_t end = start + m->launch.ops[w->pc].latency + (uint64_t)c->writeback_cycles;
    set_result(m, w, end, issue->move_count ? MPU_STALL_TSV : (unsigned)cause);
    if (issue->offloaded)
        commit_insn(m, core, w, end);
}

/* Addresses and values of the lanes whose word is in another die. */
static uint64_t split_shared_bytes(const mpu_config *c, const mpu_insn *insn, uint32_t lanes)
{
    uint64_t elsewhere = lanes * (uint64_t)(c->subcores - 1) / (uint64_t)c->subcores;
    return elsewhere * (4 + msw_max_u64(insn->moved_bytes, 4));
}

/* A near shared memory that is split over dies is reached over the TSVs, but for the own part. */
static uint64_t cross_dies(mpu_machine *m, mpu_core *core, const mpu_warp *w, uint64_t time)
{
    const mpu_config *c = m->config;
    if (c->layout != MPU_LAYOUT_VERTICAL || c->shared_side != MPU_SHARED_NEAR)
        return time;
    uint64_t bytes = split_shared_bytes(c, &m->launch.kernel->insns[w->pc], w->lanes);
    return mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, bytes);
}

static void issue_shared(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                         const mpu_issue *issue, uint64_t ready)
{
    const mpu_config *c = m->config;
    uint64_t collect = (uint64_t)c->collect_cycles, arrives = ready;
    if (issue->offloaded) {
        arrives = offload_insn(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        arrives = cross_dies(m, core, w, arrives);
    }
    uint64_t start = msw_max_u64(arrives + collect, core->shared_free);
    core->shared_free = start + w->conflicts;
    uint64_t end =
        start + (uint64_t)c->shared_cycles + w->conflicts - 1 + (uint64_t)c->writeback_cycles;
    set_result(m, w, end, MPU_STALL_SHARED);
    if (issue->offloaded)
        commit_insn(m, core, w, end);
}

/* Branches, exits and barriers are over when they commit, near ones when that has come down.
 * Returns when. */
static uint64_t issue_control(mpu_machine *m, mpu_core *core, mpu_subcore *sub, mpu_warp *w,
                              const mpu_issue *issue, uint64_t ready)
{
    uint64_t collect = (uint64_t)m->config->collect_cycles;
    if (issue->offloaded) {
        uint64_t arrives = offload_insn(m, core, sub, w, ready + 1);
        arrives = mpu_serve_for(&sub->collectors, arrives, collect);
        return commit_insn(m, core, w, arrives + collect + 1);
    }
    uint64_t end = ready + collect + 1;
    w->last = msw_max_u64(w->last, end);
    return end;
}

static void issue_insn(mpu_machine *m, mpu_core *core, uint32_t subcore, mpu_warp *w, uint64_t now)
{
    mpu_subcore *sub = &core->subs[subcore];
    mpu_issue issue;
    mpu_track_issue(m->config, m->launch.kernel, w->pc, &w->track, &issue);
    if (m->launch.lines)
        mpu_line_issue(m, core, w, &issue);
    if (issue.move_count) {
        mpu_count_insn(m->config, m->launch.kernel, w->pc, &issue, m->counts.totals);
        m->counts.kinds[m->launch.ops[w->pc].unit][issue.side == MPU_NEAR]++;
    } else {
        m->launch.issues[2 * w->pc + (issue.side == MPU_NEAR)]++;
    }
    uint64_t ready = issue.move_count ? move_regs(m, core, sub, &issue, now) : now;
    uint64_t next = now + 1;
    switch ((mpu_unit)m->launch.ops[w->pc].unit) {
    case MPU_UNIT_LSU:
        if (w->lanes)
            mpu_access_issue(m, core, subcore, w, ready);
        break;
    case MPU_UNIT_SHARED:
        issue_shared(m, core, sub, w, &issue, ready);
        break;
    case MPU_UNIT_CONTROL:
        next = issue_control(m, core, sub, w, &issue, ready);
        break;
    case MPU_UNIT_CONST:
        set_result(m, w,
                   ready + (uint64_t)(m->config->collect_cycles + m->config->writeback_cycles) + 1,
                   MPU_STALL_ALU);
        break;
    default:
        issue_compute(m, core, sub, w, &issue, ready, now);
    }
    m->counts.issued++;
    core->issued++;
    if (m->launch.ops[w->pc].branches)
        next += (uint64_t)m->config->front_cycles;
    mpu_warp_advance(m, core, w, now, next);
}

/* ---- choosing the warp that issues ---- */

/* Warps that cannot issue because the LSU takes no further access: bit per position. */
static uint64_t held_warps(const mpu_machine *m, const mpu_subcore *sub)
{
    return sub->accesses && !mpu_access_room(m, sub) ? sub->accesses : 0;
}

static bool can_go(const mpu_subcore *sub, uint64_t out, uint32_t position, uint64_t now)
{
    return sub->ready[position] <= now && !(out >> position & 1);
}

static uint32_t next_in_turn(const mpu_subcore *sub, uint64_t out, uint32_t count, uint64_t now)
{
    for (uint32_t i = 1, p = sub->current; i <= count; i++) {
        p = p + 1 < count ? p + 1 : 0;
        if (can_go(sub, out, p, now))
            return p;
    }
    return count;
}

/* Greedy: the same again; then the oldest. Round robin: the next one. Returns its position, or the
 * number of positions. */
static uint32_t pick_warp(const mpu_machine *m, const mpu_subcore *sub, uint64_t now)
{
    uint32_t count = m->positions, best = count;
    uint64_t out = held_warps(m, sub);
    if (m->config->scheduler != MPU_SCHEDULER_GTO)
        return next_in_turn(sub, out, count, now);
    if (can_go(sub, out, sub->current, now))
        return sub->current;
    for (uint32_t p = 0; p < count; p++)
        if (can_go(sub, out, p, now) && (best == count || sub->order[p] < sub->order[best]))
            best = p;
    return best;
}

/* Returns when the next warp can go, as far as known. */
static uint64_t earliest_issue(const mpu_machine *m, const mpu_subcore *sub)
{
    uint64_t first = MPU_NEVER, out = held_warps(m, sub);
    for (uint32_t p = 0; p < m->positions; p++)
        first = out >> p & 1 ? first : msw_min_u64(first, sub->ready[p]);
    return first;
}

/* The instruction that a warp issues next, or, at a barrier or its end, issued last. */
static void add_cycles(mpu_machine *m, const mpu_warp *w, uint64_t cycles)
{
    if (m->launch.lines && w)
        m->launch.lines[w->state == MPU_WARP_RUNS ? w->pc : w->pc - 1].cycles += (double)cycles;
}

/* Adds the wait of a sub-core for a warp (NULL: it has none) until `now`, a cycle after which it
 * has issued again. */
static void add_wait(mpu_machine *m, mpu_subcore *sub, const mpu_warp *w, uint64_t now)
{
    if (now <= sub->issued_at)
        return;
    m->counts.stack[w ? w->cause : MPU_IDLE - MPU_ISSUE] += (double)(now - sub->issued_at);
    add_cycles(m, w, now - sub->issued_at);
}

/* The last warp of a sub-core leaves: until now it was not idle. */
static void end_busy(mpu_machine *m, mpu_subcore *sub, const mpu_warp *w, uint64_t now)
{
    add_wait(m, sub, w, now);
    sub->issued_at = msw_max_u64(sub->issued_at, now);
}

static void step_subcore(mpu_machine *m, mpu_core *core, uint32_t s, uint64_t now)
{
    mpu_subcore *sub = &core->subs[s];
    mpu_warp *warps = &core->warps[(size_t)s * m->positions];
    for (int64_t issued = 0; issued < m->config->issue_width && !m->failed;) {
        uint32_t position = pick_warp(m, sub, now);
        if (position == m->positions)
            break;
        mpu_warp *w = &warps[position];
        if (w->state == MPU_WARP_ENDS) {
            if (sub->warps == 1)
                end_busy(m, sub, w, now);
            mpu_warp_leave(m, core, w, now);
            continue;
        }
        if (!issued++) {
            add_wait(m, sub, w, now);
            add_cycles(m, w, 1);
            m->counts.stack[0] += 1;
        }
        sub->issued_at = now + 1;
        sub->current = position;
        issue_insn(m, core, s, w, now);
    }
    uint64_t next = msw_max_u64(earliest_issue(m, sub), sub->issued_at);
    core->next[s] = msw_max_u64(next, now);
}

/* ---- time ---- */

static uint64_t inbox_time(const mpu_machine *m, const mpu_core *core)
{
    uint32_t first = core->inbox.first;
    return first == MPU_NOBODY ? MPU_NEVER : m->network.messages[first].time;
}

static uint64_t next_event(const mpu_machine *m, const mpu_core *core)
{
    uint64_t first = inbox_time(m, core);
    for (int64_t s = 0; s < m->config->subcores; s++) {
        first = msw_min_u64(first, core->next[s]);
        first = msw_min_u64(first, core->dram[s]);
    }
    return first;
}

uint64_t mpu_core_run(mpu_machine *m, mpu_core *core, uint64_t until)
{
    uint64_t now = next_event(m, core);
    if (now < until)
        mpu_tsv_pass(&core->tsv, now);
    for (; now < until && !m->failed; now = next_event(m, core)) {
        while (inbox_time(m, core) <= now)
            mpu_take_message(m, core, now);
        if (core->again)
            mpu_access_go_on(m, core);
        for (uint32_t s = 0; s < (uint32_t)m->config->subcores; s++) {
            if (core->dram[s] <= now)
                mpu_unit_run(m, core, s, now);
            if (core->again)
                mpu_access_go_on(m, core);
            if (core->next[s] <= now)
                step_subcore(m, core, s, now);
        }
    }
    return now;
}

void mpu_settle(mpu_machine *m, uint64_t now)
{
    for (uint32_t i = 0; i < m->simulated; i++)
        for (int64_t s = 0; s < m->config->subcores; s++) {
            mpu_subcore *sub = &m->cores[i].subs[s];
            const mpu_warp *warps = &m->cores[i].warps[(size_t)s * m->positions];
            const mpu_warp *waits = NULL;
            for (uint32_t w = 0; w < m->positions && sub->warps; w++)
                if (warps[w].state != MPU_WARP_EMPTY)
                    waits = &warps[w];
            add_wait(m, sub, waits, now);
            sub->issued_at = msw_max_u64(sub->issued_at, now);
        }
}
