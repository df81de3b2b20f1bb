/* Progress without time: between two stretches of detail every resident warp goes on by the slice,
 * in turns, each core by its share of what was issued in detail. What was under way ends by itself,
 * for nobody: its results are there at once. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { RUN_LIMIT = 256 }; /* instructions of a turn without an event */

static uint32_t positions_of(const mpu_machine *m)
{
    return (uint32_t)m->config->subcores * m->positions;
}

/* ---- what is under way ---- */

/* The last warp of a core is nobody's. */
static void orphan_flights(mpu_machine *m, mpu_core *core)
{
    for (uint32_t i = 0; i < m->flights; i++) {
        mpu_flight *f = &core->flights[i];
        if (f->kind == MPU_FLIGHT_WHOLE || f->kind == MPU_FLIGHT_PARTS)
            f->warp = positions_of(m);
    }
    for (uint32_t i = 0; i < positions_of(m); i++) {
        mpu_warp *w = &core->warps[i];
        w->flying = 0;
        w->last = m->now;
        memset(w->values, 0, m->regs * sizeof *w->values);
    }
}

/* ---- turns ---- */

/* What the warp has fetched, it issues. Returns how many instructions. */
static uint64_t issue_fetched(mpu_warp *w)
{
    uint64_t count = w->pc < w->end ? w->end - w->pc : 0;
    w->pc = w->end;
    return count;
}

static msw_simt_warp_state state_of(const mpu_core *core, const mpu_warp *w)
{
    return msw_simt_warp_now(core->slots[w->slot].cta, w->number);
}

/* One turn of a warp. Returns the instructions; 0: it waits, or has left. */
static uint64_t take_turn(mpu_machine *m, mpu_core *core, mpu_warp *w)
{
    uint64_t count = issue_fetched(w);
    msw_simt_warp_state now = state_of(core, w);
    if (now == MSW_SIMT_DONE)
        mpu_warp_leave(m, core, w, m->now);
    if (now != MSW_SIMT_READY)
        return count;
    if (msw_simt_run(core->slots[w->slot].cta, w->number, RUN_LIMIT, &m->step, m->err)) {
        m->failed = true;
        return 0;
    }
    return count + m->step.count;
}

static uint64_t turn_all(mpu_machine *m, mpu_core *core)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < positions_of(m) && !m->failed; i++)
        if (core->warps[i].state != MPU_WARP_EMPTY)
            count += take_turn(m, core, &core->warps[i]);
    return count;
}

/* ---- back to time ---- */

/* Warps that are done leave, and those of CTAs that come for them issue what they fetched: then no
 * warp is between two states. Returns the instructions. */
static uint64_t clear(mpu_machine *m, mpu_core *core)
{
    uint64_t count = 0;
    for (bool left = true; left && !m->failed;) {
        left = false;
        for (uint32_t i = 0; i < positions_of(m); i++) {
            mpu_warp *w = &core->warps[i];
            if (w->state == MPU_WARP_EMPTY)
                continue;
            count += issue_fetched(w);
            if (state_of(core, w) != MSW_SIMT_DONE)
                continue;
            mpu_warp_leave(m, core, w, m->now);
            left = true;
        }
    }
    return count;
}

static void resume(mpu_machine *m, mpu_core *core)
{
    for (uint32_t s = 0; s < m->slots_per_core; s++)
        core->slots[s].arrived = 0;
    for (uint32_t i = 0; i < positions_of(m); i++) {
        mpu_warp *w = &core->warps[i];
        if (w->state == MPU_WARP_EMPTY)
            continue;
        bool waits = state_of(core, w) == MSW_SIMT_WAITING;
        w->state = waits ? MPU_WARP_AT_BARRIER : MPU_WARP_RUNS;
        *w->ready = MPU_NEVER;
        core->slots[w->slot].arrived += waits;
        core->slots[w->slot].released = m->now;
    }
    for (uint32_t i = 0; i < positions_of(m) && !m->failed; i++)
        if (core->warps[i].state == MPU_WARP_RUNS)
            mpu_warp_resume(m, core, &core->warps[i], m->now);
    m->due[core->index] = m->now;
}

/* ---- all cores ---- */

/* What a core has issued in detail in this launch; if none has, its CTAs. Returns it. */
static double weight_of(const mpu_core *core, bool by_ctas)
{
    return (double)(by_ctas ? core->waiting_ctas + core->ctas : core->issued);
}

static double sum_of(const mpu_machine *m, bool by_ctas)
{
    double sum = 0;
    for (uint32_t i = 0; i < m->simulated; i++)
        sum += weight_of(&m->cores[i], by_ctas);
    return sum;
}

static void jump_core(mpu_machine *m, mpu_core *core, double wanted)
{
    uint64_t gone = 0, count = 1;
    orphan_flights(m, core);
    core->jumping = true;
    while (core->ctas && (double)gone < wanted && count && !m->failed) {
        count = turn_all(m, core);
        gone += count;
    }
    gone += clear(m, core);
    core->jumping = false;
    m->issued += gone;
    m->jumped += gone;
    if (!m->failed)
        resume(m, core);
}

int mpu_machine_jump(mpu_machine *m, uint64_t issued, msw_err *err)
{
    double wanted = issued > m->issued ? (double)(issued - m->issued) : 0;
    bool by_ctas = sum_of(m, false) <= 0;
    double sum = sum_of(m, by_ctas);
    m->err = err;
    m->orphans = true;
    mpu_settle(m, m->now);
    for (uint32_t i = 0; i < m->simulated && !m->failed; i++)
        jump_core(m, &m->cores[i], wanted * weight_of(&m->cores[i], by_ctas) / sum);
    return m->failed ? -1 : 0;
}
