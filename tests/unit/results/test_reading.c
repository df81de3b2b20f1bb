/* SPDX-License-Identifier: MIT */
/* Are databases found by what a user calls them, and is what nobody asked for taken out? */
#include "finished.h"

#include "memsweep/results/reading.h"

#include <string.h>

static const char SWEEP[] = "sweep: one\nmechanism: null\nworkloads: [synth/small]\n"
                            "fidelity: analytic\nvary: {x1: [0, 1]}\n";

static void a_database_is_found_by_name_and_by_path(void **state)
{
    (void)state;
    finished f;
    char path[128];
    finished_open(&f);
    finished_run(&f, "one.db", SWEEP, NULL);
    const char *words[] = {"one", finished_path(&f, "one.db", path)};
    for (size_t i = 0; i < 2; i++) {
        msw_table table = {0};
        msw_query query = {.columns = "x1, y", .limit = -1};
        assert_ok(msw_read_rows(&f.context, words[i], &query, &table, &f.err), f.err);
        assert_int_equal(table.rows, 2);
        assert_near(finished_cell(&table, "y", 1), 1 + 4.5, 1e-12);
        msw_table_free(&table);
    }
    finished_close(&f);
}

static void a_missing_database_says_where_it_was_looked_for(void **state)
{
    (void)state;
    finished f;
    msw_store *store = NULL;
    finished_open(&f);
    finished_run(&f, "one.db", SWEEP, NULL);
    assert_int_equal(msw_open_database(&f.context, "two", MSW_STORE_READ, &store, &f.err), -1);
    assert_said(&f.err, "no database 'two'");
    assert_said(&f.err, "two.db");
    assert_said(&f.err, "one");
    finished_close(&f);
}

static void what_is_no_database_is_refused(void **state)
{
    (void)state;
    finished f;
    msw_store *store = NULL;
    char path[128];
    finished_open(&f);
    finished_write(&f, "text.db",
                   "this is no database, although it is long enough to be looked "
                   "at as if it were one: 100 bytes and some more of them");
    assert_int_equal(msw_open_database(&f.context, finished_path(&f, "text.db", path),
                                       MSW_STORE_READ, &store, &f.err),
                     -1);
    assert_said(&f.err, "text.db");
    finished_close(&f);
}

static void bookkeeping_and_exact_half_widths_are_taken_out(void **state)
{
    (void)state;
    finished f;
    msw_table table = {0};
    msw_query query = {.limit = -1};
    finished_open(&f);
    finished_run(&f, "one.db", SWEEP, NULL);
    assert_ok(msw_read_rows(&f.context, "one", &query, &table, &f.err), f.err);
    assert_true(msw_table_find(&table, "cost_us") >= 0 && msw_table_find(&table, "cycles_hw") >= 0);
    assert_non_null(strstr(msw_drop_bookkeeping(&table), "cost_us"));
    assert_true(msw_table_find(&table, "cost_us") < 0 && msw_table_find(&table, "key") < 0);
    assert_true(msw_table_find(&table, "cycles_hw") < 0); /* 0 in every row: analytic */
    assert_true(msw_table_find(&table, "cycles") >= 0);
    msw_table_free(&table);
    finished_close(&f);
}

static void a_column_without_any_value_is_taken_out_unless_there_are_no_rows(void **state)
{
    (void)state;
    msw_table table = {0};
    msw_err err = {0};
    msw_table_add_column(&table, "a", "", MSW_GOAL_NONE, &err);
    msw_table_add_column(&table, "b", "", MSW_GOAL_NONE, &err);
    assert_int_equal(msw_drop_empty(&table), 0);
    assert_ok(msw_table_resize(&table, 3, &err), err);
    table.columns[1].values[2] = 0;
    assert_int_equal(msw_drop_empty(&table), 1);
    assert_string_equal(table.columns[0].name, "b");
    msw_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_database_is_found_by_name_and_by_path),
        cmocka_unit_test(a_missing_database_says_where_it_was_looked_for),
        cmocka_unit_test(what_is_no_database_is_refused),
        cmocka_unit_test(bookkeeping_and_exact_half_widths_are_taken_out),
        cmocka_unit_test(a_column_without_any_value_is_taken_out_unless_there_are_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
