/* Products with vectors of 16 bytes, which every CPU of the 64-bit architectures has. */
#define VECTOR_LENGTH 4
#define VECTORS       2
#define TILE_ROWS     4
#include "sim/learn/product.inc"

void learn_product_base(const learn_product *product)
{
    multiply(product);
}
