/* SPDX-License-Identifier: MIT */
/* Defect 620. Is the NPU that goes on always the one with the least time? An NPU that is given
 * pages may have to write its table for longer than it would have waited: it becomes later, not
 * earlier. */
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include "memsweep/base/rng.h"

enum { MOST = 64, STEPS = 2000 };

static uint32_t least_of(const camdn_system *s)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < s->count; i++)
        least = s->npus[i].time < s->npus[least].time ? i : least;
    return least;
}

static void try_count(uint32_t count)
{
    static camdn_npu npus[MOST];
    uint64_t heap[2 * MOST];
    camdn_system s = {.npus = npus, .order.heap = heap, .count = count};
    msw_rng rng;
    s.order.leaves = (uint32_t)camdn_heap_keys(count) / 2;
    assert_true(camdn_heap_keys(count) <= sizeof heap / sizeof *heap);
    msw_rng_init(&rng, 620, count);
    for (uint32_t i = 0; i < count; i++)
        npus[i].time = msw_rng_u32(&rng) % 100;
    camdn_heap_settle(&s);
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(camdn_heap_first(&s), least_of(&s));
        uint32_t who = msw_rng_u32(&rng) % count;
        npus[who].time = step % 17 ? msw_rng_u32(&rng) % 100 : UINT64_MAX;
        camdn_heap_update(&s, who);
    }
}

static void the_first_one_is_first(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= MOST; count++)
        try_count(count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_one_is_first)};
    return cmocka_run_group_tests_name("camdn_heap", tests, NULL, NULL);
}
