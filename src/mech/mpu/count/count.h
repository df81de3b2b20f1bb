/* SPDX-License-Identifier: MIT */
/* Private to mpu: counts of what an instruction does, whatever time it takes. Both models add each
 * instruction of each warp here, so their counts are the same for the same instructions. */
#ifndef MSW_MECH_MPU_COUNT_COUNT_H
#define MSW_MECH_MPU_COUNT_COUNT_H

#include "mech/mpu/count/map.h"
#include "mech/mpu/kernel/track.h"
#include "mech/mpu/metrics.h"

/* Adds instruction `insn` to `totals`, indexed by metric: instructions, moves, offloads, register
 * file and collector accesses, energy_alu_nj, TSV bytes of these. Accesses to memory need the rest:
 * mpu_count_access. */
void mpu_count_insn(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                    const mpu_issue *issue, double *totals);

/* Adds what a global (or local) access does: lines, DRAM reads and writes, LSU-extension, network
 * and TSV bytes. `core` is the warp's. */
void mpu_count_access(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                      const mpu_access *access, uint32_t core, double *totals);

/* Of an access that is not offloaded whole: whether its result goes to near registers, TSV bytes of
 * that, and of a stored value that comes from there. Return them. */
bool mpu_writes_back(const mpu_kernel *kernel, uint32_t insn);
uint64_t mpu_writeback_bytes(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn);
uint64_t mpu_value_bytes(const mpu_kernel *kernel, uint32_t insn);

/* Fills tsv_bytes from its parts. */
void mpu_count_sums(double *totals);

#endif
