/* SPDX-License-Identifier: MIT */
/* Private to closed/: how long a near-bank unit takes. */
#ifndef MSW_MECH_MPU_CLOSED_DRAM_H
#define MSW_MECH_MPU_CLOSED_DRAM_H

#include "mech/mpu/closed/profile.h"

/* Share of the lines that are written which are read first and merged. */
double mpu_merged_share(const mpu_config *c, const mpu_profile_class *k);

/* From the last read of a line to the first that may follow its write. Returns cycles. */
double mpu_update_cycles(const mpu_config *c);

/* Cycles that a near-bank unit takes for what is asked of it; `together` lines are written between
 * two turns of its bus. Returns them. */
double mpu_unit_cycles(const mpu_config *c, const mpu_asked *a, double merged, double together);

/* One CTA's share of its core's units, as asked of one of them. Returns it. */
mpu_asked mpu_unit_mean(const mpu_config *c, const mpu_profile_class *k);

#endif
