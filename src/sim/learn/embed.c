/* SPDX-License-Identifier: MIT */
/* Embedding: a token is the rows of its features side by side, plus its position,
 *   sin(t / 10000^(2i/D)) at 2i, cos of the same at 2i + 1. */
#include "sim/learn/layer.h"

#include <string.h>

void learn_embed(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    const msw_net_shape *shape = &p->net->shape;
    const uint32_t *token = p->tokens;
    (void)x;
    (void)kept;
    for (size_t s = 0; s < p->count; s++)
        for (size_t t = 0; t < l->rows; t++, y += l->made, token += shape->features) {
            size_t table = l->weights, at = 0;
            for (uint32_t f = 0; f < shape->features; f++) {
                size_t width = shape->widths[f];
                memcpy(y + at, p->weights + table + token[f] * width, width * sizeof *y);
                table += shape->values[f] * width;
                at += width;
            }
            for (size_t j = 0; j < l->made; j++)
                y[j] += l->constant[t * l->made + j];
        }
}

void learn_embed_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                      float *kept, const float *dy, float *dx)
{
    const msw_net_shape *shape = &p->net->shape;
    const uint32_t *token = p->tokens;
    (void)x;
    (void)y;
    (void)kept;
    (void)dx;
    for (size_t r = 0; r < p->count * l->rows; r++, token += shape->features) {
        size_t table = l->weights;
        for (uint32_t f = 0; f < shape->features; f++) {
            float *slopes = p->slopes + table + token[f] * (size_t)shape->widths[f];
            for (uint32_t j = 0; j < shape->widths[f]; j++)
                slopes[j] += *dy++;
            table += shape->values[f] * (size_t)shape->widths[f];
        }
    }
}
