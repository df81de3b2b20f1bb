/* SPDX-License-Identifier: MIT */
/* What follows from the totals, the static passes and the reference. */
#include "mech/mpu/metrics.h"
#include "mech/mpu/model.h"

static double over(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void derive_registers(const mpu_program *program, double *m)
{
    static const int ROWS[MPU_SIDES] = {MPU_REGS_UNKNOWN, MPU_REGS_NEAR, MPU_REGS_FAR,
                                        MPU_REGS_BOTH};
    for (int side = 0; side < MPU_SIDES; side++)
        m[ROWS[side]] = 0;
    m[MPU_ALLOCATED_NEAR] = m[MPU_ALLOCATED_FAR] = m[MPU_ALLOCATED_BOTH] = 0;
    m[MPU_NEAR_DEMAND] = m[MPU_FAR_DEMAND] = 0;
    for (uint32_t k = 0; k < program->count; k++) {
        const mpu_kernel *kernel = &program->kernels[k];
        for (int side = 0; side < MPU_SIDES; side++)
            m[ROWS[side]] += kernel->regs_at[side];
        m[MPU_ALLOCATED_NEAR] += kernel->named_at[MPU_NEAR];
        m[MPU_ALLOCATED_FAR] += kernel->named_at[MPU_FAR] + kernel->named_at[MPU_UNKNOWN];
        m[MPU_ALLOCATED_BOTH] += kernel->named_at[MPU_BOTH];
        if (kernel->demand.near_regs > m[MPU_NEAR_DEMAND])
            m[MPU_NEAR_DEMAND] = kernel->demand.near_regs;
        if (kernel->demand.far_regs > m[MPU_FAR_DEMAND])
            m[MPU_FAR_DEMAND] = kernel->demand.far_regs;
    }
}

static double mean_occupancy(const msw_task *task)
{
    const msw_simt_product *p = task->product->data;
    const mpu_program *program = mpu_program_of(task);
    double warps = 0, launches = 0;
    for (size_t s = 0; s < p->stage_count; s++) {
        if (p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        mpu_occupancy fits =
            mpu_occupancy_of(task->config, &program->kernels[program->of_stage[s]], &p->stages[s]);
        warps += (double)fits.ctas * fits.warps;
        launches++;
    }
    return over(warps, launches);
}

static void derive_v100(const mpu_v100 *v, double *m)
{
    static const double FLOPS_PEAK_PER_CYCLE = 2;
    const mpu_v100_constant *c = mpu_v100_constants;
    double peak =
        FLOPS_PEAK_PER_CYCLE * c[V100_SMS].value * c[V100_LANES].value * c[V100_CLOCK].value * 1e9;
    m[MPU_V100_TIME] = v->seconds * 1e6;
    m[MPU_V100_BANDWIDTH] = over(v->dram_bytes, v->seconds) * 1e-9;
    m[MPU_V100_BANDWIDTH_SHARE] = m[MPU_V100_BANDWIDTH] / c[V100_DRAM_PEAK].value;
    m[MPU_V100_ALU_SHARE] = over(v->flops, v->seconds) / peak;
}

void mpu_derive(const msw_task *task, double *m)
{
    const mpu_config *c = task->config;
    double seconds = m[MPU_CYCLES] / (c->core_ghz * 1e9);
    double cube_mm2 = c->die_mm2;
    m[MPU_TIME] = seconds * 1e6;
    m[MPU_BANDWIDTH] = over(m[MPU_DRAM_BYTES], seconds) * 1e-9;
    m[MPU_WHOLE_SHARE] =
        over(m[MPU_WHOLE_LOADS] + m[MPU_WHOLE_STORES], m[MPU_LOADS] + m[MPU_STORES]);
    m[MPU_LOCAL_SHARE] = over(m[MPU_LOCAL_LINES], m[MPU_LOCAL_LINES] + m[MPU_REMOTE_LINES]);
    m[MPU_ROW_MISS_RATE] = over(m[MPU_ROW_MISSES], m[MPU_ROW_HITS] + m[MPU_ROW_MISSES]);
    m[MPU_POWER] = over(m[MPU_ENERGY] * 1e-9, seconds);
    m[MPU_POWER_DENSITY] = m[MPU_POWER] / (double)c->processors / cube_mm2 * 1e3;
    derive_registers(mpu_program_of(task), m);
    m[MPU_OCCUPANCY] = mean_occupancy(task);
    m[MPU_AREA] = mpu_area(c);
    m[MPU_AREA_SHARE] = m[MPU_AREA] / c->die_mm2;
    derive_v100(task->artifacts[MPU_ARTIFACT_V100], m);
    m[MPU_SPEEDUP] = over(m[MPU_V100_TIME], m[MPU_TIME]);
    m[MPU_BANDWIDTH_RATIO] = over(m[MPU_BANDWIDTH], m[MPU_V100_BANDWIDTH]);
}
