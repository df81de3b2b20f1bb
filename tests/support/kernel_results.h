/* SPDX-License-Identifier: MIT */
/* What the shipped kernels must compute, in plain C, with the operations in the order of the
 * kernels' sources: results are equal to the last bit. */
#ifndef MEMSWEEP_TESTS_KERNEL_RESULTS_H
#define MEMSWEEP_TESTS_KERNEL_RESULTS_H

#include "programs.h"

typedef struct kernel_case {
    const char *workload; /* with all its sizes */
    const char *out;      /* the array that holds the result */
    void (*result)(const program *p, void *out);
} kernel_case;

/* All kernels in all presets, at sizes that run in milliseconds. Ends with workload NULL. */
extern const kernel_case kernel_cases[];

/* The kernels in managed memory, likewise. */
extern const kernel_case managed_cases[];

/* Returns the size that a workload's name sets. */
int kernel_size(const program *p, const char *name);

/* Returns the initial values of an array; the caller frees them. */
void *kernel_values(const program *p, const char *name);

#endif
