/* SPDX-License-Identifier: MIT */
/* Defect 008. Rows of a run go to a shard while a program reads the database. Killed just before
 * any change to the disk, does the run leave a shard that the next one takes up, with every
 * committed row? And a file of somebody else of that name: is it refused, and left as it is? */
#include "memsweep/base/clock.h"
#include "store_fixture.h"
#include "testing.h"

#include "kill_at.h"

#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 40, BEFORE = 10 };

static char folder[64], path[100], shard[100], journal[120];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/memsweep-shard-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/x.db", folder);
    snprintf(shard, sizeof shard, "%s/x.db.shard", folder);
    snprintf(journal, sizeof journal, "%s-journal", shard);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void empty_folder(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -f %s*", path);
    assert_int_equal(system(command), 0);
}

static int write_range(const toy_plan *toy, uint64_t first, uint64_t last, bool read_for_long,
                       msw_err *err)
{
    msw_store *store;
    int64_t sweep, run;
    if (msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, err))
        return 1;
    if (!read_for_long && (msw_store_add_sweep(store, &toy->plan, &sweep, err) ||
                           msw_store_begin_run(store, sweep, &TOY_RUN, &run, err)))
        return 2;
    sweep = run = 1; /* a reader is in the way of new ones */
    msw_batch *batch = toy_batch(toy);
    for (uint64_t i = first; i < last; i++)
        toy_row(toy, batch, i, MSW_OK);
    if (read_for_long)
        store->commits.busy_since = msw_now() - 3600;
    int rc = msw_store_write(store, &toy->plan, sweep, run, batch, err);
    if (read_for_long)
        store->commits.busy_since = msw_now() - 3600;
    rc = rc || msw_store_commit(store, err) ? 3 : 0;
    msw_batch_free(batch);
    if (rc)
        return rc;
    /* The shard is merged when its reader has gone: not here. */
    return read_for_long ? 0 : msw_store_close(store, err);
}

static int child(void *context, int report)
{
    msw_err err = {0};
    uint64_t safe = POINTS;
    int step = write_range(context, BEFORE, POINTS, true, &err);
    if (step)
        fprintf(stderr, "%s\n", err.text);
    return step || write(report, &safe, sizeof safe) != sizeof safe;
}

/* Holds a read lock as a program in the middle of a query does. */
static sqlite3 *start_reading(sqlite3_stmt **stmt)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT * FROM points_toy", -1, stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(*stmt), SQLITE_ROW);
    return db;
}

static uint64_t rows_after(const toy_plan *toy)
{
    msw_store *store;
    msw_err err = {0};
    msw_digest digest;
    uint64_t rows = 0;
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_ok(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, toy->plan.name, &digest, &rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    return rows;
}

static void begin(toy_plan *toy)
{
    msw_err err = {0};
    empty_folder();
    toy_plan_init(toy, "toy", POINTS, 1);
    assert_ok(write_range(toy, 0, BEFORE, false, &err), err);
}

static void a_shard_cut_short_locks_nobody_out(void **state)
{
    (void)state;
    toy_plan toy;
    bool ended = false;
    long n = 1;
    for (; !ended; n++) {
        uint64_t safe = BEFORE;
        sqlite3_stmt *stmt;
        begin(&toy);
        sqlite3 *db = start_reading(&stmt);
        ended = kill_at(n, child, &toy, &safe);
        sqlite3_finalize(stmt);
        sqlite3_close(db);
        assert_true(rows_after(&toy) >= safe);
        assert_int_not_equal(access(shard, F_OK), 0);
        assert_int_not_equal(access(journal, F_OK), 0);
        toy_plan_free(&toy);
    }
    assert_true(n > 20);
}

static void write_text(const char *name, const char *text, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void empty_and_zero_shards_are_replaced(void **state)
{
    (void)state;
    static const char ZEROS[9000];
    static const size_t SIZES[] = {0, 100, 8192, 9000};
    toy_plan toy;
    begin(&toy);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        write_text(shard, ZEROS, SIZES[i]);
        assert_int_equal(rows_after(&toy), BEFORE);
        assert_int_not_equal(access(shard, F_OK), 0);
    }
    toy_plan_free(&toy);
}

static void is_refused(const char *words)
{
    msw_store *store = NULL;
    msw_err err = {0};
    assert_int_equal(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    if (!strstr(err.text, shard) || !strstr(err.text, words))
        fail_msg("'%s' does not name %s", err.text, shard);
}

static void files_of_others_are_refused(void **state)
{
    (void)state;
    static const char TEXT[] = "my notes, longer than a header: ...........................";
    char text[sizeof TEXT] = "", other[120];
    toy_plan toy;
    sqlite3 *db;
    begin(&toy);
    write_text(shard, TEXT, sizeof TEXT);
    is_refused("did not make");
    FILE *file = fopen(shard, "rb");
    assert_int_equal(fread(text, 1, sizeof text, file), sizeof TEXT);
    fclose(file);
    assert_string_equal(text, TEXT);
    assert_int_equal(remove(shard), 0);
    assert_int_equal(sqlite3_open(shard, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE mine(a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    is_refused("did not make");
    assert_int_equal(remove(shard), 0);
    snprintf(other, sizeof other, "%s.other", path);
    write_text(other, "", 0);
    assert_int_equal(symlink(other, shard), 0);
    is_refused("did not make");
    toy_plan_free(&toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_cut_short_locks_nobody_out),
        cmocka_unit_test(empty_and_zero_shards_are_replaced),
        cmocka_unit_test(files_of_others_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
