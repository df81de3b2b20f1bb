/* SPDX-License-Identifier: MIT */
/* CTAs over SMs, and warps by a scheduler, in a plausible order of accesses. */
#include "workload/simt/machine/code.h"

typedef struct simt_sm {
    msw_simt_cta **ctas; /* [slot], NULL: free */
    uint64_t *numbers;   /* [slot] order of arrival */
    void **blocks;
    uint32_t slots, live;
    uint32_t slot, warp; /* whose turn it was last */
} simt_sm;

typedef struct execution {
    const msw_simt_code *code;
    const msw_simt_sms *config;
    const msw_simt_listener *listener;
    simt_sm *sms;
    uint64_t next, end, arrived, issued;
    uint32_t stuck; /* SMs in a row without a warp that can go on */
    msw_simt_step step;
    msw_err *err;
} execution;

/* How many CTAs of a launch an SM holds at once. Returns at least 1, or 0 with `err` when not even
 * one fits. */
static uint32_t msw_simt_resident(const msw_simt_code *code, const msw_simt_sms *sms, msw_err *err)
{
    uint64_t most = sms->ctas ? sms->ctas : 1;
    if (sms->warps && sms->warps / code->warps < most)
        most = sms->warps / code->warps;
    if (sms->shared_bytes && code->shared_bytes && sms->shared_bytes / code->shared_bytes < most)
        most = sms->shared_bytes / code->shared_bytes;
    if (!most)
        msw_fail(err,
                 "kernel %s: a CTA of %u warps and %llu bytes of shared memory; an SM has %u "
                 "warps and %llu bytes",
                 code->kernel->name, code->warps, (unsigned long long)code->shared_bytes,
                 sms->warps, (unsigned long long)sms->shared_bytes);
    return (uint32_t)most;
}

static int tell_cta(execution *x, uint32_t sm, uint32_t slot, bool starts)
{
    msw_simt_origin origin = {.sm = sm, .slot = slot, .cta = x->sms[sm].ctas[slot]->number};
    if (!x->listener || !x->listener->cta)
        return 0;
    return x->listener->cta(x->listener->self, &origin, starts, x->err);
}

static int fill_slot(execution *x, uint32_t sm, uint32_t slot)
{
    simt_sm *s = &x->sms[sm];
    if (x->next == x->end)
        return 0;
    s->ctas[slot] = msw_simt_cta_start(x->code, x->next++, s->blocks[slot]);
    s->numbers[slot] = x->arrived++;
    s->live++;
    if (x->listener && x->listener->counts)
        msw_simt_cta_count_into(s->ctas[slot], x->listener->counts);
    return tell_cta(x, sm, slot, true);
}

static int empty_slot(execution *x, uint32_t sm, uint32_t slot)
{
    simt_sm *s = &x->sms[sm];
    if (tell_cta(x, sm, slot, false))
        return -1;
    s->ctas[slot] = NULL;
    s->live--;
    return fill_slot(x, sm, slot);
}

/* A warp that goes in circles has no turn until memory changes. */
static bool ready(const simt_sm *s, uint32_t slot, uint32_t warp)
{
    const msw_simt_cta *cta = s->ctas[slot];
    return cta && cta->warps[warp].state == MSW_SIMT_READY &&
           !simt_is_idle(cta->code, &cta->warps[warp]);
}

/* Round robin over the warps of all slots in a row. */
static bool next_in_turn(simt_sm *s, uint32_t warps)
{
    uint32_t slot = s->slot, warp = s->warp;
    do {
        if (++warp == warps) {
            warp = 0;
            slot = slot + 1 < s->slots ? slot + 1 : 0;
        }
        if (ready(s, slot, warp)) {
            s->slot = slot;
            s->warp = warp;
            return true;
        }
    } while (slot != s->slot || warp != s->warp);
    return false;
}

/* The same warp while it can; else the oldest CTA's first ready one. */
static bool greedy(simt_sm *s, uint32_t warps)
{
    bool found = ready(s, s->slot, s->warp);
    if (found)
        return true;
    for (uint32_t slot = 0; slot < s->slots; slot++) {
        if (!s->ctas[slot] || (found && s->numbers[slot] > s->numbers[s->slot]))
            continue;
        for (uint32_t w = 0; w < warps; w++)
            if (ready(s, slot, w)) {
                s->slot = slot;
                s->warp = w;
                found = true;
                break;
            }
    }
    return found;
}

static int deadlock(const execution *x, const simt_sm *s)
{
    for (uint32_t slot = 0; slot < s->slots; slot++) {
        const msw_simt_cta *cta = s->ctas[slot];
        for (uint32_t w = 0; cta && w < x->code->warps; w++) {
            const simt_warp *warp = &cta->warps[w];
            if (warp->state == MSW_SIMT_DONE)
                continue;
            uint32_t pc = warp->depth ? warp->frames[warp->depth - 1].pc : 1;
            if (warp->state == MSW_SIMT_READY) {
                simt_fail_wait(x->code, x->err);
                return simt_fault(cta, w, &x->code->insns[pc], x->err);
            }
            msw_fail(x->err, "waits at barrier %u, which the other warps never reach",
                     warp->barrier);
            return simt_fault(cta, w, &x->code->insns[pc ? pc - 1 : 0], x->err);
        }
    }
    return msw_fail_kind(x->err, MSW_ERR_INTERNAL, "an SM without ready warps");
}

static int run_turn(execution *x, uint32_t sm)
{
    simt_sm *s = &x->sms[sm];
    uint32_t warps = x->code->warps;
    bool robin = x->config->scheduler == MSW_SIMT_ROUND_ROBIN;
    if (!(robin ? next_in_turn(s, warps) : greedy(s, warps)))
        return ++x->stuck < x->config->sms ? 0 : deadlock(x, s);
    x->stuck = 0;
    msw_simt_origin origin = {.sm = sm, .slot = s->slot, .warp = s->warp};
    msw_simt_cta *cta = s->ctas[origin.slot];
    uint32_t limit = robin && x->config->run_limit ? x->config->run_limit : UINT32_MAX;
    origin.cta = cta->number;
    if (msw_simt_run(cta, origin.warp, limit, &x->step, x->err))
        return -1;
    x->issued += x->step.count;
    if (x->listener && x->listener->step &&
        x->listener->step(x->listener->self, &origin, &x->step, x->err))
        return -1;
    return msw_simt_cta_done(cta) ? empty_slot(x, sm, origin.slot) : 0;
}

static int take_memory(execution *x, uint32_t slots, msw_arena *arena)
{
    x->sms = msw_arena_zero(arena, x->config->sms, sizeof *x->sms);
    for (uint32_t m = 0; x->sms && m < x->config->sms; m++) {
        simt_sm *s = &x->sms[m];
        s->slots = slots;
        s->ctas = msw_arena_zero(arena, slots, sizeof *s->ctas);
        s->numbers = msw_arena_zero(arena, slots, sizeof *s->numbers);
        s->blocks = msw_arena_zero(arena, slots, sizeof *s->blocks);
        if (!s->ctas || !s->numbers || !s->blocks)
            return msw_fail_memory(x->err);
        for (uint32_t slot = 0; slot < slots; slot++)
            if (!(s->blocks[slot] = msw_arena_take(arena, x->code->cta_bytes)))
                return msw_fail_memory(x->err);
    }
    return x->sms ? 0 : msw_fail_memory(x->err);
}

static int run_all(execution *x, uint32_t slots)
{
    for (uint32_t slot = 0; slot < slots; slot++)
        for (uint32_t m = 0; m < x->config->sms; m++)
            if (fill_slot(x, m, slot))
                return -1;
    for (bool busy = true; busy;) {
        busy = false;
        for (uint32_t m = 0; m < x->config->sms; m++) {
            if (!x->sms[m].live) {
                x->stuck += x->stuck > 0;
                continue;
            }
            busy = true;
            if (run_turn(x, m))
                return -1;
        }
    }
    return 0;
}

int msw_simt_execute(const msw_simt_code *code, const msw_simt_sms *sms, uint64_t first,
                     uint64_t count, const msw_simt_listener *listener, msw_arena *arena,
                     uint64_t *issued, msw_err *err)
{
    execution x = {.code = code, .config = sms, .listener = listener, .next = first, .err = err};
    if (first > code->ctas || !sms->sms)
        return msw_fail(err, "kernel %s: CTA %llu of %llu on %u SMs", code->kernel->name,
                        (unsigned long long)first, (unsigned long long)code->ctas, sms->sms);
    x.end = count && count < code->ctas - first ? first + count : code->ctas;
    uint32_t slots = msw_simt_resident(code, sms, err);
    msw_arena_mark mark = msw_arena_now(arena);
    int status = slots ? 0 : -1;
    if (!status)
        status = take_memory(&x, slots, arena);
    if (status == 0)
        status = run_all(&x, slots);
    msw_arena_release(arena, mark);
    *issued = x.issued;
    return status;
}
