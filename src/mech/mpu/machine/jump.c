/* SPDX-License-Identifier: MIT */
/* Lets cores go on without time: between two stretches of detail all resident warps go on by the
 * slice, each core by its share of the CTAs, its slots alike. CTAs go on in turns, so that those
 * that are there together are those that would be.
 *
 * A warp lands where it was: before the same access, barrier, branch or end, later in its loop or
 * in a later CTA. What is under way then ends as if nothing had happened, and warps stay as far
 * apart in time as they were: the state of the machine is one that it comes to by itself. Warps
 * that wait for each other land behind the same number of barriers. Where this is not met soon,
 * warps land where they are: what was under way ends for no warp, its results are there at once. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Rounds in which all of a core should land at once; instructions of a warp in which it should
 * alone. */
enum { ROUNDS = 32, LANDING = MPU_LANDING / 2 };

/* A warp of a CTA that goes on without time. */
typedef struct mpu_landing {
    mpu_warp *warp;    /* NULL: it has left */
    uint32_t barriers; /* that it has passed */
    bool landed, done;
} mpu_landing;

/* A slot on its way. */
typedef struct slot_run {
    mpu_machine *m;
    mpu_core *core;
    mpu_cta *cta;
    mpu_landing *warps; /* [number] */
    uint32_t count;
    uint64_t gone; /* instructions */
    bool ended;    /* no CTA is left for it */
} slot_run;

/* ---- steps of a slot ---- */

static void find_warps(slot_run *r, uint32_t slot)
{
    uint32_t all = (uint32_t)r->m->config->subcores * r->m->positions;
    r->count = r->m->launch.warps_per_cta;
    memset(r->warps, 0, r->count * sizeof *r->warps);
    for (uint32_t i = 0; i < all; i++) {
        mpu_warp *w = &r->core->warps[i];
        if (w->state == MPU_WARP_EMPTY || w->slot != slot)
            continue;
        r->warps[w->number].warp = w;
    }
}

static msw_simt_warp_state state_of(const slot_run *r, uint32_t number)
{
    return msw_simt_warp_now(r->cta->cta, number);
}

/* Whether the step ends where the warp is. */
static bool is_at_step(const mpu_warp *w, const msw_simt_step *step)
{
    return step->first + step->count == w->end && step->first <= w->pc &&
           (uint8_t)step->event == w->event;
}

/* Lets a warp go one step on, if it can. Returns whether it did. */
static bool step_warp(slot_run *r, uint32_t number)
{
    mpu_machine *m = r->m;
    mpu_landing *l = &r->warps[number];
    if (m->failed || state_of(r, number) != MSW_SIMT_READY)
        return false;
    if (msw_simt_run(r->cta->cta, number, UINT32_MAX, &m->step, m->err)) {
        m->failed = true;
        return false;
    }
    r->gone += m->step.count;
    l->barriers += m->step.event == MSW_SIMT_EVENT_BARRIER;
    l->landed = l->warp && is_at_step(l->warp, &m->step);
    if (l->landed && l->warp->pc < l->warp->end)
        mpu_warp_take_event(m, r->core, l->warp);
    return true;
}

/* The next CTA takes the slot of one that has ended. Returns whether there is one. */
static bool start_next_cta(slot_run *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (state_of(r, i) != MSW_SIMT_DONE)
            return false;
    for (uint32_t i = 0; i < r->count; i++)
        r->warps[i].landed = false;
    return mpu_next_cta(r->m, r->core, r->cta);
}

/* A step of every warp that can go. */
static void step_slot(slot_run *r)
{
    bool some = false;
    for (uint32_t i = 0; i < r->count; i++)
        some |= step_warp(r, i);
    if (!some && !r->m->failed)
        r->ended = !start_next_cta(r);
}

/* All slots, until each has gone by this many instructions or has ended. */
static void run_slots(slot_run *runs, uint32_t count, double each)
{
    for (bool some = true; some;) {
        some = false;
        for (uint32_t i = 0; i < count && !runs[i].m->failed; i++) {
            if (runs[i].ended || (double)runs[i].gone >= each)
                continue;
            step_slot(&runs[i]);
            some = true;
        }
    }
}

/* ---- landing ---- */

static uint32_t most_barriers(const slot_run *r)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->warps[i].warp)
            most = msw_max_u32(most, r->warps[i].barriers);
    return most;
}

/* One that has left stays away: it lands when it is done. */
static bool has_landed(const slot_run *r, uint32_t number, uint32_t barriers)
{
    const mpu_landing *l = &r->warps[number];
    if (!l->warp)
        return state_of(r, number) == MSW_SIMT_DONE;
    return l->landed && l->barriers == barriers;
}

/* Slots that are in step with each other land in the same round, and stay so. Returns whether all
 * have. */
static bool land_at_once(slot_run *runs, uint32_t count)
{
    for (int round = 0; round < ROUNDS; round++) {
        bool all = true;
        for (uint32_t i = 0; i < count && !runs[i].m->failed; i++) {
            slot_run *r = &runs[i];
            if (r->ended)
                continue;
            step_slot(r);
            uint32_t barriers = most_barriers(r);
            for (uint32_t n = 0; n < r->count && all; n++)
                all = has_landed(r, n, barriers);
        }
        if (all)
            return true;
    }
    return false;
}

/* A turn of all that have not landed. Returns whether any went on. */
static bool step_unlanded(slot_run *r, bool *all)
{
    bool some = false;
    *all = true;
    for (uint32_t i = 0; i < r->count && !r->m->failed; i++) {
        if (has_landed(r, i, most_barriers(r)))
            continue;
        *all = false;
        some |= step_warp(r, i);
    }
    return some;
}

static bool land_slot(slot_run *r)
{
    if (r->ended)
        return false;
    uint64_t limit = r->gone + (uint64_t)LANDING * r->count;
    bool all = false;
    for (uint32_t i = 0; i < r->count; i++)
        r->warps[i].landed = false;
    while (r->gone < limit && !r->m->failed) {
        bool some = step_unlanded(r, &all);
        if (all)
            return true;
        if (some)
            continue;
        /* those that have landed are in the way of others */
        bool stuck = true;
        for (uint32_t i = 0; i < r->count; i++) {
            stuck = stuck && !r->warps[i].landed;
            r->warps[i].landed = false;
        }
        if (stuck && !start_next_cta(r))
            return false;
    }
    return false;
}

/* ---- landing anywhere ---- */

/* The last warp of a core belongs to no CTA. */
static void orphan_flights(slot_run *r)
{
    mpu_core *core = r->core;
    uint32_t no_warp = (uint32_t)r->m->config->subcores * r->m->positions;
    for (uint32_t i = 0; i < r->m->flights; i++) {
        mpu_flight *f = &core->flights[i];
        if (f->kind != MPU_FLIGHT_WHOLE && f->kind != MPU_FLIGHT_PARTS)
            continue;
        if (f->warp != no_warp && r->cta == &core->slots[core->warps[f->warp].slot])
            f->warp = no_warp;
    }
    r->m->orphans = true;
}

/* The warp has issued all that it fetched; what it waited for is there. */
static void clear_warp(slot_run *r, mpu_warp *w)
{
    r->gone += w->pc < w->end ? w->end - w->pc : 0;
    w->pc = w->end;
    w->flying = 0;
    w->last = r->m->now;
    memset(w->values, 0, r->m->regs * sizeof *w->values);
}

/* Warps that had left before do so again in a CTA that came later. */
static void finish_absent(slot_run *r)
{
    for (bool some = true; some && !r->m->failed;) {
        some = false;
        for (uint32_t i = 0; i < r->count; i++)
            some |= !r->warps[i].warp && state_of(r, i) != MSW_SIMT_DONE;
        for (uint32_t i = 0; some && i < r->count; i++)
            step_warp(r, i);
    }
}

static void land_anywhere(slot_run *r)
{
    mpu_machine *m = r->m;
    finish_absent(r);
    orphan_flights(r);
    r->cta->arrived = 0;
    r->cta->released = m->now;
    for (uint32_t i = 0; i < r->count; i++) {
        mpu_warp *w = r->warps[i].warp;
        if (!w)
            continue;
        clear_warp(r, w);
        *w->ready = MPU_NEVER;
        r->warps[i].done = state_of(r, i) == MSW_SIMT_DONE;
        w->state = state_of(r, i) == MSW_SIMT_WAITING ? MPU_WARP_AT_BARRIER : MPU_WARP_RUNS;
        r->cta->arrived += w->state == MPU_WARP_AT_BARRIER;
    }
    for (uint32_t i = 0; i < r->count && !m->failed; i++)
        if (r->warps[i].warp && !r->warps[i].done && r->warps[i].warp->state == MPU_WARP_RUNS)
            mpu_warp_resume(m, r->core, r->warps[i].warp, m->now);
}

/* Last: another CTA may come for them. */
static void leave_done(slot_run *r)
{
    for (uint32_t i = 0; i < r->count && !r->m->failed; i++)
        if (r->warps[i].done)
            mpu_warp_leave(r->m, r->core, r->warps[i].warp, r->m->now);
}

/* Lets the CTAs of a core, and those that come behind them, go on by about this many
 * warp-instructions. Returns how many. */
static uint64_t jump_ctas(mpu_machine *m, mpu_core *core, double wanted)
{
    slot_run runs[MPU_CTAS_MOST];
    uint32_t count = 0;
    uint64_t gone = 0;
    for (uint32_t s = 0; s < m->launch.slots_per_core; s++) {
        if (!core->slots[s].cta)
            continue;
        runs[count] = (slot_run){.m = m, .core = core, .cta = &core->slots[s]};
        runs[count].warps = m->landings + (size_t)count * m->launch.warps_per_cta;
        find_warps(&runs[count++], s);
    }
    run_slots(runs, count, wanted / (count ? count : 1));
    bool at_once = land_at_once(runs, count);
    for (uint32_t i = 0; i < count && !m->failed; i++) {
        if ((runs[i].ended || !at_once) && !land_slot(&runs[i]) && !m->failed) {
            land_anywhere(&runs[i]);
            leave_done(&runs[i]);
        }
        gone += runs[i].gone;
    }
    return gone;
}

/* ---- refreshes ---- */

/* All banks are refreshed at the same time, so of short stretches of time some hold a refresh and
 * most none. Where cores go on by themselves each may as well be refreshed at its own time: then
 * every stretch holds as much of it as any other. Parts of the golden ratio are spread evenly. */
static void spread_refreshes(mpu_machine *m)
{
    const double GOLDEN = 0.6180339887498949;
    for (uint32_t i = 0; i < m->core_count && !m->apart; i++) {
        double turns = i * GOLDEN, part = turns - (double)(uint64_t)turns;
        for (int64_t s = 0; s < m->config->subcores; s++)
            msw_dram_lines_put_off(m->cores[i].subs[s].lines,
                                   (uint64_t)(part * (double)m->config->t_refi));
    }
    m->apart = true;
}

/* ---- all cores ---- */

/* Instructions of all simulated cores in this launch, and their CTAs. */
typedef struct progress {
    double issued, ctas;
} progress;

static uint64_t issued_by(const mpu_core *core)
{
    return core->issued + core->jumped;
}

static progress progress_of(const mpu_machine *m)
{
    progress sum = {0};
    for (uint32_t i = 0; i < m->simulated; i++) {
        sum.issued += (double)issued_by(&m->cores[i]);
        sum.ctas += (double)m->cores[i].share;
    }
    return sum;
}

/* Instructions that a core is to go on by, of so many of all: to where it is as far as it has CTAs,
 * so that what cores are apart by chance in a short stretch does not add up over many jumps. */
static double part_of(const mpu_core *core, const progress *sum, double wanted)
{
    double end = (double)core->share / sum->ctas * (sum->issued + wanted);
    return end - (double)issued_by(core);
}

static void jump_core(mpu_machine *m, mpu_core *core, double wanted)
{
    if (wanted <= 0 || !core->ctas)
        return;
    uint64_t gone = jump_ctas(m, core, wanted);
    core->jumped += gone;
    m->counts.issued += gone;
    m->counts.jumped += gone;
    m->due[core->index] = m->now;
}

static int make_landings(mpu_machine *m, msw_err *err)
{
    size_t positions = (size_t)(m->config->subcores * m->config->warps); /* of a core */
    if (!m->landings)
        m->landings = msw_arena_take(m->task->arena, positions * sizeof *m->landings);
    return m->landings ? 0 : msw_fail_memory(err);
}

int mpu_machine_jump(mpu_machine *m, uint64_t issued, msw_err *err)
{
    double wanted = issued > m->counts.issued ? (double)(issued - m->counts.issued) : 0;
    progress sum = progress_of(m);
    m->err = err;
    if (make_landings(m, err))
        return -1;
    mpu_settle(m, m->now);
    spread_refreshes(m);
    for (uint32_t i = 0; i < m->simulated && !m->failed; i++)
        jump_core(m, &m->cores[i], part_of(&m->cores[i], &sum, wanted));
    return m->failed ? -1 : 0;
}
