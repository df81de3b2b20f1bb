/* SPDX-License-Identifier: MIT */
/* Dropout: while learning, a number of a layer's output is 0 with a probability of `drop`, and
 * 1 / (1 - drop) times as large otherwise. Which ones is drawn by counter: of the seed, the batch,
 * the sequence's place in it, the layer and the number, so that no thread matters. */
#include "sim/learn/layer.h"

#include "memsweep/base/hash.h"

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
