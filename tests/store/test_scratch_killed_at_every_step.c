/* SPDX-License-Identifier: MIT */
/* Defect 003. Is no committed row lost, and is nothing left lying about, when a run with a scratch
 * folder is killed just before any of its changes to the disk, and is every next run able to go
 * on? Every second step of a first run is tried, every fifth of a later one, every 15th of taking
 * up what another left; MEMSWEEP_KILLS=all tries all. */
#include "scratch_fixture.h"
#include "store/state.h"
#include "testing.h"

#include "kill_at.h"

#include <dirent.h>
#include <unistd.h>

enum { POINTS = 60, BEFORE = 20 };

static scratch_fixture files;

static int make_folder(void **state)
{
    (void)state;
    return scratch_fixture_make(&files);
}

static int remove_folder(void **state)
{
    (void)state;
    return scratch_fixture_remove(&files);
}

/* Opens by way of the scratch folder, writes rows in two parts with a copy in between, copies back.
 * Returns 0, or the number of the step that failed. */
static int run_once(const toy_plan *toy, uint64_t last, int report, msw_err *err)
{
    msw_scratch *s;
    msw_store *store;
    int64_t sweep, run;
    msw_todo todo;
    if (msw_scratch_open(files.path, files.scratch, false, NULL, &s, &store, err))
        return 1;
    if (msw_store_add_sweep(store, &toy->plan, &sweep, err) ||
        msw_todo_find(store, &toy->plan, sweep, false, toy_key, (void *)toy, &todo, err) ||
        msw_store_begin_run(store, sweep, &TOY_RUN, &run, err))
        return 2;
    uint64_t first = todo.answered, half = first + (last > first ? (last - first) / 2 : 0);
    msw_todo_free(&todo);
    if (scratch_write_range(store, toy, sweep, run, first, half, err))
        return 3;
    if (report >= 0 && write(report, &half, sizeof half) != sizeof half)
        return 4;
    if (msw_scratch_publish(s, store, err))
        return 5;
    if (half < last && scratch_write_range(store, toy, sweep, run, half, last, err))
        return 6;
    if (report >= 0 && write(report, &last, sizeof last) != sizeof last)
        return 7;
    int rc = msw_store_end_run(store, run, "finished", err) || msw_store_close(store, err) ||
             msw_scratch_finish(s, err);
    msw_scratch_close(s);
    return rc ? 8 : 0;
}

static int child(void *context, int report)
{
    msw_err err = {0};
    int step = run_once(context, POINTS, report, &err);
    if (step)
        fprintf(stderr, "%s\n", err.text);
    return step;
}

static uint64_t digest_rows(msw_digest *digest)
{
    msw_store *store;
    msw_err err = {0};
    uint64_t rows = 0;
    assert_ok(msw_store_open(files.path, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, "toy", digest, &rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    return rows;
}

static int count_names(const char *where)
{
    int count = 0;
    DIR *dir = opendir(where);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* What the killed run had committed is found by the next, which writes nothing itself. */
static void check_after(const toy_plan *toy, uint64_t safe, msw_digest whole)
{
    msw_err err = {0};
    msw_digest digest;
    assert_ok(run_once(toy, 0, -1, &err), err);
    assert_true(digest_rows(&digest) >= safe);
    assert_ok(run_once(toy, POINTS, -1, &err), err);
    assert_int_equal(digest_rows(&digest), POINTS);
    assert_true(msw_digest_equal(digest, whole));
    assert_int_equal(count_names(files.scratch), 0);
    assert_int_equal(count_names(files.folder), 2);
}

static long step_of(long usual)
{
    const char *kills = getenv("MEMSWEEP_KILLS");
    return kills && strcmp(kills, "all") == 0 ? 1 : usual;
}

static void kill_everywhere(uint64_t before)
{
    toy_plan toy;
    msw_err err = {0};
    msw_digest whole;
    toy_plan_init(&toy, "toy", POINTS, 1);
    scratch_fixture_empty(&files);
    assert_ok(run_once(&toy, POINTS, -1, &err), err);
    assert_int_equal(digest_rows(&whole), POINTS);
    bool ended = false;
    long n = before ? 2 : 1;
    for (; !ended; n += step_of(before ? 5 : 2)) {
        uint64_t safe = before;
        scratch_fixture_empty(&files);
        if (before)
            assert_ok(run_once(&toy, before, -1, &err), err);
        ended = kill_at(n, child, &toy, &safe);
        check_after(&toy, safe, whole);
    }
    assert_true(n > 50);
    toy_plan_free(&toy);
}

static void a_first_run_killed_at_every_step(void **state)
{
    (void)state;
    kill_everywhere(0);
}

static void a_later_run_killed_at_every_step(void **state)
{
    (void)state;
    kill_everywhere(BEFORE);
}

/* A second kill, while the rows of the first are being taken up. */
static void taking_up_killed_at_every_step(void **state)
{
    (void)state;
    toy_plan toy;
    msw_err err = {0};
    msw_digest whole;
    toy_plan_init(&toy, "toy", POINTS, 1);
    scratch_fixture_empty(&files);
    assert_ok(run_once(&toy, POINTS, -1, &err), err);
    digest_rows(&whole);
    bool ended = false;
    for (long n = 1; !ended; n += step_of(15)) {
        uint64_t safe = BEFORE;
        scratch_fixture_empty(&files);
        assert_ok(run_once(&toy, BEFORE, -1, &err), err);
        for (long first = 40; !kill_at(first, child, &toy, &safe) && safe <= BEFORE; first += 9)
            ;
        ended = kill_at(n, child, &toy, &safe);
        check_after(&toy, safe, whole);
    }
    toy_plan_free(&toy);
}

int main(void)
{
    const char *only = getenv("ONLY");
    if (only)
        cmocka_set_test_filter(only);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_run_killed_at_every_step),
        cmocka_unit_test(a_later_run_killed_at_every_step),
        cmocka_unit_test(taking_up_killed_at_every_step),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
