/* SPDX-License-Identifier: MIT */
/* Barriers count warps; one is complete when all that live, or the number given, have arrived. */
#include "memsweep/base/bits.h"
#include "workload/simt/machine/code.h"

#include <string.h>

/* The value of a source operand in the first active lane. */
static uint32_t first_value(const msw_simt_cta *cta, const simt_warp *warp, const simt_insn *insn,
                            uint32_t k, uint32_t mask)
{
    const unsigned char *base = insn->where[k] ? cta->code->pool : warp->regs;
    uint32_t value;
    memcpy(&value, base + insn->src[k] + 4 * msw_bits_lowest(mask), sizeof value);
    return value;
}

static uint32_t predicate_of(const msw_simt_cta *cta, const simt_warp *warp, const simt_insn *insn,
                             uint32_t k)
{
    const unsigned char *base = insn->where[k] ? cta->code->pool : warp->regs;
    uint32_t bits;
    memcpy(&bits, base + insn->src[k], sizeof bits);
    return insn->negated >> k & 1 ? ~bits : bits;
}

static void give_result(simt_warp *warp, const simt_barrier *barrier)
{
    const simt_insn *insn = warp->reduction;
    bool pred = insn->detail->dst[0].type == MSW_SIMT_PRED;
    uint32_t result = barrier->count, mask = warp->reduction_mask;
    if (simt_has(insn->detail, W_AND))
        result = barrier->all ? UINT32_MAX : 0;
    else if (simt_has(insn->detail, W_OR))
        result = barrier->any ? UINT32_MAX : 0;
    warp->reduction = NULL;
    if (pred) {
        uint32_t old;
        memcpy(&old, warp->regs + insn->dst[0], sizeof old);
        result = (old & ~mask) | (result & mask);
        memcpy(warp->regs + insn->dst[0], &result, sizeof result);
        return;
    }
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++)
        if (mask >> lane & 1)
            memcpy(warp->regs + insn->dst[0] + 4 * lane, &result, sizeof result);
}

static void release(msw_simt_cta *cta, uint32_t number)
{
    simt_barrier *barrier = &cta->barriers[number];
    for (uint32_t w = 0; w < cta->code->warps; w++) {
        simt_warp *warp = &cta->warps[w];
        if (warp->state != MSW_SIMT_WAITING || warp->barrier != number)
            continue;
        warp->state = MSW_SIMT_READY;
        if (warp->reduction)
            give_result(warp, barrier);
    }
    *barrier = (simt_barrier){0};
}

static void look(msw_simt_cta *cta, uint32_t number)
{
    const simt_barrier *barrier = &cta->barriers[number];
    uint32_t wanted = barrier->expected ? barrier->expected : cta->live_warps;
    if (barrier->arrived && barrier->arrived >= wanted)
        release(cta, number);
}

void simt_barriers_after_exit(msw_simt_cta *cta)
{
    for (uint32_t b = 0; b < SIMT_BARRIERS; b++)
        look(cta, b);
}

static void reduce(msw_simt_cta *cta, simt_warp *warp, const simt_insn *insn, uint32_t mask,
                   simt_barrier *barrier)
{
    uint32_t yes = predicate_of(cta, warp, insn, insn->src_count - 1u) & mask;
    if (!barrier->arrived)
        barrier->all = 1;
    barrier->all &= yes == mask;
    barrier->any |= yes != 0;
    barrier->count += msw_bits_count(yes);
    warp->reduction = insn;
    warp->reduction_mask = mask;
}

/* The threads given behind the barrier's number, or 0. */
static int read_threads(const msw_simt_cta *cta, const simt_warp *warp, const simt_insn *insn,
                        uint32_t mask, uint32_t *threads, msw_err *err)
{
    uint32_t operands = insn->src_count - (simt_has(insn->detail, W_RED) ? 1u : 0u);
    *threads = operands > 1 ? first_value(cta, warp, insn, 1, mask) : 0;
    if (*threads % MSW_SIMT_LANES || *threads > 1024 + MSW_SIMT_LANES)
        return msw_fail(err, "a barrier of %u threads; whole warps are wanted", *threads);
    if (simt_has(insn->detail, W_ARRIVE) && !*threads)
        return msw_fail(err, "an arrival at a barrier that gives no number of threads");
    return 0;
}

int simt_arrive(msw_simt_cta *cta, uint32_t number, const simt_insn *insn, uint32_t mask,
                msw_err *err)
{
    simt_warp *warp = &cta->warps[number];
    uint32_t threads, id = insn->src_count ? first_value(cta, warp, insn, 0, mask) : 0;
    if (id >= SIMT_BARRIERS)
        return msw_fail(err, "barrier %u; there are %d", id, SIMT_BARRIERS);
    if (read_threads(cta, warp, insn, mask, &threads, err))
        return -1;
    simt_barrier *barrier = &cta->barriers[id];
    if (threads)
        barrier->expected = threads / MSW_SIMT_LANES;
    if (simt_has(insn->detail, W_RED))
        reduce(cta, warp, insn, mask, barrier);
    barrier->arrived++;
    if (!simt_has(insn->detail, W_ARRIVE) && warp->state == MSW_SIMT_READY) {
        warp->state = MSW_SIMT_WAITING;
        warp->barrier = id;
    }
    look(cta, id);
    return 0;
}
