/* SPDX-License-Identifier: MIT */
/* Are the first points of a plan listed as they will be evaluated, and are those outside the region
 * of a mechanism's statement counted? */
#include "sweep_testing.h"

#include "memsweep/sweep/preview.h"

static const char *cell(const msw_table *table, const char *column, size_t row)
{
    int c = msw_table_find(table, column);
    assert_true(c >= 0);
    return table->columns[c].labels[(size_t)table->columns[c].values[row]];
}

static void the_first_points_are_listed(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/even, synth/small]\n"
                                  "vary: {gain: [1, 2]}\nreplicates: 2\nfidelity: full\n");
    msw_table table = {0};
    msw_err err = {0};
    assert_ok(msw_plan_first_points(plan, 6, &table, &err), err);
    assert_int_equal(table.rows, 6);
    assert_int_equal(table.column_count, 4);
    assert_string_equal(cell(&table, "point", 5), "5");
    assert_string_equal(cell(&table, "workload", 3), "synth/even");
    assert_string_equal(cell(&table, "workload", 4), "synth/small");
    assert_string_equal(cell(&table, "replicate", 5), "1");
    assert_string_equal(cell(&table, "gain", 1), "1");
    assert_string_equal(cell(&table, "gain", 2), "2");
    msw_table_free(&table);
    assert_ok(msw_plan_first_points(plan, 100, &table, &err), err);
    assert_int_equal(table.rows, plan->points); /* no more than there are */
    msw_table_free(&table);
    msw_plan_free(plan);
}

/* neummu states nothing about its closed form with an oracle. */
static void points_outside_the_stated_region_are_counted(void **state)
{
    (void)state;
    msw_text note = MSW_TEXT_EMPTY;
    msw_err err = {0};
    static const char SWEEP[] = "sweep: it\nmechanism: neummu\nworkloads: [alexnet/b1]\n"
                                "fidelity: analytic\nvary: {oracle: [on, off]}\n";
    static const char *const DIRS[] = {MEMSWEEP_SOURCE, NULL};
    msw_plan_options options = {.seed = -1, .data_dirs = DIRS};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    assert_int_equal(msw_plan_parse("test.yaml", SWEEP, strlen(SWEEP), &options, &plan, &messages),
                     0);
    msw_text_free(&messages.text);
    assert_ok(msw_plan_outside_note(plan, &note, &err), err);
    assert_non_null(strstr(msw_text_str(&note), "1 of 2 points tried lie outside"));
    msw_text_free(&note);
    msw_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_points_are_listed),
        cmocka_unit_test(points_outside_the_stated_region_are_counted),
    };
    return cmocka_run_group_tests_name("sweep_preview", tests, NULL, NULL);
}
