/* SPDX-License-Identifier: MIT */
/* Where instructions run and their operands have to be (section IV-B1 of the paper): first what the
 * operation demands, then the policy's hint, then the register track table. */
#include "mech/mpu/kernel/parts.h"

static mpu_side chosen(int64_t choice)
{
    return choice == MPU_AT_NEAR ? MPU_NEAR : MPU_FAR;
}

void mpu_operand_sides(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    out->address_side = out->value_side = MPU_FAR;
    if (insn->space == MSW_SIMT_SHARED) {
        bool near = c->shared_side == MPU_SHARED_NEAR &&
                    (!insn->is_atomic || c->atomic_shared_side == MPU_AT_NEAR);
        out->address_side = out->value_side = near ? MPU_NEAR : MPU_FAR;
    } else if (insn->is_atomic) {
        out->value_side = (uint8_t)chosen(c->atomic_global_side);
    } else {
        out->value_side = MPU_NEAR;
    }
}

static void set(mpu_insn *out, mpu_side side)
{
    out->decision = MPU_DECIDED;
    out->side = (uint8_t)side;
}

static void set_choice(mpu_insn *out, int64_t choice)
{
    if (choice == MPU_AT_TABLE)
        out->decision = MPU_BY_TABLE;
    else if (choice == MPU_AT_BOTH)
        set(out, MPU_BOTH);
    else
        set(out, chosen(choice));
}

/* Operations that leave no choice. Returns whether this is one. */
static bool by_operation(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    switch ((mpu_unit)out->unit) {
    case MPU_UNIT_LSU:
    case MPU_UNIT_SHARED:
        mpu_operand_sides(insn, c, out);
        set(out, out->unit == MPU_UNIT_SHARED ? (mpu_side)out->value_side : MPU_FAR);
        return true;
    case MPU_UNIT_CONST:
        set(out, MPU_FAR);
        return true;
    case MPU_UNIT_CONTROL:
        set(out, insn->kind == MSW_SIMT_CLASS_BARRIER ? chosen(c->barrier_side) : MPU_FAR);
        return true;
    case MPU_UNIT_SFU:
        set_choice(out, c->sfu_side);
        return c->sfu_side != MPU_AT_TABLE;
    default:
        break;
    }
    if (insn->kind == MSW_SIMT_CLASS_SHUFFLE) {
        set(out, chosen(mpu_is_shuffle(insn) ? c->shuffle_side : c->vote_side));
        return true;
    }
    set_choice(out, c->special_side);
    return insn->reads_special && c->special_side != MPU_AT_TABLE;
}

static void by_policy(const mpu_config *c, mpu_side annotated, mpu_insn *out)
{
    out->decision = MPU_BY_TABLE;
    if (c->policy == MPU_POLICY_NEAR)
        set(out, MPU_NEAR);
    else if (c->policy == MPU_POLICY_FAR)
        set(out, MPU_FAR);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_BOTH)
        set_choice(out, c->both_side);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_UNKNOWN)
        set_choice(out, c->unknown_side);
    else if (c->policy == MPU_POLICY_ANNOTATION)
        set(out, annotated);
}

static mpu_side guard_side(const mpu_config *c, mpu_unit unit)
{
    if (unit == MPU_UNIT_LSU || unit == MPU_UNIT_CONTROL)
        return MPU_FAR;
    return c->guard_side == MPU_AT_TABLE ? MPU_UNKNOWN : chosen(c->guard_side);
}

void mpu_decide(const msw_simt_insn *insn, const mpu_config *c, mpu_side annotated, mpu_insn *out)
{
    bool moves_apart = out->unit == MPU_UNIT_LSU || out->unit == MPU_UNIT_SHARED;
    if (!by_operation(insn, c, out))
        by_policy(c, annotated, out);
    out->guard_side = (uint8_t)guard_side(c, (mpu_unit)out->unit);
    if (c->pipeline == MPU_PIPELINE_HYBRID)
        return;
    mpu_side all = c->pipeline == MPU_PIPELINE_BASE ? MPU_FAR : MPU_NEAR;
    set(out, all);
    out->guard_side = MPU_UNKNOWN;
    if (moves_apart)
        out->address_side = out->value_side = (uint8_t)all;
}
