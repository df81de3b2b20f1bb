/* SPDX-License-Identifier: MIT */
/* From a shape to layers, weights and counts. */
#include "sim/learn/layer.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <math.h>

typedef struct plan {
    msw_net *net;
    msw_net_size size;
    size_t rows, width; /* of what the next layer reads */
} plan;

static size_t add_matrix(plan *p, size_t rows, size_t columns, double spread, float start)
{
    msw_net *net = p->net;
    size_t at = net->weight_count;
    net->matrices[net->matrix_count++] = (learn_matrix){at, rows, columns, spread, start};
    net->weight_count += rows * columns;
    return at;
}

/* A matrix and its row of biases. */
static size_t add_linear(plan *p, size_t in, size_t out)
{
    double spread = 1 / sqrt((double)in);
    size_t at = add_matrix(p, in, out, spread, 0);
    add_matrix(p, 1, out, spread, 0);
    p->size.products += p->rows * in * out;
    return at;
}

static learn_layer *add_layer(plan *p, learn_fn forward, learn_back_fn backward, size_t made,
                              size_t rows_made)
{
    learn_layer *l = &p->net->layers[p->net->layer_count++];
    *l = (learn_layer){.forward = forward,
                       .backward = backward,
                       .rows = p->rows,
                       .width = p->width,
                       .made = made,
                       .in = p->rows * p->width,
                       .out = rows_made * made,
                       .weights = p->net->weight_count};
    p->size.outputs += l->out;
    p->rows = rows_made;
    p->width = made;
    return l;
}

static void plan_embedding(plan *p)
{
    const msw_net_shape *shape = &p->net->shape;
    p->rows = shape->tokens;
    p->width = 0;
    for (uint32_t f = 0; f < shape->features; f++)
        p->width += shape->widths[f];
    add_layer(p, learn_embed, learn_embed_back, p->width, p->rows)->drops = true;
    for (uint32_t f = 0; f < shape->features; f++)
        add_matrix(p, shape->values[f], shape->widths[f], -1, 0);
    p->size.outputs += p->rows * p->width; /* positions */
}

static void plan_linear(plan *p, size_t made, bool bent)
{
    p->width *= p->rows;
    p->rows = 1;
    learn_layer *l = add_layer(p, learn_linear, learn_linear_back, made, 1);
    l->bent = l->drops = bent;
    l->scratch = l->made;
    add_linear(p, l->width, made);
}

static void plan_norm(plan *p)
{
    learn_layer *l = add_layer(p, learn_norm, learn_norm_back, p->width, p->rows);
    l->kept = l->rows * (l->width + 1);
    add_matrix(p, 1, l->width, 0, 1);
    add_matrix(p, 1, l->width, 0, 0);
}

static void plan_attention(plan *p, uint32_t number)
{
    const msw_net_shape *shape = &p->net->shape;
    learn_layer *l = add_layer(p, learn_attend, learn_attend_back, p->width, p->rows);
    size_t cells = l->rows * l->rows, block = l->in, projections = shape->shared ? 3 : 4;
    l->number = number;
    l->kept = projections * block + shape->heads * cells;
    l->scratch = projections * block + block + cells;
    for (size_t i = 0; i < projections; i++)
        add_linear(p, l->width, l->width);
    p->size.outputs += (projections - 1) * block;
    p->size.products += 2 * cells * l->width;
    p->size.dots += shape->heads * cells;
    p->size.compares += shape->heads * shape->rounds * (l->rows / 2) * l->rows +
                        block * shape->rounds * (shape->buckets / 2);
}

static void plan_feed(plan *p)
{
    const msw_net_shape *shape = &p->net->shape;
    learn_layer *l = add_layer(p, learn_feed, learn_feed_back, p->width, p->rows);
    l->scratch = 0; /* of a pass, not of a sequence: net.c */
    add_linear(p, l->width, shape->feed);
    add_linear(p, shape->feed, l->width);
    p->size.outputs += l->rows * shape->feed;
}

static void plan_encoder(plan *p)
{
    const msw_net_shape *shape = &p->net->shape;
    for (uint32_t n = 0; n < shape->layers; n++) {
        if (shape->attention != MSW_NET_NO_ATTENTION) {
            plan_attention(p, n);
            plan_norm(p);
        }
        plan_feed(p);
        plan_norm(p);
        p->net->layers[p->net->layer_count - 1].drops = true;
    }
}

static void plan_lstm(plan *p)
{
    size_t hidden = p->net->shape.hidden, rows = p->rows, width = p->width;
    learn_layer *l = add_layer(p, learn_lstm, learn_lstm_back, hidden, 1);
    l->kept = rows * 7 * hidden;
    l->drops = true;
    l->scratch = 2 * hidden;
    p->rows = rows;
    add_linear(p, width, 4 * hidden);
    add_matrix(p, hidden, 4 * hidden, 1 / sqrt((double)hidden), 0);
    p->size.products += rows * hidden * 4 * hidden;
    p->rows = 1;
}

static void plan_convolution(plan *p)
{
    learn_layer *l =
        add_layer(p, learn_convolve, learn_convolve_back, p->net->shape.hidden, p->rows);
    l->kept = 3 * l->in;
    l->drops = true;
    l->scratch = l->out + 3 * l->in;
    add_linear(p, 3 * l->width, l->made);
}

static void plan_body(plan *p)
{
    const msw_net_shape *shape = &p->net->shape;
    switch (shape->kind) {
    case MSW_NET_TRANSFORMER:
        plan_encoder(p);
        break;
    case MSW_NET_MLP:
        plan_linear(p, shape->hidden, true);
        plan_linear(p, shape->hidden, true);
        break;
    case MSW_NET_LSTM:
        plan_lstm(p);
        break;
    case MSW_NET_CNN:
        plan_convolution(p);
        plan_convolution(p);
        break;
    default:
        break;
    }
    if (shape->pooled && p->rows > 1)
        add_layer(p, learn_pool, learn_pool_back, p->width, 1);
}

static int check(const msw_net_shape *s, msw_err *err)
{
    uint64_t width = 0;
    for (uint32_t f = 0; f < s->features && f < MSW_NET_FEATURES; f++)
        width += s->widths[f];
    if (!s->tokens || s->tokens > MSW_NET_TOKENS || !s->features || s->features > MSW_NET_FEATURES)
        return msw_fail(err, "a network takes 1 to %d tokens of 1 to %d features", MSW_NET_TOKENS,
                        MSW_NET_FEATURES);
    if (s->kind != MSW_NET_TRANSFORMER)
        return 0;
    if (s->layers > 8 || !s->heads || width % s->heads)
        return msw_fail(err,
                        "an encoder of %u layers and %u heads of %llu numbers: at most 8 layers, "
                        "and heads that divide the numbers",
                        s->layers, s->heads, (unsigned long long)width);
    if (s->attention >= MSW_NET_LSH &&
        (!s->rounds || s->rounds > 64 || s->buckets < 2 || s->buckets > 64 || s->buckets % 2))
        return msw_fail(err, "hashing takes 1 to 64 rounds and an even number of 2 to 64 buckets");
    return 0;
}

int learn_lay_out(msw_net *net, msw_net_size *size, msw_err *err)
{
    plan p = {.net = net};
    if (check(&net->shape, err))
        return -1;
    plan_embedding(&p);
    plan_body(&p);
    plan_linear(&p, net->shape.classes, false);
    p.size.weights = net->weight_count;
    if (size)
        *size = p.size;
    return 0;
}

int msw_net_measure(const msw_net_shape *shape, msw_net_size *size, msw_err *err)
{
    msw_net net = {.shape = *shape};
    return learn_lay_out(&net, size, err);
}

/* ---- constants ---- */

static float *positions(const learn_layer *l, msw_arena *arena)
{
    float *made = msw_arena_take(arena, l->in * sizeof *made);
    for (size_t t = 0; made && t < l->rows; t++)
        for (size_t j = 0; j < l->width; j++) {
            double exponent = (double)(j - j % 2) / (double)l->width;
            double angle = (double)t / msw_math_pow(10000, exponent);
            made[t * l->width + j] = (float)(j % 2 ? msw_math_cos(angle) : msw_math_sin(angle));
        }
    return made;
}

/* Drawn head by head, round by round, number by number; kept so that for a number of a head all
 * rounds lie side by side. */
static size_t place_in(const msw_net_shape *shape, size_t width, size_t i)
{
    size_t half = shape->buckets / 2, bucket = i % half, number = i / half % width;
    size_t round = i / half / width % shape->rounds, head = i / half / width / shape->rounds;
    return ((head * width + number) * shape->rounds + round) * half + bucket;
}

static int rotations(const msw_net *net, learn_layer *l, msw_arena *arena)
{
    const msw_net_shape *shape = &net->shape;
    size_t count = l->width * shape->rounds * (shape->buckets / 2), half = l->rows / 2;
    float *made = msw_arena_take(arena, count * sizeof *made);
    uint32_t *drawn = msw_arena_take(arena, (shape->heads * half + 1) * sizeof *drawn);
    msw_rng rng;
    if (!made || !drawn)
        return -1;
    msw_rng_init(&rng, shape->seed, 1000 + l->number);
    for (size_t i = 0; i < count; i++)
        made[place_in(shape, l->width / shape->heads, i)] = (float)msw_rng_normal(&rng);
    for (uint32_t h = 0; h < shape->heads; h++)
        for (size_t i = 0; i < half; i++)
            drawn[h * half + i] =
                (uint32_t)msw_permute(i, l->rows, shape->seed + l->number * 64 + h);
    l->constant = made;
    l->drawn = drawn;
    return 0;
}

int learn_make_constants(msw_net *net, msw_arena *arena, msw_err *err)
{
    for (size_t i = 0; i < net->layer_count; i++) {
        learn_layer *l = &net->layers[i];
        if (l->forward == learn_embed && !(l->constant = positions(l, arena)))
            return msw_fail_memory(err);
        if (l->forward == learn_attend && rotations(net, l, arena))
            return msw_fail_memory(err);
    }
    return 0;
}
