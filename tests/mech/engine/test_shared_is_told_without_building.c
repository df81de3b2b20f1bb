/* SPDX-License-Identifier: MIT */
/* Does the digest of what a point shares differ where, and only where, something else is built? A
 * plan counted a build for every point that was tried, and costs were 4 to 30 times too high. */
#include "memsweep/base/map.h"
#include "memsweep/mech/engine.h"
#include "sweep_testing.h"

static size_t count_different(const char *text)
{
    msw_plan *plan = plan_of(text);
    msw_pointer *pointer;
    msw_metric_map map;
    msw_map seen = {0};
    msw_point point;
    msw_task task;
    msw_err err = {0};
    uint64_t *value;
    assert_ok(msw_metric_map_init(&map, plan->mech, &err), err);
    assert_ok(msw_pointer_new(plan, &pointer, &err), err);
    for (uint64_t i = 0; i < plan->points; i++) {
        assert_ok(msw_pointer_at(pointer, i, false, &point, &err), err);
        msw_point_task(plan, &point, &task);
        task.map = &map;
        assert_ok(msw_map_add(&seen, msw_mech_shared(&task).lo, &value, &err), err);
    }
    size_t count = seen.count;
    msw_map_free(&seen);
    msw_pointer_free(pointer);
    msw_plan_free(plan);
    return count;
}

static void counts_are_of_levels_that_builds_depend_on(void **state)
{
    (void)state;
    /* the workload alone */
    assert_int_equal(count_different(HEAD "vary: {x1: [0, 0.5, 1], gain: [1, 2]}\n"), 1);
    /* 0 terms need no sum */
    assert_int_equal(count_different(HEAD "vary: {x1: [0, 0.5, 1], terms: [0, 5, 9]}\n"), 3);
    assert_int_equal(count_different(HEAD "vary: {x1: [0, 1], synth.units: [8, 16]}\n"), 2);
    assert_int_equal(count_different(HEAD "corpus: [synth/even]\n"
                                          "vary: {terms: [5, 9], train_batches: [2, 4]}\n"),
                     4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_of_levels_that_builds_depend_on)};
    return cmocka_run_group_tests_name("shared_is_told_without_building", tests, NULL, NULL);
}
