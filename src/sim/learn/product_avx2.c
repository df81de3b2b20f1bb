/* SPDX-License-Identifier: MIT */
/* Products with vectors of 32 bytes; compiled for AVX2 on CPUs of that family, without FMA, which
 * would round once where the others round twice. */
#include "sim/learn/product.h"

#ifdef __AVX2__
#define VECTOR_LENGTH 8
#define VECTORS       2
#define TILE_ROWS     4
#include "sim/learn/loops.inc"
#include "sim/learn/product.inc"

static const learn_loops MINE = LOOPS;

const learn_loops *learn_loops_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &MINE : NULL;
}
#else
const learn_loops *learn_loops_avx2(void)
{
    return NULL;
}
#endif
