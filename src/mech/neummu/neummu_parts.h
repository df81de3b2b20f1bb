/* Private to neummu's machine: the memory, and the MMU that a config asks for. */
#ifndef MEMSWEEP_NEUMMU_PARTS_H
#define MEMSWEEP_NEUMMU_PARTS_H

#include "neummu.h"

enum { NEUMMU_WALK_BYTES = 64 }; /* a page-table access moves one line */

void neummu_memory_init(neummu_memory *memory, const neummu_config *config);

/* Brings the data of a batch. Returns when the last of it has arrived. */
uint64_t neummu_memory_serve(neummu_memory *memory, const neummu_batch *batch);

/* Takes bandwidth for bytes nobody waits for. */
void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes);

size_t neummu_answers_bytes(size_t capacity);
void neummu_answers_init(neummu_answers *answers, size_t capacity, void *memory);

/* Keeps a batch. Returns false, and keeps nothing, when there is no room. */
bool neummu_answers_put(neummu_answers *answers, const neummu_batch *batch);

/* Takes the earliest batch that starts by `now`. Returns whether there was one. */
bool neummu_answers_take(neummu_answers *answers, uint64_t now, neummu_batch *batch);

/* The MMU that a config describes, its times in ticks. */
msw_mmu_config neummu_mmu_config(const neummu_config *config, unsigned page_shift);

#endif
