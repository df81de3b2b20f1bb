/* SPDX-License-Identifier: MIT */
/* Does the event queue give back the earliest event, equal times in the order pushed? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/event.h"
#include "testing.h"

#include <stdlib.h>

static void sorts_stably(void **state)
{
    (void)state;
    enum { N = 5000 };
    msw_event_queue queue;
    void *memory = malloc(msw_event_bytes(N));
    msw_event_init(&queue, N, memory);
    msw_rng rng;
    msw_rng_init(&rng, 1, 1);
    for (uint64_t i = 0; i < N; i++)
        assert_true(msw_event_push(&queue, msw_rng_below(&rng, 100), i));
    msw_event last = {0}, event;
    for (int i = 0; i < N; i++) {
        assert_true(msw_event_pop(&queue, &event));
        assert_true(i == 0 || event.time > last.time ||
                    (event.time == last.time && event.data > last.data));
        last = event;
    }
    assert_false(msw_event_pop(&queue, &event));
    free(memory);
}

/* Interleaved pushes and pops, against a plain search of an array. */
static void agrees_with_search(void **state)
{
    (void)state;
    enum { N = 64, STEPS = 20000 };
    uint64_t memory[N * 3], times[N];
    size_t order[N], count = 0, pushed = 0;
    msw_event_queue queue;
    assert_true(sizeof memory >= msw_event_bytes(N));
    msw_event_init(&queue, N, memory);
    msw_rng rng;
    msw_rng_init(&rng, 2, 1);
    for (int step = 0; step < STEPS; step++) {
        if (count < N && (count == 0 || msw_rng_below(&rng, 2))) {
            times[count] = msw_rng_below(&rng, 30);
            order[count] = pushed;
            assert_true(msw_event_push(&queue, times[count++], pushed++));
            continue;
        }
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (times[i] < times[best] || (times[i] == times[best] && order[i] < order[best]))
                best = i;
        msw_event event;
        assert_int_equal(msw_event_next(&queue), times[best]);
        assert_true(msw_event_pop(&queue, &event));
        assert_int_equal(event.data, order[best]);
        times[best] = times[--count];
        order[best] = order[count];
    }
}

static void refuses_when_full(void **state)
{
    (void)state;
    uint64_t memory[6];
    msw_event_queue queue;
    msw_event_init(&queue, 2, memory);
    assert_int_equal(msw_event_next(&queue), UINT64_MAX);
    assert_true(msw_event_push(&queue, 5, 0));
    assert_true(msw_event_push(&queue, 3, 1));
    assert_false(msw_event_push(&queue, 1, 2));
    assert_int_equal(msw_event_next(&queue), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_stably),
        cmocka_unit_test(agrees_with_search),
        cmocka_unit_test(refuses_when_full),
    };
    return cmocka_run_group_tests_name("sim event", tests, NULL, NULL);
}
