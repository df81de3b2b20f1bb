/* SPDX-License-Identifier: MIT */
/* Does whoever waits for a build help it, are all numbers done once, and are the bits the same on
 * any number of threads? */
#include "direct.h"
#include "mech/null/instrument.h"
#include "run/artifact.h"
#include "run/pool.h"
#include "testing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { NUMBERS = 64, THREADS = 3 };

typedef struct work {
    msw_help help;
    atomic_int times[NUMBERS];
    pthread_t builder;
    atomic_int helped; /* numbers done by others than the builder */
    atomic_bool over;
} work;

static void do_number(void *context, size_t i)
{
    work *w = context;
    atomic_fetch_add(&w->times[i], 1);
    bool other = !pthread_equal(pthread_self(), w->builder);
    atomic_fetch_add(&w->helped, other);
    /* The builder holds its first number until somebody has helped. */
    while (!other && !atomic_load(&w->helped))
        msw_nap(0.001);
}

static void *wait_for_it(void *context)
{
    work *w = context;
    msw_lock_take(w->help.lock);
    while (!atomic_load(&w->over))
        msw_help_wait(&w->help, 0.01);
    msw_lock_give(w->help.lock);
    return NULL;
}

static int waiting(work *w)
{
    msw_lock_take(w->help.lock);
    int count = w->help.waiting;
    msw_lock_give(w->help.lock);
    return count;
}

static void waiting_threads_help(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    work w = {.help = {.lock = msw_lock_new(), .news = msw_signal_new()}};
    w.builder = pthread_self();
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, wait_for_it, &w), 0);
    while (!waiting(&w))
        msw_nap(0.001);
    msw_help_each(&w.help, NUMBERS, do_number, &w);
    for (int i = 0; i < NUMBERS; i++)
        assert_int_equal(w.times[i], 1);
    assert_true(w.helped > 0);
    atomic_store(&w.over, true);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    msw_signal_free(w.help.news);
    msw_lock_free(w.help.lock);
}

/* ---- a long build, as null's ---- */

typedef struct stop_after {
    int batches;
    msw_text saved;
} stop_after;

static int stop(void *context, msw_flatten_fn save, const void *state, msw_err *err)
{
    stop_after *s = context;
    if (--s->batches > 0)
        return 0;
    msw_text_clear(&s->saved);
    return save(state, &s->saved, err) ? -1 : msw_fail(err, "interrupted");
}

/* Builds with a stop after so many batches, again and again, from what was saved. */
static void learn(int batches, msw_text *bytes)
{
    null_config config = {.train_batches = 50};
    msw_task task = {.config = &config, .stream = 99};
    stop_after s = {0};
    const void *root = NULL;
    int rc;
    do {
        msw_err err = {0};
        msw_arena arena = {0};
        msw_build_help help = {.context = &s, .pause = stop};
        help.saved = s.saved.size ? s.saved.data : NULL;
        help.saved_size = s.saved.size;
        s.batches = batches;
        task.help = &help;
        rc = null_build_trained(&task, NULL, &arena, &root, &err);
        if (rc == 0)
            assert_int_equal(null_flatten_trained(root, bytes, NULL), 0);
        msw_arena_free(&arena);
    } while (rc);
    msw_text_free(&s.saved);
}

static void stopped_builds_give_the_same(void **state)
{
    (void)state;
    static const int BATCHES[] = {1, 7, 49, 50};
    msw_text whole = MSW_TEXT_EMPTY;
    learn(1000, &whole);
    for (size_t i = 0; i < sizeof BATCHES / sizeof *BATCHES; i++) {
        msw_text bytes = MSW_TEXT_EMPTY;
        learn(BATCHES[i], &bytes);
        assert_int_equal(bytes.size, whole.size);
        assert_memory_equal(bytes.data, whole.data, whole.size);
        msw_text_free(&bytes);
    }
    msw_text_free(&whole);
}

/* Bytes of another length, of more batches than there are, or none, are not taken. */
static void bytes_are_checked(void **state)
{
    (void)state;
    null_config config = {.train_batches = 10};
    msw_task task = {.config = &config};
    msw_arena arena = {0};
    const void *root;
    msw_text bytes = MSW_TEXT_EMPTY;
    learn(1000, &bytes);
    assert_int_equal(null_unflatten_trained(&task, bytes.data, bytes.size, &arena, &root, NULL),
                     -1);
    config.train_batches = 50;
    for (size_t size = 0; size < bytes.size; size += 17)
        assert_int_equal(null_unflatten_trained(&task, bytes.data, size, &arena, &root, NULL), -1);
    assert_int_equal(null_unflatten_trained(&task, bytes.data, bytes.size, &arena, &root, NULL), 0);
    msw_arena_free(&arena);
    msw_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_threads_help),
        cmocka_unit_test(stopped_builds_give_the_same),
        cmocka_unit_test(bytes_are_checked),
    };
    return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
