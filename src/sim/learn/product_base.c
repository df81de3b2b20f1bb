/* Products with vectors of 16 bytes, which every CPU of the 64-bit architectures has. */
#define VECTOR_LENGTH 4
#include "sim/learn/product.inc"

void learn_product_base(const learn_product *product)
{
    multiply(product);
}

learn_product_fn learn_product_best(void)
{
    learn_product_fn fast = learn_product_avx2();
    return fast ? fast : learn_product_base;
}
