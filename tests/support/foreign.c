/* SPDX-License-Identifier: MIT */
#include "foreign.h"

void execute(const char *path, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void uncover(const char *path)
{
    execute(path, "UPDATE msw_run SET checksum = NULL, revision = NULL; UPDATE msw_sweep SET "
                  "checksum = NULL; UPDATE msw_column SET checksum = NULL; UPDATE msw_span SET "
                  "checksum = NULL; UPDATE points_toy SET checksum = NULL");
}

int64_t count_of(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return value;
}

void make_file(const char *path, const char *name, uint64_t points, uint64_t salt)
{
    msw_err err = {0};
    msw_store *store;
    int64_t sweep, run;
    toy_plan toy;
    toy_plan_init(&toy, name, points, 1);
    toy.salt = salt;
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_ok(msw_store_add_sweep(store, &toy.plan, &sweep, &err), err);
    assert_ok(msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err), err);
    msw_batch *batch = toy_batch(&toy);
    for (uint64_t i = 0; i < points; i++)
        toy_row(&toy, batch, i, MSW_OK);
    assert_ok(msw_store_write(store, &toy.plan, sweep, run, batch, &err), err);
    assert_ok(msw_store_end_run(store, run, "finished", &err), err);
    assert_ok(msw_store_close(store, &err), err);
    msw_batch_free(batch);
    toy_plan_free(&toy);
}

void copy_bytes(const char *from, const char *to)
{
    char *data;
    size_t size;
    msw_err err = {0};
    assert_ok(msw_read_file(from, &data, &size, &err), err);
    FILE *out = fopen(to, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    free(data);
}

uint64_t state_of_folder(const char *folder)
{
    uint64_t state = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[600], *data;
        struct stat file;
        size_t size;
        msw_err err = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
            continue;
        assert_ok(msw_read_file(path, &data, &size, &err), err);
        uint64_t parts[] = {msw_hash_string(path).lo, msw_hash_bytes(data, size).lo,
                            (uint64_t)file.st_mtim.tv_sec, (uint64_t)file.st_mtim.tv_nsec};
        state += msw_hash_bytes(parts, sizeof parts).lo;
        free(data);
    }
    closedir(dir);
    return state;
}

void foreign_init(foreign *f)
{
    snprintf(f->folder, sizeof f->folder, "/tmp/memsweep-foreign-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->sources, sizeof f->sources, "%s/sources", f->folder);
    snprintf(f->into, sizeof f->into, "%s/into.db", f->folder);
    snprintf(f->from, sizeof f->from, "%s/from.db", f->sources);
    assert_int_equal(mkdir(f->sources, 0777), 0);
    assert_int_equal(chdir(f->folder), 0);
}

void foreign_free(foreign *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(system(command), 0);
}

int merge_files(const foreign *f, msw_merge_rule rule, uint64_t *rows, msw_err *err)
{
    msw_store *store;
    uint64_t before = state_of_folder(f->sources);
    *err = (msw_err){0};
    assert_ok(msw_store_open(f->into, MSW_STORE_WRITE, false, NULL, &store, err), *err);
    int result = msw_store_merge(store, f->from, rule, rows, err);
    msw_err ignored = {0};
    assert_ok(msw_store_close(store, &ignored), ignored);
    assert_true(state_of_folder(f->sources) == before);
    return result;
}
