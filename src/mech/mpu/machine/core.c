/* One core through a window of time: sub-cores issue, controllers decide, messages arrive. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

/* ---- which warp issues ---- */

static bool blocked(const mpu_machine *m, const mpu_subcore *sub, const mpu_warp *w)
{
    return w->state == MPU_WARP_RUNS && m->kernel->insns[w->pc].unit == MPU_UNIT_LSU &&
           !mpu_access_room(m, sub);
}

static bool can_go(const mpu_machine *m, const mpu_subcore *sub, const mpu_warp *w, uint64_t now)
{
    return w->ready <= now && w->state != MPU_WARP_EMPTY && !blocked(m, sub, w);
}

/* Greedy: the same again; then the oldest. Round robin: the next one. */
static mpu_warp *pick(const mpu_machine *m, mpu_subcore *sub, mpu_warp *warps, uint64_t now)
{
    bool greedy = m->config->scheduler == MPU_SCHEDULER_GTO;
    mpu_warp *best = NULL;
    if (greedy && can_go(m, sub, &warps[sub->current], now))
        return &warps[sub->current];
    for (uint32_t i = 1; i <= m->positions; i++) {
        mpu_warp *w = &warps[(sub->current + i) % m->positions];
        if (!can_go(m, sub, w, now))
            continue;
        if (!greedy)
            return w;
        if (!best || w->order < best->order)
            best = w;
    }
    return best;
}

/* When the next warp can go, as far as known. */
static uint64_t earliest(const mpu_machine *m, const mpu_subcore *sub, const mpu_warp *warps)
{
    uint64_t first = MPU_NEVER;
    for (uint32_t i = 0; i < m->positions; i++)
        if (warps[i].state != MPU_WARP_EMPTY && !blocked(m, sub, &warps[i]))
            first = msw_min_u64(first, warps[i].ready);
    return first;
}

/* What a sub-core waited for until `now`, a cycle after which it has issued again. */
static void account(mpu_machine *m, mpu_subcore *sub, uint8_t cause, uint64_t now)
{
    if (now > sub->issued_at)
        m->stack[cause] += (double)(now - sub->issued_at);
}

static void step(mpu_machine *m, mpu_core *core, uint32_t s, uint64_t now)
{
    mpu_subcore *sub = &core->subs[s];
    mpu_warp *warps = &core->warps[(size_t)s * m->positions];
    for (int64_t issued = 0; issued < m->config->issue_width && !m->failed;) {
        mpu_warp *w = pick(m, sub, warps, now);
        if (!w)
            break;
        if (w->state == MPU_WARP_ENDS) {
            mpu_warp_leave(m, core, w, now);
            continue;
        }
        if (!issued++) {
            account(m, sub, w->cause, now);
            m->stack[0] += 1;
        }
        sub->issued_at = now + 1;
        sub->current = (uint32_t)(w - warps);
        mpu_issue_insn(m, core, s, w, now);
    }
    uint64_t next = msw_max_u64(earliest(m, sub, warps), sub->issued_at);
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
