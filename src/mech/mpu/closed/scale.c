/* SPDX-License-Identifier: MIT */
/* Counts of a class. */
#include "mech/mpu/closed/replay.h"

void mpu_class_scale(mpu_profile_class *out, double by)
{
    for (int m = 0; m < MPU_METRICS; m++)
        out->totals[m] *= by;
    for (int k = 0; k < MPU_ENERGIES; k++)
        out->alu[k] *= by;
    for (int k = 0; k < MPU_LATENCIES; k++)
        out->latency[k] *= by;
    for (size_t k = 0; k < sizeof out->messages / sizeof *out->messages; k++)
        out->messages[k] *= by;
    out->sfu *= by;
}
