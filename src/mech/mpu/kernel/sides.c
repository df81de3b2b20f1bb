/* SPDX-License-Identifier: MIT */
/* Decides on which side registers are and instructions run.
 *
 * Location annotation (algorithm 1 of the paper) has two readings. Both start from the same seeds:
 * accesses and jumps say where their registers are. Then places spread from destinations to
 * sources, backwards, until nothing changes.
 *
 * intended: instructions with seeds do not spread, an unknown destination says nothing.
 * printed: the listing to the letter. Every instruction spreads, a store's "destination" is its
 * address, and a source whose side is not that of the destination, unknown or not, is Both.
 *
 * An instruction runs (section IV-B1) where its operation demands it, else where the policy hints,
 * else where the register track table has its sources. */
#include "mech/mpu/kernel/kernel.h"

#include <string.h>

typedef struct annotator {
    const msw_simt_kernel *kernel;
    const mpu_config *config;
    uint8_t *regs;
    bool printed, changed;
} annotator;

static bool is_jump(const msw_simt_insn *insn)
{
    return insn->kind == MSW_SIMT_CLASS_BRANCH || insn->kind == MSW_SIMT_CLASS_EXIT;
}

static bool is_access(const msw_simt_insn *insn)
{
    return insn->kind == MSW_SIMT_CLASS_LOAD || insn->kind == MSW_SIMT_CLASS_STORE ||
           insn->kind == MSW_SIMT_CLASS_ATOMIC;
}

static void seed_regs(annotator *a, const uint32_t *regs, uint32_t count, mpu_side side)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *now = &a->regs[regs[i]];
        bool clashes = *now != MPU_UNKNOWN && *now != side && !a->printed;
        *now = clashes ? MPU_BOTH : (uint8_t)side;
    }
}

static mpu_side chosen_side(int64_t choice)
{
    return choice == MPU_AT_NEAR ? MPU_NEAR : MPU_FAR;
}

/* Where the operands of an access have to be under this config. Fills address_side,
 * value_side and guard_side of an instruction; UNKNOWN where they follow the instruction. */
static void set_operand_sides(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    out->address_side = out->value_side = MPU_FAR;
    if (insn->space == MSW_SIMT_SHARED) {
        bool near = c->shared_side == MPU_SHARED_NEAR &&
                    (!insn->is_atomic || c->atomic_shared_side == MPU_AT_NEAR);
        out->address_side = out->value_side = near ? MPU_NEAR : MPU_FAR;
    } else if (insn->is_atomic) {
        out->value_side = (uint8_t)chosen_side(c->atomic_global_side);
    } else {
        out->value_side = MPU_NEAR;
    }
}

/* Without a side of their own (a mpu_insn's places are those of the access rules) they follow. */
static void seed_insn(annotator *a, const msw_simt_insn *insn)
{
    mpu_insn rules = {0};
    if (is_jump(insn))
        seed_regs(a, insn->uses, insn->use_count, MPU_FAR);
    if (!is_access(insn))
        return;
    set_operand_sides(insn, a->config, &rules);
    seed_regs(a, insn->address_uses, insn->address_count, rules.address_side);
    seed_regs(a, insn->value_uses, insn->value_count, rules.value_side);
    seed_regs(a, insn->defs, insn->def_count, rules.value_side);
}

/* The side that the sources of an instruction are to have: that of its destinations. */
static mpu_side wanted_side(const annotator *a, const msw_simt_insn *insn)
{
    bool address = a->printed && insn->is_store && !insn->is_atomic;
    const uint32_t *regs = address ? insn->address_uses : insn->defs;
    uint32_t count = address ? insn->address_count : insn->def_count;
    mpu_side side = MPU_UNKNOWN;
    for (uint32_t i = 0; i < count; i++) {
        mpu_side one = a->regs[regs[i]];
        if (one == MPU_UNKNOWN || one == side)
            continue;
        side = side == MPU_UNKNOWN ? one : MPU_BOTH;
    }
    return side;
}

static void spread_to(annotator *a, uint32_t reg, mpu_side side)
{
    mpu_side now = a->regs[reg], next = now;
    if (now == MPU_UNKNOWN)
        next = side;
    if (next != side)
        next = MPU_BOTH;
    a->changed |= next != now;
    a->regs[reg] = (uint8_t)next;
}

static void spread_insn(annotator *a, const msw_simt_insn *insn)
{
    bool seeded = is_jump(insn) || is_access(insn);
    bool has_destination = insn->def_count || (insn->is_store && !is_jump(insn));
    if ((seeded && !a->printed) || !has_destination)
        return;
    mpu_side side = wanted_side(a, insn);
    if (side == MPU_UNKNOWN && !a->printed)
        return;
    for (uint32_t u = 0; u < insn->use_count; u++)
        spread_to(a, insn->uses[u], side);
}

/* The guard of an access is read where the access is checked. */
static void spread_guard(annotator *a, const msw_simt_insn *insn)
{
    mpu_insn rules = {0};
    if (insn->guard == MSW_SIMT_NONE || !is_access(insn) || a->printed)
        return;
    set_operand_sides(insn, a->config, &rules);
    spread_to(a, insn->guard, rules.address_side);
}

static mpu_side side_of(const annotator *a, const msw_simt_insn *insn)
{
    return insn->def_count ? wanted_side(a, insn) : MPU_FAR;
}

void mpu_annotate(const msw_simt_kernel *kernel, const mpu_config *config, uint8_t *regs,
                  uint8_t *insns)
{
    annotator a = {.kernel = kernel,
                   .config = config,
                   .regs = regs,
                   .printed = config->annotation == MPU_ANNOTATION_PRINTED};
    memset(regs, MPU_UNKNOWN, kernel->reg_count);
    for (uint32_t i = 0; i < kernel->insn_count; i++)
        seed_insn(&a, &kernel->insns[i]);
    do {
        a.changed = false;
        for (uint32_t i = kernel->insn_count; i-- > 0;) {
            spread_insn(&a, &kernel->insns[i]);
            spread_guard(&a, &kernel->insns[i]);
        }
    } while (a.changed);
    for (uint32_t i = 0; i < kernel->insn_count; i++)
        insns[i] = (uint8_t)side_of(&a, &kernel->insns[i]);
}

static void set_side(mpu_insn *out, mpu_side side)
{
    out->decision = MPU_DECIDED;
    out->side = (uint8_t)side;
}

static void set_choice(mpu_insn *out, int64_t choice)
{
    if (choice == MPU_AT_TABLE)
        out->decision = MPU_BY_TABLE;
    else if (choice == MPU_AT_BOTH)
        set_side(out, MPU_BOTH);
    else
        set_side(out, chosen_side(choice));
}

/* Its text distinguishes a shuffle from a vote. */
static bool is_shuffle(const msw_simt_insn *insn)
{
    return strncmp(insn->text, "shfl", 4) == 0 && (insn->text[4] == '\0' || insn->text[4] == '.');
}

/* Operations that leave no choice. Returns whether this is one. */
static bool decide_by_operation(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    switch ((mpu_unit)out->unit) {
    case MPU_UNIT_LSU:
    case MPU_UNIT_SHARED:
        set_operand_sides(insn, c, out);
        set_side(out, out->unit == MPU_UNIT_SHARED ? (mpu_side)out->value_side : MPU_FAR);
        return true;
    case MPU_UNIT_CONST:
        set_side(out, MPU_FAR);
        return true;
    case MPU_UNIT_CONTROL:
        set_side(out,
                 insn->kind == MSW_SIMT_CLASS_BARRIER ? chosen_side(c->barrier_side) : MPU_FAR);
        return true;
    case MPU_UNIT_SFU:
        set_choice(out, c->sfu_side);
        return c->sfu_side != MPU_AT_TABLE;
    default:
        break;
    }
    if (insn->kind == MSW_SIMT_CLASS_SHUFFLE) {
        set_side(out, chosen_side(is_shuffle(insn) ? c->shuffle_side : c->vote_side));
        return true;
    }
    set_choice(out, c->special_side);
    return insn->reads_special && c->special_side != MPU_AT_TABLE;
}

static void decide_by_policy(const mpu_config *c, mpu_side annotated, mpu_insn *out)
{
    out->decision = MPU_BY_TABLE;
    if (c->policy == MPU_POLICY_NEAR || c->policy == MPU_POLICY_RELEASED_NEAR)
        set_side(out, MPU_NEAR);
    else if (c->policy == MPU_POLICY_FAR)
        set_side(out, MPU_FAR);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_BOTH)
        set_choice(out, c->both_side);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_UNKNOWN)
        set_choice(out, c->unknown_side);
    else if (c->policy == MPU_POLICY_ANNOTATION)
        set_side(out, annotated);
}

static mpu_side guard_side(const mpu_config *c, mpu_unit unit)
{
    if (unit == MPU_UNIT_LSU || unit == MPU_UNIT_CONTROL)
        return MPU_FAR;
    return c->guard_side == MPU_AT_TABLE ? MPU_UNKNOWN : chosen_side(c->guard_side);
}

/* The hint that the released simulator gives every instruction of an ALU. */
static bool decide_as_released(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    bool is_cvta = strncmp(insn->text, "cvta", 4) == 0;
    if (c->policy != MPU_POLICY_RELEASED_NEAR || out->unit != MPU_UNIT_ALU ||
        !(is_cvta || insn->reads_special))
        return false;
    set_side(out, is_cvta ? MPU_FAR : MPU_NEAR);
    return true;
}

void mpu_decide(const msw_simt_insn *insn, const mpu_config *c, mpu_side annotated, mpu_insn *out)
{
    bool moves_apart = out->unit == MPU_UNIT_LSU || out->unit == MPU_UNIT_SHARED;
    bool given = decide_by_operation(insn, c, out);
    if (!decide_as_released(insn, c, out) && !given)
        decide_by_policy(c, annotated, out);
    out->guard_side = (uint8_t)guard_side(c, (mpu_unit)out->unit);
    if (c->pipeline == MPU_PIPELINE_HYBRID)
        return;
    mpu_side all = c->pipeline == MPU_PIPELINE_BASE ? MPU_FAR : MPU_NEAR;
    set_side(out, all);
    out->guard_side = MPU_UNKNOWN;
    if (moves_apart)
        out->address_side = out->value_side = (uint8_t)all;
}

/* MPU_UNKNOWN, NEAR, FAR and BOTH as sets of sides. */
static unsigned set_of(mpu_side side)
{
    static const uint8_t SETS[] = {
        [MPU_UNKNOWN] = 0, [MPU_NEAR] = 1, [MPU_FAR] = 2, [MPU_BOTH] = 3};
    return SETS[side];
}

static mpu_side side_of_set(unsigned set)
{
    static const uint8_t SIDES[] = {MPU_UNKNOWN, MPU_NEAR, MPU_FAR, MPU_BOTH};
    return (mpu_side)SIDES[set];
}

static void touch_regs(uint8_t *regs, const uint32_t *list, uint32_t count, unsigned set)
{
    for (uint32_t i = 0; i < count; i++)
        regs[list[i]] |= (uint8_t)set;
}

static void touch_operands(const msw_simt_insn *insn, const mpu_insn *own, unsigned runs,
                           uint8_t *regs)
{
    if (insn->space == MSW_SIMT_NO_SPACE || !own->address_side) {
        touch_regs(regs, insn->defs, insn->def_count, runs);
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (insn->uses[u] != insn->guard)
                touch_regs(regs, &insn->uses[u], 1, runs);
        return;
    }
    touch_regs(regs, insn->address_uses, insn->address_count, set_of(own->address_side));
    touch_regs(regs, insn->value_uses, insn->value_count, set_of(own->value_side));
    touch_regs(regs, insn->defs, insn->def_count, set_of(own->value_side));
}

void mpu_sides(const msw_simt_kernel *kernel, const mpu_insn *insns, uint8_t *regs)
{
    memset(regs, 0, kernel->reg_count);
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        const msw_simt_insn *insn = &kernel->insns[i];
        const mpu_insn *own = &insns[i];
        unsigned runs = own->decision == MPU_BY_TABLE ? 3 : set_of(own->side);
        touch_operands(insn, own, runs, regs);
        if (insn->guard != MSW_SIMT_NONE)
            touch_regs(regs, &insn->guard, 1, own->guard_side ? set_of(own->guard_side) : runs);
    }
    for (uint32_t r = 0; r < kernel->reg_count; r++)
        regs[r] = (uint8_t)side_of_set(regs[r]);
}
