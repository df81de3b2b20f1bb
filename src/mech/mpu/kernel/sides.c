/* SPDX-License-Identifier: MIT */
/* On which sides registers are used: what allocation needs to know, whatever decided it. */
#include "mech/mpu/kernel/parts.h"

#include <string.h>

/* MPU_UNKNOWN, NEAR, FAR and BOTH as sets of sides. */
static unsigned set_of(mpu_side side)
{
    static const uint8_t SETS[] = {
        [MPU_UNKNOWN] = 0, [MPU_NEAR] = 1, [MPU_FAR] = 2, [MPU_BOTH] = 3};
    return SETS[side];
}

static mpu_side side_of(unsigned set)
{
    static const uint8_t SIDES[] = {MPU_UNKNOWN, MPU_NEAR, MPU_FAR, MPU_BOTH};
    return (mpu_side)SIDES[set];
}

static void touch(uint8_t *regs, const uint32_t *list, uint32_t count, unsigned set)
{
    for (uint32_t i = 0; i < count; i++)
        regs[list[i]] |= (uint8_t)set;
}

static void touch_operands(const msw_simt_insn *insn, const mpu_insn *own, unsigned runs,
                           uint8_t *regs)
{
    if (insn->space == MSW_SIMT_NO_SPACE || !own->address_side) {
        touch(regs, insn->defs, insn->def_count, runs);
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (insn->uses[u] != insn->guard)
                touch(regs, &insn->uses[u], 1, runs);
        return;
    }
    touch(regs, insn->address_uses, insn->address_count, set_of(own->address_side));
    touch(regs, insn->value_uses, insn->value_count, set_of(own->value_side));
    touch(regs, insn->defs, insn->def_count, set_of(own->value_side));
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
            touch(regs, &insn->guard, 1, own->guard_side ? set_of(own->guard_side) : runs);
    }
    for (uint32_t r = 0; r < kernel->reg_count; r++)
        regs[r] = (uint8_t)side_of(regs[r]);
}
