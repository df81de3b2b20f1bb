/* Products with vectors of 64 bytes, where the CPU has them; their multiplications and additions
 * round apart, as everywhere. */
#include "sim/learn/product.h"

#ifdef __AVX512F__
#define VECTOR_LENGTH 16
#define VECTORS       1
#define TILE_ROWS     8
#include "sim/learn/product.inc"

learn_product_fn learn_product_avx512(void)
{
    return __builtin_cpu_supports("avx512f") ? multiply : NULL;
}
#else
learn_product_fn learn_product_avx512(void)
{
    return NULL;
}
#endif
