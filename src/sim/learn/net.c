/* SPDX-License-Identifier: MIT */
/* Networks: memory, first weights, and their bytes. */
#include "sim/learn/layer.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/flat.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

static void alone(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context)
{
    (void)self;
    for (size_t i = 0; i < n; i++)
        fn(context, i);
}

const msw_net_each msw_net_alone = {alone, NULL};

/* ---- memory ---- */

static size_t pass_scratch(const msw_net *net, size_t most)
{
    size_t feed = net->shape.feed, largest = 2 * LEARN_FEED_TILE * (feed + LEARN_FEED_GAP);
    largest += feed * net->layers[0].made; /* of tokens: slopes of W2 */
    for (size_t i = 0; i < net->layer_count; i++) {
        size_t mine = net->layers[i].scratch * most +
                      net->layers[i].rows * (net->layers[i].width + net->layers[i].rows);
        largest = mine > largest ? mine : largest;
    }
    return largest;
}

static int pass_init(msw_net *net, learn_pass *p, size_t most, msw_arena *arena)
{
    const msw_net_shape *shape = &net->shape;
    size_t widest = 0;
    *p = (learn_pass){.net = net, .most = most, .weights = net->used, .turned = net->turned};
    p->tokens = msw_arena_take(arena, most * shape->tokens * shape->features * sizeof *p->tokens);
    p->labels = msw_arena_take(arena, most * sizeof *p->labels);
    p->scratch = msw_arena_take(arena, pass_scratch(net, most) * sizeof(float));
    if (!p->tokens || !p->labels || !p->scratch)
        return -1;
    for (size_t i = 0; i < net->layer_count; i++) {
        const learn_layer *l = &net->layers[i];
        p->values[i + 1] = msw_arena_take(arena, l->out * most * sizeof(float));
        p->kept[i] = msw_arena_take(arena, (l->kept * most + 1) * sizeof(float));
        widest = l->in > widest ? l->in : widest;
        if (!p->values[i + 1] || !p->kept[i])
            return -1;
    }
    for (int i = 0; i < 2; i++)
        if (!(p->errors[i] = msw_arena_take(arena, widest * most * sizeof(float))))
            return -1;
    return 0;
}

static int take_memory(msw_net *net, msw_arena *arena)
{
    size_t count = net->weight_count, most = msw_div_up(net->batch, MSW_NET_CHUNKS);
    float **vectors[] = {&net->weights, &net->used, &net->turned, &net->mean, &net->square};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = msw_arena_zero(arena, count, sizeof(float))))
            return -1;
    for (size_t c = 0; c < MSW_NET_CHUNKS; c++)
        if (pass_init(net, &net->chunks[c], most, arena))
            return -1;
    return 0;
}

/* A stream of random numbers of its own for each matrix. */
static void first_weights(msw_net *net)
{
    for (size_t m = 0; m < net->matrix_count; m++) {
        const learn_matrix *x = &net->matrices[m];
        msw_rng rng;
        msw_rng_init(&rng, net->shape.seed, m);
        for (size_t i = 0; i < x->rows * x->columns; i++)
            net->weights[x->at + i] = x->spread < 0 ? (float)msw_rng_normal(&rng)
                                      : x->spread == 0
                                          ? x->start
                                          : (float)(x->spread * (2 * msw_rng_uniform(&rng) - 1));
    }
}

msw_net *msw_net_new(const msw_net_shape *shape, uint32_t batch, msw_arena *arena, msw_err *err)
{
    msw_net *net = msw_arena_zero(arena, 1, sizeof *net);
    if (!net) {
        msw_fail_memory(err);
        return NULL;
    }
    net->shape = *shape;
    net->batch = batch;
    net->decay[0] = net->decay[1] = 1;
    net->loops = learn_loops_best();
    for (size_t i = 1; i < sizeof net->logs / sizeof *net->logs; i++)
        net->logs[i] = msw_math_log((double)i);
    if (learn_lay_out(net, NULL, err) || learn_make_constants(net, arena, err))
        return NULL;
    net->slopes = msw_arena_take(arena, MSW_NET_CHUNKS * net->weight_count * sizeof(float));
    if (!net->slopes || take_memory(net, arena)) {
        msw_fail_memory(err);
        return NULL;
    }
    first_weights(net);
    learn_use_weights(net, msw_net_alone);
    return net;
}

/* ---- watching ---- */

void msw_net_watch(msw_net *net)
{
    net->watch = true;
    net->watched = (msw_net_watched){0};
}

msw_net_watched msw_net_seen(const msw_net *net)
{
    msw_net_watched seen = net->watched;
    if (seen.sequences > 0) {
        seen.dots /= seen.sequences;
        seen.largest /= seen.sequences;
    }
    return seen;
}

/* ---- bytes ---- */

static void add_vector(msw_text *bytes, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        uint32_t word[2] = {0, 0};
        memcpy(&word[0], &numbers[i], sizeof word[0]);
        if (i + 1 < count)
            memcpy(&word[1], &numbers[i + 1], sizeof word[1]);
        msw_flat_add_u64(bytes, word[0] | (uint64_t)word[1] << 32);
    }
}

/* NaN and infinity are refused: no training writes them. */
static bool take_vector(msw_flat *flat, float *numbers, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i += 2) {
        uint64_t both = msw_flat_u64(flat);
        uint32_t word[2] = {(uint32_t)both, (uint32_t)(both >> 32)};
        memcpy(&numbers[i], &word[0], sizeof word[0]);
        if (i + 1 < count)
            memcpy(&numbers[i + 1], &word[1], sizeof word[1]);
        good = good && isfinite(numbers[i]) && (i + 1 == count || isfinite(numbers[i + 1]));
    }
    return good;
}

void msw_net_flatten(const msw_net *net, bool moments, msw_text *bytes)
{
    msw_flat_add_u64(bytes, net->weight_count);
    msw_flat_add_u64(bytes, net->batches);
    add_vector(bytes, net->weights, net->weight_count);
    if (!moments)
        return;
    msw_flat_add_real(bytes, net->decay[0]);
    msw_flat_add_real(bytes, net->decay[1]);
    add_vector(bytes, net->mean, net->weight_count);
    add_vector(bytes, net->square, net->weight_count);
}

int msw_net_unflatten(msw_net *net, bool moments, const char *bytes, size_t size, msw_err *err)
{
    msw_flat flat = msw_flat_open(bytes, size);
    size_t vector = (net->weight_count + 1) / 2 * 8, wanted = 16 + vector;
    if (moments)
        wanted += 16 + 2 * vector;
    if (size != wanted || msw_flat_u64(&flat) != net->weight_count)
        return msw_fail(err, "not the weights of this network");
    net->batches = msw_flat_u64(&flat);
    bool good = take_vector(&flat, net->weights, net->weight_count);
    if (moments) {
        net->decay[0] = msw_flat_real(&flat);
        net->decay[1] = msw_flat_real(&flat);
        good = good && take_vector(&flat, net->mean, net->weight_count) &&
               take_vector(&flat, net->square, net->weight_count);
    }
    if (!good || !msw_flat_done(&flat))
        return msw_fail(err, "not the weights of this network");
    learn_use_weights(net, msw_net_alone);
    return 0;
}
