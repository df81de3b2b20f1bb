/* SPDX-License-Identifier: MIT */
/* Private to neummu: the memory behind the MMU. A tick is 1 / issue_width of a cycle. */
#ifndef MSW_MECH_NEUMMU_MEMORY_H
#define MSW_MECH_NEUMMU_MEMORY_H

#include "mech/neummu/config.h"

enum { NEUMMU_ROW_BURSTS = 8 };

/* A memory of fixed latency and bandwidth; time is kept in 2^-20 ticks. Short rows of bytes may
 * take longer: `stretch` by the log2 of their bursts. */
typedef struct neummu_memory {
    uint64_t free, per_byte, latency;
    double stretch[NEUMMU_ROW_BURSTS];
    uint32_t burst_bytes;
    bool banks;
} neummu_memory;

/* Returns the bytes that a visit counts for, those of the longest rows being 1. */
double neummu_memory_weight(const neummu_memory *memory, double bytes);

/* Requests translated `gap` ticks apart from `first`, whose data is still to be asked for. */
typedef struct neummu_batch {
    uint64_t first, gap, count, bytes;
} neummu_batch;

/* Starts free. Returns 0, or -1. */
int neummu_memory_init(neummu_memory *memory, const neummu_config *config, msw_err *err);

/* Brings the data of a batch. Returns when the last of it has arrived. */
uint64_t neummu_memory_serve(neummu_memory *memory, const neummu_batch *batch);

/* Brings a line of bytes of a page table, asked for at `time`: behind all data asked for before.
 * Returns when it has arrived. */
uint64_t neummu_memory_read(neummu_memory *memory, uint64_t time, uint32_t bytes);

/* Takes bandwidth for bytes nobody waits for. */
void neummu_memory_occupy(neummu_memory *memory, uint64_t time, uint64_t bytes);

#endif
