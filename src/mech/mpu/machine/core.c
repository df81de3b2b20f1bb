/* SPDX-License-Identifier: MIT */
/* One core through a window of time: sub-cores issue, controllers decide, messages arrive. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

/* ---- which warp issues ---- */

/* Warps that cannot issue because the LSU takes no further access: bit per position. */
static uint64_t held(const mpu_machine *m, const mpu_subcore *sub)
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
static uint32_t pick(const mpu_machine *m, const mpu_subcore *sub, uint64_t now)
{
    uint32_t count = m->positions, best = count;
    uint64_t out = held(m, sub);
    if (m->config->scheduler != MPU_SCHEDULER_GTO)
        return next_in_turn(sub, out, count, now);
    if (can_go(sub, out, sub->current, now))
        return sub->current;
    for (uint32_t p = 0; p < count; p++)
        if (can_go(sub, out, p, now) && (best == count || sub->order[p] < sub->order[best]))
            best = p;
    return best;
}

/* When the next warp can go, as far as known. */
static uint64_t earliest(const mpu_machine *m, const mpu_subcore *sub)
{
    uint64_t first = MPU_NEVER, out = held(m, sub);
    for (uint32_t p = 0; p < m->positions; p++)
        first = out >> p & 1 ? first : msw_min_u64(first, sub->ready[p]);
    return first;
}

/* What a sub-core waited for until `now`, a cycle after which it has issued again. */
static void account(mpu_machine *m, mpu_subcore *sub, uint8_t cause, uint64_t now)
{
    if (now > sub->issued_at)
        m->stack[cause] += (double)(now - sub->issued_at);
}

/* The last warp of a sub-core leaves: until now it was not idle. */
static void empties(mpu_machine *m, mpu_subcore *sub, const mpu_warp *w, uint64_t now)
{
    account(m, sub, w->cause, now);
    sub->issued_at = msw_max_u64(sub->issued_at, now);
}

static void step(mpu_machine *m, mpu_core *core, uint32_t s, uint64_t now)
{
    mpu_subcore *sub = &core->subs[s];
    mpu_warp *warps = &core->warps[(size_t)s * m->positions];
    for (int64_t issued = 0; issued < m->config->issue_width && !m->failed;) {
        uint32_t position = pick(m, sub, now);
        if (position == m->positions)
            break;
        mpu_warp *w = &warps[position];
        if (w->state == MPU_WARP_ENDS) {
            if (sub->warps == 1)
                empties(m, sub, w, now);
            mpu_warp_leave(m, core, w, now);
            continue;
        }
        if (!issued++) {
            account(m, sub, w->cause, now);
            m->stack[0] += 1;
        }
        sub->issued_at = now + 1;
        sub->current = position;
        mpu_issue_insn(m, core, s, w, now);
    }
    uint64_t next = msw_max_u64(earliest(m, sub), sub->issued_at);
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
                step(m, core, s, now);
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
            uint8_t cause = MPU_IDLE - MPU_ISSUE;
            for (uint32_t w = 0; w < m->positions && sub->warps; w++)
                if (warps[w].state != MPU_WARP_EMPTY)
                    cause = warps[w].cause;
            account(m, sub, cause, now);
            sub->issued_at = msw_max_u64(sub->issued_at, now);
        }
}
