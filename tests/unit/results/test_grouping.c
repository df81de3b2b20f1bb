/* SPDX-License-Identifier: MIT */
/* Are lists cut where they should be, are groups numbered by value, and named by their columns? */
#include "testing.h"

#include "memsweep/results/grouping.h"

#include <string.h>

static int join_part(void *context, const char *part, size_t size)
{
    msw_text *out = context;
    msw_text_add(out, "[%.*s]", (int)size, part);
    return size == 4 && strncmp(part, "stop", 4) == 0 ? 7 : 0;
}

static void a_comma_in_brackets_or_quotes_divides_nothing(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"", ""},
        {" , ,", ""},
        {"a", "[a]"},
        {" a , b\t", "[a][b]"},
        {"iif(x > 1, 'a', 'b'), c", "[iif(x > 1, 'a', 'b')][c]"},
        {"'a,b', \"c,d\"", "['a,b'][\"c,d\"]"},
        {"'it''s, one'", "['it''s, one']"},
        {"(a, b", "[(a, b]"},
        {"')', x", "[')'][x]"},
        {"'open, x", "['open, x]"},
        {"a, stop, b", "[a][stop]"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_text out = MSW_TEXT_EMPTY;
        int rc = msw_list_each(CASES[i][0], join_part, &out);
        assert_int_equal(rc, strstr(CASES[i][0], "stop") ? 7 : 0);
        assert_string_equal(msw_text_str(&out), CASES[i][1]);
        msw_text_free(&out);
    }
    assert_int_equal(msw_list_count("a, max(b, c), d"), 3);
    assert_int_equal(msw_list_count(" "), 0);
}

static void columns_to_group_by_are_read(void **state)
{
    (void)state;
    msw_grouping g;
    msw_text columns = MSW_TEXT_EMPTY;
    msw_err err = {0};
    assert_ok(msw_grouping_read("workload, x1 / 2", &g, &err), err);
    msw_grouping_add(&g, &columns);
    assert_string_equal(msw_text_str(&columns), ", workload AS group_1, x1 / 2 AS group_2");
    msw_grouping_free(&g);
    msw_text_free(&columns);
    assert_ok(msw_grouping_read("none", &g, &err), err);
    assert_int_equal(g.count, 0);
    assert_ok(msw_grouping_read(NULL, &g, &err), err);
    assert_int_equal(g.groups, 1);
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    msw_grouping g;
    msw_err err = {0};
    assert_int_equal(msw_grouping_read("a,b,a", &g, &err), -1);
    assert_string_equal(err.text, "--group-by names 'a' twice");
    msw_grouping_free(&g);
    msw_err_clear(&err);
    assert_int_equal(msw_grouping_read("a,b,c,d,e,f,g,h,i", &g, &err), -1);
    assert_string_equal(err.text, "--group-by: more than 8 columns");
    msw_grouping_free(&g);
}

/* Four rows: (1, a), (1, b), (nothing, b), (1, a). */
static void make_rows(msw_table *table, msw_err *err)
{
    static const char *const LABELS[] = {"a", "b", "b", "a"};
    assert_int_equal(msw_table_add_column(table, "value", "", MSW_GOAL_NONE, err), 0);
    assert_int_equal(msw_table_add_column(table, "group_1", "", MSW_GOAL_NONE, err), 1);
    assert_ok(msw_table_text_column(table, "group_2", err), *err);
    assert_ok(msw_table_resize(table, 4, err), *err);
    for (size_t r = 0; r < 4; r++) {
        table->columns[1].values[r] = r == 2 ? NAN : 1;
        table->columns[2].values[r] = msw_column_label(&table->columns[2], LABELS[r], err);
    }
}

static void rows_are_numbered_by_first_column_then_second(void **state)
{
    (void)state;
    msw_table table = {0};
    msw_err err = {0};
    msw_grouping g;
    uint32_t group[4], count;
    make_rows(&table, &err);
    assert_ok(msw_grouping_read("x,y", &g, &err), err);
    assert_ok(msw_grouping_number(&g, &table, group, &err), err);
    assert_int_equal(g.groups, 3);
    static const uint32_t WANTED[] = {0, 1, 2, 0};
    assert_memory_equal(group, WANTED, sizeof WANTED);
    /* Rows without a value share a group, the last. */
    assert_ok(msw_group_rows(&table.columns[1], 4, group, &count, &err), err);
    assert_int_equal(count, 2);
    assert_int_equal(group[2], 1);
    assert_ok(msw_group_rows(&table.columns[1], 0, group, &count, &err), err);
    assert_int_equal(count, 0);
    msw_grouping_free(&g);
    msw_table_free(&table);
}

static void several_columns_are_joined_to_one(void **state)
{
    (void)state;
    msw_table table = {0};
    msw_err err = {0};
    msw_grouping g;
    msw_table_builder builder = {.err = &err};
    make_rows(&table, &err);
    assert_ok(msw_grouping_read("x,y", &g, &err), err);
    for (size_t r = 0; r < 2; r++) {
        msw_builder_row(&builder);
        msw_grouping_show(&g, &table, r, &builder);
    }
    assert_ok(msw_grouping_join(&g, "x,y", &builder), err);
    int c = msw_table_find(&builder.table, "x,y");
    assert_true(c >= 0);
    const msw_column *joined = &builder.table.columns[c];
    assert_string_equal(joined->labels[(size_t)joined->values[0]], "1, a");
    assert_string_equal(joined->labels[(size_t)joined->values[1]], "1, b");
    msw_grouping_free(&g);
    msw_table_free(&table);
    msw_table_free(&builder.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comma_in_brackets_or_quotes_divides_nothing),
        cmocka_unit_test(columns_to_group_by_are_read),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(rows_are_numbered_by_first_column_then_second),
        cmocka_unit_test(several_columns_are_joined_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
