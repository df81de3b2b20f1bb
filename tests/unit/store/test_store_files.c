/* SPDX-License-Identifier: MIT */
/* What happens to the file when things go wrong: kills, readers, second writers, full disks,
 * damaged, foreign and newer files? */
#include "memsweep/base/clock.h"
#include "store/state.h"
#include "store_fixture.h"
#include "testing.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/memsweep-files-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/* Opens for writing, adds the plan and a run. */
static int begin(const char *path, const toy_plan *toy, msw_store **store, int64_t *sweep,
                 int64_t *run, msw_err *err)
{
    *store = NULL;
    return msw_store_open(path, MSW_STORE_WRITE, false, NULL, store, err) ||
           msw_store_add_sweep(*store, &toy->plan, sweep, err) ||
           msw_store_begin_run(*store, *sweep, &TOY_RUN, run, err);
}

static int write_range(msw_store *store, const toy_plan *toy, int64_t sweep, int64_t run,
                       uint64_t first, uint64_t last, msw_err *err)
{
    msw_batch *batch = toy_batch(toy);
    for (uint64_t i = first; i < last; i++)
        toy_row(toy, batch, i, MSW_OK);
    int result = msw_store_write(store, &toy->plan, sweep, run, batch, err);
    msw_batch_free(batch);
    return result;
}

static void make_file(const char *path, const char *name, uint64_t points, uint64_t written)
{
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    toy_plan_init(&toy, name, points, 1);
    assert_ok(begin(path, &toy, &store, &sweep, &run, &err), err);
    assert_ok(write_range(store, &toy, sweep, run, 0, written, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    toy_plan_free(&toy);
}

static int64_t integer(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return value;
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static bool is_whole(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL), SQLITE_OK);
    bool whole = sqlite3_step(stmt) == SQLITE_ROW &&
                 strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return whole;
}

static void refuses(const char *path, msw_store_mode mode, const char *words)
{
    msw_store *store = NULL;
    msw_err err = {0};
    assert_int_equal(msw_store_open(path, mode, false, NULL, &store, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    if (!strstr(err.text, words) || !strstr(err.text, path))
        fail_msg("'%s' does not say '%s' of %s", err.text, words, path);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* ---- files that cannot be used ---- */

static void other_files_are_refused_in_words(void **state)
{
    (void)state;
    const char *path = path_of("other");
    refuses(path, MSW_STORE_READ, "No such file");
    write_bytes(path, "", 0);
    refuses(path, MSW_STORE_READ, "empty");
    static const char TEXT[] = "sweep: a file that is certainly not a database, however long it is "
                               "and whatever it says, line after line after line after line";
    write_bytes(path, TEXT, sizeof TEXT);
    refuses(path, MSW_STORE_READ, "not a database");
    refuses(path, MSW_STORE_WRITE, "not a database");
    unlink(path);
    execute(path, "CREATE TABLE theirs(x); PRAGMA journal_mode = WAL");
    refuses(path, MSW_STORE_WRITE, "another program");
    refuses(path, MSW_STORE_READ, "another program");
    refuses(folder, MSW_STORE_READ, "not a file");
}

static void newer_files_are_refused(void **state)
{
    (void)state;
    const char *path = path_of("newer");
    make_file(path, "newer", 10, 10);
    execute(path, "PRAGMA user_version = 99");
    refuses(path, MSW_STORE_WRITE, "newer memsweep");
    refuses(path, MSW_STORE_READ, "newer memsweep");
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    const char *path = path_of("cut");
    struct stat file;
    make_file(path, "cut", 1000, 1000);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size / 2 / 8192 * 8192), 0);
    refuses(path, MSW_STORE_READ, "damaged");
    refuses(path, MSW_STORE_WRITE, "damaged");
    assert_int_equal(truncate(path, 60), 0);
    refuses(path, MSW_STORE_WRITE, "damaged");
}

/* Uses a file in all ways; whatever it holds, this must end. */
static void use_fully(const char *path, toy_plan *toy)
{
    msw_store *store = NULL;
    msw_err err;
    msw_table table;
    msw_digest digest;
    uint64_t rows;
    msw_todo todo;
    int64_t sweep;
    msw_query all = {.sweep = NULL};
    if (msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err) == 0) {
        if (msw_store_read(store, &all, &table, &err) == 0)
            msw_table_free(&table);
        if (msw_store_status(store, &table, &err) == 0)
            msw_table_free(&table);
        msw_store_digest(store, NULL, &digest, &rows, &err);
        msw_store_close(store, &err);
    }
    if (msw_store_open(path_of("target"), MSW_STORE_WRITE, false, NULL, &store, &err) == 0) {
        msw_store_merge(store, path, MSW_MERGE_REFUSE, &rows, &err);
        msw_store_close(store, &err);
        unlink(path_of("target"));
    }
    if (msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err) == 0) {
        if (msw_store_add_sweep(store, &toy->plan, &sweep, &err) == 0 &&
            msw_todo_find(store, &toy->plan, sweep, true, toy_key, toy, &todo, &err) == 0)
            msw_todo_free(&todo);
        msw_store_close(store, &err);
    }
}

static void damaged_bytes_never_crash(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s", path_of("flipped"));
    make_file(path, "flipped", 100, 100);
    char *bytes;
    size_t size;
    msw_err err;
    toy_plan toy;
    toy_plan_init(&toy, "flipped", 100, 1);
    assert_ok(msw_read_file(path, &bytes, &size, &err), err);
    srand(1);
    for (int i = 0; i < 200; i++) {
        char *copy = malloc(size);
        memcpy(copy, bytes, size);
        for (int flips = 1 + i % 20; flips > 0; flips--)
            copy[100 + (size_t)rand() % (size - 100)] ^= (char)(1 << rand() % 8);
        write_bytes(path, copy, size);
        free(copy);
        use_fully(path, &toy);
    }
    free(bytes);
    toy_plan_free(&toy);
}

static void old_files_are_brought_up_to_date(void **state)
{
    (void)state;
    const char *path = path_of("old");
    char *bytes;
    size_t size;
    msw_err err = {0};
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/tests/golden/databases/null.db", &bytes, &size, &err),
              err);
    write_bytes(path, bytes, size);
    free(bytes);
    execute(path, "CREATE TABLE old_run(id INTEGER PRIMARY KEY, sweep INTEGER NOT NULL, started "
                  "TEXT NOT NULL, ended TEXT, reason TEXT, host TEXT NOT NULL, pid INTEGER NOT "
                  "NULL, command_line TEXT NOT NULL, version TEXT NOT NULL, ranks INTEGER NOT "
                  "NULL, threads INTEGER NOT NULL, row_count INTEGER NOT NULL DEFAULT 0); INSERT "
                  "INTO old_run SELECT id, sweep, started, ended, reason, host, pid, "
                  "command_line, version, ranks, threads, row_count FROM msw_run; DROP TABLE "
                  "msw_run; ALTER TABLE old_run RENAME TO msw_run; DROP TABLE msw_job; "
                  "PRAGMA user_version = 0");
    refuses(path, MSW_STORE_READ, "older memsweep");
    msw_store *store;
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_int_equal(integer(path, "SELECT count(*) FROM msw_run WHERE build = ''"), 3);
    assert_int_equal(integer(path, "PRAGMA user_version"), MSW_SCHEMA_VERSION);
    assert_int_equal(integer(path, "SELECT count(*) FROM \"null-store\""), 9);
}

static void read_only_places_are_named(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* root may write anywhere */
    const char *path = path_of("locked");
    make_file(path, "locked", 10, 10);
    assert_int_equal(chmod(path, 0444), 0);
    refuses(path, MSW_STORE_WRITE, "allow writing");
}

/* ---- one writer ---- */

static void a_second_writer_is_refused_by_name(void **state)
{
    (void)state;
    const char *path = path_of("two");
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    char pid[32];
    toy_plan_init(&toy, "two", 10, 1);
    assert_ok(begin(path, &toy, &store, &sweep, &run, &err), err);
    snprintf(pid, sizeof pid, "process %ld on", (long)getpid());
    refuses(path, MSW_STORE_WRITE, pid);
    refuses(path, MSW_STORE_WRITE, "wait for it");
    assert_ok(msw_store_close(store, &err), err);
    assert_int_not_equal(access(path_of("two.lock"), F_OK), 0);
    toy_plan_free(&toy);
}

static void a_lock_of_another_host_needs_taking_over(void **state)
{
    (void)state;
    char path[200];
    msw_store *store;
    msw_err err = {0};
    snprintf(path, sizeof path, "%s", path_of("far"));
    static const char HOLDER[] = "far-away 12 2026-01-01T00:00:00Z\n";
    write_bytes(path_of("far.lock"), HOLDER, sizeof HOLDER - 1);
    refuses(path, MSW_STORE_WRITE, "far-away");
    refuses(path, MSW_STORE_WRITE, "--take-over");
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, true, NULL, &store, &err), err);
    assert_ok(msw_store_close(store, &err), err);
}

/* ---- kills ---- */

/* Writes until it is killed; tells through the pipe how many rows are committed. */
static void write_until_killed(const char *path, int report)
{
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    msw_todo todo;
    toy_plan_init(&toy, "killed", 1000000, 1);
    if (begin(path, &toy, &store, &sweep, &run, &err) ||
        msw_todo_find(store, &toy.plan, sweep, false, toy_key, &toy, &todo, &err))
        _exit(1);
    for (uint64_t i = todo.answered; i < toy.plan.points; i += 500) {
        if (write_range(store, &toy, sweep, run, i, i + 500, &err) ||
            (i % 2000 == 0 && msw_store_commit(store, &err)))
            _exit(2);
        uint64_t safe = todo.answered + msw_store_committed(store);
        if (write(report, &safe, sizeof safe) != sizeof safe)
            _exit(3);
    }
    _exit(0);
}

/* Kills a writer some time after its start, or after its first report, which a busy machine delays.
 */
static uint64_t kill_once(const char *path, double after, bool reported)
{
    int ends[2];
    uint64_t safe = 0, next;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0)
        write_until_killed(path, ends[1]);
    close(ends[1]);
    if (reported && read(ends[0], &next, sizeof next) == sizeof next)
        safe = next;
    nap(after);
    kill(child, SIGKILL);
    while (read(ends[0], &next, sizeof next) == sizeof next)
        safe = next;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    return safe;
}

static void rows_reported_committed_survive_kills(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s", path_of("kill"));
    uint64_t most = 0;
    for (int i = 0; i < 12; i++) {
        uint64_t safe = kill_once(path, 0.03 + 0.017 * (i % 7), i % 2);
        most = safe > most ? safe : most;
        if (most == 0)
            continue;
        msw_store *store;
        msw_err err = {0};
        msw_digest digest;
        uint64_t rows = 0;
        assert_ok(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err), err);
        assert_ok(msw_store_digest(store, "killed", &digest, &rows, &err), err);
        assert_ok(msw_store_close(store, &err), err);
        assert_true(rows >= most);
        assert_true(is_whole(path));
        assert_int_equal(integer(path, "SELECT count(*) FROM killed WHERE cycles = 1000 + point"),
                         (int64_t)rows);
        assert_int_equal(integer(path, "SELECT count(*) FROM points_toy"), (int64_t)rows);
    }
    assert_true(most > 0);
}

/* ---- readers in the way ---- */

/* Holds a read lock as a program in the middle of a query does. */
static sqlite3_stmt *start_reading(const char *path, sqlite3 **db)
{
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(path, db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(*db, "SELECT * FROM points_toy", -1, &stmt, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    return stmt;
}

static void stop_reading(sqlite3_stmt *stmt, sqlite3 *db)
{
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void a_reader_mid_query_delays_rows_but_loses_none(void **state)
{
    (void)state;
    const char *path = path_of("reader");
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    sqlite3 *db;
    toy_plan_init(&toy, "reader", 60000, 1);
    assert_ok(begin(path, &toy, &store, &sweep, &run, &err), err);
    assert_ok(write_range(store, &toy, sweep, run, 0, 100, &err), err);
    assert_ok(msw_store_commit(store, &err), err);
    sqlite3_stmt *reading = start_reading(path, &db);
    assert_ok(write_range(store, &toy, sweep, run, 100, 30000, &err), err);
    assert_int_equal(msw_store_committed(store), 100);
    assert_int_equal(sqlite3_step(reading), SQLITE_ROW);
    /* The writer has let go of the file: another reader may begin. */
    assert_int_equal(integer(path, "SELECT count(*) FROM points_toy"), 100);
    stop_reading(reading, db);
    assert_ok(write_range(store, &toy, sweep, run, 30000, 60000, &err), err);
    assert_ok(msw_store_commit(store, &err), err);
    assert_int_equal(msw_store_committed(store), 60000);
    assert_ok(msw_store_close(store, &err), err);
    assert_int_equal(integer(path, "SELECT count(*) FROM reader WHERE cycles = 1000 + point"),
                     60000);
    toy_plan_free(&toy);
}

static void rows_go_to_a_shard_and_come_back(void **state)
{
    (void)state;
    char path[200];
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    sqlite3 *db;
    snprintf(path, sizeof path, "%s", path_of("shard"));
    toy_plan_init(&toy, "shard", 1000, 1);
    assert_ok(begin(path, &toy, &store, &sweep, &run, &err), err);
    msw_batch *failed = toy_batch(&toy);
    toy_row(&toy, failed, 5, MSW_FAILED);
    assert_ok(msw_store_write(store, &toy.plan, sweep, run, failed, &err), err);
    msw_batch_free(failed);
    assert_ok(write_range(store, &toy, sweep, run, 100, 200, &err), err);
    assert_ok(msw_store_commit(store, &err), err);
    sqlite3_stmt *reading = start_reading(path, &db);
    assert_ok(write_range(store, &toy, sweep, run, 0, 100, &err), err);
    store->commits.busy_since = msw_now() - 3600; /* patience is over */
    assert_ok(msw_store_commit(store, &err), err);
    assert_int_equal(msw_store_committed(store), 201);
    assert_non_null(store->shard);
    stop_reading(reading, db);
    assert_ok(write_range(store, &toy, sweep, run, 200, 1000, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_int_not_equal(access(path_of("shard.shard"), F_OK), 0);
    assert_int_equal(integer(path, "SELECT count(*) FROM shard WHERE cycles = 1000 + point AND "
                                   "status = 'ok'"),
                     1000);
    assert_int_equal(integer(path, "SELECT count(*) FROM points_toy"), 1000);
    assert_int_equal(integer(path, "SELECT count(*) FROM msw_run"), 1);
    toy_plan_free(&toy);
}

/* ---- full disks ---- */

static void a_full_disk_keeps_what_was_committed(void **state)
{
    (void)state;
    char place[200], path[220];
    snprintf(place, sizeof place, "%s", path_of("small"));
    snprintf(path, sizeof path, "%s/full.db", place);
    if (mkdir(place, 0777) || mount("tmpfs", place, "tmpfs", 0, "size=4m"))
        skip(); /* only root can make a small disk */
    toy_plan toy;
    msw_store *store;
    msw_err err = {0};
    int64_t sweep, run;
    uint64_t i = 0;
    toy_plan_init(&toy, "full", 200000, 1);
    assert_ok(begin(path, &toy, &store, &sweep, &run, &err), err);
    while (i < 200000 && write_range(store, &toy, sweep, run, i, i + 5000, &err) == 0 &&
           msw_store_commit(store, &err) == 0)
        i += 5000;
    uint64_t safe = msw_store_committed(store);
    bool told = err.kind == MSW_ERR_IO && strstr(err.text, "full");
    int closed = msw_store_close(store, &err);
    int64_t rows = integer(path, "SELECT count(*) FROM full WHERE cycles = 1000 + point");
    bool whole = is_whole(path);
    umount(place);
    if (!told)
        fail_msg("a full disk was called '%s'", err.text);
    assert_int_equal(closed, -1);
    assert_true(safe > 0 && safe < 200000);
    assert_int_equal(rows, (int64_t)safe);
    assert_true(whole);
    toy_plan_free(&toy);
}

/* ---- merging ---- */

static void merging_is_idempotent_and_order_free(void **state)
{
    (void)state;
    char whole[200], parts[3][200], joined[2][200];
    snprintf(whole, sizeof whole, "%s", path_of("whole"));
    make_file(whole, "merged", 900, 900);
    for (int i = 0; i < 3; i++) {
        toy_plan toy;
        msw_store *store;
        msw_err err = {0};
        int64_t sweep, run;
        char name[16];
        snprintf(name, sizeof name, "part%d", i);
        snprintf(parts[i], sizeof parts[i], "%s", path_of(name));
        toy_plan_init(&toy, "merged", 900, 1);
        assert_ok(begin(parts[i], &toy, &store, &sweep, &run, &err), err);
        uint64_t first = 300 * (uint64_t)i;
        assert_ok(write_range(store, &toy, sweep, run, first, first + 350 > 900 ? 900 : first + 350,
                              &err),
                  err);
        assert_ok(msw_store_close(store, &err), err);
        toy_plan_free(&toy);
    }
    msw_digest digests[3];
    uint64_t rows;
    for (int order = 0; order < 2; order++) {
        msw_store *store;
        msw_err err = {0};
        snprintf(joined[order], sizeof joined[order], "%s", path_of(order ? "down" : "up"));
        assert_ok(msw_store_open(joined[order], MSW_STORE_WRITE, false, NULL, &store, &err), err);
        for (int i = 0; i < 6; i++) {
            const char *part = parts[order ? 2 - i % 3 : i % 3];
            assert_ok(msw_store_merge(store, part, MSW_MERGE_REFUSE, &rows, &err), err);
            assert_true(i < 3 ? rows > 0 : rows == 0);
        }
        assert_ok(msw_store_digest(store, "merged", &digests[order], &rows, &err), err);
        assert_int_equal(rows, 900);
        assert_ok(msw_store_close(store, &err), err);
        assert_int_equal(integer(joined[order], "SELECT count(*) FROM points_toy"), 900);
        assert_int_equal(integer(joined[order], "SELECT count(*) FROM msw_run"), 3);
    }
    msw_store *store;
    msw_err err = {0};
    assert_ok(msw_store_open(whole, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, "merged", &digests[2], &rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    assert_true(msw_digest_equal(digests[0], digests[1]));
    assert_true(msw_digest_equal(digests[0], digests[2]));
}

enum { SHARDS = 3, SHARD_POINTS = 1000 };

/* Each part of a shard is written by a run of its own. */
static void write_part(const char *path, const toy_plan *toy, uint64_t shard, uint64_t part,
                       uint64_t parts)
{
    msw_err err = {0};
    msw_store *store;
    int64_t sweep, run;
    msw_todo todo = {.points = SHARD_POINTS, .missing = SHARD_POINTS, .everything = true};
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(msw_store_add_sweep(store, &toy->plan, &sweep, &err), err);
    msw_store_number_shard(store, SHARD_POINTS, shard, SHARDS);
    assert_ok(msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err), err);
    assert_int_equal(run, shard + 1 + SHARDS * part);
    assert_ok(msw_todo_keep_shard(&todo, shard, SHARDS, &err), err);
    msw_batch *batch = toy_batch(toy);
    for (uint64_t i = 0; i < SHARD_POINTS; i++)
        if (msw_bit(todo.bitmap, i) && i % parts == part)
            toy_row(toy, batch, i, MSW_OK);
    assert_ok(msw_store_write(store, &toy->plan, sweep, run, batch, &err), err);
    assert_ok(msw_store_close(store, &err), err);
    msw_batch_free(batch);
    msw_todo_free(&todo);
}

static void make_shard(const char *path, uint64_t shard, uint64_t parts)
{
    toy_plan toy;
    toy_plan_init(&toy, "parts", SHARD_POINTS, 1);
    for (uint64_t part = 0; part < parts; part++)
        write_part(path, &toy, shard, part, parts);
    toy_plan_free(&toy);
}

static void digest_of(const char *path, const char *sweep, msw_digest *digest)
{
    msw_store *store;
    msw_err err = {0};
    uint64_t rows;
    assert_ok(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, sweep, digest, &rows, &err), err);
    assert_ok(msw_store_close(store, &err), err);
}

static const char *numbered(const char *name, int number)
{
    char word[32];
    snprintf(word, sizeof word, "%.16s%d", name, number);
    return path_of(word);
}

/* Merges shards into a file. Returns the rows that were new. */
static uint64_t join(const char *into, const int *shards, int count)
{
    msw_store *store;
    msw_err err = {0};
    uint64_t rows, total = 0;
    assert_ok(msw_store_open(into, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    for (int i = 0; i < count; i++, total += rows)
        assert_ok(
            msw_store_merge(store, numbered("shard", shards[i]), MSW_MERGE_REFUSE, &rows, &err),
            err);
    assert_ok(msw_store_close(store, &err), err);
    return total;
}

/* Rows and runs of shards have numbers of their own, which they keep when they are joined. */
static void shards_keep_their_numbers(void **state)
{
    (void)state;
    static const int ORDERS[][SHARDS + 1] = {{0, 1, 2, 0}, {2, 0, 1, 1}, {1, 0, 0, 2}};
    char joined[200];
    msw_digest wanted, found;
    make_file(path_of("in-one"), "parts", SHARD_POINTS, SHARD_POINTS);
    digest_of(path_of("in-one"), "parts", &wanted);
    for (int s = 0; s < SHARDS; s++)
        make_shard(numbered("shard", s), (uint64_t)s, s == 1 ? 2 : 1);
    for (int order = 0; order < 3; order++) {
        snprintf(joined, sizeof joined, "%s", numbered("joined", order));
        assert_int_equal(join(joined, ORDERS[order], SHARDS + 1), SHARD_POINTS);
        digest_of(joined, "parts", &found);
        assert_true(msw_digest_equal(wanted, found));
        assert_int_equal(integer(joined, "SELECT max(id) - min(id) + 1 FROM points_toy"),
                         SHARD_POINTS);
        assert_int_equal(integer(joined, "SELECT sum(id) FROM msw_run"), 1 + 2 + 5 + 3);
        assert_int_equal(integer(joined, "SELECT count(*) FROM msw_run AS r WHERE row_count <> "
                                         "(SELECT count(*) FROM points_toy WHERE run = r.id)"),
                         0);
    }
    /* Their numbers are taken: rows and runs get others. */
    snprintf(joined, sizeof joined, "%s", path_of("taken"));
    make_file(joined, "other", 50, 50);
    assert_int_equal(join(joined, ORDERS[0], SHARDS + 1), SHARD_POINTS - 50);
    digest_of(joined, "parts", &found);
    assert_true(msw_digest_equal(wanted, found));
    assert_int_equal(integer(joined, "SELECT count(*) FROM msw_run"), 1 + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_are_refused_in_words),
        cmocka_unit_test(newer_files_are_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(damaged_bytes_never_crash),
        cmocka_unit_test(old_files_are_brought_up_to_date),
        cmocka_unit_test(read_only_places_are_named),
        cmocka_unit_test(a_second_writer_is_refused_by_name),
        cmocka_unit_test(a_lock_of_another_host_needs_taking_over),
        cmocka_unit_test(rows_reported_committed_survive_kills),
        cmocka_unit_test(a_reader_mid_query_delays_rows_but_loses_none),
        cmocka_unit_test(rows_go_to_a_shard_and_come_back),
        cmocka_unit_test(a_full_disk_keeps_what_was_committed),
        cmocka_unit_test(merging_is_idempotent_and_order_free),
        cmocka_unit_test(shards_keep_their_numbers),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
