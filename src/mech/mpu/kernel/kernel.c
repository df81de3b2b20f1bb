/* SPDX-License-Identifier: MIT */
/* Makes kernels: classifies their instructions by operation and type, with the classes of the
 * released simulator (README.md, "Instructions"), runs the static passes, and says how many CTAs of
 * a launch a core holds. */
#include "mech/mpu/kernel/kernel.h"

#include "memsweep/base/bits.h"

#include <string.h>

static bool is_op(const msw_simt_insn *insn, const char *name)
{
    size_t length = strlen(name);
    return strncmp(insn->text, name, length) == 0 &&
           (insn->text[length] == '\0' || insn->text[length] == '.');
}

static bool is_one_of(const msw_simt_insn *insn, const char *const *names)
{
    while (*names && !is_op(insn, *names))
        names++;
    return *names;
}

static void classify_division(const msw_simt_insn *insn, mpu_insn *out)
{
    out->unit = MPU_UNIT_SFU;
    if (insn->type == MSW_SIMT_F64) {
        out->latency = MPU_LATENCY_DOUBLE_DIV;
        out->energy = MPU_ENERGY_FLOAT_DIV;
    } else if (insn->type == MSW_SIMT_F32 || insn->type == MSW_SIMT_F16) {
        out->latency = MPU_LATENCY_FLOAT_DIV;
        out->energy = MPU_ENERGY_FLOAT_DIV;
    } else {
        out->latency = MPU_LATENCY_INT_DIV;
        out->energy = MPU_ENERGY_INT_DIV;
    }
}

static void classify_special(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const ROOTS[] = {"rcp", "sqrt", NULL};
    static const char *const LOGS[] = {"rsqrt", "lg2", NULL};
    static const char *const SINES[] = {"sin", "cos", NULL};
    out->unit = MPU_UNIT_SFU;
    out->energy = is_op(insn, "sqrt")  ? MPU_ENERGY_ROOT
                  : is_op(insn, "rcp") ? MPU_ENERGY_RCP
                                       : MPU_ENERGY_EXP;
    out->latency = insn->type == MSW_SIMT_F64 ? MPU_LATENCY_DOUBLE_DIV
                   : is_one_of(insn, ROOTS)   ? MPU_LATENCY_ROOT
                   : is_one_of(insn, LOGS)    ? MPU_LATENCY_RSQRT
                   : is_one_of(insn, SINES)   ? MPU_LATENCY_SIN
                                              : MPU_LATENCY_EXP;
}

static void classify_float(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const PRODUCTS[] = {"mul", "fma", "mad", NULL};
    out->energy = is_one_of(insn, PRODUCTS) ? MPU_ENERGY_FLOAT : MPU_ENERGY_FLOAT_ADD;
    if (insn->type == MSW_SIMT_F16 || insn->type == MSW_SIMT_F16X2)
        out->latency = MPU_LATENCY_HALF;
}

static void classify_memory(const msw_simt_insn *insn, mpu_insn *out)
{
    bool shared = insn->space == MSW_SIMT_SHARED;
    uint32_t bytes = msw_simt_type_bytes(insn->type);
    out->unit = shared ? MPU_UNIT_SHARED : MPU_UNIT_LSU;
    out->energy = insn->is_atomic ? MPU_ENERGY_INT : MPU_ENERGY_NONE;
    out->moved_bytes = (uint8_t)(insn->vector * bytes);
    out->is_load_whole = !shared && !insn->is_atomic;
}

/* Fills unit, latency and energy of an instruction. */
static void classify(const msw_simt_insn *insn, mpu_insn *out)
{
    static const char *const DIVISIONS[] = {"div", "rem", NULL};
    *out = (mpu_insn){
        .unit = MPU_UNIT_ALU, .energy = MPU_ENERGY_INT, .has_immediate = insn->has_immediate};
    if (is_one_of(insn, DIVISIONS)) {
        classify_division(insn, out);
        return;
    }
    switch (insn->kind) {
    case MSW_SIMT_CLASS_MUL:
        out->energy = MPU_ENERGY_MUL;
        break;
    case MSW_SIMT_CLASS_FLOAT:
        classify_float(insn, out);
        break;
    case MSW_SIMT_CLASS_DOUBLE:
        out->energy = MPU_ENERGY_DOUBLE;
        out->latency = MPU_LATENCY_DOUBLE;
        break;
    case MSW_SIMT_CLASS_SPECIAL:
        classify_special(insn, out);
        break;
    case MSW_SIMT_CLASS_CONVERT:
        out->energy = MPU_ENERGY_CONVERT;
        break;
    case MSW_SIMT_CLASS_LOAD:
    case MSW_SIMT_CLASS_STORE:
    case MSW_SIMT_CLASS_ATOMIC:
        classify_memory(insn, out);
        break;
    case MSW_SIMT_CLASS_PARAM:
        out->unit = MPU_UNIT_CONST;
        out->energy = MPU_ENERGY_NONE;
        break;
    case MSW_SIMT_CLASS_BARRIER:
    case MSW_SIMT_CLASS_FENCE:
    case MSW_SIMT_CLASS_BRANCH:
    case MSW_SIMT_CLASS_EXIT:
        out->unit = MPU_UNIT_CONTROL;
        out->energy = MPU_ENERGY_NONE;
        break;
    default:
        break;
    }
}

static void decide_all(const msw_simt_kernel *kernel, const mpu_config *config,
                       const uint8_t *annotated, mpu_insn *insns)
{
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        classify(&kernel->insns[i], &insns[i]);
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

typedef struct fit {
    uint64_t room, need;
    mpu_limit limit;
} fit;

static uint64_t shared_of(const mpu_kernel *kernel, const msw_simt_stage *stage)
{
    if (!stage->dynamic_shared_bytes)
        return kernel->kernel->shared_bytes;
    return kernel->kernel->dynamic_offset + stage->dynamic_shared_bytes;
}

static uint64_t near_bytes(const mpu_config *c, const mpu_demand *demand)
{
    uint32_t regs = c->pipeline == MPU_PIPELINE_BASE   ? 0
                    : c->pipeline == MPU_PIPELINE_DRAM ? demand->all_regs
                                                       : demand->near_regs;
    return (uint64_t)regs * MPU_REG_BYTES;
}

static uint64_t far_bytes(const mpu_config *c, const mpu_demand *demand)
{
    uint32_t regs = c->pipeline == MPU_PIPELINE_BASE   ? demand->all_regs
                    : c->pipeline == MPU_PIPELINE_DRAM ? 0
                                                       : demand->far_regs;
    return (uint64_t)regs * MPU_REG_BYTES;
}

/* A core on the DRAM die has its full-size register file there. */
static uint64_t near_room(const mpu_config *c)
{
    return (uint64_t)(c->pipeline == MPU_PIPELINE_DRAM ? c->far_rf_bytes : c->near_rf_bytes);
}

mpu_occupancy mpu_occupancy_of(const mpu_config *c, const mpu_kernel *kernel,
                               const msw_simt_stage *stage)
{
    uint32_t threads = stage->block[0] * stage->block[1] * stage->block[2];
    mpu_occupancy out = {.warps = (uint32_t)msw_div_up(threads, MPU_LANES)};
    /* Warps go to sub-cores in turn, or where there is room: in both cases evenly. */
    uint64_t subs = (uint64_t)c->subcores, near = near_bytes(c, &kernel->demand),
             far = far_bytes(c, &kernel->demand);
    uint64_t least = UINT64_MAX;
    const fit fits[] = {
        {subs * (uint64_t)c->warps, out.warps, MPU_LIMIT_WARPS},
        {(uint64_t)c->ctas, 1, MPU_LIMIT_CTAS},
        {(uint64_t)c->shared_bytes, shared_of(kernel, stage), MPU_LIMIT_SHARED},
        {near ? subs * (near_room(c) / near) : 1, near ? out.warps : 0, MPU_LIMIT_NEAR_REGS},
        {far ? subs * ((uint64_t)c->far_rf_bytes / far) : 1, far ? out.warps : 0,
         MPU_LIMIT_FAR_REGS},
    };
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        uint64_t count = fits[i].need ? fits[i].room / fits[i].need : UINT64_MAX;
        if (count >= least)
            continue;
        least = count;
        out.limit = fits[i].limit;
    }
    out.ctas = (uint32_t)least;
    return out;
}

int64_t mpu_latency(const mpu_config *c, unsigned latency_class)
{
    const int64_t cycles[MPU_LATENCIES] = {
        [MPU_LATENCY_ALU] = c->alu_cycles,
        [MPU_LATENCY_HALF] = c->half_cycles,
        [MPU_LATENCY_DOUBLE] = c->double_cycles,
        [MPU_LATENCY_INT_DIV] = c->int_div_cycles,
        [MPU_LATENCY_FLOAT_DIV] = c->float_div_cycles,
        [MPU_LATENCY_DOUBLE_DIV] = c->double_div_cycles,
        [MPU_LATENCY_ROOT] = c->root_cycles,
        [MPU_LATENCY_RSQRT] = c->rsqrt_cycles,
        [MPU_LATENCY_EXP] = c->exp_cycles,
        [MPU_LATENCY_SIN] = c->sin_cycles,
    };
    return cycles[latency_class];
}

double mpu_alu_energy(const mpu_config *c, unsigned energy_class)
{
    const double energies[MPU_ENERGIES] = {
        [MPU_ENERGY_INT] = c->int_nj,
        [MPU_ENERGY_MUL] = c->mul_nj,
        [MPU_ENERGY_FLOAT_ADD] = c->float_add_nj,
        [MPU_ENERGY_FLOAT] = c->float_nj,
        [MPU_ENERGY_DOUBLE] = c->double_nj,
        [MPU_ENERGY_INT_DIV] = c->int_div_nj,
        [MPU_ENERGY_FLOAT_DIV] = c->float_div_nj,
        [MPU_ENERGY_ROOT] = c->root_nj,
        [MPU_ENERGY_RCP] = c->rcp_nj,
        [MPU_ENERGY_EXP] = c->exp_nj,
        [MPU_ENERGY_CONVERT] = c->convert_nj,
    };
    return energies[energy_class];
}
