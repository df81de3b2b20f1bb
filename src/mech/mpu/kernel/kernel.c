/* SPDX-License-Identifier: MIT */
/* The static passes over a kernel, one after the other, and over all kernels of a product. */
#include "mech/mpu/kernel/parts.h"

#include <string.h>

static void decide_all(const msw_simt_kernel *kernel, const mpu_config *config,
                       const uint8_t *annotated, mpu_insn *insns)
{
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        mpu_classify(&kernel->insns[i], &insns[i]);
        mpu_decide(&kernel->insns[i], config, (mpu_side)annotated[i], &insns[i]);
    }
}

/* Registers that nothing names do not count. */
static void count_sides(const msw_simt_kernel *kernel, const uint8_t *insns, uint8_t *named,
                        mpu_kernel *out)
{
    memset(named, 0, kernel->reg_count);
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        const msw_simt_insn *insn = &kernel->insns[i];
        out->insns_at[insns[i]]++;
        for (uint32_t d = 0; d < insn->def_count; d++)
            named[insn->defs[d]] = 1;
        for (uint32_t u = 0; u < insn->use_count; u++)
            named[insn->uses[u]] = 1;
    }
    for (uint32_t r = 0; r < kernel->reg_count; r++)
        out->regs_at[out->reg_sides[r]] += named[r];
}

int mpu_kernel_make(const msw_simt_kernel *kernel, const mpu_config *config, msw_arena *arena,
                    mpu_kernel *out, msw_err *err)
{
    mpu_insn *insns = msw_arena_zero(arena, kernel->insn_count + 1, sizeof *insns);
    uint8_t *regs = msw_arena_zero(arena, kernel->reg_count + 1, 1);
    uint8_t *annotated = msw_arena_zero(arena, kernel->insn_count + 1, 1);
    uint8_t *sides = msw_arena_zero(arena, kernel->reg_count + 1, 1);
    uint32_t *colours = msw_arena_zero(arena, kernel->reg_count + 1, sizeof *colours);
    mpu_colouring colouring = {.colours = colours};
    if (!insns || !regs || !annotated || !sides || !colours)
        return msw_fail_memory(err);
    *out =
        (mpu_kernel){.kernel = kernel, .insns = insns, .reg_sides = regs, .reg_colours = colours};
    mpu_annotate(kernel, config, regs, annotated);
    decide_all(kernel, config, annotated, insns);
    count_sides(kernel, annotated, sides, out);
    mpu_sides(kernel, insns, sides);
    if (mpu_colour(kernel, sides, regs, arena, &colouring, err))
        return -1;
    out->demand = colouring.demand;
    memcpy(out->named_at, colouring.named, sizeof out->named_at);
    return 0;
}

static uint32_t find_kernel(const mpu_kernel *kernels, uint32_t count,
                            const msw_simt_kernel *kernel)
{
    uint32_t k = 0;
    while (k < count && kernels[k].kernel != kernel)
        k++;
    return k;
}

int mpu_program_make(const msw_simt_product *product, const mpu_config *config, msw_arena *arena,
                     mpu_program *out, msw_err *err)
{
    mpu_kernel *kernels = msw_arena_zero(arena, product->program->kernel_count, sizeof *kernels);
    uint32_t *of_stage = msw_arena_zero(arena, product->stage_count + 1, sizeof *of_stage);
    *out = (mpu_program){.kernels = kernels, .of_stage = of_stage};
    if (!kernels || !of_stage)
        return msw_fail_memory(err);
    for (size_t s = 0; s < product->stage_count; s++) {
        const msw_simt_stage *stage = &product->stages[s];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        uint32_t k = of_stage[s] = find_kernel(kernels, out->count, stage->kernel);
        if (k < out->count)
            continue;
        if (mpu_kernel_make(stage->kernel, config, arena, &kernels[k], err))
            return -1;
        out->count++;
    }
    return 0;
}
