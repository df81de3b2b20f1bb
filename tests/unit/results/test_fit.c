/* SPDX-License-Identifier: MIT */
/* Is a polynomial recovered from its own values, are points read as users write them, and are
 * slices of which nothing can be said told apart? */
#include "finished.h"

#include "memsweep/results/fit_points.h"
#include "memsweep/results/fit_trials.h"

#include <string.h>

/* y = x1 + x2 + 4. */
static const char RANDOM[] =
    "sweep: it\nmechanism: null\nworkloads: [synth/small]\n"
    "fidelity: analytic\nvary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}}"
    "\ndesign: {kind: lhs, points: 60}\nderive: {far: \"y / 0\"}\n";
static const char LABELS[] = "sweep: it\nmechanism: null\nworkloads: [synth/small]\n"
                             "fidelity: analytic\nvary: {x1: [0, 1], cost_kind: all}\n";

static void open_cases(finished *f, msw_cases *cases, const char *text, const char *metric)
{
    finished_open(f);
    finished_run(f, "it.db", text, NULL);
    *cases = (msw_cases){.ask = {.metric = metric}, .err = &f->err};
    assert_ok(msw_cases_open(&f->context, "it", NULL, MSW_STORE_READ, cases), f->err);
    assert_ok(msw_cases_read(cases), f->err);
}

static void close_cases(finished *f, msw_cases *cases)
{
    msw_store_close(cases->store, NULL);
    msw_cases_free(cases);
    finished_close(f);
}

static void a_line_is_predicted_exactly(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    msw_named_points points = {0};
    open_cases(&f, &cases, RANDOM, "y");
    assert_ok(msw_named_points_read(&cases, "x1=0.5, x2=0.25", NULL, &points), f.err);
    msw_table_builder builder = {.err = &f.err};
    msw_predictions predictions = {.cases = &cases,
                                   .points = &points,
                                   .ask = {.best = true, .seed = 1},
                                   .confidence = 0.95,
                                   .builder = &builder};
    assert_ok(msw_slice_each(&cases, msw_predict, &predictions), f.err);
    assert_int_equal(predictions.fitted + predictions.stored, 1);
    assert_near(finished_cell(&builder.table, "predicted", 0), 4.75, 1e-6);
    msw_text note = MSW_TEXT_EMPTY;
    msw_predictions_note(&predictions, &note);
    assert_true(note.size > 0);
    msw_text_free(&note);
    msw_table_free(&builder.table);
    msw_named_points_free(&points);
    close_cases(&f, &cases);
}

static void points_stand_in_a_file(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    msw_named_points points = {0};
    char path[128];
    open_cases(&f, &cases, RANDOM, "y");
    finished_write(&f, "points.csv", "# two points\nx2, x1\n\n0.5,0.25\r\n 0.75 ,0.5\n");
    assert_ok(msw_named_points_read(&cases, NULL, finished_path(&f, "points.csv", path), &points),
              f.err);
    assert_int_equal(points.n, 2);
    size_t x1 = strcmp(cases.factors[0].name, "x1") == 0 ? 0 : 1;
    assert_near(points.value[x1], 0.25, 0);
    assert_near(points.value[2 + 1 - x1], 0.75, 0);
    msw_named_points_free(&points);
    close_cases(&f, &cases);
}

static void blanks_around_names_and_values_are_left_out(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    msw_named_points points = {0};
    open_cases(&f, &cases, RANDOM, "y");
    assert_ok(msw_named_points_read(&cases, " x1 = 0.25 , x2\t=\t0.5 ", NULL, &points), f.err);
    assert_int_equal(points.n, 1);
    size_t x1 = strcmp(cases.factors[0].name, "x1") == 0 ? 0 : 1;
    assert_near(points.value[x1], 0.25, 0);
    assert_near(points.value[1 - x1], 0.5, 0);
    msw_named_points_free(&points);
    close_cases(&f, &cases);
}

/* The same through the call that `surrogate` makes: reads, predicts, says what it did. */
static void named_points_are_predicted_in_one_call(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    open_cases(&f, &cases, RANDOM, "y");
    msw_table_builder builder = {.err = &f.err};
    msw_fit_options ask = {.best = true, .seed = 1};
    msw_text note = MSW_TEXT_EMPTY;
    assert_ok(msw_predict_named(&cases, "x1=0.5,x2=0.25", NULL, &ask, 0.95, &builder, &note),
              f.err);
    assert_near(finished_cell(&builder.table, "predicted", 0), 4.75, 1e-6);
    assert_true(note.size > 0);
    assert_int_equal(msw_predict_named(&cases, "x1=0.5", NULL, &ask, 0.95, &builder, &note), -1);
    assert_said(&f.err, "'x2' has none");
    msw_text_free(&note);
    msw_table_free(&builder.table);
    close_cases(&f, &cases);
}

/* A line needs no degree but 1: all rows of the table predict perfectly, the last is the best. */
static void every_degree_up_to_the_highest_is_tried(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    open_cases(&f, &cases, RANDOM, "y");
    msw_table_builder builder = {.err = &f.err};
    msw_fit_options ask = {.degree = 3, .seed = 1, .model = MSW_MODEL_POLYNOMIAL};
    msw_text note = MSW_TEXT_EMPTY;
    assert_ok(msw_fit_trials(&cases, &ask, &builder, &note), f.err);
    assert_int_equal(builder.table.rows, 4);
    for (size_t r = 0; r < 4; r++) {
        assert_near(finished_cell(&builder.table, "q2", r), 1, 1e-9);
        assert_string_equal(finished_label(&builder.table, "choice", r), r < 3 ? "given" : "best");
        if (r < 3)
            assert_int_equal(finished_cell(&builder.table, "degree", r), r + 1);
    }
    assert_non_null(strstr(msw_text_str(&note), "q2: share of the variance predicted"));
    msw_text_free(&note);
    msw_table_free(&builder.table);
    close_cases(&f, &cases);
}

static void wrong_points_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *at, *file, *said;
    } CASES[] = {
        {NULL, NULL, "by --at 'a=1,b=2' or by --points FILE"},
        {"x1", NULL, "'x1': write a point as name=value,name=value"},
        {"x11=1", NULL, "'x11' is no factor of sweep 'it', did you mean 'x1'?"},
        {"x1=0.5", NULL, "a point needs a value for every factor: 'x2' has none"},
        {"x1=0.5,x2=1e9", NULL, "x2"},
        {NULL, "x1,x2\n0.5\n", "'x2' has none"},
        {NULL, "x1,x2\n0.5,0.5,0.5\n", ":2: more values than names"},
        {NULL, "x1,x3\n", ":1: 'x3' is no factor"},
    };
    finished f;
    msw_cases cases;
    char path[128];
    open_cases(&f, &cases, RANDOM, "y");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_named_points points = {0};
        msw_err_clear(&f.err);
        if (CASES[i].file)
            finished_write(&f, "points.csv", CASES[i].file);
        const char *file = CASES[i].file ? finished_path(&f, "points.csv", path) : NULL;
        if (msw_named_points_read(&cases, CASES[i].at, file, &points) == 0)
            fail_msg("case %zu is not refused", i);
        assert_said(&f.err, CASES[i].said);
        msw_named_points_free(&points);
    }
    close_cases(&f, &cases);
}

static void labels_are_read_by_name(void **state)
{
    (void)state;
    finished f;
    msw_cases cases;
    msw_named_points points = {0};
    open_cases(&f, &cases, LABELS, "y");
    assert_ok(msw_named_points_read(&cases, "x1=1,cost_kind=sleep", NULL, &points), f.err);
    msw_named_points_free(&points);
    points = (msw_named_points){0};
    assert_int_equal(msw_named_points_read(&cases, "x1=1,cost_kind=rest", NULL, &points), -1);
    assert_said(&f.err, "cost_kind 'rest': the rows have ");
    msw_named_points_free(&points);
    close_cases(&f, &cases);
}

static int look(void *context, const msw_slice *slice)
{
    *(msw_slice *)context = (msw_slice){.first = slice->first, .n = slice->n};
    return 0;
}

static void nothing_is_said_of_what_does_not_vary(void **state)
{
    (void)state;
    static const struct {
        const char *metric;
        size_t least;
        const char *said;
    } CASES[] = {
        {"y", 3, NULL},
        {"y - y", 3, "0 in all points"},
        {"y - y", 0, NULL},
        {"far", 3, "not there in any point"},
        {"1e308 * 10 * y", 3, "infinite in 60 of 60 points"},
        {"iif(point < 2, y, NULL)", 3, "known in 2 points only"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        finished f;
        msw_cases cases;
        msw_slice slice;
        char text[128];
        open_cases(&f, &cases, RANDOM, CASES[i].metric);
        assert_ok(msw_slice_each(&cases, look, &slice), f.err);
        const char *reason = msw_slice_reason(&cases, &slice, CASES[i].least, text);
        if (CASES[i].said)
            assert_string_equal(reason, CASES[i].said);
        else
            assert_null(reason);
        close_cases(&f, &cases);
    }
}

static void the_highest_degree_falls_with_factors_and_cases(void **state)
{
    (void)state;
    msw_slice few = {.n = 100, .factor_count = 2}, many = {.n = 100, .factor_count = 30};
    assert_int_equal(msw_fit_highest(&few), 6);
    assert_int_equal(msw_fit_highest(&many), 2);
    msw_text note = MSW_TEXT_EMPTY;
    assert_false(msw_fit_note(MSW_FIT_ROWS, 1, &note));
    assert_true(msw_fit_note(MSW_FIT_ROWS + 1, 7, &note));
    assert_non_null(strstr(msw_text_str(&note), "(seed 7)"));
    msw_text_free(&note);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_predicted_exactly),
        cmocka_unit_test(points_stand_in_a_file),
        cmocka_unit_test(blanks_around_names_and_values_are_left_out),
        cmocka_unit_test(named_points_are_predicted_in_one_call),
        cmocka_unit_test(every_degree_up_to_the_highest_is_tried),
        cmocka_unit_test(wrong_points_are_refused),
        cmocka_unit_test(labels_are_read_by_name),
        cmocka_unit_test(nothing_is_said_of_what_does_not_vary),
        cmocka_unit_test(the_highest_degree_falls_with_factors_and_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
