/* SPDX-License-Identifier: MIT */
/* Area of the logic on a DRAM die: table III, each part in proportion to its count and size. */
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
