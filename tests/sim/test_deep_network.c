/* SPDX-License-Identifier: MIT */
/* Defect 890. A network of 8 encoder layers, which its rules allow, had more layers and matrices
 * than there was room for, and wrote beyond it. Has the largest network the weights that its shape
 * says? */
#include "testing.h"

#include "memsweep/sim/net.h"

static msw_net_shape deepest(void)
{
    msw_net_shape shape = {.kind = MSW_NET_TRANSFORMER,
                           .tokens = 4,
                           .features = MSW_NET_FEATURES,
                           .layers = 8,
                           .heads = 2,
                           .feed = 8,
                           .attention = MSW_NET_FULL,
                           .rounds = 2,
                           .buckets = 2,
                           .pooled = true,
                           .hidden = 4,
                           .classes = 5,
                           .seed = 1};
    for (int f = 0; f < MSW_NET_FEATURES; f++)
        shape.values[f] = 3, shape.widths[f] = 1;
    return shape;
}

static void the_largest_network_fits(void **state)
{
    (void)state;
    enum { WIDTH = MSW_NET_FEATURES, FEED = 8, CLASSES = 5 };
    msw_net_shape shape = deepest();
    msw_arena arena = {0};
    msw_err err = {0};
    msw_net_size size;
    assert_ok(msw_net_measure(&shape, &size, &err), err);
    /* Four projections, two layers of the feed and two norms an encoder, all with their biases. */
    uint64_t encoder = 4 * (WIDTH * WIDTH + WIDTH) + (WIDTH * FEED + FEED) +
                       (FEED * WIDTH + WIDTH) + 2 * 2 * WIDTH;
    assert_int_equal(size.weights, 3 * MSW_NET_FEATURES + 8 * encoder + WIDTH * CLASSES + CLASSES);
    assert_non_null(msw_net_new(&shape, 2, &arena, &err));
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_largest_network_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
