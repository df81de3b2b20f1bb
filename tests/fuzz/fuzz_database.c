/* SPDX-License-Identifier: MIT */
/* A database in which anything may stand is opened, verified, read, analysed, resumed and merged,
 * or refused with a message; nothing crashes. An input is a list of
 * changes to a small database, CHANGE_BYTES each: a cell of any table, the schema's included, gets
 * a value nobody meant, a row is doubled or lost, or a byte of the file becomes another. */
#include "finished.h"

#include "memsweep/report/report.h"
#include "memsweep/results/front.h"
#include "memsweep/results/replay.h"
#include "memsweep/run/run.h"
#include "memsweep/store/kept.h"
#include "memsweep/store/verify.h"
#include "memsweep/sweep/outline.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGE_BYTES = 6, CHANGES = 8, TABLES = 64 };

static const char SWEEP[] = "sweep: small\nmechanism: null\nworkloads: [synth/small]\n"
                            "corpus: [synth/small]\n"
                            "fidelity: analytic\nfix: {function: zdt2}\n"
                            "vary: {x1: [0, 1], train_batches: [0, 2]}\n"
                            "derive: {distance: \"f1 + f2\"}\n"
                            "objectives: {minimize: [f1, f2]}\nseed: 3\n";

static struct {
    finished folder;
    char path[128], other[128], *bytes, *tables[TABLES];
    size_t size, table_count;
    msw_plan *plan;
} f;

/* ---- the sound database ---- */

static void list_tables(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    f.tables[f.table_count++] = msw_strdup("sqlite_master");
    sqlite3_open(f.path, &db);
    sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", -1,
                       &stmt, NULL);
    while (f.table_count < TABLES && sqlite3_step(stmt) == SQLITE_ROW)
        f.tables[f.table_count++] = msw_strdup((const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void drop(void)
{
    for (size_t i = 0; i < f.table_count; i++)
        free(f.tables[i]);
    free(f.bytes);
    msw_plan_free(f.plan);
    finished_close(&f.folder);
}

static void keep_inputs(void)
{
    msw_store *store;
    msw_err err = {0};
    msw_inputs inputs = {.seed = -1};
    msw_bundle_paths("s.yaml", (const char *const[]){"data", NULL}, &inputs.paths);
    msw_bundle_add(&inputs.files, "s.yaml", SWEEP, sizeof SWEEP - 1);
    msw_bundle_add(&inputs.files, "data/n.csv", "a,b\n", 4);
    if (msw_store_open(f.path, MSW_STORE_WRITE, false, NULL, &store, &err) ||
        msw_store_keep_inputs(store, f.plan, &inputs, &err))
        abort();
    msw_store_close(store, NULL);
    msw_inputs_free(&inputs);
}

static void make(void)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_err err = {0};
    finished_open(&f.folder);
    finished_path(&f.folder, "a.db", f.path);
    finished_path(&f.folder, "b.db", f.other);
    finished_run(&f.folder, "a.db", SWEEP, NULL);
    finished_run(&f.folder, "a.db", SWEEP, "sampled");
    if (msw_plan_parse("s.yaml", SWEEP, sizeof SWEEP - 1, &OPTIONS, &f.plan, &messages))
        abort();
    keep_inputs();
    if (msw_read_file(f.path, &f.bytes, &f.size, &err))
        abort();
    list_tables();
    atexit(drop);
}

static void put(void)
{
    static const char *const BESIDE[] = {"-journal", ".shard", ".lock"};
    const char *const paths[] = {f.path, f.other};
    char path[160];
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof BESIDE / sizeof *BESIDE; i++) {
            snprintf(path, sizeof path, "%s%s", paths[p], BESIDE[i]);
            unlink(path);
        }
    unlink(f.other);
    FILE *file = fopen(f.path, "wb");
    if (!file || fwrite(f.bytes, 1, f.size, file) != f.size)
        abort();
    fclose(file);
}

/* ---- changes ---- */

static const char *const VALUES[] = {
    "NULL",
    "0",
    "-1",
    "1",
    "2",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "-1e308",
    "9e999",
    "0.5",
    "''",
    "'x'",
    "x'00'",
    "x'ff00ff'",
    "zeroblob(16)",
    "zeroblob(70000)",
    "replace(hex(zeroblob(3000)), '00', 'long ')",
    "'{\"a\": [1, {}, null]}'",
    "'sweep: \"x\"\nmechanism: null\n'",
    "'x1; DROP TABLE sweeps'",
    "'\"''`]'",
    "%s + 1",
    "-%s",
    "%s * 1000003",
    "%s || ''",
    "CAST(%s AS TEXT)",
    "CAST(%s AS BLOB)",
    "substr(%s, 1, length(%s) / 2)",
    "substr(%s, 3)",
    "%s || %s",
    "replace(%s, '0', '9')",
    "replace(%s, ' ', '')",
    "replace(%s, ',', ',,')",
    "replace(%s, 'x1', 'x2')",
    "replace(%s, '[', '[[')",
    "replace(%s, ': ', ': -')",
};
enum { VALUE_COUNT = sizeof VALUES / sizeof *VALUES };

static void try_sql(sqlite3 *db, msw_text *sql)
{
    sqlite3_exec(db, msw_text_str(sql), NULL, NULL, NULL); /* many are refused: constraints */
    msw_text_free(sql);
}

/* The name of a column, quoted. Returns false where there is none. */
static bool column_of(sqlite3 *db, const char *table, unsigned at, msw_text *name)
{
    sqlite3_stmt *stmt;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT * FROM \"%s\" LIMIT 0", table);
    int rc = sqlite3_prepare_v2(db, msw_text_str(&sql), -1, &stmt, NULL);
    msw_text_free(&sql);
    int count = rc == SQLITE_OK ? sqlite3_column_count(stmt) : 0;
    if (count)
        msw_text_add(name, "\"%s\"", sqlite3_column_name(stmt, (int)at % count));
    if (rc == SQLITE_OK)
        sqlite3_finalize(stmt);
    return count > 0;
}

static void add_value(msw_text *sql, const char *value, const char *column)
{
    for (const char *at = value; *at; at++)
        if (at[0] == '%' && at[1] == 's') {
            msw_text_add(sql, "%s", column);
            at++;
        } else {
            msw_text_add_bytes(sql, at, 1);
        }
}

/* Table, column, row and value by number; row 255 stands for all. */
static void change_cell(sqlite3 *db, const uint8_t *change)
{
    const char *table = f.tables[change[1] % f.table_count];
    msw_text sql = MSW_TEXT_EMPTY, column = MSW_TEXT_EMPTY;
    if (!column_of(db, table, change[2], &column))
        return;
    msw_text_add(&sql, "UPDATE OR IGNORE \"%s\" SET %s = ", table, msw_text_str(&column));
    add_value(&sql, VALUES[change[4] % VALUE_COUNT], msw_text_str(&column));
    if (change[3] != 255)
        msw_text_add(&sql,
                     " WHERE %s IN (SELECT %s FROM \"%s\" LIMIT 1 OFFSET %u %% "
                     "(SELECT max(1, count(*)) FROM \"%s\"))",
                     msw_text_str(&column), msw_text_str(&column), table, change[3], table);
    try_sql(db, &sql);
    msw_text_free(&column);
}

static void change_rows(sqlite3 *db, const uint8_t *change)
{
    const char *table = f.tables[change[1] % f.table_count];
    msw_text sql = MSW_TEXT_EMPTY;
    if (change[2] & 1)
        msw_text_add(&sql, "DELETE FROM \"%s\" WHERE rowid %% %u = 0", table, change[3] % 5 + 1);
    else
        msw_text_add(&sql, "INSERT OR REPLACE INTO \"%s\" SELECT * FROM \"%s\" LIMIT %u", table,
                     table, change[3] % 3 + 1);
    try_sql(db, &sql);
}

static void change_byte(const uint8_t *change)
{
    size_t at = ((size_t)change[1] << 16 | (size_t)change[2] << 8 | change[3]) % f.size;
    FILE *file = fopen(f.path, "r+b");
    if (!file || fseek(file, (long)at, SEEK_SET))
        abort();
    fputc(change[4], file);
    fclose(file);
}

static void change_all(const uint8_t *data, size_t size)
{
    sqlite3 *db;
    if (sqlite3_open(f.path, &db) != SQLITE_OK)
        abort();
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN", NULL, NULL,
                 NULL);
    sqlite3_exec(db, "PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON", NULL,
                 NULL, NULL);
    for (size_t i = 0; (i + 1) * CHANGE_BYTES <= size && i < CHANGES; i++)
        if (data[i * CHANGE_BYTES] % 4 < 2)
            change_cell(db, data + i * CHANGE_BYTES);
        else if (data[i * CHANGE_BYTES] % 4 == 2)
            change_rows(db, data + i * CHANGE_BYTES);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
    for (size_t i = 0; (i + 1) * CHANGE_BYTES <= size && i < CHANGES; i++)
        if (data[i * CHANGE_BYTES] % 4 == 3)
            change_byte(data + i * CHANGE_BYTES);
}

/* ---- what is done with it ---- */

/* What is refused says why. */
static int said(int rc, msw_err *err)
{
    if (rc < 0 && !*err->text) {
        fprintf(stderr, "refused without a message\n");
        abort();
    }
    *err->text = '\0';
    return rc;
}

static void look_at_sweep(msw_store *store, const char *name, msw_err *err)
{
    msw_sweep_info info;
    msw_outline outline;
    msw_digest digest;
    msw_table table = {0};
    uint64_t rows;
    msw_left_out left;
    msw_query query = {.sweep = name, .columns = "*, f1 + f2 AS s", .filter = "f1 < 2"};
    if (said(msw_store_sweep(store, name, &info, err), err) == 0) {
        if (said(msw_outline_read(info.canonical, &outline, err), err) == 0)
            msw_outline_free(&outline);
        msw_sweep_info_free(&info);
    }
    said(msw_store_digest(store, name, &digest, &rows, err), err);
    query.columns = NULL;
    for (int i = 0; i < 2; i++, query.filter = NULL) {
        if (said(msw_store_read(store, &query, &table, err), err) == 0)
            msw_table_free(&table);
        said(msw_store_left_out(store, &query, &left, err), err);
    }
}

static void look(void)
{
    static int (*const LISTS[])(msw_store *, msw_table *,
                                msw_err *) = {msw_store_status, msw_store_jobs, msw_store_running};
    msw_store *store;
    msw_verified verified;
    msw_err err = {0};
    if (said(msw_store_open(f.path, MSW_STORE_READ, false, NULL, &store, &err), &err))
        return;
    if (said(msw_store_verify(store, &verified, &err), &err) == 0)
        msw_verified_free(&verified);
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
        msw_table table = {0};
        if (said(LISTS[i](store, &table, &err), &err) == 0)
            msw_table_free(&table);
    }
    look_at_sweep(store, "small", &err);
    look_at_sweep(store, NULL, &err);
    msw_store_close(store, NULL);
}

static void replay(void)
{
    msw_replay from;
    msw_err err = {0};
    msw_messages messages = {0};
    msw_plan_options options;
    msw_plan *plan = NULL;
    msw_text lines = MSW_TEXT_EMPTY;
    if (said(msw_replay_open(&from, &f.folder.context, f.path, "small@analytic", &err), &err))
        return;
    const char *path = msw_replay_options(&from, &options);
    if (msw_plan_load(path, &options, &plan, &messages) == 0)
        msw_replay_differ(&from, plan, &lines);
    msw_text_free(&lines);
    msw_text_free(&messages.text);
    msw_plan_free(plan);
    msw_replay_close(&from);
}

static void analyse(void)
{
    msw_err err = {0};
    msw_front front = {.options = {.ranks = 1}, .err = &err};
    msw_front_source source = {.file = f.path, .sweep = "small"};
    msw_report report = {.plot = {.context = &f.folder.context, .err = &err},
                         .options.file = f.path,
                         .options.no_figures = true};
    if (said(msw_front_open(&front, &f.folder.context, &source, MSW_STORE_READ), &err) == 0 &&
        said(msw_front_find(&front), &err) == 0)
        said(msw_front_show(&front), &err);
    msw_store_close(front.input.store, NULL);
    msw_front_free(&front);
    if (said(msw_plot_open(&report.plot, f.path), &err) == 0 &&
        said(msw_report_rows(&report), &err) == 0)
        said(msw_report_data(&report), &err);
    msw_report_free(&report);
}

static void resume(void)
{
    static const msw_run_info RUN = {"0.1.0", "test", "here", "memsweep run test", 1, 1, NULL};
    static const msw_run_options OPTIONS = {.keys = true, .threads = 1};
    msw_store *store;
    msw_todo todo;
    msw_run_result result;
    msw_err err = {0};
    int64_t sweep, run;
    if (said(msw_store_open(f.path, MSW_STORE_WRITE, false, NULL, &store, &err), &err))
        return;
    if (said(msw_store_add_sweep(store, f.plan, &sweep, &err), &err) == 0 &&
        said(msw_store_todo(store, f.plan, sweep, true, &todo, &err), &err) == 0) {
        if (said(msw_store_begin_run(store, sweep, &RUN, &run, &err), &err) == 0) {
            said(msw_run(f.plan, store, sweep, run, &todo, &OPTIONS, &result, &err), &err);
            said(msw_store_end_run(store, run, "finished", &err), &err);
        }
        msw_todo_free(&todo);
    }
    said(msw_store_close(store, &err), &err);
}

static void analyse_and_replay(void)
{
    analyse();
    replay();
}

static void merge(msw_merge_rule rule)
{
    msw_store *store;
    msw_err err = {0};
    uint64_t rows;
    if (said(msw_store_open(f.other, MSW_STORE_WRITE, false, NULL, &store, &err), &err))
        abort();
    said(msw_store_merge(store, f.path, rule, &rows, &err), &err);
    said(msw_store_close(store, &err), &err);
}

/* All of it takes a tenth of a second: an input has one of it done, chosen by its length and its
 * last byte. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t chosen = size + (size ? data[size - 1] : 0);
    if (!f.plan)
        make();
    put();
    change_all(data, size);
    if (chosen % 4 == 0)
        look();
    else if (chosen % 4 == 1)
        analyse_and_replay();
    else if (chosen % 4 == 2)
        merge((msw_merge_rule)(chosen / 4 % 3));
    else
        resume();
    return 0;
}
