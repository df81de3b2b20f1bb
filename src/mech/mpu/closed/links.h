/* SPDX-License-Identifier: MIT */
/* Private to mpu: bytes over each link of the mesh of all cores, messages going first along x, then
 * along y, without time. */
#ifndef MSW_MECH_MPU_CLOSED_LINKS_H
#define MSW_MECH_MPU_CLOSED_LINKS_H

#include "mech/mpu/closed/profile.h"
#include "memsweep/base/arena.h"

typedef struct mpu_links {
    uint32_t wide, high, tile_wide, tile_high;
    double *bytes, *messages; /* [(y * wide + x) * 4 + way] */
    uint32_t *now;            /* messages of this turn */
    uint32_t peak[2];         /* most of any turn, in cubes and between */
} mpu_links;

/* Prepares them; memory comes from the arena. Returns 0, or -1 when it runs out. */
int mpu_links_init(mpu_links *links, const mpu_config *config, msw_arena *arena);

/* Sends a message, for which somebody waits or nobody. Returns how many links it crosses. */
uint32_t mpu_links_add(mpu_links *links, const mpu_config *config, uint32_t from, uint32_t to,
                       double bytes, bool waits);

/* Ends a turn of all warps. */
void mpu_links_end_turn(mpu_links *links);

/* Fills peak_link, link_bytes and link_messages: of the fullest links, times `times`. */
void mpu_links_most(const mpu_links *links, double times, mpu_profile_class *out);

#endif
