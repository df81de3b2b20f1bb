/* SPDX-License-Identifier: MIT */
/* A core without time, and back to time. Its CTAs go on in turns, so that those that are there
 * together are those that would be.
 *
 * A warp lands where it was: before the same access, barrier, branch or end, later in its loop or
 * in a later CTA. What is under way then ends as if nothing had happened, and warps stay as far
 * apart in time as they were: the state of the machine is one that it comes to by itself. Warps
 * that wait for each other land behind the same number of barriers. Where this is not met soon,
 * warps land where they are: what was under way ends for nobody, its results are there at once. */
#include "mech/mpu/machine/land.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Rounds in which all of a core should land at once; instructions of a warp in which it should
 * alone. */
enum { ROUNDS = 32, LANDING = MPU_LANDING / 2 };

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

/* ---- who is in the slot ---- */

static void board(slot_run *r, uint32_t slot)
{
    uint32_t all = (uint32_t)r->m->config->subcores * r->m->positions;
    r->count = r->m->warps_per_cta;
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
static bool stands(const mpu_warp *w, const msw_simt_step *step)
{
    return step->first + step->count == w->end && step->first <= w->pc &&
           (uint8_t)step->event == w->event;
}

/* Lets a warp go one step on, if it can. Returns whether it did. */
static bool go(slot_run *r, uint32_t number)
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
    l->landed = l->warp && stands(l->warp, &m->step);
    if (l->landed && l->warp->pc < l->warp->end)
        mpu_warp_take_event(m, r->core, l->warp);
    return true;
}

/* The next CTA takes the slot of one that has ended. Returns whether there is one. */
static bool go_on_to_next(slot_run *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (state_of(r, i) != MSW_SIMT_DONE)
            return false;
    for (uint32_t i = 0; i < r->count; i++)
        r->warps[i].landed = false;
    return mpu_next_cta(r->m, r->core, r->cta);
}

/* A step of every warp that can go. */
static void take_turn(slot_run *r)
{
    bool some = false;
    for (uint32_t i = 0; i < r->count; i++)
        some |= go(r, i);
    if (!some && !r->m->failed)
        r->ended = !go_on_to_next(r);
}

/* All slots, until each has gone by this many instructions or has ended. */
static void travel(slot_run *runs, uint32_t count, double each)
{
    for (bool some = true; some;) {
        some = false;
        for (uint32_t i = 0; i < count && !runs[i].m->failed; i++) {
            if (runs[i].ended || (double)runs[i].gone >= each)
                continue;
            take_turn(&runs[i]);
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
            take_turn(r);
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
static bool land_turn(slot_run *r, bool *all)
{
    bool some = false;
    *all = true;
    for (uint32_t i = 0; i < r->count && !r->m->failed; i++) {
        if (has_landed(r, i, most_barriers(r)))
            continue;
        *all = false;
        some |= go(r, i);
    }
    return some;
}

static bool land(slot_run *r)
{
    if (r->ended)
        return false;
    uint64_t limit = r->gone + (uint64_t)LANDING * r->count;
    bool all = false;
    for (uint32_t i = 0; i < r->count; i++)
        r->warps[i].landed = false;
    while (r->gone < limit && !r->m->failed) {
        bool some = land_turn(r, &all);
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
        if (stuck && !go_on_to_next(r))
            return false;
    }
    return false;
}

/* ---- landing anywhere ---- */

/* The last warp of a core is nobody's. */
static void orphan_flights(slot_run *r)
{
    mpu_core *core = r->core;
    uint32_t nobody = (uint32_t)r->m->config->subcores * r->m->positions;
    for (uint32_t i = 0; i < r->m->flights; i++) {
        mpu_flight *f = &core->flights[i];
        if (f->kind != MPU_FLIGHT_WHOLE && f->kind != MPU_FLIGHT_PARTS)
            continue;
        if (f->warp != nobody && r->cta == &core->slots[core->warps[f->warp].slot])
            f->warp = nobody;
    }
    r->m->orphans = true;
}

/* What the warp has fetched, it has issued; what it waited for is there. */
static void forget(slot_run *r, mpu_warp *w)
{
    r->gone += w->pc < w->end ? w->end - w->pc : 0;
    w->pc = w->end;
    w->flying = 0;
    w->last = r->m->now;
    memset(w->values, 0, r->m->regs * sizeof *w->values);
}

/* Those that had left before do so again in a CTA that came later. */
static void finish_absent(slot_run *r)
{
    for (bool some = true; some && !r->m->failed;) {
        some = false;
        for (uint32_t i = 0; i < r->count; i++)
            some |= !r->warps[i].warp && state_of(r, i) != MSW_SIMT_DONE;
        for (uint32_t i = 0; some && i < r->count; i++)
            go(r, i);
    }
}

static void drop(slot_run *r)
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
        forget(r, w);
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
static void leave(slot_run *r)
{
    for (uint32_t i = 0; i < r->count && !r->m->failed; i++)
        if (r->warps[i].done)
            mpu_warp_leave(r->m, r->core, r->warps[i].warp, r->m->now);
}

uint64_t mpu_core_jump(mpu_machine *m, mpu_core *core, double wanted)
{
    slot_run runs[MPU_CTAS_MOST];
    uint32_t count = 0;
    uint64_t gone = 0;
    for (uint32_t s = 0; s < m->slots_per_core; s++) {
        if (!core->slots[s].cta)
            continue;
        runs[count] = (slot_run){.m = m, .core = core, .cta = &core->slots[s]};
        runs[count].warps = m->landings + (size_t)count * m->warps_per_cta;
        board(&runs[count++], s);
    }
    travel(runs, count, wanted / (count ? count : 1));
    bool at_once = land_at_once(runs, count);
    for (uint32_t i = 0; i < count && !m->failed; i++) {
        if ((runs[i].ended || !at_once) && !land(&runs[i]) && !m->failed) {
            drop(&runs[i]);
            leave(&runs[i]);
        }
        gone += runs[i].gone;
    }
    return gone;
}
