/* SPDX-License-Identifier: MIT */
/* The feed-forward layer with its residual, and the rounding of activations: y = x + relu(x W1 +
 * b1) W2 + b2.
 *
 * The wide inner row is never kept: forward and backward go tile by tile of tokens, and backward
 * makes it again, so that it stays in the cache.
 *
 * Activations are rounded to few numbers, their slopes go straight through the rounding. A row is a
 * token. */
#include "sim/learn/layer.h"

#include <string.h>

#define LEAST_UNIT 1e-30f /* smaller units count as 0 */
enum { MOST = 7 };

/* The unit of a row whose largest size is known; 0: it is not rounded. */
static float learn_unit(msw_net_numbers numbers, float largest)
{
    float unit = numbers == MSW_NET_SCALED ? largest / MOST : 1;
    return numbers >= MSW_NET_SCALED && unit > LEAST_UNIT ? unit : 0;
}

void learn_round(const learn_loops *loops, msw_net_numbers numbers, size_t rows, size_t width,
                 float *x)
{
    if (numbers == MSW_NET_FLOAT)
        return;
    for (size_t i = 0; i < rows; i++, x += width) {
        float unit = learn_unit(numbers, loops->clamp(width, x));
        if (unit > 0)
            loops->round(width, unit, x);
    }
}

enum { TILE = LEARN_FEED_TILE };

/* [tile][inner], with a gap that spreads rows over the sets of a cache. `units` gets what rows are
 * rounded to, 0: nothing. */
static void make_inner(const learn_layer *l, learn_pass *p, const float *x, size_t rows,
                       float *inner, float *units)
{
    const learn_loops *loops = p->net->loops;
    msw_net_numbers numbers = p->net->shape.activations;
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP;
    const float *w1 = p->weights + l->weights;
    loops->multiply(&(learn_product){.rows = rows,
                                     .columns = wide,
                                     .terms = l->width,
                                     .a = x,
                                     .a_row = l->width,
                                     .a_term = 1,
                                     .b = w1,
                                     .b_term = wide,
                                     .c = inner,
                                     .c_row = step,
                                     .start = w1 + l->width * wide});
    for (size_t i = 0; i < rows; i++)
        units[i] =
            learn_unit(numbers, loops->bend(wide, numbers != MSW_NET_FLOAT, inner + i * step));
}

/* By tiles of rows, so that the inner rows, which are wider, stay in the cache; the way back makes
 * them again rather than keep them. */
void learn_feed(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    size_t w2 = l->weights + (width + 1) * wide, total = p->count * l->rows;
    const float *b2 = p->weights + w2 + wide * width;
    float units[TILE];
    (void)kept;
    for (size_t at = 0; at < total; at += TILE, x += TILE * width, y += TILE * width) {
        size_t rows = total - at < TILE ? total - at : TILE;
        make_inner(l, p, x, rows, p->scratch, units);
        for (size_t i = 0; i < rows; i++) {
            if (units[i] > 0)
                p->net->loops->round(wide, units[i], p->scratch + i * step);
            for (size_t j = 0; j < width; j++)
                y[i * width + j] = x[i * width + j] + b2[j];
        }
        p->net->loops->multiply(&(learn_product){.rows = rows,
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

/* The slopes of the inner rows, from those of the outer ones; then the inner rows are rounded. */
static void inner_slopes(const learn_layer *l, learn_pass *p, const float *dy, size_t rows,
                         const float *units, float *inner, float *slopes)
{
    const learn_loops *loops = p->net->loops;
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP;
    loops->multiply(&(learn_product){.rows = rows,
                                     .columns = wide,
                                     .terms = l->width,
                                     .a = dy,
                                     .a_row = l->width,
                                     .a_term = 1,
                                     .b = p->turned + l->weights + (l->width + 1) * wide,
                                     .b_term = wide,
                                     .c = slopes,
                                     .c_row = step});
    for (size_t i = 0; i < rows; i++, inner += step, slopes += step) {
        loops->keep(wide, inner, slopes);
        if (units[i] > 0)
            loops->round(wide, units[i], inner);
    }
}

/* What a tile adds to the slopes of the weights, those of W2 turned: vectors run over the inner
 * row. `x` and `dy` have `width` numbers a row. */
static void weight_slopes(const learn_layer *l, learn_pass *p, const float *x, const float *dy,
                          size_t rows, const float *inner, const float *slopes, float *turned)
{
    const learn_loops *loops = p->net->loops;
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    float *w1 = p->slopes + l->weights, *b1 = w1 + width * wide, *b2 = b1 + wide + wide * width;
    learn_product both = {.rows = width,
                          .columns = wide,
                          .terms = rows,
                          .a = x,
                          .a_row = 1,
                          .a_term = width,
                          .b = slopes,
                          .b_term = step,
                          .c = w1,
                          .c_row = wide,
                          .add = true};
    loops->multiply(&both);
    both.a = dy;
    both.b = inner;
    both.c = turned;
    loops->multiply(&both);
    for (size_t i = 0; i < rows; i++) {
        loops->add(wide, slopes + i * step, b1);
        for (size_t j = 0; j < width; j++)
            b2[j] += dy[i * width + j];
    }
}

static void add_turned(const learn_layer *l, learn_pass *p, const float *turned)
{
    size_t wide = p->net->shape.feed, width = l->width;
    float *w2 = p->slopes + l->weights + (width + 1) * wide;
    for (size_t k = 0; k < wide; k++)
        for (size_t j = 0; j < width; j++)
            w2[k * width + j] += turned[j * wide + k];
}

void learn_feed_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx)
{
    size_t wide = p->net->shape.feed, step = wide + LEARN_FEED_GAP, width = l->width;
    size_t total = p->count * l->rows;
    float *inner = p->scratch, *slopes = p->scratch + TILE * step, units[TILE];
    float *turned = slopes + TILE * step;
    (void)y;
    (void)kept;
    memcpy(dx, dy, total * width * sizeof *dx);
    memset(turned, 0, width * wide * sizeof *turned);
    for (size_t at = 0; at < total; at += TILE) {
        size_t rows = total - at < TILE ? total - at : TILE, from = at * width;
        make_inner(l, p, x + from, rows, inner, units);
        inner_slopes(l, p, dy + from, rows, units, inner, slopes);
        weight_slopes(l, p, x + from, dy + from, rows, inner, slopes, turned);
        p->net->loops->multiply(&(learn_product){.rows = rows,
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
    add_turned(l, p, turned);
}
