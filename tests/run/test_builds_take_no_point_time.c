/* SPDX-License-Identifier: MIT */
/* Defect 401. Is time spent in building what points share left out of a point's own? A slow build
 * used to make every point that waited for it a timeout. */
#include "memsweep/base/clock.h"
#include "memsweep/mech/mechanism.h"
#include "run/artifact.h"
#include "run/pool.h"
#include "testing.h"

#define BUILD_SECONDS 0.003

static int build(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                 msw_err *err)
{
    (void)task, (void)arena, (void)err;
    msw_nap(BUILD_SECONDS);
    *root = extra;
    return 0;
}

static void building_is_excused(void **state)
{
    (void)state;
    msw_window window = {.shared = msw_artifacts_new(0)};
    msw_artifacts *shared = window.shared;
    const void *root;
    void *handle;
    msw_err err = {0};
    msw_digest key = msw_hash_string("slow");
    assert_ok(msw_window_get(&window, key, build, NULL, "root", &root, &handle, &err), err);
    assert_true(window.excused_ns >= (int64_t)(BUILD_SECONDS * 1e9));
    msw_window_close(&window);
    msw_artifacts_free(shared);
}

static void deadlines_are_put_off(void **state)
{
    (void)state;
    int64_t excused = 0, now = (int64_t)(msw_now() * 1e9), hour = 3600000000000;
    msw_task task = {.deadline_ns = now - hour, .excused_ns = &excused};
    assert_true(msw_task_expired(&task));
    excused = 2 * hour;
    assert_false(msw_task_expired(&task));
    task.deadline_ns = 0;
    assert_false(msw_task_expired(&task));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(building_is_excused),
        cmocka_unit_test(deadlines_are_put_off),
    };
    return cmocka_run_group_tests_name("builds_take_no_point_time", tests, NULL, NULL);
}
