/* SPDX-License-Identifier: MIT */
/* Chains of dependences. */
#include "mech/mpu/count/path.h"

#include <string.h>

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

static void add(mpu_path *path, unsigned kind, const mpu_path_weights *weights)
{
    path->of[kind] += 1;
    path->length += weights->of[kind];
}

void mpu_chain_issue(mpu_chain *chain, const msw_simt_insn *insn, const mpu_link *link,
                     const mpu_path_weights *weights)
{
    add(&chain->now, MPU_ON_PATH_ISSUE, weights);
    for (uint32_t u = 0; u < insn->use_count; u++)
        mpu_path_join(&chain->now, &chain->regs[insn->uses[u]]);
    if (!insn->def_count && !insn->is_store)
        return;
    mpu_path end = chain->now;
    for (uint32_t k = 0; k < link->count; k++)
        add(&end, link->kind[k], weights);
    for (uint32_t d = 0; d < insn->def_count; d++)
        chain->regs[insn->defs[d]] = end;
    if (insn->is_store)
        mpu_path_join(&chain->last, &end);
}

double mpu_path_cycles(const double of[MPU_ON_PATH_KINDS], const double weights[MPU_ON_PATH_KINDS])
{
    double cycles = 0;
    for (int k = 0; k < MPU_ON_PATH_KINDS; k++)
        cycles += of[k] * weights[k];
    return cycles;
}
