/* SPDX-License-Identifier: MIT */
/* Private to learn: products of matrices, the same bits on every CPU.
 *
 * Vectors run over outputs; the sum of an output goes over its terms in order, one rounding per
 * multiplication and one per addition, whatever the width of a vector. */
#ifndef MSW_SIM_LEARN_PRODUCT_H
#define MSW_SIM_LEARN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* c[i][j] = sum over k of a[i][k] b[k][j]; or that added to what is in c, or to a row of numbers
 * for all i. Steps are in numbers. */
typedef struct learn_product {
    size_t rows, columns, terms;
    const float *a;
    size_t a_row, a_term;
    const float *b; /* columns side by side */
    size_t b_term;
    float *c; /* columns side by side */
    size_t c_row;
    bool add;           /* to c */
    const float *start; /* [column], NULL: none; what sums begin with */
} learn_product;

typedef void (*learn_product_fn)(const learn_product *product);

/* One step of Adam: what all weights share. */
typedef struct learn_step {
    float rate, first, second; /* first, second: of the moments' means, this step */
} learn_step;

/* Loops that take most of the time. Those but `multiply` go over numbers side by side and sum
 * nothing, so that the width of vectors cannot be seen. */
typedef struct learn_loops {
    learn_product_fn multiply;

    /* Sets what is below 0 to 0, and with `clamps` what is above 8 to 8. Returns the largest. */
    float (*bend)(size_t width, bool clamps, float *x);

    /* Sets slopes to 0 where x is not above 0. */
    void (*keep)(size_t width, const float *x, float *slopes);

    /* Sets what is beyond -8 and 8 to these. Returns the largest size. */
    float (*clamp)(size_t width, float *x);

    /* Rounds to -8 .. 7 times a unit. */
    void (*round)(size_t width, float unit, float *x);

    void (*add)(size_t width, const float *from, float *to);

    /* Weights as they are used, in steps; the largest size of weights. */
    void (*quantise)(size_t count, float step, const float *weights, float *used);
    float (*largest)(size_t count, const float *weights);

    void (*move)(const learn_step *step, size_t count, const float *slopes, float *mean,
                 float *square, float *weights);
} learn_loops;

extern const learn_loops learn_loops_base;

/* Those for AVX2 and AVX-512. Return NULL where the CPU has none. */
const learn_loops *learn_loops_avx2(void);
const learn_loops *learn_loops_avx512(void);

/* Returns the fastest on this CPU. */
const learn_loops *learn_loops_best(void);

#endif
