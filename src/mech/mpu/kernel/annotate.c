/* SPDX-License-Identifier: MIT */
/* Location annotation (algorithm 1 of the paper). Both readings start from the same seeds:
 * accesses and jumps say where their registers are. Then places spread from destinations to
 * sources, backwards, until nothing changes.
 *
 * intended: instructions with seeds do not spread, an unknown destination says nothing.
 * printed: the listing to the letter. Every instruction spreads, a store's "destination" is its
 * address, and a source whose side is not that of the destination, unknown or not, is Both. */
#include "mech/mpu/kernel/parts.h"

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

static void seed(annotator *a, const uint32_t *regs, uint32_t count, mpu_side side)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *now = &a->regs[regs[i]];
        bool clashes = *now != MPU_UNKNOWN && *now != side && !a->printed;
        *now = clashes ? MPU_BOTH : (uint8_t)side;
    }
}

/* Without a side of their own (a mpu_insn's places are those of the access rules) they follow. */
static void seed_insn(annotator *a, const msw_simt_insn *insn)
{
    mpu_insn rules = {0};
    if (is_jump(insn))
        seed(a, insn->uses, insn->use_count, MPU_FAR);
    if (!is_access(insn))
        return;
    mpu_operand_sides(insn, a->config, &rules);
    seed(a, insn->address_uses, insn->address_count, rules.address_side);
    seed(a, insn->value_uses, insn->value_count, rules.value_side);
    seed(a, insn->defs, insn->def_count, rules.value_side);
}

/* The side that the sources of an instruction are to have: that of its destinations. */
static mpu_side wanted(const annotator *a, const msw_simt_insn *insn)
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

static void spread(annotator *a, const msw_simt_insn *insn)
{
    bool seeded = is_jump(insn) || is_access(insn);
    bool has_destination = insn->def_count || (insn->is_store && !is_jump(insn));
    if ((seeded && !a->printed) || !has_destination)
        return;
    mpu_side side = wanted(a, insn);
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
    mpu_operand_sides(insn, a->config, &rules);
    spread_to(a, insn->guard, rules.address_side);
}

static mpu_side side_of(const annotator *a, const msw_simt_insn *insn)
{
    return insn->def_count ? wanted(a, insn) : MPU_FAR;
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
            spread(&a, &kernel->insns[i]);
            spread_guard(&a, &kernel->insns[i]);
        }
    } while (a.changed);
    for (uint32_t i = 0; i < kernel->insn_count; i++)
        insns[i] = (uint8_t)side_of(&a, &kernel->insns[i]);
}
