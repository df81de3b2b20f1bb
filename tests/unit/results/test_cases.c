/* SPDX-License-Identifier: MIT */
/* Do rows become the cases a question is about: one per point of the design, a mean only where all
 * rows are there, each factor with its levels where they stand on its scale? */
#include "finished.h"

#include "memsweep/results/fit.h"

#include <string.h>

/* y = x1 + x2 + 8 / 2 of the null mechanism; where x1 + x2 > 1.2 a point is infeasible. */
static const char GRID[] = "sweep: grid\nmechanism: null\nfidelity: analytic\n"
                           "workloads: [synth/even, synth/skewed]\n"
                           "fix: {feasible_sum: 1.2}\n"
                           "vary:\n  x1: [0, 0.5, 1]\n  x2: [0.25, 0.75]\n  gain: [1, 2, 8]\n"
                           "  cost_kind: all\n";

static void open_cases(finished *f, msw_cases *cases)
{
    finished_open(f);
    finished_run(f, "grid.db", GRID, NULL);
    cases->err = &f->err;
    assert_ok(msw_cases_open(&f->context, "grid", NULL, MSW_STORE_READ, cases), f->err);
}

static void close_cases(finished *f, msw_cases *cases)
{
    msw_store_close(cases->store, NULL);
    msw_cases_free(cases);
    finished_close(f);
}

static const msw_case_factor *factor(const msw_cases *cases, const char *name)
{
    for (size_t i = 0; i < cases->factor_count; i++)
        if (strcmp(cases->factors[i].name, name) == 0)
            return &cases->factors[i];
    fail_msg("no factor %s", name);
    return NULL;
}

static void a_case_is_the_mean_of_its_workloads(void **state)
{
    (void)state;
    finished f;
    msw_cases cases = {.ask = {.metric = "y"}};
    open_cases(&f, &cases);
    assert_ok(msw_cases_read(&cases), f.err);
    assert_int_equal(cases.n, 3 * 2 * 3 * 2);
    assert_int_equal(cases.most, 2);
    assert_int_equal(cases.group_count, 1);
    assert_int_equal(cases.infeasible, 3 * 6 * 2); /* (0.5, 0.75), (1, 0.25), (1, 0.75) */
    assert_int_equal(cases.failed + cases.undefined + cases.absent, 0);
    for (size_t i = 0; i < cases.n; i++) {
        const msw_case_factor *two = factor(&cases, "x2");
        double x1 = factor(&cases, "x1")->x[i], x2 = two->values[two->level[i]];
        assert_true(isnan(cases.y[i]) == (x1 + x2 > 1.2));
        if (!isnan(cases.y[i]))
            assert_near(cases.y[i], x1 + x2 + 4, 1e-12);
    }
    msw_text note = MSW_TEXT_EMPTY;
    msw_cases_note(&cases, &note);
    assert_string_equal(msw_text_str(&note),
                        "y of grid: 72 rows, 36 points, each the mean over 2 workloads or "
                        "replicates; without a value: 36 infeasible; errors unknown here: 36 of 36 "
                        "rows (no table of errors)");
    msw_text_free(&note);
    close_cases(&f, &cases);
}

/* cycles = W (g - 1) + W and W differs between the workloads. */
static void a_group_holds_the_rows_of_its_value(void **state)
{
    (void)state;
    finished f;
    msw_cases cases = {.ask = {.metric = "cycles", .group_by = "workload", .filter = "gain < 8"}};
    open_cases(&f, &cases);
    assert_ok(msw_cases_read(&cases), f.err);
    assert_int_equal(cases.group_count, 2);
    assert_int_equal(cases.most, 1);
    assert_int_equal(cases.n, 2 * 24);
    assert_int_equal(cases.group_first[1], 24);
    const msw_case_factor *gain = factor(&cases, "gain");
    for (size_t i = 0; i < 24; i++) /* synth/even: W = 3.75e6 */
        if (!isnan(cases.y[i]))
            assert_relative(cases.y[i], 3.75e6 * gain->values[gain->level[i]], 1e-12);
    close_cases(&f, &cases);
}

static void a_factor_has_its_levels_where_they_stand(void **state)
{
    (void)state;
    finished f;
    msw_cases cases = {.ask = {.metric = "y"}};
    open_cases(&f, &cases);
    assert_ok(msw_cases_read(&cases), f.err);
    assert_int_equal(cases.factor_count, 4);
    const msw_case_factor *x1 = factor(&cases, "x1"), *kind = factor(&cases, "cost_kind");
    assert_int_equal(x1->levels, 3);
    assert_near(x1->positions[1], 0.5, 1e-15);
    assert_near(msw_case_factor_position(x1, 1), 1, 1e-15);
    assert_int_equal(msw_case_factor_level(x1, 0.5), 1);
    assert_int_equal(msw_case_factor_level(x1, 0.6), -1);
    assert_int_equal(msw_case_factor_level(x1, 2), -1);
    assert_false(x1->constant || x1->unordered);
    assert_true(kind->unordered);
    assert_int_equal(kind->levels, 2);
    assert_string_equal(msw_cases_param(&cases, "synth_cv")->name, "synth_cv");
    assert_null(msw_cases_param(&cases, "nothing"));
    close_cases(&f, &cases);
}

static void named_factors_take_the_place_of_the_plans(void **state)
{
    (void)state;
    finished f;
    msw_cases cases = {.ask = {.metric = "y", .factors = "x2, workload , x1 "}};
    open_cases(&f, &cases);
    assert_ok(msw_cases_read(&cases), f.err);
    assert_int_equal(cases.factor_count, 3);
    assert_string_equal(cases.factors[1].name, "workload");
    assert_true(cases.factors[1].unordered);
    assert_int_equal(cases.most, 1); /* a workload that is a factor is no replicate */
    close_cases(&f, &cases);
}

static int count_slice(void *context, const msw_slice *slice)
{
    size_t *factors = context;
    factors[slice->group] = slice->factor_count;
    return 0;
}

static void a_slice_has_the_factors_that_vary_in_it(void **state)
{
    (void)state;
    finished f;
    size_t factors[3] = {0};
    msw_cases cases = {.ask = {.metric = "y", .group_by = "gain", .filter = "x1 = 0"}};
    open_cases(&f, &cases);
    assert_ok(msw_cases_read(&cases), f.err);
    assert_ok(msw_slice_each(&cases, count_slice, factors), f.err);
    assert_int_equal(cases.group_count, 3);
    for (size_t g = 0; g < 3; g++)
        assert_int_equal(factors[g], 2); /* x2 and cost_kind */
    assert_true(factor(&cases, "x1")->constant);
    close_cases(&f, &cases);
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    static const struct {
        msw_cases_options ask;
        const char *said;
    } CASES[] = {
        {{.metric = "status"}, "'status' is a text: only numbers can be studied"},
        {{.metric = "z"}, "z"},
        {{.metric = "y", .filter = "x1 > 7"}, "no rows of sweep 'grid' pass the filter"},
        {{.metric = "y", .filter = "x1 >"}, "the expression stops after '>'"},
        {{.metric = "y", .group_by = "x1,x1"}, "--group-by names 'x1' twice"},
        {{.metric = "y", .group_by = "nothing"}, "nothing"},
        {{.metric = "y", .factors = "x1,x99"}, "x99"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        finished f;
        msw_cases cases = {.ask = CASES[i].ask};
        open_cases(&f, &cases);
        assert_int_equal(msw_cases_read(&cases), -1);
        assert_said(&f.err, CASES[i].said);
        close_cases(&f, &cases);
    }
}

static void no_sweep_of_that_name_is_said(void **state)
{
    (void)state;
    finished f;
    finished_open(&f);
    finished_run(&f, "grid.db", GRID, NULL);
    msw_cases cases = {.err = &f.err};
    assert_int_equal(msw_cases_open(&f.context, "grid", "gird", MSW_STORE_READ, &cases), -1);
    assert_said(&f.err, "gird");
    close_cases(&f, &cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_is_the_mean_of_its_workloads),
        cmocka_unit_test(a_group_holds_the_rows_of_its_value),
        cmocka_unit_test(a_factor_has_its_levels_where_they_stand),
        cmocka_unit_test(named_factors_take_the_place_of_the_plans),
        cmocka_unit_test(a_slice_has_the_factors_that_vary_in_it),
        cmocka_unit_test(wrong_questions_are_refused),
        cmocka_unit_test(no_sweep_of_that_name_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
