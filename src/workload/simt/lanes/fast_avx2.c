/* SPDX-License-Identifier: MIT */
/* The loops for AVX2 with FMA; compiled with these on CPUs of that family. */
#include "workload/simt/lanes/lanes.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "workload/simt/lanes/loops.inc"

const simt_loops *simt_loops_avx2(void)
{
    static const simt_loops LOOPS = LOOPS_TABLE("avx2");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &LOOPS : NULL;
}
#else
const simt_loops *simt_loops_avx2(void)
{
    return NULL;
}
#endif
