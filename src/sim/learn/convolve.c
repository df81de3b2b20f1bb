/* SPDX-License-Identifier: MIT */
/* Convolution over three tokens, zeros beyond the ends, then ReLU: y[t] = relu((x[t-1], x[t],
 * x[t+1]) W + b). Kept: the triples. */
#include "sim/learn/layer.h"

#include <string.h>

static void make_triples(const learn_layer *l, size_t count, const float *x, float *triples)
{
    size_t width = l->width;
    for (size_t s = 0; s < count; s++)
        for (size_t t = 0; t < l->rows; t++)
            for (size_t k = 0; k < 3; k++, triples += width) {
                if (t + k < 1 || t + k > l->rows)
                    memset(triples, 0, width * sizeof *triples);
                else
                    memcpy(triples, x + (s * l->rows + t + k - 1) * width, width * sizeof *x);
            }
}

void learn_convolve(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t rows = p->count * l->rows;
    make_triples(l, p->count, x, kept);
    learn_apply(p, rows, kept, 3 * l->width, l->weights, l->made, y);
    for (size_t i = 0; i < rows * l->made; i++)
        y[i] = y[i] > 0 ? y[i] : 0;
}

void learn_convolve_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                         float *kept, const float *dy, float *dx)
{
    size_t rows = p->count * l->rows, width = l->width;
    float *dz = p->scratch, *triples = p->scratch + p->most * l->rows * l->made;
    (void)x;
    for (size_t i = 0; i < rows * l->made; i++)
        dz[i] = y[i] > 0 ? dy[i] : 0;
    learn_apply_back(p, rows, kept, 3 * width, l->weights, l->made, dz, triples, false);
    memset(dx, 0, rows * width * sizeof *dx);
    for (size_t s = 0; s < p->count; s++)
        for (size_t t = 0; t < l->rows; t++)
            for (size_t k = 0; k < 3; k++, triples += width)
                for (size_t j = 0; t + k >= 1 && t + k <= l->rows && j < width; j++)
                    dx[(s * l->rows + t + k - 1) * width + j] += triples[j];
}
