/* SPDX-License-Identifier: MIT */
/* Layers of a network that have one step, forward and back; a chunk of a batch through all layers.
 *
 *   embedding    a token is the rows of its features side by side, plus its position,
 *                sin(t / 10000^(2i/D)) at 2i, cos of the same at 2i + 1
 *   linear       y = x W + b, dW = x^T dy, db = sum of dy, dx = dy W^T; and the mean of tokens
 *   norm         z = (x - mean) / sqrt(variance + 1e-5) over a token, y = g z + b,
 *                dz = g dy,  dx = (dz - mean(dz) - z mean(z dz)) / sqrt(variance + 1e-5)
 *   convolution  over three tokens, zeros beyond the ends, then ReLU:
 *                y[t] = relu((x[t-1], x[t], x[t+1]) W + b); the triples are stored
 *   dropout      while learning, a number of a layer's output is 0 with a probability of `drop`,
 * and 1 / (1 - drop) times as large otherwise; drawn by counter: of the seed, the batch, the
 * sequence's place in it, the layer and the number, so that no thread matters */
#include "sim/learn/layer.h"

#include "memsweep/base/math.h"

#include "memsweep/base/hash.h"

#include <math.h>
#include <string.h>

/* ---- embedding ---- */

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

/* ---- linear ---- */

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

/* ---- norm ---- */

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

/* ---- convolution ---- */

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

/* ---- dropout ---- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void learn_drop(const learn_pass *p, size_t layer, float *x)
{
    const msw_net *net = p->net;
    const learn_layer *l = &net->layers[layer];
    const uint64_t limit = (uint64_t)(p->drop * 4294967296.0);
    const float scale = (float)(1 / (1 - p->drop));
    if (!l->drops || !(p->drop > 0))
        return;
    for (size_t s = 0; s < p->count; s++) {
        uint64_t words[] = {net->shape.seed, net->batches, p->first + s, layer};
        uint64_t key = msw_hash_bytes(words, sizeof words).lo;
        for (size_t i = 0; i < l->out; i++, x++)
            *x = mix(key + i * 0x9e3779b97f4a7c15u) >> 32 < limit ? 0 : *x * scale;
    }
}

/* ---- all layers ---- */

void learn_forward(learn_pass *p)
{
    const msw_net *net = p->net;
    for (size_t i = 0; i < net->layer_count; i++) {
        const learn_layer *l = &net->layers[i];
        l->forward(l, p, p->values[i], p->values[i + 1], p->kept[i]);
        if (i + 1 < net->layer_count)
            learn_round(net->loops, net->shape.activations, p->count * l->out / l->made, l->made,
                        p->values[i + 1]);
        learn_drop(p, i, p->values[i + 1]);
    }
}

/* Scores become slopes: (softmax - 1 at the label) / batch. */
void learn_loss(learn_pass *p, uint32_t batch)
{
    uint32_t classes = p->net->shape.classes;
    float *scores = p->values[p->net->layer_count], share = 1 / (float)batch;
    for (size_t s = 0; s < p->count; s++, scores += classes) {
        float most = scores[0], label = scores[p->labels[s]];
        double sum = 0;
        for (uint32_t k = 1; k < classes; k++)
            most = scores[k] > most ? scores[k] : most;
        for (uint32_t k = 0; k < classes; k++) {
            double e = msw_math_exp((double)(scores[k] - most));
            scores[k] = (float)e;
            sum += e;
        }
        p->loss += msw_math_log(sum) - (double)(label - most);
        for (uint32_t k = 0; k < classes; k++)
            scores[k] *= share / (float)sum;
        scores[p->labels[s]] -= share;
    }
}

void learn_backward(learn_pass *p)
{
    const msw_net *net = p->net;
    float *dy = p->values[net->layer_count];
    for (size_t i = net->layer_count; i-- > 0;) {
        float *dx = p->errors[i % 2];
        learn_drop(p, i, dy);
        net->layers[i].backward(&net->layers[i], p, p->values[i], p->values[i + 1], p->kept[i], dy,
                                dx);
        dy = dx;
    }
}
