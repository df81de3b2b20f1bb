/* SPDX-License-Identifier: MIT */
/* What issue needs to know of each instruction of a kernel, one behind the other. */
#include "mech/mpu/machine/machine.h"

static void fill_op(const mpu_machine *m, uint32_t insn, uint32_t *regs, mpu_op *op)
{
    const msw_simt_insn *now = &m->kernel->kernel->insns[insn];
    const mpu_insn *own = &m->kernel->insns[insn];
    *op = (mpu_op){.regs = regs,
                   .uses = now->use_count,
                   .count = (uint16_t)(now->use_count + now->def_count),
                   .latency = (uint16_t)mpu_latency(m->config, own->latency),
                   .unit = own->unit,
                   .branches = now->kind == MSW_SIMT_CLASS_BRANCH};
    for (uint32_t u = 0; u < now->use_count; u++)
        regs[u] = now->uses[u];
    for (uint32_t d = 0; d < now->def_count; d++)
        regs[now->use_count + d] = now->defs[d];
}

int mpu_make_ops(mpu_machine *m, msw_err *err)
{
    const msw_simt_kernel *kernel = m->kernel->kernel;
    uint32_t count = kernel->insn_count, regs = 0, at = 0;
    if (m->ops_of == m->kernel)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        regs += kernel->insns[i].use_count + kernel->insns[i].def_count;
    mpu_op *ops = msw_arena_take(m->task->arena, count * sizeof *ops + 1);
    uint32_t *list = msw_arena_take(m->task->arena, regs * sizeof *list + 1);
    m->issues = msw_arena_zero(m->task->arena, (size_t)count * 2 + 1, sizeof *m->issues);
    if (!ops || !list || !m->issues)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < count; at += ops[i++].count)
        fill_op(m, i, list + at, &ops[i]);
    m->ops = ops;
    m->ops_of = m->kernel;
    return 0;
}
