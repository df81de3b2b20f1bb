/* SPDX-License-Identifier: MIT */
/* Defect 006. Does a run with a scratch folder bring every committed row together: those of the
 * database, played back from a hot journal; those a killed run left in the copy, its journal and
 * its shard? And does it leave alone what was changed meanwhile by somebody else? */
#include "scratch_fixture.h"
#include "testing.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POINTS = 3000, HALF = 1500 };

static scratch_fixture files;
static toy_plan toy;

static int make_folder(void **state)
{
    (void)state;
    toy_plan_init(&toy, "toy", POINTS, 1);
    return scratch_fixture_make(&files);
}

static int remove_folder(void **state)
{
    (void)state;
    toy_plan_free(&toy);
    return scratch_fixture_remove(&files);
}

static int write_range(msw_store *store, uint64_t first, uint64_t last, msw_err *err)
{
    int64_t sweep, run;
    return msw_store_add_sweep(store, &toy.plan, &sweep, err) ||
           msw_store_begin_run(store, sweep, &TOY_RUN, &run, err) ||
           scratch_write_range(store, &toy, sweep, run, first, last, err);
}

static void make_file(const char *name, uint64_t first, uint64_t last)
{
    msw_store *store;
    msw_err err = {0};
    assert_ok(msw_store_open(name, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(write_range(store, first, last, &err), err);
    assert_ok(msw_store_close(store, &err), err);
}

/* The database with the first half of the rows, and nothing else. */
static void start_afresh(void)
{
    scratch_fixture_empty(&files);
    make_file(files.path, 0, HALF);
}

static void run_once(uint64_t first, uint64_t last)
{
    msw_scratch *s;
    msw_store *store;
    msw_err err = {0};
    assert_ok(msw_scratch_open(files.path, files.scratch, false, NULL, &s, &store, &err), err);
    if (last > first)
        assert_ok(write_range(store, first, last, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_ok(msw_scratch_finish(s, &err), err);
    msw_scratch_close(s);
}

/* A run that commits rows to its copy and is killed. */
static void run_killed(uint64_t first, uint64_t last)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        msw_scratch *s;
        msw_store *store;
        msw_err err = {0};
        if (msw_scratch_open(files.path, files.scratch, false, NULL, &s, &store, &err) ||
            write_range(store, first, last, &err))
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
}

/* A writer that is killed when half of what it changes is in the file. */
static void leave_hot_journal(const char *name)
{
    int status;
    char journal[500];
    pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db;
        if (sqlite3_open(name, &db) ||
            sqlite3_exec(db,
                         "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN; UPDATE points_toy "
                         "SET cycles = 0; DELETE FROM points_toy WHERE id % 2",
                         NULL, NULL, NULL))
            _exit(1);
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
    snprintf(journal, sizeof journal, "%s-journal", name);
    assert_int_equal(access(journal, F_OK), 0);
}

/* The name of the copy in the scratch folder. */
static void find_copy(char name[400])
{
    DIR *dir = opendir(files.scratch);
    name[0] = '\0';
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            snprintf(name, 400, "%s/%s/x.db", files.scratch, entry->d_name);
    closedir(dir);
    assert_int_equal(access(name, F_OK), 0);
}

static int64_t integer(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(files.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return value;
}

static void holds(int64_t rows)
{
    assert_int_equal(integer("SELECT count(*) FROM toy WHERE cycles = 1000 + point"), rows);
    assert_int_equal(integer("SELECT count(*) FROM points_toy"), rows);
    assert_int_equal(integer("SELECT count(*) FROM pragma_integrity_check WHERE "
                             "integrity_check = 'ok'"),
                     1);
}

static void a_hot_journal_of_the_database(void **state)
{
    (void)state;
    start_afresh();
    leave_hot_journal(files.path);
    run_once(HALF, POINTS);
    holds(POINTS);
}

static void a_killed_copy(void **state)
{
    (void)state;
    start_afresh();
    run_killed(HALF, 2000);
    holds(HALF);
    run_once(0, 0);
    holds(2000);
}

static void a_hot_journal_of_a_killed_copy(void **state)
{
    (void)state;
    char copy[400];
    start_afresh();
    run_killed(HALF, 2000);
    find_copy(copy);
    leave_hot_journal(copy);
    run_once(2000, POINTS);
    holds(POINTS);
}

static void a_shard_of_a_killed_copy(void **state)
{
    (void)state;
    char copy[400], shard[500];
    start_afresh();
    run_killed(HALF, 2000);
    find_copy(copy);
    snprintf(shard, sizeof shard, "%s.shard", copy);
    make_file(shard, 2500, POINTS);
    run_once(0, 0);
    holds(2500);
}

static void a_shard_of_the_database(void **state)
{
    (void)state;
    char shard[400];
    start_afresh();
    snprintf(shard, sizeof shard, "%s.shard", files.path);
    make_file(shard, 2500, POINTS);
    run_once(0, 0);
    holds(2000);
    assert_int_not_equal(access(shard, F_OK), 0);
}

static void a_database_that_went_on_without_the_copy(void **state)
{
    (void)state;
    start_afresh();
    run_killed(HALF, 2000);
    make_file(files.path, 2000, 2500);
    run_once(2500, POINTS);
    holds(POINTS);
}

static void a_copy_whose_database_is_gone(void **state)
{
    (void)state;
    start_afresh();
    run_killed(HALF, 2000);
    assert_int_equal(unlink(files.path), 0);
    run_once(2000, POINTS);
    holds(POINTS);
}

static void execute(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(files.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* Somebody writes to the database, or puts another in its place, while a run writes to its copy. */
static void is_left_alone(bool replaced)
{
    msw_scratch *s;
    msw_store *store;
    msw_err err = {0};
    char copy[400], other[120];
    start_afresh();
    assert_ok(msw_scratch_open(files.path, files.scratch, false, NULL, &s, &store, &err), err);
    find_copy(copy);
    if (replaced) {
        snprintf(other, sizeof other, "%s.other", files.path);
        make_file(other, 0, 100);
        assert_int_equal(rename(other, files.path), 0);
    }
    execute("CREATE TABLE mine AS SELECT 7 AS value");
    assert_ok(write_range(store, HALF, 2000, &err), err);
    assert_int_equal(msw_scratch_publish(s, store, &err), -1);
    assert_true(msw_scratch_lost_path(s));
    assert_ok(msw_store_close(store, &err), err);
    assert_int_equal(msw_scratch_finish(s, &err), -1);
    msw_scratch_close(s);
    if (!strstr(err.text, files.path) || !strstr(err.text, copy))
        fail_msg("'%s' does not say where the rows are", err.text);
    assert_int_equal(integer("SELECT value FROM mine"), 7);
    holds(replaced ? 100 : HALF);
    run_once(2000, POINTS);
    assert_int_equal(integer("SELECT value FROM mine"), 7);
    holds(POINTS);
}

static void a_database_that_is_written_to(void **state)
{
    (void)state;
    is_left_alone(false);
}

static void a_database_that_is_replaced(void **state)
{
    (void)state;
    is_left_alone(true);
}

/* What a lock says a killed run was copying to. */
static void copies_noted(bool same)
{
    char part[120], lock[120];
    struct stat info;
    start_afresh();
    snprintf(part, sizeof part, "%s.part-1", files.path);
    snprintf(lock, sizeof lock, "%s.lock", files.path);
    FILE *file = fopen(part, "w");
    assert_non_null(file);
    fputs("half a copy", file);
    fclose(file);
    assert_int_equal(stat(part, &info), 0);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    file = fopen(lock, "w");
    assert_non_null(file);
    fprintf(file, "memsweep lock: %s 999999999 2026-01-01T00:00:00Z\ncopy %llu %llu x.db.part-1\n",
            host, (unsigned long long)info.st_dev,
            (unsigned long long)info.st_ino + (same ? 0 : 1));
    fclose(file);
    run_once(0, 0);
    assert_int_equal(access(part, F_OK) == 0, !same);
    holds(HALF);
}

static void half_a_copy(void **state)
{
    (void)state;
    copies_noted(true);
    copies_noted(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hot_journal_of_the_database),
        cmocka_unit_test(a_killed_copy),
        cmocka_unit_test(a_hot_journal_of_a_killed_copy),
        cmocka_unit_test(a_shard_of_a_killed_copy),
        cmocka_unit_test(a_shard_of_the_database),
        cmocka_unit_test(a_database_that_went_on_without_the_copy),
        cmocka_unit_test(a_copy_whose_database_is_gone),
        cmocka_unit_test(a_database_that_is_written_to),
        cmocka_unit_test(a_database_that_is_replaced),
        cmocka_unit_test(half_a_copy),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
