/* SPDX-License-Identifier: MIT */
/* How fast do networks learn and answer? Visits of samples (forward, backward, Adam) and
 * answers a second of one processor. */
#include "section.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/net.h"

enum { BATCH = 128 };

static uint32_t fetch(const void *source, uint64_t sample, uint32_t *tokens)
{
    const msw_net_shape *shape = source;
    msw_rng rng;
    msw_rng_init(&rng, 1, sample);
    for (uint32_t i = 0; i < shape->tokens * shape->features; i++)
        tokens[i] = (uint32_t)msw_rng_below(&rng, shape->values[i % shape->features]);
    return tokens[0] % shape->classes;
}

static void learn(bench *b, const char *name, const msw_net_shape *shape)
{
    int batches = (int)bench_set(b, "batches");
    msw_arena arena = {0};
    msw_err err;
    uint64_t samples[BATCH];
    msw_net_answer answers[BATCH];
    msw_net_training how = {.batch = BATCH, .rate = 1e-3};
    msw_net *net = msw_net_new(shape, BATCH, &arena, &err);
    if (!net)
        bench_fail(b, "%s", err.text);
    for (uint64_t i = 0; i < BATCH; i++)
        samples[i] = i;
    double start = bench_seconds();
    for (int i = 0; i < batches; i++)
        msw_net_learn(net, &how, samples, BATCH, fetch, shape, msw_net_alone);
    bench_rate(b, batches * BATCH, bench_seconds() - start, "%s: visits", name);
    start = bench_seconds();
    for (int i = 0; i < batches; i++)
        msw_net_ask(net, samples, BATCH, fetch, shape, msw_net_alone, answers);
    bench_rate(b, batches * BATCH, bench_seconds() - start, "%s: answers", name);
    msw_arena_free(&arena);
}

void section_net(bench *b)
{
    msw_net_shape revised = {.tokens = 30,
                             .features = 2,
                             .values = {357, 10},
                             .widths = {4, 8},
                             .layers = 1,
                             .heads = 1,
                             .feed = 1024,
                             .attention = MSW_NET_HLSH,
                             .shared = true,
                             .rounds = 8,
                             .buckets = 8,
                             .far = 0.9,
                             .near = 0.1,
                             .classes = 356,
                             .hidden = 64,
                             .numbers = MSW_NET_SCALED};
    msw_net_shape mid = revised, wide = revised;
    learn(b, "revised, 356 classes", &revised);
    revised.classes = 512;
    learn(b, "revised, 512 classes", &revised);
    revised.activations = MSW_NET_SCALED;
    learn(b, "revised, 512 classes, activations of 4 bits", &revised);
    mid.widths[0] = mid.widths[1] = 24;
    mid.feed = 192;
    learn(b, "mid, 356 classes", &mid);
    wide.widths[0] = wide.widths[1] = 100;
    wide.layers = 2;
    wide.heads = 4;
    wide.attention = MSW_NET_FULL;
    wide.shared = false;
    learn(b, "unconstrained, 356 classes", &wide);
    mid.kind = MSW_NET_LSTM;
    learn(b, "LSTM of 64", &mid);
}
