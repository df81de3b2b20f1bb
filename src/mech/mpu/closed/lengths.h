/* SPDX-License-Identifier: MIT */
/* Private to mpu: how much the CTAs of a launch issue, from some at equal distances. A census of
 * some waves does not show that work ends within a grid: a thread that goes through it in steps has
 * one turn more in the first CTAs than in the last. */
#ifndef MSW_MECH_MPU_CLOSED_LENGTHS_H
#define MSW_MECH_MPU_CLOSED_LENGTHS_H

#include "mech/mpu/closed/profile.h"

typedef struct mpu_lengths {
    double *insns; /* [CTA / apart] of one there */
    uint64_t count, apart;
    double mean, error; /* of a CTA; standard error of that */
} mpu_lengths;

/* Runs them; of a CTA about `each` instructions are expected. Returns 0, or -1. */
int mpu_lengths_run(const msw_simt_code *code, double each, msw_arena *arena, mpu_lengths *out,
                    msw_err *err);

/* Returns what CTA `cta` is taken to issue: as much as the one that was run of its part. */
double mpu_length_of(const mpu_lengths *lengths, uint64_t cta);

/* CTAs of one core, one after the other in its slots: what each issues. */
typedef struct mpu_core_work {
    double longest, most, sum, ctas; /* way through the slots; CTA; all */
    double *passed;                  /* [slot] */
} mpu_core_work;

void mpu_work_add(mpu_core_work *work, const mpu_config *config, uint32_t slots, double insns);

/* Fills the longest way, in instructions over waves, and the longest CTA over the mean one. */
void mpu_work_tell(const mpu_core_work *work, mpu_profile_class *out);

#endif
