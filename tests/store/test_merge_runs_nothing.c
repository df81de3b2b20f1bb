/* SPDX-License-Identifier: MIT */
/* Defect 021. Does merging a hostile file run anything of it? Text of the file used to be
 * executed: a view, the declaration of a table, names and defaults of columns. */
#include "foreign.h"

/* What somebody did to a file. */
typedef struct attack {
    const char *what, *sql;
    const char *message; /* why it is refused; NULL: it can be merged, and does no harm */
    int since;           /* version of SQLite that has it */
} attack;

#define SCHEMA(change, where)                                                                      \
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET " change " WHERE " where                \
    "; PRAGMA writable_schema = OFF"
#define SWEEP(change) "UPDATE msw_sweep SET " change

static const attack ATTACKS[] = {
    {"view text", SWEEP("view_sql = 'SELECT 1; DELETE FROM points_toy; --'"),
     "the text of its view", 0},
    {"view text that attaches",
     SWEEP("view_sql = 'SELECT 1; ATTACH ''made.db'' AS made; CREATE TABLE made.t(a); --'"),
     "the text of its view", 0},
    {"view text with a column of its own",
     SWEEP("view_sql = replace(view_sql, ', p.ways AS ways', ', p.x AS ways')"), "column 'x'", 0},
    {"view with text in quotes", SWEEP("view_sql = '''; DELETE FROM points_toy; --'"),
     "the text of its view", 0},
    {"stored view", "DROP VIEW sweep; CREATE VIEW sweep AS SELECT load_extension('x')", NULL, 0},
    {"no stored view", "DROP VIEW sweep", NULL, 0},
    {"derived column that reads",
     SWEEP("canonical = replace(canonical, 'cycles * stall', '(SELECT count(*) FROM msw_run)')"),
     "derived column waste", 0},
    {"derived column that calls",
     SWEEP("canonical = replace(canonical, 'cycles * stall', 'load_extension(1)')"),
     "derived column waste", 0},
    {"derived column that closes its bracket",
     SWEEP("canonical = replace(canonical, 'cycles * stall', '1) AS a, (SELECT 1')"),
     "derived column waste", 0},
    {"name of a derived column",
     SWEEP("canonical = replace(canonical, 'waste:', '\"a\\\" FROM msw_run; --\":')"), "is no name",
     0},
    {"text that is none", SWEEP("canonical = '{{{'"), "cannot be read", 0},
    {"name of a workload",
     SWEEP("canonical = replace(canonical, 'alpha/one', 'a'' FROM msw_span AS s CROSS JOIN ')"),
     NULL, 0},
    {"name of a column", "ALTER TABLE points_toy ADD COLUMN \"a); DELETE FROM main.msw_run; --\"",
     "nothing that memsweep declares", 0},
    {"type of a column", "ALTER TABLE points_toy ADD COLUMN more \"TEXT; DROP TABLE msw_run\"",
     "nothing that memsweep declares", 0},
    {"default that computes",
     SCHEMA("sql = replace(sql, ', ways INTEGER', ', ways INTEGER DEFAULT (abs(-1))')",
            "name = 'points_toy'"),
     "nothing that memsweep declares", 0},
    {"check",
     SCHEMA("sql = replace(sql, ', ways INTEGER', ', ways INTEGER CHECK(ways > 0)')",
            "name = 'points_toy'"),
     "nothing that memsweep declares", 0},
    {"computed column",
     "ALTER TABLE points_toy ADD COLUMN more INTEGER GENERATED ALWAYS AS (ways + 1) VIRTUAL",
     "nothing that memsweep declares", 3031000},
    {"table that is another",
     SCHEMA("sql = replace(sql, 'TABLE points_toy', 'TABLE points_other')", "name = 'points_toy'"),
     "", 0},
    {"table that is a view",
     "ALTER TABLE msw_run RENAME TO mine; CREATE VIEW msw_run AS SELECT * FROM mine",
     "table msw_run is a view", 0},
    {"missing table", "DROP TABLE msw_analysis", "msw_analysis is missing", 0},
    {"more columns in the catalogue", "ALTER TABLE msw_run ADD COLUMN mine TEXT", "column mine", 0},
    {"missing column", "ALTER TABLE points_toy RENAME COLUMN key TO kez", "column key", 0},
    {"mechanism", SWEEP("mechanism = 'toy AS a; DROP TABLE msw_run; --'"), "has no table", 0},
    {"name of a table", SWEEP("name = 'points_toy'"), "cannot be called", 0},
    {"name of the catalogue", SWEEP("name = 'MSW_span'"), "cannot be called", 0},
    {"name in quotes", SWEEP("name = 'a\"; DROP TABLE msw_run; --'"), "cannot be called", 0},
    {"digest", SWEEP("digest = ''') OR 1; --'"), "digest", 0},
    {"number of points", SWEEP("points = 1 << 60"), "number of points", 0},
    {"metric",
     "INSERT INTO msw_column VALUES('points_toy', 'x) THEN 1 END; DELETE FROM msw_run; --', "
     "'metric', 'REAL', '', NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL)",
     NULL, 0},
    {"rows far away", "UPDATE points_toy SET id = 1 << 40 WHERE id = 3", "cannot be merged", 0},
    {"negative rows", "UPDATE points_toy SET id = -3 WHERE id = 3", "damaged", 0},
    {"trigger that is not run",
     "CREATE TRIGGER t AFTER INSERT ON points_toy BEGIN DELETE FROM points_toy; END", NULL, 0},
    {"table, view and index of a user",
     "CREATE TABLE mine(a CHECK(a > 0)); CREATE VIEW look AS SELECT load_extension(a) FROM mine; "
     "CREATE INDEX by_ways ON points_toy(ways)",
     NULL, 0},
};

static void check(const foreign *f, const attack *a)
{
    msw_err err;
    uint64_t rows, before;
    copy_bytes("clean.db", f->from);
    copy_bytes("start.db", f->into);
    execute(f->from, a->sql);
    before = state_of_folder(f->folder);
    int result = merge_files(f, MSW_MERGE_REFUSE, &rows, &err);
    if (a->message) {
        if (result == 0 || err.kind == MSW_ERR_INTERNAL || !strstr(err.text, a->message))
            fail_msg("%s: %d, kind %d: %s", a->what, result, err.kind, err.text);
        /* Nothing was written, so not even the time of the file is another. */
        if (state_of_folder(f->folder) != before)
            fail_msg("%s: something has changed", a->what);
        return;
    }
    if (result)
        fail_msg("%s: %s", a->what, err.text);
    assert_int_equal(rows, 10);
    assert_int_equal(count_of(f->into, "SELECT count(*) FROM points_toy"), 30);
    assert_int_equal(count_of(f->into, "SELECT count(*) FROM msw_run"), 2);
    assert_int_equal(count_of(f->into, "SELECT count(*) FROM start"), 20);
    if (access("made.db", F_OK) == 0)
        fail_msg("%s: a file was made", a->what);
}

static void nothing_of_a_merged_file_is_run(void **state)
{
    (void)state;
    foreign f;
    foreign_init(&f);
    make_file("clean.db", "sweep", 10, 1);
    make_file("start.db", "start", 20, 2);
    execute("clean.db", "UPDATE msw_run SET pid = 2");
    uncover("clean.db");
    for (size_t i = 0; i < sizeof ATTACKS / sizeof *ATTACKS; i++)
        if (sqlite3_libversion_number() >= ATTACKS[i].since)
            check(&f, &ATTACKS[i]);
    foreign_free(&f);
}

/* The view that is stored in the file merged into is our own, whatever the source says. */
static void views_are_written_from_checked_names(void **state)
{
    (void)state;
    foreign f;
    msw_err err;
    uint64_t rows;
    foreign_init(&f);
    make_file(f.from, "sweep", 10, 1);
    make_file(f.into, "start", 20, 2);
    uncover(f.from);
    execute(f.from, "CREATE TABLE kept AS SELECT view_sql FROM msw_sweep; UPDATE msw_sweep SET "
                    "view_sql = replace(view_sql, 'WHERE', 'WHERE randomblob(1) IS NOT NULL AND')");
    assert_ok(merge_files(&f, MSW_MERGE_REFUSE, &rows, &err), err);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM sqlite_master WHERE sql LIKE "
                                      "'%randomblob%'"),
                     0);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM msw_sweep WHERE view_sql LIKE "
                                      "'%randomblob%'"),
                     0);
    assert_int_equal(count_of(f.into, "SELECT count(*) FROM sweep"), 10);
    foreign_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_a_merged_file_is_run),
        cmocka_unit_test(views_are_written_from_checked_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
