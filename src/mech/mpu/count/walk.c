/* SPDX-License-Identifier: MIT */
/* Runs the CTAs of a core without time, resident warps in turn, and follows the chain of
 * dependences of each warp. */
#include "mech/mpu/count/count.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { RUN_LIMIT = 1024 }; /* instructions of one turn without an event */

typedef struct walker {
    const msw_simt_code *code;
    const mpu_walk_ctas *ctas;
    const mpu_walk_listener *listener;
    msw_simt_cta **resident; /* [slot] NULL: empty */
    unsigned char *blocks;
    uint64_t *numbers; /* [slot] */
    uint64_t started;
    uint32_t warps, busy;
    size_t block_bytes;
    msw_simt_step step;
} walker;

static uint64_t number_of(const mpu_walk_ctas *ctas, uint64_t i)
{
    if (!ctas->together)
        return ctas->first + i * ctas->stride;
    return ctas->first + i / ctas->together * ctas->apart + i % ctas->together * ctas->stride;
}

static int start_cta(walker *w, uint32_t slot, msw_err *err)
{
    w->numbers[slot] = number_of(w->ctas, w->started++);
    w->resident[slot] =
        msw_simt_cta_start(w->code, w->numbers[slot], w->blocks + slot * w->block_bytes);
    w->busy++;
    for (uint32_t warp = 0; warp < w->warps && w->listener->starts; warp++) {
        mpu_walk_at at = {slot, warp, w->numbers[slot]};
        if (w->listener->starts(w->listener->self, &at, err))
            return -1;
    }
    return 0;
}

static int run_warp(walker *w, uint32_t slot, uint32_t warp, msw_err *err)
{
    const mpu_walk_at at = {slot, warp, w->numbers[slot]};
    msw_simt_cta *cta = w->resident[slot];
    if (msw_simt_warp_now(cta, warp) != MSW_SIMT_READY)
        return 0;
    if (msw_simt_run(cta, warp, RUN_LIMIT, &w->step, err))
        return -1;
    int rc = w->listener->step(w->listener->self, &at, &w->step, err);
    if (rc)
        return rc;
    bool last =
        w->step.event == MSW_SIMT_EVENT_BARRIER && msw_simt_warp_now(cta, warp) != MSW_SIMT_WAITING;
    if ((last || w->step.event == MSW_SIMT_EVENT_EXIT) && w->listener->released)
        return w->listener->released(w->listener->self, &at, err);
    return 0;
}

static int run_slot(walker *w, uint32_t slot, msw_err *err)
{
    int rc = 0;
    for (uint32_t warp = 0; warp < w->warps && !rc; warp++)
        rc = run_warp(w, slot, warp, err);
    if (rc)
        return rc;
    if (!msw_simt_cta_done(w->resident[slot]))
        return 0;
    const mpu_walk_at at = {slot, 0, w->numbers[slot]};
    w->resident[slot] = NULL;
    w->busy--;
    return w->listener->ends ? w->listener->ends(w->listener->self, &at, err) : 0;
}

static int allocate_walk(walker *w, msw_arena *arena, msw_err *err)
{
    w->block_bytes = msw_align_up(msw_simt_cta_bytes(w->code), 64);
    w->warps = msw_simt_cta_warps(w->code);
    w->blocks = msw_arena_take(arena, w->ctas->slots * w->block_bytes);
    w->resident = msw_arena_zero(arena, w->ctas->slots, sizeof(msw_simt_cta *));
    w->numbers = msw_arena_zero(arena, w->ctas->slots, sizeof *w->numbers);
    return w->blocks && w->resident && w->numbers ? 0 : msw_fail_memory(err);
}

int mpu_walk(const msw_simt_code *code, const mpu_walk_ctas *ctas,
             const mpu_walk_listener *listener, msw_arena *arena, msw_err *err)
{
    walker w = {.code = code, .ctas = ctas, .listener = listener};
    int rc = 0;
    if (allocate_walk(&w, arena, err))
        return -1;
    do {
        for (uint32_t slot = 0; slot < ctas->slots && !rc; slot++) {
            if (!w.resident[slot] && w.started < ctas->count)
                rc = start_cta(&w, slot, err);
            if (!rc && w.resident[slot])
                rc = run_slot(&w, slot, err);
        }
    } while (!rc && (w.busy || w.started < ctas->count));
    return rc;
}

void mpu_chain_start(mpu_chain *chain, uint32_t regs)
{
    memset(&chain->now, 0, sizeof chain->now);
    memset(&chain->last, 0, sizeof chain->last);
    memset(chain->regs, 0, regs * sizeof *chain->regs);
}

void mpu_path_join(mpu_path *path, const mpu_path *other)
{
    if (other->length > path->length)
        *path = *other;
}

static void add_to_path(mpu_path *path, unsigned kind, const mpu_path_weights *weights)
{
    path->of[kind] += 1;
    path->length += weights->of[kind];
}

void mpu_chain_issue(mpu_chain *chain, const msw_simt_insn *insn, const mpu_link *link,
                     const mpu_path_weights *weights)
{
    add_to_path(&chain->now, MPU_ON_PATH_ISSUE, weights);
    for (uint32_t u = 0; u < insn->use_count; u++)
        mpu_path_join(&chain->now, &chain->regs[insn->uses[u]]);
    if (!insn->def_count && !insn->is_store)
        return;
    mpu_path end = chain->now;
    for (uint32_t k = 0; k < link->count; k++)
        add_to_path(&end, link->kind[k], weights);
    for (uint32_t d = 0; d < insn->def_count; d++)
        chain->regs[insn->defs[d]] = end;
    if (insn->is_store)
        mpu_path_join(&chain->last, &end);
}

int mpu_owner_of(const mpu_map *map, const msw_simt_code *code, uint64_t cta, uint64_t most,
                 void *block, uint32_t *owner, msw_err *err)
{
    msw_simt_cta *now = msw_simt_cta_start(code, cta, block);
    msw_simt_step step;
    bool found = false;
    *owner = 0;
    for (uint64_t done = 0; !found && msw_simt_warp_now(now, 0) == MSW_SIMT_READY && done < most;
         done += step.count) {
        MSW_TRY(msw_simt_run(now, 0, UINT32_MAX, &step, err));
        found = step.event == MSW_SIMT_EVENT_ACCESS && step.space == MSW_SIMT_GLOBAL &&
                step.line_count > 0;
        if (found)
            *owner = mpu_locate(map, step.lines[0].address).core;
    }
    return 0;
}
