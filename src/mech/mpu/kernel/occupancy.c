/* SPDX-License-Identifier: MIT */
/* How many CTAs of a launch a core holds, and the two tables that turn classes into numbers. */
#include "mech/mpu/kernel/kernel.h"
#include "memsweep/base/bits.h"

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
