/* SPDX-License-Identifier: MIT */
/* Running a warp: instructions in a row, branches, exits, barriers.
 *
 * Lanes that part at a branch meet again at its block's immediate post-dominator: the warp's frames
 * are a stack, the top one runs. Barriers count warps; one is complete when all that live, or the
 * number given, have arrived. */
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"

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

/* Looks whether barriers are complete after a warp has left. */
static void simt_barriers_after_exit(msw_simt_cta *cta)
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

/* A warp arrives. Returns 0, or -1 with `err`. */
static int simt_arrive(msw_simt_cta *cta, uint32_t number, const simt_insn *insn, uint32_t mask,
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

int simt_fault(const msw_simt_cta *cta, uint32_t warp, const simt_insn *insn, msw_err *err)
{
    const msw_simt_kernel *kernel = cta->code->kernel;
    return msw_fail_prefix(err, "%s:%u: kernel %s, CTA %u,%u,%u, warp %u: ", kernel->file,
                           kernel->insns[insn->index].line, kernel->name, cta->id[0], cta->id[1],
                           cta->id[2], warp);
}

/* Drops frames that have met or have no lanes. A warp without frames is done. */
static void settle(msw_simt_cta *cta, simt_warp *warp)
{
    while (warp->depth) {
        const simt_frame *top = &warp->frames[warp->depth - 1];
        if (top->mask && top->pc != top->reconverge)
            return;
        warp->depth--;
    }
    warp->state = MSW_SIMT_DONE;
    cta->live_warps--;
    simt_barriers_after_exit(cta);
}

static void push(simt_warp *warp, uint32_t pc, uint32_t reconverge, uint32_t mask)
{
    if (pc != reconverge)
        warp->frames[warp->depth++] = (simt_frame){pc, reconverge, mask};
}

static int diverge(simt_warp *warp, const simt_insn *insn, uint32_t taken, msw_err *err)
{
    simt_frame top = warp->frames[warp->depth - 1];
    uint32_t fall = insn->index + 1, other = top.mask & ~taken;
    if (warp->depth + 2 > SIMT_FRAMES)
        return msw_fail(err, "lanes part more than %d deep", SIMT_FRAMES);
    if (insn->reconverge != top.reconverge)
        warp->frames[warp->depth - 1].pc = insn->reconverge;
    else
        warp->depth--;
    /* Loops go round first: the other lanes wait behind them. */
    if (insn->target <= insn->index) {
        push(warp, fall, insn->reconverge, other);
        push(warp, insn->target, insn->reconverge, taken);
    } else {
        push(warp, insn->target, insn->reconverge, taken);
        push(warp, fall, insn->reconverge, other);
    }
    return 0;
}

static int branch(msw_simt_cta *cta, simt_warp *warp, const simt_insn *insn, uint32_t taken,
                  msw_err *err)
{
    simt_frame *top = &warp->frames[warp->depth - 1];
    if (taken == top->mask)
        top->pc = insn->target;
    else if (!taken)
        top->pc = insn->index + 1;
    else if (diverge(warp, insn, taken, err))
        return -1;
    settle(cta, warp);
    return 0;
}

static void leave(msw_simt_cta *cta, simt_warp *warp, const simt_insn *insn, uint32_t mask)
{
    warp->frames[warp->depth - 1].pc = insn->index + 1;
    warp->live &= ~mask;
    for (uint32_t f = 0; f < warp->depth; f++)
        warp->frames[f].mask &= ~mask;
    settle(cta, warp);
}

static void write_clock(msw_simt_cta *cta, simt_warp *warp, uint64_t now)
{
    for (uint32_t i = 0; i < cta->code->special_count; i++) {
        const simt_special_slot *slot = &cta->code->specials[i];
        if (slot->special < S_CLOCK)
            continue;
        uint64_t value = slot->special == S_CLOCK_HI ? now >> 32 : now;
        for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++)
            memcpy(warp->regs + slot->offset + lane * slot->bytes, &value, slot->bytes);
    }
}

typedef struct runner {
    msw_simt_cta *cta;
    simt_warp *warp;
    uint32_t number;
    msw_simt_step *step;
    msw_err *err;
} runner;

static int trap(msw_err *err)
{
    return msw_fail(err, "the kernel stops itself here (trap)");
}

/* What changes the flow, or reaches beyond the warp. Returns 0, or -1. */
static int special(const runner *r, const simt_insn *insn, uint32_t mask)
{
    simt_frame *top = &r->warp->frames[r->warp->depth - 1];
    switch (insn->unit) {
    case UNIT_BRANCH:
        return branch(r->cta, r->warp, insn, mask, r->err);
    case UNIT_EXIT:
        r->step->event = mask == r->warp->live ? MSW_SIMT_EVENT_EXIT : MSW_SIMT_EVENT_NONE;
        leave(r->cta, r->warp, insn, mask);
        return 0;
    case UNIT_TRAP:
        if (mask)
            return trap(r->err);
        break;
    case UNIT_BARRIER:
        top->pc = insn->index + 1;
        if (insn->ends)
            settle(r->cta, r->warp);
        if (!mask)
            return 0;
        r->step->event = MSW_SIMT_EVENT_BARRIER;
        return simt_arrive(r->cta, r->number, insn, mask, r->err);
    default:
        if (mask && simt_access(r->cta, r->number, insn, mask, r->step, r->err))
            return -1;
        break;
    }
    top->pc = insn->index + 1;
    if (insn->ends)
        settle(r->cta, r->warp);
    return 0;
}

/* Instructions in a row up to one that is more than lanes. Returns the instruction that stopped it,
 * with `*count` done before it, or NULL at the limit or the end of the block. */
static const simt_insn *run_row(const runner *r, uint32_t limit, uint32_t *count, uint32_t *lanes)
{
    const msw_simt_code *code = r->cta->code;
    simt_frame *top = &r->warp->frames[r->warp->depth - 1];
    unsigned char *const base[2] = {r->warp->regs, code->pool};
    uint32_t done = 0, mask = top->mask;
    const simt_insn *insn = &code->insns[top->pc];
    const simt_insn *stopped = NULL;
    bool ended = false;
    while (done < limit) {
        if (insn->unit == UNIT_SKIP) {
            uint32_t skip = insn->skip < limit - done ? insn->skip : limit - done;
            ended = insn->ends && skip == insn->skip;
            done += skip;
            insn += skip;
        } else if (insn->unit == UNIT_LANES || insn->unit == UNIT_CLOCK) {
            uint32_t guard;
            memcpy(&guard, base[0] + insn->guard, sizeof guard);
            guard = (guard ^ insn->guard_flip) & mask;
            if (insn->unit == UNIT_CLOCK)
                write_clock(r->cta, r->warp, r->warp->issued + done);
            if (guard)
                insn->run(insn, base, guard);
            *lanes = guard;
            ended = insn->ends;
            done++;
            insn++;
        } else {
            stopped = insn;
            break;
        }
        /* The next block goes on in the same row unless lanes wait at its start. */
        if (ended && insn->index == top->reconverge)
            break;
    }
    top->pc = insn->index;
    *count = done;
    return stopped;
}

static void count_run(const runner *r, const msw_simt_step *step)
{
    msw_simt_counts *counts = r->cta->counts;
    counts->warps[step->first]++;
    counts->warps[step->first + step->count]--;
    if (counts->lanes && step->count)
        counts->lanes[step->first + step->count - 1] += msw_bits_count(step->lanes);
}

static uint32_t guard_of(const simt_warp *warp, const simt_insn *insn)
{
    uint32_t guard;
    memcpy(&guard, warp->regs + insn->guard, sizeof guard);
    return (guard ^ insn->guard_flip) & warp->frames[warp->depth - 1].mask;
}

/* A warp is looked at for so many steps, ever more seldom; idle for so many instructions it waits.
 */
enum { LOOKS = 32, LOOK_EVERY = 1 << 16, IDLE_MOST = 1 << 20 };

static uint64_t digest_state(const msw_simt_cta *cta, const simt_warp *warp)
{
    const simt_frame *top = &warp->frames[warp->depth - 1];
    msw_digest regs = msw_hash_bytes(warp->regs, cta->code->reg_bytes);
    return regs.lo ^ ((uint64_t)top->pc << 32 | top->mask) * UINT64_C(0x9e3779b97f4a7c15);
}

int simt_fail_wait(const msw_simt_code *code, msw_err *err)
{
    code->common->waits = true;
    return msw_fail(err, "waits in a loop for what no warp that runs with it does; CTAs that wait "
                         "for each other have to run at once");
}

/* Begins to look. A warp that goes in circles while nobody changes memory waits for good, and so do
 * all that would have to change it. */
static int begin_look(const runner *r, msw_err *err)
{
    simt_warp *warp = r->warp;
    if (!simt_is_idle(r->cta->code, warp))
        warp->idle_from = warp->issued;
    if (warp->issued - warp->idle_from >= IDLE_MOST)
        return simt_fail_wait(r->cta->code, err);
    warp->next_look += warp->issued < LOOK_EVERY ? warp->issued : LOOK_EVERY;
    warp->looks = LOOKS;
    warp->seen_pc = warp->frames[warp->depth - 1].pc;
    warp->seen = digest_state(r->cta, warp);
    warp->seen_changes = r->cta->code->common->changes + 1;
    return 0;
}

/* The same state at the same place, and memory as it was: the warp goes in circles. */
static void look_again(simt_warp *warp, const msw_simt_cta *cta)
{
    bool same = cta->code->common->changes + 1 == warp->seen_changes;
    warp->looks = same ? warp->looks - 1 : 0;
    if (!same || warp->frames[warp->depth - 1].pc != warp->seen_pc ||
        digest_state(cta, warp) != warp->seen)
        return;
    warp->idle_changes = warp->seen_changes;
    warp->looks = 0;
}

/* Against warps that wait for other CTAs. */
static int look_at(const runner *r, msw_err *err)
{
    if (!r->warp->depth)
        return 0;
    if (r->warp->issued >= r->warp->next_look)
        return begin_look(r, err);
    if (r->warp->looks)
        look_again(r->warp, r->cta);
    return 0;
}

/* Runs instructions in a row up to one that does more than compute in its lanes: an access, a
 * branch, a barrier. That one is executed too and reported in the step. What it costs is the
 * caller's business: time is not known here. */
int msw_simt_run(msw_simt_cta *cta, uint32_t warp, uint32_t limit, msw_simt_step *step,
                 msw_err *err)
{
    runner r = {cta, &cta->warps[warp], warp, step, err};
    const simt_frame *top = &r.warp->frames[r.warp->depth - 1];
    step->first = top->pc;
    step->mask = step->lanes = top->mask;
    step->event = MSW_SIMT_EVENT_NONE;
    step->line_count = 0;
    const simt_insn *stopped = run_row(&r, limit ? limit : 1, &step->count, &step->lanes);
    if (!stopped) {
        settle(cta, r.warp);
    } else if (step->count < (limit ? limit : 1)) {
        step->count++;
        step->lanes = guard_of(r.warp, stopped);
        if (special(&r, stopped, step->lanes))
            return simt_fault(cta, warp, stopped, err);
    }
    r.warp->issued += step->count;
    if (cta->counts)
        count_run(&r, step);
    if (look_at(&r, err))
        return simt_fault(cta, warp, &cta->code->insns[step->first], err);
    if (r.warp->issued > cta->code->most_instructions) {
        msw_fail(err, "more than %llu instructions of one warp: does it end?",
                 (unsigned long long)cta->code->most_instructions);
        return simt_fault(cta, warp, &cta->code->insns[step->first], err);
    }
    return 0;
}
