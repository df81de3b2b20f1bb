/* SPDX-License-Identifier: MIT */
/* Cycles that the use of each resource takes at least, if it were spread evenly. */
#include "mech/mpu/metrics.h"
#include "mech/mpu/model.h"

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
