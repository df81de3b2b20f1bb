/* SPDX-License-Identifier: MIT */
/* Layer norm: z = (x - mean) / sqrt(variance + 1e-5) over a token, y = g z + b.
 *   dz = g dy,  dx = (dz - mean(dz) - z mean(z dz)) / sqrt(variance + 1e-5) */
#include "sim/learn/layer.h"

#include <math.h>

void learn_norm(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t width = l->width;
    const float *g = p->weights + l->weights, *b = g + width;
    for (size_t r = 0; r < p->count * l->rows; r++, x += width, y += width, kept += width + 1) {
        float mean = 0, variance = 0;
        for (size_t j = 0; j < width; j++)
            mean += x[j];
        mean /= (float)width;
        for (size_t j = 0; j < width; j++)
            variance += (x[j] - mean) * (x[j] - mean);
        kept[width] = 1 / sqrtf(variance / (float)width + 1e-5f);
        for (size_t j = 0; j < width; j++) {
            kept[j] = (x[j] - mean) * kept[width];
            y[j] = g[j] * kept[j] + b[j];
        }
    }
}

void learn_norm_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx)
{
    size_t width = l->width;
    const float *g = p->weights + l->weights;
    float *dg = p->slopes + l->weights, *db = dg + width;
    (void)x;
    (void)y;
    for (size_t r = 0; r < p->count * l->rows; r++, dy += width, dx += width, kept += width + 1) {
        float mean = 0, along = 0;
        for (size_t j = 0; j < width; j++) {
            dg[j] += dy[j] * kept[j];
            db[j] += dy[j];
            dx[j] = g[j] * dy[j];
            mean += dx[j];
            along += dx[j] * kept[j];
        }
        mean /= (float)width;
        along /= (float)width;
        for (size_t j = 0; j < width; j++)
            dx[j] = (dx[j] - mean - kept[j] * along) * kept[width];
    }
}
