/* SPDX-License-Identifier: MIT */
/* Are databases found by what a user calls them, and is what nobody asked for taken out? */
#include "finished.h"

#include "memsweep/results/columns.h"
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

/* In blocks: a column may have its first value, and its first other value, in a later one. */
static void columns_say_something_or_not(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"empty", "same", "late", "key", "a_hw", "b_hw"};
    msw_table table = {0};
    msw_err err = {0};
    msw_text list = MSW_TEXT_EMPTY, same = MSW_TEXT_EMPTY;
    for (int c = 0; c < 6; c++)
        msw_table_add_column(&table, NAMES[c], "", MSW_GOAL_NONE, &err);
    msw_columns columns = {.varying = true}, any = {0};
    assert_ok(msw_columns_note(&any, &table, &err), err);
    assert_true(msw_columns_tells(&any, 0)); /* there are no rows */
    for (int block = 0; block < 2; block++) {
        assert_ok(msw_table_resize(&table, 3, &err), err);
        for (int r = 0; r < 3; r++) {
            table.columns[1].values[r] = 7;
            table.columns[2].values[r] = block && r == 2;
            table.columns[3].values[r] = r;
            table.columns[4].values[r] = 0;
            table.columns[5].values[r] = block * r;
        }
        assert_ok(msw_columns_note(&columns, &table, &err), err);
        assert_ok(msw_columns_note(&any, &table, &err), err);
    }
    msw_columns_list(&columns, &list);
    assert_string_equal(msw_text_str(&list), "late, b_hw");
    assert_int_equal(msw_columns_silent(&columns, &same), 1);
    assert_string_equal(msw_text_str(&same), "same 7");
    msw_text_clear(&list);
    msw_columns_list(&any, &list);
    assert_string_equal(msw_text_str(&list), "same, late, key, a_hw, b_hw");
    msw_text_free(&list);
    msw_text_free(&same);
    msw_columns_free(&columns);
    msw_columns_free(&any);
    msw_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_database_is_found_by_name_and_by_path),
        cmocka_unit_test(a_missing_database_says_where_it_was_looked_for),
        cmocka_unit_test(what_is_no_database_is_refused),
        cmocka_unit_test(bookkeeping_and_exact_half_widths_are_taken_out),
        cmocka_unit_test(columns_say_something_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
