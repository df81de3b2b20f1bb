/* Feed-forward layer with its residual: y = x + relu(x W1 + b1) W2 + b2.
 *
 * The wide inner row is never kept: forward and backward go tile by tile of tokens, and backward
 * makes it again, so that it stays in the cache. */
#include "sim/learn/layer.h"

#include <string.h>

enum { TILE = LEARN_FEED_TILE };

/* [tile][inner], with a gap that spreads rows over the sets of a cache. */
static void make_inner(const learn_layer *l, learn_pass *p, const float *x, size_t rows,
                       float *inner)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP;
    const float *w1 = p->weights + l->weights, *b1 = w1 + l->width * wide;
    for (size_t i = 0; i < rows; i++)
        memcpy(inner + i * step, b1, wide * sizeof *inner);
    p->net->multiply(&(learn_product){.rows = rows,
                                      .columns = wide,
                                      .terms = l->width,
                                      .a = x,
                                      .a_row = l->width,
                                      .a_term = 1,
                                      .b = w1,
                                      .b_term = wide,
                                      .c = inner,
                                      .c_row = step,
                                      .add = true});
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < wide; j++)
            inner[i * step + j] = inner[i * step + j] > 0 ? inner[i * step + j] : 0;
}

void learn_feed(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    size_t w2 = l->weights + (width + 1) * wide, total = p->count * l->rows;
    const float *b2 = p->weights + w2 + wide * width;
    (void)kept;
    for (size_t at = 0; at < total; at += TILE, x += TILE * width, y += TILE * width) {
        size_t rows = total - at < TILE ? total - at : TILE;
        make_inner(l, p, x, rows, p->scratch);
        learn_round(p->net->shape.activations, rows, wide, step, p->scratch);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < width; j++)
                y[i * width + j] = x[i * width + j] + b2[j];
        p->net->multiply(&(learn_product){.rows = rows,
                                          .columns = width,
                                          .terms = wide,
                                          .a = p->scratch,
                                          .a_row = step,
                                          .a_term = 1,
                                          .b = p->weights + w2,
                                          .b_term = width,
                                          .c = y,
                                          .c_row = width,
                                          .add = true});
    }
}

/* The slopes of the inner rows, from those of the outer ones. */
static void inner_slopes(const learn_layer *l, learn_pass *p, const float *dy, size_t rows,
                         const float *inner, float *slopes)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP;
    p->net->multiply(&(learn_product){.rows = rows,
                                      .columns = wide,
                                      .terms = l->width,
                                      .a = dy,
                                      .a_row = l->width,
                                      .a_term = 1,
                                      .b = p->turned + l->weights + (l->width + 1) * wide,
                                      .b_term = wide,
                                      .c = slopes,
                                      .c_row = step});
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < wide; j++)
            slopes[i * step + j] = inner[i * step + j] > 0 ? slopes[i * step + j] : 0;
}

/* What a tile adds to the slopes of the weights. `x` and `dy` have `width` numbers a row. */
static void weight_slopes(const learn_layer *l, learn_pass *p, const float *x, const float *dy,
                          size_t rows, const float *inner, const float *slopes)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    float *w1 = p->slopes + l->weights, *b1 = w1 + width * wide, *w2 = b1 + wide;
    float *b2 = w2 + wide * width;
    p->net->multiply(&(learn_product){.rows = width,
                                      .columns = wide,
                                      .terms = rows,
                                      .a = x,
                                      .a_row = 1,
                                      .a_term = width,
                                      .b = slopes,
                                      .b_term = step,
                                      .c = w1,
                                      .c_row = wide,
                                      .add = true});
    p->net->multiply(&(learn_product){.rows = wide,
                                      .columns = width,
                                      .terms = rows,
                                      .a = inner,
                                      .a_row = 1,
                                      .a_term = step,
                                      .b = dy,
                                      .b_term = width,
                                      .c = w2,
                                      .c_row = width,
                                      .add = true});
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < wide; j++)
            b1[j] += slopes[i * step + j];
        for (size_t j = 0; j < width; j++)
            b2[j] += dy[i * width + j];
    }
}

void learn_feed_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    size_t total = p->count * l->rows;
    float *inner = p->scratch, *slopes = p->scratch + TILE * step;
    (void)y;
    (void)kept;
    memcpy(dx, dy, total * width * sizeof *dx);
    for (size_t at = 0; at < total; at += TILE) {
        size_t rows = total - at < TILE ? total - at : TILE, from = at * width;
        make_inner(l, p, x + from, rows, inner);
        inner_slopes(l, p, dy + from, rows, inner, slopes);
        learn_round(p->net->shape.activations, rows, wide, step, inner);
        weight_slopes(l, p, x + from, dy + from, rows, inner, slopes);
        p->net->multiply(&(learn_product){.rows = rows,
                                          .columns = width,
                                          .terms = wide,
                                          .a = slopes,
                                          .a_row = step,
                                          .a_term = 1,
                                          .b = p->turned + l->weights,
                                          .b_term = width,
                                          .c = dx + from,
                                          .c_row = width,
                                          .add = true});
    }
}
