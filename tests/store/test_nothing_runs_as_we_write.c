/* SPDX-License-Identifier: MIT */
/* Defect 024. Is a file refused for writing when something of it would run as we write: triggers,
 * checks, defaults, computed columns, indexes that compute or forbid? */
#include "foreign.h"

typedef struct change {
    const char *what, *sql;
    const char *message; /* NULL: it is left alone */
    bool reads;          /* it does not stand in the way of reading */
    int since;
} change;

#define DECLARE(from, to, table)                                                                   \
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '" from "', '" to    \
    "') WHERE name = '" table "'; PRAGMA writable_schema = OFF"

static const change CHANGES[] = {
    {"trigger on rows", "CREATE TRIGGER bad AFTER INSERT ON points_toy BEGIN SELECT 1; END",
     "trigger bad", true, 0},
    {"trigger on runs", "CREATE TRIGGER bad BEFORE UPDATE ON msw_run BEGIN SELECT 1; END",
     "trigger bad", true, 0},
    {"unique index", "CREATE UNIQUE INDEX bad ON points_toy(id)", "index bad", true, 0},
    {"partial index", "CREATE INDEX bad ON points_toy(ways) WHERE ways > 3", "index bad", true, 0},
    {"index that computes", "CREATE INDEX bad ON points_toy(abs(ways))", "index bad", true, 0},
    {"index on the catalogue", "CREATE INDEX bad ON msw_run(length(reason))", "index bad", true, 0},
    {"check", DECLARE("started TEXT NOT NULL", "started TEXT NOT NULL CHECK(started)", "msw_run"),
     "table msw_run", false, 0},
    {"default",
     DECLARE("row_count INTEGER NOT NULL DEFAULT 0", "row_count INTEGER NOT NULL DEFAULT 5",
             "msw_run"),
     "column row_count", false, 0},
    {"default that computes",
     DECLARE("ended TEXT", "ended TEXT DEFAULT (randomblob(3))", "msw_run"), "table msw_run", false,
     0},
    {"foreign key",
     DECLARE("sweep INTEGER NOT NULL", "sweep INTEGER NOT NULL REFERENCES mine(a)", "msw_run"),
     "table msw_run", false, 0},
    {"collation", DECLARE("key BLOB", "key BLOB COLLATE NOCASE", "points_toy"), "table points_toy",
     false, 0},
    {"conflict",
     DECLARE("digest TEXT NOT NULL UNIQUE", "digest TEXT NOT NULL UNIQUE ON CONFLICT REPLACE",
             "msw_sweep"),
     "table msw_sweep", false, 0},
    {"type", DECLARE("tenant REAL", "tenant TEXT", "detail_toy_tenant"), "column tenant", false, 0},
    {"computed column",
     "ALTER TABLE points_toy ADD COLUMN bad INTEGER GENERATED ALWAYS AS (abs(ways)) VIRTUAL",
     "table points_toy", false, 3031000},
    {"computed column in details",
     "ALTER TABLE detail_toy_tenant ADD COLUMN bad REAL AS (abs(latency))",
     "table detail_toy_tenant", false, 3031000},
    {"virtual table", "CREATE VIRTUAL TABLE points_bad USING fts5(a)", "virtual", false, 0},
    {"plain index", "CREATE INDEX good ON points_toy(ways, policy DESC)", NULL, true, 0},
    {"what users add",
     "CREATE TABLE mine(a INTEGER CHECK(a > 0) DEFAULT (1 + 1)); CREATE UNIQUE INDEX good ON "
     "mine(abs(a)); CREATE TRIGGER also AFTER INSERT ON mine BEGIN DELETE FROM points_toy; END; "
     "CREATE VIEW looks AS SELECT load_extension(a) FROM mine; CREATE TABLE \"odd \"\" name\"(b); "
     "CREATE TABLE [brackets](c); CREATE TABLE Grün(d); ANALYZE",
     NULL, true, 0},
};

static int open_and_add(const char *path, msw_store_mode mode, msw_err *err)
{
    msw_store *store;
    *err = (msw_err){0};
    if (msw_store_open(path, mode, false, NULL, &store, err))
        return -1;
    return msw_store_close(store, err);
}

static void check(const foreign *f, const change *c)
{
    msw_err err;
    copy_bytes("clean.db", f->from);
    execute(f->from, c->sql);
    uint64_t before = state_of_folder(f->sources);
    int result = open_and_add(f->from, MSW_STORE_WRITE, &err);
    if (c->message && (result == 0 || err.kind != MSW_ERR_IO || !strstr(err.text, c->message) ||
                       !strstr(err.text, f->from)))
        fail_msg("%s: %d, kind %d: %s", c->what, result, err.kind, err.text);
    if (!c->message && result)
        fail_msg("%s: %s", c->what, err.text);
    if (c->reads != (open_and_add(f->from, MSW_STORE_READ, &err) == 0))
        fail_msg("%s: reading: %s", c->what, err.text);
    if (state_of_folder(f->sources) != before)
        fail_msg("%s: the file has changed", c->what);
    if (c->message)
        return;
    make_file(f->from, "other", 10, 2);
    assert_int_equal(count_of(f->from, "SELECT count(*) FROM points_toy"), 20);
}

static void what_would_run_is_refused_by_name(void **state)
{
    (void)state;
    foreign f;
    foreign_init(&f);
    make_file("clean.db", "sweep", 10, 1);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++)
        if (sqlite3_libversion_number() >= CHANGES[i].since)
            check(&f, &CHANGES[i]);
    foreign_free(&f);
}

/* Columns of other versions: the table may have more and fewer than the mechanism has now. */
static void tables_of_other_versions_are_taken(void **state)
{
    (void)state;
    foreign f;
    foreign_init(&f);
    make_file(f.from, "sweep", 10, 1);
    execute(f.from, "ALTER TABLE points_toy ADD COLUMN later REAL DEFAULT -1.5e3; ALTER TABLE "
                    "points_toy ADD COLUMN mode TEXT DEFAULT 'it''s'; ALTER TABLE points_toy ADD "
                    "COLUMN size INTEGER");
    make_file(f.from, "other", 10, 2);
    make_file(f.into, "start", 20, 3);
    msw_err err;
    uint64_t rows;
    execute(f.from, "UPDATE msw_run SET pid = 2");
    uncover(f.from);
    assert_ok(merge_files(&f, MSW_MERGE_REFUSE, &rows, &err), err);
    assert_int_equal(rows, 20);
    assert_int_equal(count_of(f.into,
                              "SELECT count(*) FROM points_toy WHERE later = -1500 AND mode "
                              "= 'it''s' AND size IS NULL"),
                     40);
    foreign_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_would_run_is_refused_by_name),
        cmocka_unit_test(tables_of_other_versions_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
