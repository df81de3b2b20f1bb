/* SPDX-License-Identifier: MIT */
/* Products with vectors of 64 bytes, where the CPU has them; their multiplications and additions
 * round apart, as everywhere. */
#include "sim/learn/product.h"

#ifdef __AVX512F__
#define VECTOR_LENGTH 16
#define VECTORS       1
#define TILE_ROWS     8
#include "sim/learn/loops.inc"
#include "sim/learn/product.inc"

static const learn_loops MINE = LOOPS;

const learn_loops *learn_loops_avx512(void)
{
    return __builtin_cpu_supports("avx512f") ? &MINE : NULL;
}
#else
const learn_loops *learn_loops_avx512(void)
{
    return NULL;
}
#endif
