/* SPDX-License-Identifier: MIT */
/* Private to kernel/: the passes one after the other. */
#ifndef MSW_MECH_MPU_KERNEL_PARTS_H
#define MSW_MECH_MPU_KERNEL_PARTS_H

#include "mech/mpu/kernel/kernel.h"

/* What an instruction occupies, takes and consumes: classify.c. */
void mpu_classify(const msw_simt_insn *insn, mpu_insn *out);

/* Where registers and instructions are after the location annotation: annotate.c. `regs` and
 * `insns` get a mpu_side each. */
void mpu_annotate(const msw_simt_kernel *kernel, const mpu_config *config, uint8_t *regs,
                  uint8_t *insns);

/* Where the operands of an access have to be under this config: decide.c. Fills address_side,
 * value_side and guard_side of an instruction; UNKNOWN where they follow the instruction. */
void mpu_operand_sides(const msw_simt_insn *insn, const mpu_config *config, mpu_insn *out);

/* Who decides where an instruction runs; `annotated` is its side after the annotation. */
void mpu_decide(const msw_simt_insn *insn, const mpu_config *config, mpu_side annotated,
                mpu_insn *out);

/* On which sides each register is read or written: places of `insns` put together. A register that
 * an instruction touches whose side is only known at run time is on both. */
void mpu_sides(const msw_simt_kernel *kernel, const mpu_insn *insns, uint8_t *regs);

/* What allocation gives. */
typedef struct mpu_colouring {
    uint32_t *colours; /* [kernel->reg_count] as in mpu_kernel */
    mpu_demand demand;
    uint32_t named[MPU_SIDES]; /* registers by the sides of the annotation */
} mpu_colouring;

/* Registers that a warp holds on each side, given where they are used, and how many names of each
 * kind (%f, %rd, predicates) are needed on the sides of the annotation: colour.c. Returns 0, or -1.
 */
int mpu_colour(const msw_simt_kernel *kernel, const uint8_t *sides, const uint8_t *annotated,
               msw_arena *arena, mpu_colouring *out, msw_err *err);

/* Shuffles and their kin are distinguished by their text. */
bool mpu_is_shuffle(const msw_simt_insn *insn);

#endif
