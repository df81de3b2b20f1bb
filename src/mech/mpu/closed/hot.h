/* SPDX-License-Identifier: MIT */
/* Private to mpu: which core, and which near-bank unit, has most to do for others, wave of CTAs
 * after wave: what lies together in memory is asked for together, so one core after the other may
 * be busy. */
#ifndef MSW_MECH_MPU_CLOSED_HOT_H
#define MSW_MECH_MPU_CLOSED_HOT_H

#include "mech/mpu/closed/profile.h"
#include "memsweep/base/arena.h"

typedef struct mpu_hot {
    uint32_t cores, units;  /* of the machine; of a core */
    mpu_asked *asked, *all; /* [core * units + unit] of this wave: by other cores; by all */
    uint32_t *now, peak;    /* [core] messages of this turn; most of any */
    double met, met_of;     /* load of the core that a message asks, over the largest; messages */
    mpu_asked core, unit;   /* of all waves: the core that others ask most, the fullest unit of
                               those that they ask */
} mpu_hot;

/* Prepares it; memory comes from the arena. Returns 0, or -1 when it runs out. */
int mpu_hot_init(mpu_hot *hot, const mpu_config *config, msw_arena *arena);

/* Adds the blocks of an access of a warp of core `home`, which waits for them or does not. Blocks
 * are in the order of addresses: a message for each core, a line for each unit. `misses` has a bit
 * per block that opens a row. */
void mpu_hot_add(mpu_hot *hot, const mpu_access *access, uint32_t home, bool writes, bool waits,
                 uint64_t misses);

/* Ends a turn of all warps. */
void mpu_hot_end_turn(mpu_hot *hot);

/* Ends a wave. */
void mpu_hot_end_wave(mpu_hot *hot);

/* Fills what is asked of the hottest, times `times`. */
void mpu_hot_tell(const mpu_hot *hot, double times, mpu_profile_class *out);

#endif
