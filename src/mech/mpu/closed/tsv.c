/* SPDX-License-Identifier: MIT */
/* What one CTA sends over the TSVs of its core, and how long that takes. */
#include "mech/mpu/closed/tsv.h"

#include <math.h>

double mpu_beat_cycles(const mpu_config *c)
{
    return c->core_ghz / c->tsv_ghz;
}

double mpu_beats_of(const mpu_config *c, double bytes)
{
    return ceil(bytes * 8 * (double)c->cores / (double)c->tsv_bits);
}

/* The share of a cause's bytes that goes up, to the DRAM die. Data of transactions as reads and
 * writes are among those that are not offloaded whole. */
static double share_up(const mpu_config *c, const mpu_profile_class *k, int cause)
{
    const double *t = k->totals;
    double line = MPU_LINE_BYTES / (double)c->bank_io_bytes;
    double reads = fmax(t[MPU_READS] - line * t[MPU_WHOLE_LOADS], 0);
    double writes = fmax(t[MPU_WRITES] - line * t[MPU_WHOLE_STORES], 0);
    double moves = t[MPU_MOVES_NEAR] + t[MPU_MOVES_FAR];
    switch (cause) {
    case MPU_TSV_DATA:
        return reads + writes > 0 ? writes / (reads + writes) : 0;
    case MPU_TSV_MOVE:
        return moves > 0 ? t[MPU_MOVES_NEAR] / moves : 0;
    case MPU_TSV_SHARED:
        return 0.5;
    case MPU_TSV_VALUE:
    case MPU_TSV_COMMIT:
        return 0;
    default:
        return 1;
    }
}

/* Each message is rounded up. Those of near shared memory in other dies are not counted. */
static double beats_of_cause(const mpu_config *c, const mpu_profile_class *k, int cause)
{
    double bytes = k->totals[cause], messages = k->messages[cause - MPU_TSV_OFFLOAD];
    if (bytes <= 0)
        return 0;
    messages = messages > 0 ? messages : bytes / MPU_REG_BYTES;
    return messages * mpu_beats_of(c, bytes / messages);
}

mpu_ways mpu_tsv_beats(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_ways beats_by = {0, 0};
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++) {
        double beats = beats_of_cause(c, k, cause), share = share_up(c, k, cause);
        beats_by.up += share * beats;
        beats_by.down += (1 - share) * beats;
    }
    return beats_by;
}

void mpu_tsv_shares(const mpu_config *c, const mpu_profile_class *k, double *accesses,
                    double *shared)
{
    double all = 0, other = 0;
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++) {
        double beats = beats_of_cause(c, k, cause);
        all += beats;
        if (cause == MPU_TSV_OFFLOAD || cause == MPU_TSV_MOVE || cause == MPU_TSV_COMMIT)
            other += beats;
    }
    *shared = all > 0 ? beats_of_cause(c, k, MPU_TSV_SHARED) / all : 0;
    *accesses = all > 0 ? fmax(1 - other / all - *shared, 0) : 0;
}

double mpu_tsv_time(const mpu_config *c, const mpu_profile_class *k)
{
    mpu_ways beats = mpu_tsv_beats(c, k);
    double most = c->tsv_duplex ? fmax(beats.up, beats.down) : beats.up + beats.down;
    return most * mpu_beat_cycles(c);
}
