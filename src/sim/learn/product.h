/* Private to learn: products of matrices, the same bits on every CPU.
 *
 * Vectors run over outputs; the sum of an output goes over its terms in order, one rounding per
 * multiplication and one per addition, whatever the width of a vector. */
#ifndef MSW_SIM_LEARN_PRODUCT_H
#define MSW_SIM_LEARN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* c[i][j] = sum over k of a[i][k] b[k][j], or c[i][j] + it. Steps are in numbers. */
typedef struct learn_product {
    size_t rows, columns, terms;
    const float *a;
    size_t a_row, a_term;
    const float *b; /* columns side by side */
    size_t b_term;
    float *c; /* columns side by side */
    size_t c_row;
    bool add;
} learn_product;

typedef void (*learn_product_fn)(const learn_product *product);

void learn_product_base(const learn_product *product);

/* Those for AVX2 and AVX-512. Return NULL where the CPU has none. */
learn_product_fn learn_product_avx2(void);
learn_product_fn learn_product_avx512(void);

/* Returns the fastest on this CPU. */
learn_product_fn learn_product_best(void);

#endif
