/* SPDX-License-Identifier: MIT */
/* Derives metrics from the totals: energy (table II), the static passes and the reference, the area
 * of the logic on a DRAM die (table III), and the cycles that the use of each resource takes at
 * least. */
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

double mpu_area(const mpu_config *c)
{
    double cores = (double)c->cores / (double)c->dies, units = cores * (double)c->subcores;
    double rf = (double)c->near_rf_bytes;
    double shared = c->shared_side == MPU_SHARED_NEAR ? (double)c->shared_bytes : 0;
    double area = c->area_controller_mm2 * units / 16;
    if (c->row_buffers > 1)
        area += c->area_row_buffer_mm2 * units * (double)c->banks / 64 *
                (double)(c->row_buffers - 1) / 3;
    if (c->pipeline == MPU_PIPELINE_BASE)
        return area;
    if (c->pipeline == MPU_PIPELINE_DRAM) {
        rf = (double)c->far_rf_bytes;
        shared = (double)c->shared_bytes;
        area += 2 * c->area_core_mm2 * cores; /* twice that of the logic die's process */
    }
    area += c->area_shared_mm2 * cores / 4 * shared / 65536;
    area += c->area_rf_mm2 * units / 16 * rf / 16384;
    area += c->area_collector_mm2 * units * (double)c->near_collectors / 64;
    area += c->area_alu_mm2 * units * (double)c->near_alus / 16;
    return area + c->area_lsu_mm2 * units / 16;
}

void mpu_energy(const void *config, double *m)
{
    const mpu_config *c = config;
    m[MPU_ENERGY_DRAM] = m[MPU_READS] * c->read_nj + m[MPU_WRITES] * c->write_nj +
                         m[MPU_ACTIVATES] * c->activate_nj + m[MPU_PRECHARGES] * c->precharge_nj +
                         m[MPU_REFRESHES] * c->refresh_nj;
    m[MPU_ENERGY_RF] = m[MPU_RF_ACCESSES] * c->rf_nj + m[MPU_COLLECTOR_ACCESSES] * c->collector_nj;
    m[MPU_ENERGY_TSV] = m[MPU_TSV_BYTES] * 8 * c->tsv_pj * 1e-3;
    m[MPU_ENERGY_NETWORK] =
        (m[MPU_ON_CHIP_BYTES] * c->on_chip_pj + m[MPU_OFF_CHIP_BYTES] * c->off_chip_pj) * 8e-3;
    m[MPU_ENERGY_SHARED] = m[MPU_SHARED_ACCESSES] * c->shared_nj;
    m[MPU_ENERGY_LSU] = m[MPU_LSU_ACCESSES] * c->lsu_extension_nj;
    m[MPU_ENERGY_FRONT] = m[MPU_INSNS] * (c->icache_nj + c->decode_nj);
    m[MPU_ENERGY] = 0;
    for (int part = MPU_ENERGY_ALU; part <= MPU_ENERGY_FRONT; part++)
        m[MPU_ENERGY] += m[part];
}

static double ratio(double a, double b)
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
    return ratio(warps, launches);
}

static void derive_v100(const mpu_v100 *v, double *m)
{
    static const double FLOPS_PEAK_PER_CYCLE = 2;
    const mpu_v100_constant *c = mpu_v100_constants;
    double peak =
        FLOPS_PEAK_PER_CYCLE * c[V100_SMS].value * c[V100_LANES].value * c[V100_CLOCK].value * 1e9;
    m[MPU_V100_TIME] = v->seconds * 1e6;
    m[MPU_V100_BANDWIDTH] = ratio(v->dram_bytes, v->seconds) * 1e-9;
    m[MPU_V100_BANDWIDTH_SHARE] = m[MPU_V100_BANDWIDTH] / c[V100_DRAM_PEAK].value;
    m[MPU_V100_ALU_SHARE] = ratio(v->flops, v->seconds) / peak;
}

void mpu_price_logic(const void *config, double *m)
{
    const mpu_config *c = config;
    m[MPU_AREA] = mpu_area(c);
    m[MPU_AREA_SHARE] = m[MPU_AREA] / c->die_mm2;
}

void mpu_derive(const msw_task *task, double *m)
{
    const mpu_config *c = task->config;
    double seconds = m[MPU_CYCLES] / (c->core_ghz * 1e9);
    double cube_mm2 = c->die_mm2;
    m[MPU_TIME] = seconds * 1e6;
    m[MPU_BANDWIDTH] = ratio(m[MPU_DRAM_BYTES], seconds) * 1e-9;
    m[MPU_WHOLE_SHARE] =
        ratio(m[MPU_WHOLE_LOADS] + m[MPU_WHOLE_STORES], m[MPU_LOADS] + m[MPU_STORES]);
    m[MPU_LOCAL_SHARE] = ratio(m[MPU_LOCAL_LINES], m[MPU_LOCAL_LINES] + m[MPU_REMOTE_LINES]);
    m[MPU_ROW_MISS_RATE] = ratio(m[MPU_ROW_MISSES], m[MPU_ROW_HITS] + m[MPU_ROW_MISSES]);
    m[MPU_POWER] = ratio(m[MPU_ENERGY] * 1e-9, seconds);
    m[MPU_POWER_DENSITY] = m[MPU_POWER] / (double)c->processors / cube_mm2 * 1e3;
    derive_registers(mpu_program_of(task), m);
    m[MPU_OCCUPANCY] = mean_occupancy(task);
    derive_v100(task->artifacts[MPU_ARTIFACT_V100], m);
    m[MPU_SPEEDUP] = ratio(m[MPU_V100_TIME], m[MPU_TIME]);
    m[MPU_BANDWIDTH_RATIO] = ratio(m[MPU_BANDWIDTH], m[MPU_V100_BANDWIDTH]);
}

/* The use of each resource is taken to be spread evenly. */
void mpu_bounds(const msw_task *task, double *m)
{
    const mpu_config *c = task->config;
    double units = (double)mpu_unit_count(c), cores = (double)mpu_core_count(c);
    double tsv = mpu_tsv_bytes_per_cycle(c) * cores * (c->tsv_duplex ? 2 : 1);
    double commands = m[MPU_ROW_HITS] + m[MPU_ROW_MISSES];
    double ccd = (double)(c->t_ccd < c->t_ccd_short ? c->t_ccd : c->t_ccd_short);
    m[MPU_LEAST_ISSUE] = m[MPU_INSNS] / (units * (double)c->issue_width);
    m[MPU_LEAST_TSV] = m[MPU_TSV_BYTES] / tsv;
    double buses = units * (c->bank_buses == MPU_BUSES_OWN ? (double)c->banks : 1);
    m[MPU_LEAST_BANKS] = commands * ccd / buses;
}
