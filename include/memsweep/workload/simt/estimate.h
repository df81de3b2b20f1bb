/* SPDX-License-Identifier: MIT */
/* estimate: what the launches of a program will do, from running some of their CTAs.
 *
 * The first, a middle and the last CTA of launches are run, the slice of them that makes addresses;
 * counts are scaled up to all CTAs of the same kernel. Launches whose results become addresses or
 * predicates of later ones are run whole. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_ESTIMATE_H
#define MEMSWEEP_WORKLOAD_SIMT_ESTIMATE_H

#include "memsweep/workload/simt.h"

/* One instruction over all CTAs of its kernel. Numbers of accesses are of global memory. */
typedef struct msw_simt_insn_use {
    double warps;   /* executions by warps */
    double lanes;   /* accesses by lanes */
    double lines;   /* 128-byte lines of all accesses */
    double sectors; /* 32-byte sectors of all accesses */
    double bytes;   /* that lanes asked for */
    double runs;    /* times that a CTA did not go on where it was or with the next line */
    int64_t stride; /* the usual one, from one access of a warp to its next */
    double stride_share;
    const msw_simt_array *array; /* of the first access; NULL: none */
} msw_simt_insn_use;

typedef struct msw_simt_kernel_use {
    const msw_simt_kernel *kernel;
    uint64_t launches, ctas, sampled_ctas;
    uint32_t threads; /* of a CTA, in the first launch */
    uint32_t dynamic_shared_bytes;
    double instructions;            /* of warps */
    const msw_simt_insn_use *insns; /* [kernel->insn_count] */
} msw_simt_kernel_use;

typedef struct msw_simt_estimate {
    const msw_simt_kernel_use *kernels; /* in order of first launch */
    size_t kernel_count;
} msw_simt_estimate;

/* Estimates; only `estimate` and what it points to stay in the arena. Returns 0, or -1 when a
 * sampled CTA cannot be run. */
int msw_simt_estimate_of(const msw_simt_product *product, msw_arena *arena,
                         msw_simt_estimate *estimate, msw_err *err);

#endif
