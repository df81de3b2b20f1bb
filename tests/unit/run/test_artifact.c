/* SPDX-License-Identifier: MIT */
/* Is an artifact built once per key however many ask at once, shared, let go when memory is short,
 * and is a failure told to everybody? */
#include "run/artifact.h"
#include "run/pool.h"
#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef struct request {
    atomic_int *builds;
    uint64_t value;
    size_t bytes;
    bool fail;
} request;

static int build(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                 msw_err *err)
{
    (void)task;
    const request *r = extra;
    atomic_fetch_add(r->builds, 1);
    msw_nap(0.002);
    if (r->fail)
        return msw_fail(err, "cannot build %llu", (unsigned long long)r->value);
    uint64_t *value = msw_arena_zero(arena, 1, r->bytes ? r->bytes : sizeof *value);
    *value = r->value;
    *root = value;
    return 0;
}

static int get(msw_window *window, const request *r, const uint64_t **value, msw_err *err)
{
    const void *root = NULL;
    void *handle;
    msw_digest key = msw_hash_bytes(&r->value, sizeof r->value);
    int rc = msw_window_get(window, key, build, NULL, r, &root, &handle, err);
    *value = root;
    return rc;
}

enum { THREADS = 4, KEYS = 200 };

typedef struct job {
    msw_artifacts *shared;
    atomic_int *builds;
    atomic_int *wrong;
} job;

static void *ask_for_all(void *context)
{
    job *j = context;
    msw_window window = {.shared = j->shared};
    for (uint64_t key = 0; key < KEYS; key++) {
        request r = {j->builds, key, 0, false};
        const uint64_t *value;
        if (get(&window, &r, &value, NULL) || *value != key)
            atomic_fetch_add(j->wrong, 1);
        msw_window_settle(&window);
    }
    msw_window_close(&window);
    return NULL;
}

static void built_once_for_all_threads(void **state)
{
    (void)state;
    atomic_int builds = 0, wrong = 0;
    pthread_t threads[THREADS];
    job j = {msw_artifacts_new(0), &builds, &wrong};
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, ask_for_all, &j), 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    assert_int_equal(builds, KEYS);
    assert_int_equal(wrong, 0);
    msw_artifacts_free(j.shared);
}

/* 1 MB each under a limit of 10 MB: early keys are gone once another is built, and built again when
 * asked for, but what a point holds stays, however many it asks for. */
static void memory_is_bounded(void **state)
{
    (void)state;
    atomic_int builds = 0;
    msw_artifacts *shared = msw_artifacts_new(10e6);
    msw_window window = {.shared = shared};
    const uint64_t *values[KEYS], *value;
    for (uint64_t key = 0; key < KEYS; key++) {
        request r = {&builds, key, 1000000, false};
        assert_int_equal(get(&window, &r, &values[key], NULL), 0);
    }
    for (uint64_t key = 0; key < KEYS; key++)
        assert_int_equal(*values[key], key);
    msw_window_close(&window);
    request another = {&builds, KEYS, 1000000, false}, first = {&builds, 0, 1000000, false};
    assert_int_equal(get(&window, &another, &value, NULL), 0);
    assert_int_equal(get(&window, &first, &value, NULL), 0);
    assert_int_equal(*value, 0);
    assert_int_equal(builds, KEYS + 2);
    msw_window_close(&window);
    msw_artifacts_free(shared);
}

static void failure_is_told_and_kept(void **state)
{
    (void)state;
    atomic_int builds = 0;
    msw_artifacts *shared = msw_artifacts_new(0);
    msw_window window = {.shared = shared};
    request r = {&builds, 7, 0, true};
    const uint64_t *value;
    for (int i = 0; i < 3; i++) {
        msw_err err = {0};
        assert_int_equal(get(&window, &r, &value, &err), -1);
        assert_string_equal(err.text, "cannot build 7");
    }
    assert_int_equal(builds, 1);
    msw_window_close(&window);
    msw_artifacts_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_once_for_all_threads),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(failure_is_told_and_kept),
    };
    return cmocka_run_group_tests_name("artifact", tests, NULL, NULL);
}
