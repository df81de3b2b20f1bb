/* SPDX-License-Identifier: MIT */
/* Are the records of a table that are read from its pages those that SQLite gives, in the same
 * order, whatever lies in them; and is a page that was damaged no harm? */
#include "store/sql/pages.h"
#include "store/sum/direct.h"
#include "store_fixture.h"
#include "testing.h"

#include <unistd.h>

enum { ROWS = 700, VALUES = 6 };

#define COLUMNS "b, c, d, e, f"

static char path[64];
static uint64_t turn;

static uint64_t draw(uint64_t below)
{
    uint64_t bits = msw_hash_bytes(&turn, sizeof turn).lo;
    turn++;
    return bits % below;
}

/* Numbers of every length, whole and real ones, texts of up to some pages, nothing. Keys are short:
 * else they are not all in their page. */
static void bind_any(sqlite3_stmt *stmt, int at, bool keyed)
{
    static char text[9000];
    uint64_t bits = (draw(UINT32_MAX) << 32 | draw(UINT32_MAX)) >> draw(64);
    memset(text, 'a' + (int)draw(26), sizeof text);
    switch (draw(7)) {
    case 0:
        sqlite3_bind_null(stmt, at);
        break;
    case 1:
        sqlite3_bind_double(stmt, at, (double)bits * 1e-5);
        break;
    case 2:
        sqlite3_bind_text(stmt, at, text,
                          (int)draw(keyed     ? 10
                                    : draw(8) ? 30
                                              : sizeof text),
                          SQLITE_STATIC);
        break;
    case 3:
        sqlite3_bind_blob(stmt, at, text, keyed ? 9 : 16, SQLITE_STATIC);
        break;
    default:
        sqlite3_bind_int64(stmt, at, draw(2) ? (int64_t)bits : -(int64_t)bits);
        break;
    }
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    return stmt;
}

/* Rows are added in no order, and every fifth is taken away: pages split, some are half full. */
static sqlite3 *make_file(int page, bool keyed)
{
    sqlite3 *db;
    char sql[200];
    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d; PRAGMA synchronous = OFF; CREATE TABLE t(%s, b, c, d, e, f%s",
             page, keyed ? "a INTEGER NOT NULL" : "a INTEGER PRIMARY KEY",
             keyed ? ", PRIMARY KEY(a, b)) WITHOUT ROWID" : ")");
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    sqlite3_stmt *stmt = prepare(db, "REPLACE INTO t VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    for (int row = 0; row < ROWS; row++) {
        sqlite3_bind_int64(stmt, 1, (int64_t)draw(keyed ? ROWS / 3 : UINT32_MAX) - 20);
        sqlite3_bind_int64(stmt, 2, row);
        for (int i = 3; i <= VALUES; i++)
            bind_any(stmt, i, keyed);
        assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM t WHERE b % 5 = 0; COMMIT", NULL, NULL, NULL),
                     SQLITE_OK);
    return db;
}

static uint32_t root_of(sqlite3 *db)
{
    sqlite3_stmt *stmt = prepare(db, "SELECT rootpage FROM sqlite_master WHERE name = 't'");
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    uint32_t root = (uint32_t)sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return root;
}

static void same_value(const msw_value *value, sqlite3_stmt *row, int at)
{
    assert_int_equal(value->type, sqlite3_column_type(row, at));
    if (value->type == SQLITE_INTEGER)
        assert_true(value->integer == sqlite3_column_int64(row, at));
    if (value->type == SQLITE_FLOAT)
        assert_true(value->real == sqlite3_column_double(row, at));
    if (value->type != SQLITE_TEXT && value->type != SQLITE_BLOB)
        return;
    assert_int_equal(value->size, sqlite3_column_bytes(row, at));
    assert_true(!value->size ||
                memcmp(value->bytes, sqlite3_column_blob(row, at), value->size) == 0);
}

/* Returns whether the values were in the page. */
static bool same_record(const msw_record *record, sqlite3_stmt *row, bool keyed)
{
    msw_values values;
    msw_value value;
    assert_true(record->id == sqlite3_column_int64(row, 0));
    if (!record->payload)
        return false;
    assert_true(msw_values_begin(record, &values));
    for (int i = 0; i < VALUES; i++) {
        assert_int_equal(msw_values_next(&values, &value), 1);
        if (i || keyed)
            same_value(&value, row, i);
        else
            assert_int_equal(value.type, SQLITE_NULL); /* the id stands for it */
    }
    assert_int_equal(msw_values_next(&values, &value), 0);
    return true;
}

/* Walks from `id` to the end. Returns how many records were in their page. */
static uint64_t walk(sqlite3 *db, const msw_pages *pages, bool keyed, int64_t id, uint64_t *outside)
{
    msw_page_cursor cursor;
    msw_record record;
    uint64_t inside = 0;
    sqlite3_stmt *rows = prepare(db, "SELECT a, " COLUMNS " FROM t WHERE a >= ?1 ORDER BY a, b");
    assert_int_equal(msw_page_cursor_open(pages, root_of(db), keyed, &cursor), 0);
    sqlite3_bind_int64(rows, 1, id);
    bool more = msw_page_cursor_seek(&cursor, id);
    while (more && msw_page_cursor_next(&cursor, &record) > 0) {
        assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
        bool is_inside = same_record(&record, rows, keyed);
        inside += is_inside;
        *outside += !is_inside;
    }
    assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
    msw_page_cursor_close(&cursor);
    sqlite3_finalize(rows);
    return inside;
}

static void records_are_those_of_sqlite(void **state)
{
    (void)state;
    static const int SIZES[] = {512, 1024, 4096, 65536};
    for (int i = 0; i < 8; i++) {
        bool keyed = i % 2;
        uint64_t inside = 0, outside = 0;
        msw_pages pages;
        sqlite3 *db = make_file(SIZES[i / 2], keyed);
        assert_true(msw_pages_open(db, "main", &pages));
        sqlite3_stmt *hold = prepare(db, "SELECT 1 FROM t");
        assert_int_equal(sqlite3_step(hold), SQLITE_ROW);
        inside += walk(db, &pages, keyed, INT64_MIN, &outside);
        for (int64_t id = -25; id < ROWS / 3; id += 17)
            inside += walk(db, &pages, keyed, keyed ? id : id * 20000000, &outside);
        assert_true(inside > ROWS / 2);
        assert_int_equal(outside > 0, !keyed && SIZES[i / 2] < 9000);
        sqlite3_finalize(hold);
        sqlite3_close(db);
    }
}

/* A journal that is written ahead, text in UTF-16: left to SQL. */
static void other_files_are_left_alone(void **state)
{
    (void)state;
    static const char *const MODES[] = {"PRAGMA journal_mode = WAL", "PRAGMA encoding = 'UTF-16'"};
    msw_pages pages;
    sqlite3 *db;
    for (int i = 0; i < 2; i++) {
        unlink(path);
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, MODES[i], NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "CREATE TABLE t(a)", NULL, NULL, NULL), SQLITE_OK);
        assert_false(msw_pages_open(db, "main", &pages));
        sqlite3_close(db);
    }
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_false(msw_pages_open(db, "main", &pages));
    sqlite3_close(db);
}

/* Six bytes, most of them where a page says what is in it. */
static void damage(const msw_pages *pages, uint32_t root)
{
    for (int i = 0; i < 6; i++) {
        uint64_t page = i ? 1 + draw(pages->count - 1) : root - 1;
        uint64_t at = page * pages->size + draw(draw(2) ? 14 : pages->size);
        uint8_t byte = (uint8_t)draw(256);
        assert_int_equal(pages->file->pMethods->xWrite(pages->file, &byte, 1, (sqlite3_int64)at),
                         SQLITE_OK);
    }
}

static uint64_t walk_damaged(msw_page_cursor *cursor, int64_t id)
{
    uint64_t records = 0;
    msw_record record;
    msw_values values;
    msw_value value;
    for (bool more = msw_page_cursor_seek(cursor, id);
         more && msw_page_cursor_next(cursor, &record) > 0; records++)
        if (record.payload && msw_values_begin(&record, &values))
            while (msw_values_next(&values, &value) > 0)
                ;
    return records;
}

/* Nothing is asked but an end after no more records than there can be, and no step outside of a
 * page (sanitizers). */
static void damaged_pages_come_to_an_end(void **state)
{
    (void)state;
    enum { TRIALS = 60, PAGE = 512 };
    for (int trial = 0; trial < TRIALS; trial++) {
        msw_pages pages;
        msw_page_cursor cursor;
        sqlite3 *db = make_file(PAGE, trial % 2);
        uint32_t root = root_of(db);
        assert_true(msw_pages_open(db, "main", &pages));
        damage(&pages, root);
        assert_int_equal(msw_page_cursor_open(&pages, root, trial % 2, &cursor), 0);
        for (int64_t id = -10; id < 200; id += 70)
            assert_true(walk_damaged(&cursor, id) < (uint64_t)pages.count * PAGE);
        msw_page_cursor_close(&cursor);
        sqlite3_close(db);
    }
}

/* ---- rows of a store ---- */

static void add_details(msw_batch *batch)
{
    static const size_t WIDTHS[] = {2};
    msw_detail_row *row = calloc(1, sizeof *row + 2 * sizeof(double));
    assert_non_null(row);
    for (size_t i = 0; i < batch->count % 4; i++) {
        row->values[0] = (double)i;
        row->values[1] = 0.1 * (double)batch->count;
        assert_int_equal(msw_batch_details(batch, row, WIDTHS), 0);
    }
    free(row);
}

static void write_rows(msw_store *store, toy_plan *toy, uint64_t count)
{
    msw_err err = {0};
    int64_t sweep, run;
    assert_ok(msw_store_add_sweep(store, &toy->plan, &sweep, &err), err);
    assert_ok(msw_store_begin_run(store, sweep, &TOY_RUN, &run, &err), err);
    msw_batch *batch = toy_batch(toy);
    for (uint64_t i = 0; i < count; i++) {
        toy_row(toy, batch, i, i % 9 ? MSW_OK : MSW_FAILED);
        add_details(batch);
    }
    assert_ok(msw_store_write(store, &toy->plan, sweep, run, batch, &err), err);
    assert_ok(msw_store_commit(store, &err), err);
    msw_batch_free(batch);
}

/* How many of the rows are found in the pages, asked in rising or falling order. */
static uint64_t found(msw_store *store, uint64_t count, bool rising)
{
    msw_err err = {0};
    msw_checker checker;
    uint64_t sound = 0;
    assert_ok(msw_checker_open(store, "main", "toy", &checker, &err), err);
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t id = rising ? i : count + 1 - i;
        const char *status = msw_direct_find(checker.direct, (int64_t)id);
        sound += status && strcmp(status, (id - 1) % 9 ? "ok" : "failed") == 0;
        assert_true(!status || msw_direct_find(checker.direct, (int64_t)id) == status);
    }
    assert_null(msw_direct_find(checker.direct, 0));
    assert_null(msw_direct_find(checker.direct, (int64_t)count + 1));
    msw_checker_close(&checker);
    return sound;
}

static void execute(msw_store *store, const char *sql)
{
    msw_err err = {0};
    assert_ok(msw_sql_exec(store, sql, &err), err);
}

/* Every sound row is found, and none that was changed, moved, or lost a detail. */
static void sound_rows_are_found_and_no_others(void **state)
{
    (void)state;
    enum { COUNT = 900 };
    msw_err err = {0};
    msw_store *store;
    toy_plan toy;
    unlink(path);
    toy_plan_init(&toy, "pages", COUNT, 1);
    assert_ok(msw_store_open(path, MSW_STORE_WRITE, true, NULL, &store, &err), err);
    write_rows(store, &toy, COUNT);
    assert_int_equal(found(store, COUNT, true), COUNT);
    assert_int_equal(found(store, COUNT, false), COUNT);
    execute(store, "UPDATE points_toy SET cycles = cycles + 1 WHERE id = 7");
    execute(store, "UPDATE points_toy SET workload = 'other' WHERE id = 70");
    execute(store, "UPDATE points_toy SET checksum = NULL WHERE id = 90");
    execute(store, "DELETE FROM points_toy WHERE id = 100");
    assert_int_equal(found(store, COUNT, true), COUNT - 4);
    execute(store, "DELETE FROM detail_toy_tenant WHERE row_id = 3 AND item = 1");
    execute(store, "UPDATE detail_toy_tenant SET checksum = checksum + 1 WHERE row_id = 5");
    assert_int_equal(found(store, COUNT, true), COUNT - 6);
    assert_int_equal(found(store, COUNT, false), COUNT - 6);
    execute(store, "BEGIN; UPDATE points_toy SET cycles = cycles + 1 WHERE id = 9");
    assert_int_equal(found(store, COUNT, true), 0); /* the pages do not know of it yet */
    execute(store, "ROLLBACK");
    assert_int_equal(found(store, COUNT, true), COUNT - 6);
    assert_ok(msw_store_close(store, &err), err);
    toy_plan_free(&toy);
}

static int make(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/memsweep-pages-XXXXXX");
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int drop(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_those_of_sqlite),
        cmocka_unit_test(other_files_are_left_alone),
        cmocka_unit_test(damaged_pages_come_to_an_end),
        cmocka_unit_test(sound_rows_are_found_and_no_others),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
