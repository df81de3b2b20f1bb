/* SPDX-License-Identifier: MIT */
/* Private to closed/: the TSVs of a core. Up is to the DRAM die. */
#ifndef MSW_MECH_MPU_CLOSED_TSV_H
#define MSW_MECH_MPU_CLOSED_TSV_H

#include "mech/mpu/closed/profile.h"

typedef struct mpu_ways {
    double up, down;
} mpu_ways;

/* Core cycles of a beat, and beats of a message. Return them. */
double mpu_beat_cycles(const mpu_config *c);
double mpu_beats_of(const mpu_config *c, double bytes);

/* Beats of one CTA: each message is rounded up. Returns both ways'. */
mpu_ways mpu_tsv_beats(const mpu_config *c, const mpu_profile_class *k);

/* Fills which shares of the beats are of accesses to memory, and of shared memory on other dies. */
void mpu_tsv_shares(const mpu_config *c, const mpu_profile_class *k, double *accesses,
                    double *shared);

/* Core cycles that they take: both ways one after the other, or side by side: then the way that has
 * more decides. Returns them. */
double mpu_tsv_time(const mpu_config *c, const mpu_profile_class *k);

#endif
