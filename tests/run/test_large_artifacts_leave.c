/* SPDX-License-Identifier: MIT */
/* Defect 400. Does an artifact above 1 MiB leave a worker's window after the point, stay in the
 * shared cache while nothing new is built, and go when memory is short? A window used to pin 64 of
 * any size. */
#include "run/artifact.h"
#include "testing.h"

enum { SMALL = 1000, LARGE = 2 << 20, LIMIT = 3 << 20 };

typedef struct request {
    uint64_t number;
    size_t bytes;
    int *builds;
} request;

static int build(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                 msw_err *err)
{
    (void)task;
    const request *r = extra;
    ++*r->builds;
    *root = msw_arena_zero(arena, 1, r->bytes);
    return *root ? 0 : msw_fail_memory(err);
}

static void get(msw_window *window, uint64_t number, size_t bytes, int *builds)
{
    request r = {number, bytes, builds};
    const void *root;
    void *handle;
    msw_err err = {0};
    msw_digest key = msw_hash_bytes(&number, sizeof number);
    assert_ok(msw_window_get(window, key, build, NULL, &r, &root, &handle, &err), err);
}

static void large_ones_leave_small_ones_stay(void **state)
{
    (void)state;
    int builds = 0;
    msw_window window = {.shared = msw_artifacts_new(LIMIT)};
    get(&window, 1, SMALL, &builds);
    for (uint64_t number = 10; number < 20; number++) {
        get(&window, number, LARGE, &builds);
        msw_window_settle(&window);
    }
    assert_int_equal(builds, 11);
    get(&window, 19, LARGE, &builds); /* built last: still there */
    get(&window, 1, SMALL, &builds);
    assert_int_equal(builds, 11);
    get(&window, 10, LARGE, &builds);
    assert_int_equal(builds, 12);
    msw_artifacts *shared = window.shared;
    msw_window_close(&window);
    msw_artifacts_free(shared);
}

/* Two that exceed the limit together, by turns: each is built once. */
static void nothing_goes_while_nothing_comes(void **state)
{
    (void)state;
    int builds = 0;
    msw_window window = {.shared = msw_artifacts_new(LIMIT)};
    for (int point = 0; point < 10; point++) {
        get(&window, 1, LARGE, &builds);
        get(&window, 2, LARGE, &builds);
        msw_window_settle(&window);
    }
    assert_int_equal(builds, 2);
    msw_artifacts *shared = window.shared;
    msw_window_close(&window);
    msw_artifacts_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_ones_leave_small_ones_stay),
        cmocka_unit_test(nothing_goes_while_nothing_comes),
    };
    return cmocka_run_group_tests_name("large_artifacts_leave", tests, NULL, NULL);
}
