/* SPDX-License-Identifier: MIT */
/* From counts to energy: table II, nJ. */
#include "mech/mpu/config.h"
#include "mech/mpu/metrics.h"

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
