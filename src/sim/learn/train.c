/* SPDX-License-Identifier: MIT */
/* Learning: a batch in chunks, their slopes summed in order, Adam (Kingma and Ba 2015):
 *   m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g^2;  w -= rate (m / (1 - 0.9^n)) / (sqrt(v / (1 -
 * 0.999^n)) + 1e-8) and the answers of a network. Weights that are quantised keep their fine
 * values, too: slopes go straight through the rounding. */
#include "sim/learn/layer.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

enum { SLICE = 16384 };
#define FIRST_DECAY  0.9f
#define SECOND_DECAY 0.999f
#define CLAMP        8.0f

const learn_loops *learn_loops_best(void)
{
    const learn_loops *wide = learn_loops_avx2(), *widest = learn_loops_avx512();
    return widest ? widest : wide ? wide : &learn_loops_base;
}

/* ---- weights as they are used ---- */

static void quantise(msw_net *net, const learn_matrix *m)
{
    size_t count = m->rows * m->columns;
    float step = net->shape.numbers == MSW_NET_INTEGERS
                     ? 1
                     : net->loops->largest(count, net->weights + m->at) / 7;
    net->loops->quantise(count, step, net->weights + m->at, net->used + m->at);
}

static void use_matrix(void *context, size_t i)
{
    msw_net *net = context;
    const learn_matrix *m = &net->matrices[i];
    const float *from = net->used + m->at;
    if (net->shape.numbers >= MSW_NET_SCALED)
        quantise(net, m);
    else
        memcpy(net->used + m->at, net->weights + m->at, m->rows * m->columns * sizeof(float));
    if (m->rows == 1 || m->spread < 0)
        return;
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->columns; c++)
            net->turned[m->at + c * m->rows + r] = from[r * m->columns + c];
}

void learn_use_weights(msw_net *net, msw_net_each each)
{
    each.call(each.self, net->matrix_count, use_matrix, net);
}

/* ---- a batch ---- */

typedef struct batch {
    msw_net *net;
    const uint64_t *samples;
    uint32_t count;
    msw_net_fetch fetch;
    const void *source;
    msw_net_answer *answers;
    learn_step step;
    double drop;
} batch;

/* The samples of a chunk: as many in each, but for the first ones. Returns the first of them. */
static uint32_t take_samples(const batch *b, size_t chunk)
{
    learn_pass *p = &b->net->chunks[chunk];
    const msw_net_shape *shape = &b->net->shape;
    uint32_t first = (uint32_t)(chunk * b->count / MSW_NET_CHUNKS);
    uint32_t end = (uint32_t)((chunk + 1) * b->count / MSW_NET_CHUNKS);
    p->count = end - first;
    p->loss = p->dots = p->largest = 0;
    p->watch = b->net->watch;
    p->drop = b->drop;
    p->first = first;
    for (uint32_t i = first; i < end; i++)
        p->labels[i - first] =
            b->fetch(b->source, b->samples[i],
                     p->tokens + (size_t)(i - first) * shape->tokens * shape->features);
    return first;
}

static void learn_chunk(void *context, size_t chunk)
{
    const batch *b = context;
    learn_pass *p = &b->net->chunks[chunk];
    p->slopes = b->net->slopes + chunk * b->net->weight_count;
    memset(p->slopes, 0, b->net->weight_count * sizeof *p->slopes);
    take_samples(b, chunk);
    if (!p->count)
        return;
    learn_forward(p);
    learn_loss(p, b->count);
    learn_backward(p);
}

static void sum_chunks(const msw_net *net, size_t first, size_t end)
{
    float *sum = net->slopes;
    for (size_t c = 1; c < MSW_NET_CHUNKS; c++)
        net->loops->add(end - first, net->slopes + c * net->weight_count + first, sum + first);
}

static void move_slice(void *context, size_t slice)
{
    const batch *b = context;
    msw_net *net = b->net;
    size_t first = slice * SLICE, end = first + SLICE;
    end = end < net->weight_count ? end : net->weight_count;
    sum_chunks(net, first, end);
    net->loops->move(&b->step, end - first, net->slopes + first, net->mean + first,
                     net->square + first, net->weights + first);
    for (size_t i = first; i < end && net->shape.numbers != MSW_NET_FLOAT; i++) {
        float w = net->weights[i];
        net->weights[i] = w > CLAMP ? CLAMP : w < -CLAMP ? -CLAMP : w;
    }
}

double msw_net_learn(msw_net *net, const msw_net_training *how, const uint64_t *samples,
                     uint32_t count, msw_net_fetch fetch, const void *source, msw_net_each each)
{
    batch b = {.net = net,
               .samples = samples,
               .count = count,
               .fetch = fetch,
               .source = source,
               .drop = how->drop};
    double loss = 0;
    each.call(each.self, MSW_NET_CHUNKS, learn_chunk, &b);
    net->decay[0] *= (double)FIRST_DECAY;
    net->decay[1] *= (double)SECOND_DECAY;
    b.step = (learn_step){(float)how->rate, (float)(1 / (1 - net->decay[0])),
                          (float)(1 / (1 - net->decay[1]))};
    each.call(each.self, msw_div_up(net->weight_count, SLICE), move_slice, &b);
    learn_use_weights(net, each);
    net->batches++;
    for (size_t c = 0; c < MSW_NET_CHUNKS; c++)
        loss += net->chunks[c].loss;
    return loss / count;
}

/* ---- answers ---- */

/* The likeliest classes; of equals the first. */
static void rank(const float *scores, uint32_t classes, uint32_t *best)
{
    uint32_t held = 0;
    for (uint32_t k = 0; k < classes; k++) {
        if (held == MSW_NET_BEST && scores[k] <= scores[best[held - 1]])
            continue;
        uint32_t at = held < MSW_NET_BEST ? held++ : held - 1;
        for (; at > 0 && scores[k] > scores[best[at - 1]]; at--)
            best[at] = best[at - 1];
        best[at] = k;
    }
    for (; held < MSW_NET_BEST; held++)
        best[held] = UINT32_MAX;
}

static void ask_chunk(void *context, size_t chunk)
{
    const batch *b = context;
    learn_pass *p = &b->net->chunks[chunk];
    uint32_t first = take_samples(b, chunk), classes = b->net->shape.classes;
    if (!p->count)
        return;
    learn_forward(p);
    for (size_t i = 0; i < p->count; i++) {
        msw_net_answer *answer = &b->answers[first + i];
        answer->label = p->labels[i];
        rank(p->values[b->net->layer_count] + i * classes, classes, answer->best);
    }
}

void msw_net_ask(msw_net *net, const uint64_t *samples, uint32_t count, msw_net_fetch fetch,
                 const void *source, msw_net_each each, msw_net_answer *answers)
{
    batch b = {.net = net,
               .samples = samples,
               .count = count,
               .fetch = fetch,
               .source = source,
               .answers = answers};
    each.call(each.self, MSW_NET_CHUNKS, ask_chunk, &b);
    for (size_t c = 0; c < MSW_NET_CHUNKS && net->watch; c++) {
        net->watched.sequences += (double)net->chunks[c].count;
        net->watched.dots += net->chunks[c].dots;
        net->watched.largest += net->chunks[c].largest;
    }
}
