/* How fast do networks learn and answer? Prints visits of samples (forward, backward, Adam) and
 * answers a second of one processor; asserts nothing. */
#include "bench.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/net.h"

#include <stdlib.h>

enum { BATCH = 128, BATCHES = 12 };

static uint32_t fetch(const void *source, uint64_t sample, uint32_t *tokens)
{
    const msw_net_shape *shape = source;
    msw_rng rng;
    msw_rng_init(&rng, 1, sample);
    for (uint32_t i = 0; i < shape->tokens * shape->features; i++)
        tokens[i] = (uint32_t)msw_rng_below(&rng, shape->values[i % shape->features]);
    return tokens[0] % shape->classes;
}

static void bench(const char *name, const msw_net_shape *shape)
{
    msw_arena arena = {0};
    msw_err err;
    uint64_t samples[BATCH];
    msw_net_answer answers[BATCH];
    msw_net_training how = {.batch = BATCH, .rate = 1e-3};
    msw_net *net = msw_net_new(shape, BATCH, &arena, &err);
    if (!net)
        exit(1);
    for (uint64_t i = 0; i < BATCH; i++)
        samples[i] = i;
    double start = bench_seconds();
    for (int b = 0; b < BATCHES; b++)
        msw_net_learn(net, &how, samples, BATCH, fetch, shape, msw_net_alone);
    double learned = BATCHES * BATCH / (bench_seconds() - start);
    start = bench_seconds();
    for (int b = 0; b < BATCHES; b++)
        msw_net_ask(net, samples, BATCH, fetch, shape, msw_net_alone, answers);
    printf("%-32s %8.0f visits/s %8.0f answers/s\n", name, learned,
           BATCHES * BATCH / (bench_seconds() - start));
    msw_arena_free(&arena);
}

int main(void)
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
    bench("revised, 356 classes", &revised);
    revised.classes = 512;
    bench("revised, 512 classes", &revised);
    mid.widths[0] = mid.widths[1] = 24;
    mid.feed = 192;
    bench("mid, 356 classes", &mid);
    wide.widths[0] = wide.widths[1] = 100;
    wide.layers = 2;
    wide.heads = 4;
    wide.attention = MSW_NET_FULL;
    wide.shared = false;
    bench("unconstrained, 356 classes", &wide);
    mid.kind = MSW_NET_LSTM;
    bench("LSTM of 64", &mid);
    return 0;
}
