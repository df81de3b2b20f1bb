/* Private to neummu's machine: the memory, and the MMU that a config asks for. */
#ifndef MEMSWEEP_NEUMMU_PARTS_H
#define MEMSWEEP_NEUMMU_PARTS_H

#include "neummu.h"

enum { NEUMMU_WALK_BYTES = 64 }; /* a page-table access moves one line */

void neummu_memory_init(neummu_memory *memory, const neummu_config *config);

/* Serves `count` transactions of `bytes` in all, asked for `gap` ticks apart from `first`. Returns
 * when the last has arrived. */
uint64_t neummu_memory_serve(neummu_memory *memory, uint64_t first, uint64_t gap, uint64_t count,
                             uint64_t bytes);

/* Takes bandwidth for bytes nobody waits for. */
void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes);

/* The MMU that a config describes, its times in ticks. */
msw_mmu_config neummu_mmu_config(const neummu_config *config, unsigned page_shift);

#endif
