/* SPDX-License-Identifier: MIT */
/* Private to mpu: the data TSVs of a core. A slot is a beat; what is sent takes the first free
 * slots from its time on, so that something reserved for later does not hold up what comes now. */
#ifndef MSW_MECH_MPU_MACHINE_TSV_H
#define MSW_MECH_MPU_MACHINE_TSV_H

#include "mech/mpu/config.h"

enum { MPU_TSV_WORDS = 128, MPU_TSV_UP = 0, MPU_TSV_DOWN = 1 };

typedef struct mpu_tsv_way {
    uint64_t taken[MPU_TSV_WORDS]; /* bit per slot; a ring */
    uint64_t first;                /* word of the earliest slot kept */
    uint64_t full;                 /* slot from which all are free, when the ring overflows */
} mpu_tsv_way;

typedef struct mpu_tsv {
    mpu_tsv_way ways[2];
    bool duplex;
    uint32_t slot_bytes;
    double slots_per_cycle;
    uint32_t whole; /* the same, where it is a whole number; else 0 */
    uint32_t shift; /* of slot_bytes, where that is a power of two; else 64 */
    uint64_t slots; /* taken since the start */
    uint64_t delay; /* cycles */
} mpu_tsv;

void mpu_tsv_init(mpu_tsv *tsv, const mpu_config *config);

/* Slots before `now` are past. */
void mpu_tsv_pass(mpu_tsv *tsv, uint64_t now);

/* Sends bytes one way from `time` on. Returns the cycle at which they have arrived; 0 bytes arrive
 * after the delay. */
uint64_t mpu_tsv_send(mpu_tsv *tsv, int way, uint64_t time, uint64_t bytes);

#endif
