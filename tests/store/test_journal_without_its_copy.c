/* SPDX-License-Identifier: MIT */
/* Defect 785. A power failure may leave the journal of a scratch copy whose file is gone. It
 * stayed, and SQLite would have played it back into the next copy that was put at that name. */
#include "scratch_fixture.h"
#include "store/state.h"
#include "testing.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

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

static void run(const toy_plan *toy, uint64_t rows, bool finish)
{
    msw_err err = {0};
    msw_scratch *s;
    msw_store *store;
    int64_t sweep, id;
    msw_todo todo;
    assert_ok(msw_scratch_open(files.path, files.scratch, false, NULL, &s, &store, &err), err);
    assert_ok(msw_store_add_sweep(store, &toy->plan, &sweep, &err), err);
    assert_ok(msw_todo_find(store, &toy->plan, sweep, false, toy_key, (void *)toy, &todo, &err),
              err);
    msw_todo_free(&todo);
    assert_ok(msw_store_begin_run(store, sweep, &TOY_RUN, &id, &err), err);
    assert_ok(scratch_write_range(store, toy, sweep, id, 0, rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    if (finish)
        assert_ok(msw_scratch_finish(s, &err), err);
    msw_scratch_close(s);
}

/* The path of a file in the folder of the copy. */
static void path_of(const char *name, char path[400])
{
    DIR *dir = opendir(files.scratch);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            snprintf(path, 400, "%s/%.200s/%s", files.scratch, entry->d_name, name);
    closedir(dir);
}

static void a_journal_without_its_copy_is_removed(void **state)
{
    (void)state;
    toy_plan toy;
    char copy[400], journal[400];
    toy_plan_init(&toy, "toy", 20, 1);
    run(&toy, 20, false);
    path_of("x.db", copy);
    path_of("x.db-journal", journal);
    FILE *out = fopen(journal, "wb");
    assert_non_null(out);
    assert_true(fputs("what was there before", out) >= 0 && fclose(out) == 0);
    assert_int_equal(unlink(copy), 0);
    run(&toy, 20, true);
    assert_int_not_equal(access(journal, F_OK), 0);
    assert_int_not_equal(rmdir(files.scratch), -1); /* nothing is left in it */
    toy_plan_free(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_journal_without_its_copy_is_removed)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
