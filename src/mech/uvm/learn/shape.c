/* SPDX-License-Identifier: MIT */
/* The network that a predictor is: its shape, and what its numbers take. */
#include "mech/uvm/learn/network.h"

uint64_t uvm_batches_of(const uvm_learner *p, int64_t visits)
{
    return msw_div_up((uint64_t)visits, (uint64_t)p->batch) * (uint64_t)p->batch;
}

double uvm_number_bytes(int64_t numbers)
{
    return numbers >= MSW_NET_SCALED ? 0.5 : 4;
}

bool uvm_bypassed(const uvm_learner *p, const uvm_network *n)
{
    return n->learned && (double)n->dominant >= p->bypass * (double)n->learned;
}

/* The delta's part of the width is its own; the others share what is left evenly, the first of them
 * get what does not divide. */
static void share_width(const uvm_learner *p, uint32_t count, bool delta, uint32_t *widths)
{
    uint32_t width = (uint32_t)p->width, first = delta ? (uint32_t)p->delta_width : 0;
    uint32_t others = count - delta, at = 0;
    if (delta)
        widths[at++] = others ? first : width;
    for (uint32_t i = 0; i < others; i++)
        widths[at++] = (width - first) / others + (i < (width - first) % others);
}

/* The numbers that a table of a network has: with words to be added as many as there may be. */
static uint32_t room_of(const uvm_learner *p, const uvm_words *words)
{
    size_t most = uvm_words_room(p, words);
    return (uint32_t)most + 1;
}

msw_net_shape uvm_net_shape_of(const uvm_learner *p, const uvm_network *n)
{
    unsigned features = uvm_features_of(p);
    msw_net_shape s = {.kind = (msw_net_kind)p->network,
                       .tokens = UVM_TOKENS,
                       .layers = (uint32_t)p->layers,
                       .heads = (uint32_t)p->heads,
                       .feed = (uint32_t)p->feed,
                       .attention = uvm_bypassed(p, n) ? MSW_NET_NO_ATTENTION
                                                       : (msw_net_attention)p->attention,
                       .shared = p->shared,
                       .rounds = (uint32_t)p->rounds,
                       .buckets = (uint32_t)p->buckets,
                       .far = p->far,
                       .near = p->near,
                       .pooled = p->pooled,
                       .hidden = (uint32_t)p->hidden,
                       .classes = room_of(p, &n->words.labels),
                       .numbers = (msw_net_numbers)p->numbers,
                       .activations = (msw_net_numbers)p->activations,
                       .seed = n->seed};
    for (int f = 0; f < UVM_FEATURES; f++)
        if (features >> f & 1)
            s.values[s.features++] = room_of(p, &n->words.of[f]);
    share_width(p, s.features, features & 1u << UVM_F_DELTA, s.widths);
    return s;
}
