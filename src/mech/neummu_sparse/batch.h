/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: what modes and fidelities share about a batch. */
#ifndef MSW_MECH_NEUMMU_SPARSE_BATCH_H
#define MSW_MECH_NEUMMU_SPARSE_BATCH_H

#include "mech/neummu_sparse/stream.h"

/* Whether what other devices have comes over the link to the CPU. */
static inline bool neummu_sparse_over_pcie(const neummu_sparse_config *config)
{
    return config->mode == NEUMMU_SPARSE_NUMA_SLOW ||
           (config->mode == NEUMMU_SPARSE_DEMAND && config->page_link == NEUMMU_SPARSE_PCIE);
}

/* Cycles of a time in ns. */
double neummu_sparse_cycles(const neummu_sparse_config *config, double ns);

/* Cycles of the copy through the CPU, by cause. */
typedef struct neummu_sparse_copied {
    double transfer, cpu;
} neummu_sparse_copied;

neummu_sparse_copied neummu_sparse_copy(const neummu_sparse_config *config,
                                        const neummu_sparse_batch *batch);

/* Cycles from the start of a batch to its last row, in four settings, each with one more cause of
 * waiting than the one before. */
typedef struct neummu_sparse_times {
    double gather;   /* all rows here, all translations known */
    double transfer; /* rows where they are */
    double fault;    /* faults take their time */
    double all;      /* translations too */
} neummu_sparse_times;

/* Adds a batch to totals: times by cause, counts that all fidelities know. */
void neummu_sparse_add(const neummu_sparse_config *config, const neummu_sparse_batch *batch,
                       const neummu_sparse_times *times, double *totals);

#endif
