/* SPDX-License-Identifier: MIT */
/* Private to mpu: the register track table of one warp, and what issuing an instruction asks of it.
 * No time: both models step through it in the order of the warp's instructions. */
#ifndef MSW_MECH_MPU_KERNEL_TRACK_H
#define MSW_MECH_MPU_KERNEL_TRACK_H

#include "mech/mpu/kernel/kernel.h"

/* Bit r: the register has a valid copy on that side. A register that was never written has both. */
typedef struct mpu_track {
    uint64_t *near_valid, *far_valid; /* mpu_track_words of the kernel each */
} mpu_track;

uint32_t mpu_track_words(const msw_simt_kernel *kernel);

/* Sets all registers to "never written". */
void mpu_track_start(const msw_simt_kernel *kernel, mpu_track *track);

enum { MPU_MOVES = 12 }; /* registers of one instruction, at most */

typedef struct mpu_issue {
    mpu_side side;  /* NEAR or FAR: where it runs; a global access is FAR until it is offloaded */
    bool offloaded; /* computation, or an access to near shared memory, sent over the TSVs */
    uint8_t move_count;
    struct {
        uint32_t reg;
        bool to_near;
    } moves[MPU_MOVES];
} mpu_issue;

/* Decides where an instruction runs, which registers move first, and updates the table: moved
 * registers are valid on both sides, destinations where they are written. */
void mpu_track_issue(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                     mpu_track *track, mpu_issue *out);

/* Returns the bytes of a warp's register on the TSVs: 128 or 256, a predicate 4. */
uint32_t mpu_move_bytes(const msw_simt_reg *reg);

#endif
