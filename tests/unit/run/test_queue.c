/* SPDX-License-Identifier: MIT */
/* Does every wanted point come out exactly once, whatever the order and the sizes asked for? */
#include "memsweep/base/rng.h"
#include "memsweep/run/queue.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 3 * 1000 };

static void drain(const msw_schedule *order, const uint64_t *bitmap, uint64_t wanted, uint64_t step)
{
    unsigned char seen[POINTS] = {0};
    msw_queue queue;
    msw_range range;
    uint64_t out = 0;
    msw_queue_init(&queue, order, bitmap, wanted);
    while (msw_queue_take(&queue, step, &range)) {
        uint64_t here = 0;
        for (uint64_t p = range.first; p < range.end; p++) {
            uint64_t index = msw_schedule_index(order, p);
            if (!msw_queue_wants(&queue, index))
                continue;
            assert_int_equal(seen[index]++, 0);
            here++;
        }
        assert_int_equal(here, range.wanted);
        assert_true(here <= step);
        out += here;
    }
    assert_int_equal(out, wanted);
}

static void every_point_once(void **state)
{
    (void)state;
    static const size_t BLOCKS[] = {2, 0, 1};
    uint64_t bitmap[POINTS / 64 + 1] = {0}, wanted = 0;
    for (uint64_t i = 0; i < POINTS; i++) {
        bool want = i > 700 && i % 7 != 3;
        bitmap[i / 64] |= (uint64_t)want << (i % 64);
        wanted += want;
    }
    for (uint64_t shuffle = 0; shuffle < 2; shuffle++) {
        for (size_t blocks = 1; blocks <= 3; blocks += 2) {
            msw_schedule order = {POINTS, POINTS / blocks, blocks, BLOCKS, shuffle};
            for (uint64_t step = 1; step < 5000; step = step * 3 + 1) {
                drain(&order, NULL, POINTS, step);
                drain(&order, bitmap, wanted, step);
            }
        }
    }
}

static void dearest_block_first(void **state)
{
    (void)state;
    static const size_t BLOCKS[] = {1, 0};
    msw_schedule order = {10, 5, 2, BLOCKS, 0};
    assert_int_equal(msw_schedule_index(&order, 0), 5);
    assert_int_equal(msw_schedule_index(&order, 5), 0);
    assert_int_equal(msw_schedule_index(&order, 9), 4);
}

static void shares(void **state)
{
    (void)state;
    assert_int_equal(msw_queue_share(1000000, 2, 1e-6, 0.05, 2048), 2048);
    assert_int_equal(msw_queue_share(1000000, 2, 1e-3, 0.05, 2048), 50);
    assert_int_equal(msw_queue_share(80, 2, 1e-3, 0.05, 2048), 10);
    assert_int_equal(msw_queue_share(3, 2, 1e-3, 0.05, 2048), 1);
    assert_int_equal(msw_queue_share(1000, 2, 10, 0.05, 2048), 1);
    assert_int_equal(msw_queue_share(1000, 2, 0, 0.05, 64), 64);
}

static void a_range_can_be_walked_elsewhere(void **state)
{
    (void)state;
    uint64_t bitmap[2] = {0xF0F0, 1};
    const size_t block = 0;
    msw_schedule order = {70, 70, 1, &block, 0};
    msw_queue here, there;
    msw_range range, part;
    msw_queue_init(&here, &order, bitmap, 9);
    msw_queue_init(&there, &order, bitmap, 0);
    assert_false(msw_queue_take(&there, 1, &part));
    assert_true(msw_queue_take(&here, 6, &range));
    msw_queue_load(&there, &range);
    assert_true(msw_queue_take(&there, 4, &part));
    assert_int_equal(part.first, 4);
    assert_int_equal(part.end, 8);
    assert_true(msw_queue_take(&there, 100, &part));
    assert_int_equal(part.wanted, 2);
    assert_int_equal(part.end, range.end);
    assert_false(msw_queue_take(&there, 1, &part));
}

static void grants_are_small_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(msw_grant_size(1000000, 64, 4, 1e-3, 1), 4000);
    assert_int_equal(msw_grant_size(1000000, 64, 4, 0, 1), 4);
    assert_int_equal(msw_grant_size(2560, 64, 1, 1e-3, 1), 10);
    assert_int_equal(msw_grant_size(10, 64, 1, 1e-3, 1), 1);
    assert_int_equal(msw_grant_size(1, 1, 1, 100, 1), 1);
    assert_int_equal(msw_grant_size(UINT64_C(1) << 50, 1, 1, 1e-12, 1), 1 << 22);
}

static void pace_follows(void **state)
{
    (void)state;
    msw_pace pace = {0};
    assert_near(msw_pace_read(&pace, 7), 7, 0);
    msw_pace_add(&pace, 10, 10);
    assert_near(msw_pace_read(&pace, 7), 1, 1e-12);
    for (int i = 0; i < 60; i++)
        msw_pace_add(&pace, 1e-3, 100);
    assert_near(msw_pace_read(&pace, 7), 1e-5, 1e-12);
    msw_pace_add(&pace, 0, 0);
    assert_near(msw_pace_read(&pace, 7), 1e-5, 1e-12);
}

/* One slow point after many cheap ones says what the next will take, done or not. */
static void pace_slows_at_once(void **state)
{
    (void)state;
    msw_pace pace = {0};
    msw_pace_at_least(&pace, 0);
    assert_near(msw_pace_read(&pace, 7), 7, 0);
    for (int i = 0; i < 60; i++)
        msw_pace_add(&pace, 1e-3, 2000);
    msw_pace_add(&pace, 0.5, 1);
    assert_near(msw_pace_read(&pace, 7), 0.5, 1e-12);
    msw_pace_at_least(&pace, 3);
    assert_near(msw_pace_read(&pace, 7), 3, 1e-12);
    msw_pace_add(&pace, 1e-3, 2000);
    assert_near(msw_pace_read(&pace, 7), 1.5, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_once),
        cmocka_unit_test(dearest_block_first),
        cmocka_unit_test(shares),
        cmocka_unit_test(a_range_can_be_walked_elsewhere),
        cmocka_unit_test(grants_are_small_at_the_end),
        cmocka_unit_test(pace_follows),
        cmocka_unit_test(pace_slows_at_once),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
