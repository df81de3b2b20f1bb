/* SPDX-License-Identifier: MIT */
/* Linear layers: y = x W + b, dW = x^T dy, db = sum of dy, dx = dy W^T; and the mean of tokens. */
#include "sim/learn/layer.h"

#include <string.h>

void learn_apply_back(learn_pass *p, size_t rows, const float *x, size_t in, size_t weights,
                      size_t out, const float *dy, float *dx, bool add)
{
    float *bias = p->slopes + weights + in * out;
    p->net->loops->multiply(&(learn_product){.rows = in,
                                             .columns = out,
                                             .terms = rows,
                                             .a = x,
                                             .a_row = 1,
                                             .a_term = in,
                                             .b = dy,
                                             .b_term = out,
                                             .c = p->slopes + weights,
                                             .c_row = out,
                                             .add = true});
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++)
            bias[j] += dy[i * out + j];
    if (dx)
        p->net->loops->multiply(&(learn_product){.rows = rows,
                                                 .columns = in,
                                                 .terms = out,
                                                 .a = dy,
                                                 .a_row = out,
                                                 .a_term = 1,
                                                 .b = p->turned + weights,
                                                 .b_term = in,
                                                 .c = dx,
                                                 .c_row = in,
                                                 .add = add});
}

void learn_linear(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t rows = p->count * l->rows;
    (void)kept;
    learn_apply(p, rows, x, l->width, l->weights, l->made, y);
    for (size_t i = 0; l->bent && i < rows * l->made; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

void learn_linear_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                       float *kept, const float *dy, float *dx)
{
    size_t rows = p->count * l->rows;
    (void)kept;
    if (l->bent) {
        for (size_t i = 0; i < rows * l->made; i++)
            p->scratch[i] = y[i] > 0 ? dy[i] : 0;
        dy = p->scratch;
    }
    learn_apply_back(p, rows, x, l->width, l->weights, l->made, dy, dx, false);
}

void learn_pool(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    float share = 1 / (float)l->rows;
    (void)kept;
    for (size_t s = 0; s < p->count; s++, y += l->width) {
        memset(y, 0, l->width * sizeof *y);
        for (size_t t = 0; t < l->rows; t++, x += l->width)
            for (size_t j = 0; j < l->width; j++)
                y[j] += share * x[j];
    }
}

void learn_pool_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx)
{
    float share = 1 / (float)l->rows;
    (void)x;
    (void)y;
    (void)kept;
    for (size_t s = 0; s < p->count; s++, dy += l->width)
        for (size_t t = 0; t < l->rows; t++, dx += l->width)
            for (size_t j = 0; j < l->width; j++)
                dx[j] = share * dy[j];
}
