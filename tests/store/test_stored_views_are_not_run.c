/* SPDX-License-Identifier: MIT */
/* Defect 023. Do our commands read a sweep by a view of their own, whatever stands in the file?
 * They used to run the stored one. */
#include "foreign.h"

typedef struct change {
    const char *what, *sql;
} change;

static const change CHANGES[] = {
    {"view is gone", "DROP VIEW sweep"},
    {"view is another", "DROP VIEW sweep; CREATE VIEW sweep AS SELECT 1 AS point, 2 AS cycles"},
    {"view fails", "DROP VIEW sweep; CREATE VIEW sweep AS SELECT load_extension('x') AS cycles"},
    {"view is a table", "DROP VIEW sweep; CREATE TABLE sweep(cycles); INSERT INTO sweep VALUES(1)"},
    {"text of the view is another",
     "UPDATE msw_sweep SET view_sql = view_sql || ' UNION ALL SELECT 1; DELETE FROM points_toy'"},
    {"names that shadow", "CREATE TABLE s(a); CREATE TABLE q(a); CREATE TABLE p(a)"},
};

static void read_all(const char *path, msw_digest *digest, double *total)
{
    msw_err err = {0};
    msw_store *store;
    msw_table table;
    uint64_t rows;
    assert_ok(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, &err), err);
    assert_ok(msw_store_digest(store, NULL, digest, &rows, &err), err);
    assert_int_equal(rows, 10);
    msw_query sum = {.sql = "SELECT sum(cycles + waste) AS total FROM sweep"};
    assert_ok(msw_store_read(store, &sum, &table, &err), err);
    *total = table.columns[0].values[0];
    msw_table_free(&table);
    msw_query some = {.sweep = "sweep", .columns = "point, waste", .filter = "point >= 5"};
    assert_ok(msw_store_read(store, &some, &table, &err), err);
    assert_int_equal(table.rows, 5);
    msw_table_free(&table);
    msw_row_id place = {4, 5};
    msw_query one = {.sweep = "sweep", .row_ids = &place, .row_id_count = 1};
    assert_ok(msw_store_read(store, &one, &table, &err), err);
    assert_int_equal(table.rows, 1);
    msw_table_free(&table);
    assert_ok(msw_store_status(store, &table, &err), err);
    msw_table_free(&table);
    assert_ok(msw_store_close(store, &err), err);
}

static void what_is_read_does_not_depend_on_stored_views(void **state)
{
    (void)state;
    foreign f;
    foreign_init(&f);
    msw_digest digest, wanted;
    double total, sum;
    make_file("clean.db", "sweep", 10, 1);
    read_all("clean.db", &wanted, &sum);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        copy_bytes("clean.db", f.from);
        execute(f.from, CHANGES[i].sql);
        uint64_t before = state_of_folder(f.sources);
        read_all(f.from, &digest, &total);
        if (!msw_digest_equal(digest, wanted) || total != sum)
            fail_msg("%s: other rows", CHANGES[i].what);
        assert_true(state_of_folder(f.sources) == before);
    }
    foreign_free(&f);
}

/* What users add is left alone: SQL of theirs may read tables, but not run what the file stores. */
static void views_and_computed_columns_of_users_are_not_run(void **state)
{
    (void)state;
    static const char *const BAD[] = {"SELECT * FROM mine", "SELECT count(*) FROM mine",
                                      "SELECT count(*) FROM main.sweep", "SELECT * FROM computed",
                                      "SELECT q.point FROM main.sweep AS q"};
    foreign f;
    msw_err err = {0};
    msw_store *store;
    msw_table table;
    foreign_init(&f);
    make_file(f.from, "sweep", 10, 1);
    execute(f.from, "CREATE TABLE plain(a VARCHAR(20), b); INSERT INTO plain VALUES('x', 5); "
                    "CREATE VIEW mine AS SELECT abs(b) AS a FROM plain");
    bool computed = sqlite3_libversion_number() >= 3031000;
    execute(f.from, computed ? "CREATE TABLE computed(a, b GENERATED ALWAYS AS (a + 1))"
                             : "CREATE VIEW computed AS SELECT 1 AS a");
    assert_ok(msw_store_open(f.from, MSW_STORE_READ, false, NULL, &store, &err), err);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_query query = {.sql = BAD[i]};
        if (msw_store_read(store, &query, &table, &err) != -1)
            fail_msg("%s was run", BAD[i]);
        assert_int_equal(err.kind, MSW_ERR_USAGE);
        if (!strstr(err.text, "only SELECT is possible"))
            fail_msg("%s: %s", BAD[i], err.text);
    }
    msw_query query = {.sql = "SELECT b FROM plain"};
    assert_ok(msw_store_read(store, &query, &table, &err), err);
    assert_near(table.columns[0].values[0], 5, 0);
    msw_table_free(&table);
    assert_ok(msw_store_close(store, &err), err);
    foreign_free(&f);
}

/* A view that an earlier version removed comes back with the next run. */
static void a_run_brings_the_stored_view_back(void **state)
{
    (void)state;
    foreign f;
    foreign_init(&f);
    make_file(f.from, "sweep", 10, 1);
    execute(f.from, "DROP VIEW sweep");
    make_file(f.from, "sweep", 10, 1);
    assert_int_equal(count_of(f.from, "SELECT count(*) FROM sweep"), 10);
    foreign_free(&f);
}

static void a_view_of_a_user_is_not_replaced(void **state)
{
    (void)state;
    foreign f;
    msw_err err = {0};
    msw_store *store;
    int64_t sweep;
    toy_plan toy;
    foreign_init(&f);
    make_file(f.from, "first", 10, 1);
    execute(f.from, "CREATE VIEW sweep AS SELECT 7 AS mine");
    toy_plan_init(&toy, "sweep", 10, 1);
    assert_ok(msw_store_open(f.from, MSW_STORE_WRITE, false, NULL, &store, &err), err);
    assert_int_equal(msw_store_add_sweep(store, &toy.plan, &sweep, &err), -1);
    assert_non_null(strstr(err.text, "something else of that name"));
    assert_ok(msw_store_close(store, &err), err);
    assert_int_equal(count_of(f.from, "SELECT mine FROM sweep"), 7);
    toy_plan_free(&toy);
    foreign_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_does_not_depend_on_stored_views),
        cmocka_unit_test(views_and_computed_columns_of_users_are_not_run),
        cmocka_unit_test(a_run_brings_the_stored_view_back),
        cmocka_unit_test(a_view_of_a_user_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
