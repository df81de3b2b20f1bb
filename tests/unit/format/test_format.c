/* SPDX-License-Identifier: MIT */
/* Do the writers say what the table holds, in each format? */
#include "testing.h"

#include "memsweep/format/format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_label(msw_column *column, size_t row, const char *label)
{
    msw_err err = {0};
    int index = msw_column_label(column, label, &err);
    assert_true(index >= 0);
    column->values[row] = index;
}

/* Two rows: a number, a size, a text with everything that needs quoting, an empty column. */
static void make_table(msw_table *table)
{
    msw_err err = {0};
    assert_ok(msw_table_resize(table, 2, &err), err);
    assert_int_equal(msw_table_add_column(table, "y", "ns", MSW_GOAL_LOWER, &err), 0);
    assert_int_equal(msw_table_add_column(table, "size", "B", MSW_GOAL_NONE, &err), 1);
    assert_int_equal(msw_table_add_column(table, "name", "", MSW_GOAL_NONE, &err), 2);
    assert_int_equal(msw_table_add_column(table, "gap", "", MSW_GOAL_NONE, &err), 3);
    table->columns[0].values[0] = 0.1 + 0.2;
    table->columns[1].integer = true;
    table->columns[1].values[0] = 9007199254740991.0;
    table->columns[1].values[1] = 4096;
    add_label(&table->columns[2], 0, "a,\"b\"\tc\\");
    add_label(&table->columns[2], 1, "\xc3\xa9t\xc3\xa9");
}

static char *written(const msw_table *table, msw_format format, const msw_format_style *style)
{
    char *text = NULL;
    size_t size = 0;
    msw_err err = {0};
    FILE *out = open_memstream(&text, &size);
    assert_ok(msw_format_write(table, format, style, out, &err), err);
    fclose(out);
    return text;
}

static void check(msw_format format, const msw_format_style *style, const char *wanted)
{
    msw_table table = {0};
    make_table(&table);
    char *text = written(&table, format, style);
    assert_string_equal(text, wanted);
    free(text);
    msw_table_free(&table);
}

static void tsv_is_exact_and_quotes_tabs(void **state)
{
    (void)state;
    check(MSW_FORMAT_TSV, NULL,
          "y\tsize\tname\tgap\n0.30000000000000004\t9007199254740991\ta,\"b\"\\tc\\\\\t\n"
          "\t4096\t\xc3\xa9t\xc3\xa9\t\n");
}

static void csv_quotes_what_needs_it(void **state)
{
    (void)state;
    check(MSW_FORMAT_CSV, NULL,
          "y,size,name,gap\n0.30000000000000004,9007199254740991,\"a,\"\"b\"\"\tc\\\",\n"
          ",4096,\xc3\xa9t\xc3\xa9,\n");
}

static void json_has_null_for_what_is_not_there(void **state)
{
    (void)state;
    check(MSW_FORMAT_JSON, NULL,
          "[\n {\"y\": 0.30000000000000004, \"size\": 9007199254740991, \"name\": "
          "\"a,\\\"b\\\"\\tc\\\\\", \"gap\": null},\n"
          " {\"y\": null, \"size\": 4096, \"name\": \"\xc3\xa9t\xc3\xa9\", \"gap\": null}\n]\n");
}

static void text_aligns_numbers_right_and_words_left(void **state)
{
    (void)state;
    check(MSW_FORMAT_TEXT, NULL,
          "y [ns]          size [B]  name       gap\n"
          "   0.3  9007199254740991  a,\"b\"\\tc\\     \n"
          "                    4096  \xc3\xa9t\xc3\xa9           \n"
          "(2 rows)\n");
}

static void hides_columns_that_say_nothing(void **state)
{
    (void)state;
    msw_table table = {0};
    make_table(&table);
    table.columns[0].values[1] = table.columns[0].values[0];
    msw_format_style style = {.hide_same = true, .note = "the note"};
    char *text = written(&table, MSW_FORMAT_TEXT, &style);
    assert_null(strstr(text, "y [ns]"));
    assert_non_null(strstr(text, "(2 rows)\nsame in all: y 0.3\nempty in all: gap\nthe note\n"));
    free(text);
    msw_table_free(&table);
}

/* Columns a (differ in the ninth digit), b (0 and -0), c (six digits tell two of three rows apart).
 */
static void what_differs_is_not_called_the_same(void **state)
{
    (void)state;
    static const double VALUES[3][3] = {
        {1.00000001, 0, 2}, {1.00000002, -0.0, 2.00000001}, {1.00000001, 0, 3}};
    static const char *const NAMES[] = {"a", "b", "c"};
    msw_table table = {0};
    msw_err err = {0};
    assert_ok(msw_table_resize(&table, 3, &err), err);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(msw_table_add_column(&table, NAMES[c], "", MSW_GOAL_NONE, &err), c);
        for (int r = 0; r < 3; r++)
            table.columns[c].values[r] = VALUES[r][c];
    }
    msw_format_style style = {.hide_same = true};
    char *text = written(&table, MSW_FORMAT_TEXT, &style);
    assert_string_equal(text, "         a  c\n1.00000001  2\n1.00000002  2\n1.00000001  3\n"
                              "(3 rows)\nsame in all: b 0\n");
    free(text);
    msw_table_free(&table);
}

static void no_line_is_wider_than_asked(void **state)
{
    (void)state;
    msw_table table = {0};
    make_table(&table);
    msw_format_style style = {.width = 28};
    char *text = written(&table, MSW_FORMAT_TEXT, &style);
    assert_non_null(strstr(text, "not shown for lack of width: name, gap\n"));
    char *footer = strstr(text, "(2 rows)");
    *footer = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(msw_format_width(line) <= 28);
    free(text);
    msw_table_free(&table);
}

static void long_words_are_cut(void **state)
{
    (void)state;
    msw_table table = {0};
    msw_err err = {0};
    assert_ok(msw_table_resize(&table, 1, &err), err);
    assert_int_equal(msw_table_add_column(&table, "about", "", MSW_GOAL_NONE, &err), 0);
    add_label(&table.columns[0], 0, "one two three four five six");
    msw_format_style style = {.width = 16, .no_footer = true};
    char *text = written(&table, MSW_FORMAT_TEXT, &style);
    assert_string_equal(text, "about\none two three...\n");
    free(text);
    msw_table_free(&table);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    msw_table table = {0};
    msw_err err = {0};
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    make_table(&table);
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(msw_format_write(&table, MSW_FORMAT_TSV, NULL, full, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    fclose(full);
    msw_table_free(&table);
}

static void formats_are_found_by_name_and_file(void **state)
{
    (void)state;
    assert_int_equal(msw_format_find("json"), MSW_FORMAT_JSON);
    assert_int_equal(msw_format_find("xml"), -1);
    assert_int_equal(msw_format_of_file("a.b/out.csv"), MSW_FORMAT_CSV);
    assert_int_equal(msw_format_of_file("out"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tsv_is_exact_and_quotes_tabs),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(json_has_null_for_what_is_not_there),
        cmocka_unit_test(text_aligns_numbers_right_and_words_left),
        cmocka_unit_test(hides_columns_that_say_nothing),
        cmocka_unit_test(what_differs_is_not_called_the_same),
        cmocka_unit_test(no_line_is_wider_than_asked),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(formats_are_found_by_name_and_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
