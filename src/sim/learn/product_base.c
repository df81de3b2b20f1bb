/* SPDX-License-Identifier: MIT */
/* Products with vectors of 16 bytes, which every CPU of the 64-bit architectures has. */
#define VECTOR_LENGTH 4
#define VECTORS       2
#define TILE_ROWS     4
#include "sim/learn/loops.inc"
#include "sim/learn/product.inc"

const learn_loops learn_loops_base = LOOPS;
