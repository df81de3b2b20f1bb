/* Where instructions run and their operands have to be (section IV-B1 of the paper): first what the
 * operation demands, then the policy's hint, then the register track table. */
#include "mech/mpu/kernel/parts.h"

static mpu_place side(int64_t choice)
{
    return choice == MPU_AT_NEAR ? MPU_NEAR : MPU_FAR;
}

void mpu_place_operands(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    out->address_place = out->value_place = MPU_FAR;
    if (insn->space == MSW_SIMT_SHARED) {
        bool near = c->shared_place == MPU_SHARED_NEAR &&
                    (!insn->is_atomic || c->atomic_shared_place == MPU_AT_NEAR);
        out->address_place = out->value_place = near ? MPU_NEAR : MPU_FAR;
    } else if (insn->is_atomic) {
        out->value_place = (uint8_t)side(c->atomic_global_place);
    } else {
        out->value_place = MPU_NEAR;
    }
}

static void set(mpu_insn *out, mpu_place place)
{
    out->decision = MPU_DECIDED;
    out->place = (uint8_t)place;
}

static void set_choice(mpu_insn *out, int64_t choice)
{
    if (choice == MPU_AT_TABLE)
        out->decision = MPU_BY_TABLE;
    else
        set(out, side(choice));
}

/* Operations that leave no choice. Returns whether this is one. */
static bool by_operation(const msw_simt_insn *insn, const mpu_config *c, mpu_insn *out)
{
    switch ((mpu_unit)out->unit) {
    case MPU_UNIT_LSU:
    case MPU_UNIT_SHARED:
        mpu_place_operands(insn, c, out);
        set(out, out->unit == MPU_UNIT_SHARED ? (mpu_place)out->value_place : MPU_FAR);
        return true;
    case MPU_UNIT_CONST:
        set(out, MPU_FAR);
        return true;
    case MPU_UNIT_CONTROL:
        set(out, insn->kind == MSW_SIMT_CLASS_BARRIER ? side(c->barrier_place) : MPU_FAR);
        return true;
    case MPU_UNIT_SFU:
        set_choice(out, c->sfu_place);
        return c->sfu_place != MPU_AT_TABLE;
    default:
        break;
    }
    if (insn->kind == MSW_SIMT_CLASS_SHUFFLE) {
        set(out, side(mpu_is_shuffle(insn) ? c->shuffle_place : c->vote_place));
        return true;
    }
    set_choice(out, c->special_place);
    return insn->reads_special && c->special_place != MPU_AT_TABLE;
}

static void by_policy(const mpu_config *c, mpu_place annotated, mpu_insn *out)
{
    out->decision = MPU_BY_TABLE;
    if (c->policy == MPU_POLICY_NEAR)
        set(out, MPU_NEAR);
    else if (c->policy == MPU_POLICY_FAR)
        set(out, MPU_FAR);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_BOTH)
        set_choice(out, c->both_place);
    else if (c->policy == MPU_POLICY_ANNOTATION && annotated == MPU_UNKNOWN)
        set_choice(out, c->unknown_place);
    else if (c->policy == MPU_POLICY_ANNOTATION)
        set(out, annotated);
}

static mpu_place guard_side(const mpu_config *c, mpu_unit unit)
{
    if (unit == MPU_UNIT_LSU || unit == MPU_UNIT_CONTROL)
        return MPU_FAR;
    return c->guard_place == MPU_AT_TABLE ? MPU_UNKNOWN : side(c->guard_place);
}

void mpu_decide(const msw_simt_insn *insn, const mpu_config *c, mpu_place annotated, mpu_insn *out)
{
    bool moves_apart = out->unit == MPU_UNIT_LSU || out->unit == MPU_UNIT_SHARED;
    if (!by_operation(insn, c, out))
        by_policy(c, annotated, out);
    out->guard_place = (uint8_t)guard_side(c, (mpu_unit)out->unit);
    if (c->pipeline == MPU_PIPELINE_HYBRID)
        return;
    mpu_place all = c->pipeline == MPU_PIPELINE_BASE ? MPU_FAR : MPU_NEAR;
    set(out, all);
    out->guard_place = MPU_UNKNOWN;
    if (moves_apart)
        out->address_place = out->value_place = (uint8_t)all;
}
