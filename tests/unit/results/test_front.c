/* SPDX-License-Identifier: MIT */
/* Is the front of a sweep the one that is known, are objectives and reference points taken as said,
 * and are rows without a value counted, not ranked? */
#include "finished.h"

#include "memsweep/results/front.h"
#include "memsweep/results/reading.h"

#include <string.h>

/* zdt1: with x2 = ... = x10 = 0 the front is f2 = 1 - sqrt(f1); with x2 = 1 it is dominated. */
static const char ZDT1[] = "sweep: zdt1\nmechanism: null\nworkloads: [synth/small]\n"
                           "fidelity: analytic\n"
                           "fix: {function: zdt1, x3: 0, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, "
                           "x10: 0, feasible_sum: 1.5}\n"
                           "vary: {x1: [0, 0.25, 1], x2: [0, 1], gain: [1, 2]}\n"
                           "objectives: {minimize: [f1, f2]}\n";

static void open_front(finished *f, msw_front *front, const char *minimize, const char *maximize)
{
    finished_open(f);
    finished_run(f, "zdt1.db", ZDT1, NULL);
    front->err = &f->err;
    assert_ok(msw_open_database(&f->context, "zdt1", MSW_STORE_READ, &front->input.store, &f->err),
              f->err);
    assert_ok(msw_store_sweep(front->input.store, NULL, &front->input.sweep, &f->err), f->err);
    assert_ok(msw_objectives_read(minimize, maximize, &front->input.sweep, &front->input.objectives,
                                  &f->err),
              f->err);
}

static void close_front(finished *f, msw_front *front)
{
    msw_store_close(front->input.store, NULL);
    msw_front_free(front);
    finished_close(f);
}

static void the_front_is_the_known_one(void **state)
{
    (void)state;
    finished f;
    msw_front front = {.options = {.filter = "gain = 1", .ranks = 1, .knee = true}};
    open_front(&f, &front, NULL, NULL);
    assert_ok(msw_front_find(&front), f.err);
    assert_int_equal(front.ranks.count.front, 3);
    assert_int_equal(front.ranks.count.ranked, 5); /* (1, 1) is infeasible */
    assert_int_equal(front.ranks.count.left_out, 1);
    assert_ok(msw_front_show(&front), f.err);
    assert_int_equal(front.shown.table.rows, 3);
    for (size_t r = 0; r < 3; r++) {
        double f1 = finished_cell(&front.shown.table, "f1", r);
        assert_near(finished_cell(&front.shown.table, "f2", r), 1 - sqrt(f1), 1e-12);
    }
    assert_int_equal(
        front.rows.values.columns[MSW_FRONT_OBJECTIVES].values[front.ranks.knees[0].row] == 0.25,
        true);
    msw_text reasons = MSW_TEXT_EMPTY;
    assert_ok(msw_front_note(&front, &reasons), f.err);
    assert_non_null(strstr(msw_text_str(&reasons), "infeasible"));
    msw_text_free(&reasons);
    close_front(&f, &front);
}

static void points_that_are_equal_are_all_on_the_front(void **state)
{
    (void)state;
    finished f;
    msw_front front = {.options = {.ranks = 2}};
    open_front(&f, &front, "f1,f2", NULL);
    assert_ok(msw_front_find(&front), f.err);
    assert_int_equal(front.ranks.count.front, 6);
    assert_int_equal(front.ranks.repeats, 3); /* gain does not matter */
    assert_int_equal(front.shown.count, 10);
    close_front(&f, &front);
}

static void each_group_has_a_front_of_its_own(void **state)
{
    (void)state;
    finished f;
    msw_front front = {.options = {.ranks = 1, .group_by = "x2"}};
    open_front(&f, &front, "f1", "f2");
    assert_ok(msw_front_find(&front), f.err);
    assert_int_equal(front.rows.group_count, 2);
    assert_int_equal(front.ranks.count.front,
                     4); /* low f1, high f2: x1 = 0 of both, at both gains */
    close_front(&f, &front);
}

/* Corners (0, 1), (1/4, 1/2), (1, 0) below (2, 2): columns 1/4 x 1, 3/4 x 3/2, 1 x 2. */
static void the_hypervolume_is_the_area(void **state)
{
    (void)state;
    finished f;
    msw_front front = {
        .options = {
            .filter = "gain = 1", .ranks = 1, .exclusive = true, .reference = "f1 = 2, f2= 2"}};
    msw_table_builder builder = {.err = &f.err};
    open_front(&f, &front, NULL, NULL);
    assert_ok(msw_front_find(&front), f.err);
    assert_ok(msw_front_measure(&front, NULL, &builder), f.err);
    assert_near(finished_cell(&builder.table, "hypervolume", 0), 0.25 + 1.125 + 2, 1e-12);
    assert_int_equal(finished_cell(&builder.table, "points", 0), 5);
    assert_int_equal(finished_cell(&builder.table, "front", 0), 3);
    for (size_t r = 0; r < front.rows.values.rows; r++)
        if (front.rows.values.columns[MSW_FRONT_OBJECTIVES].values[r] == 0.25 &&
            front.ranks.rank[r] == 0)
            assert_near(front.ranks.share[r], 0.75 * 0.5, 1e-12);
    msw_table_free(&builder.table);
    close_front(&f, &front);
}

static void a_front_is_no_distance_from_itself(void **state)
{
    (void)state;
    finished f;
    msw_front front = {.options = {.filter = "gain = 1", .ranks = 1}};
    msw_table_builder builder = {.err = &f.err};
    open_front(&f, &front, NULL, NULL);
    assert_ok(msw_front_find(&front), f.err);
    assert_ok(msw_front_measure(&front, &front, &builder), f.err);
    assert_near(finished_cell(&builder.table, "epsilon", 0), 0, 0);
    assert_near(finished_cell(&builder.table, "epsilon_back", 0), 0, 0);
    msw_table_free(&builder.table);
    close_front(&f, &front);
}

/* In another file only half of the points: there the front lacks (1/4, 1/2), so it is the worse
 * one. The least additive epsilon back: (0, 1) must come down by 1/2, or (1, 0) by 3/4. */
static void another_front_is_opened_and_compared(void **state)
{
    (void)state;
    static const char ENDS[] =
        "sweep: ends\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n"
        "fix: {function: zdt1, x3: 0, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0, "
        "feasible_sum: 1.5}\nvary: {x1: [0, 1], x2: [0, 1], gain: [1, 2]}\n";
    finished f;
    finished_open(&f);
    finished_run(&f, "zdt1.db", ZDT1, NULL);
    finished_run(&f, "ends.db", ENDS, NULL);
    msw_front front = {.options = {.filter = "gain = 1", .ranks = 1}, .err = &f.err};
    msw_front_source source = {.file = "zdt1"}, ends = {.file = "ends"}, none = {.file = "nix"};
    msw_table_builder builder = {.err = &f.err};
    assert_ok(msw_front_open(&front, &f.context, &source, MSW_STORE_READ), f.err);
    assert_int_equal(front.input.objectives.count, 2); /* those of its sweep file */
    assert_null(front.options.group_by);               /* one workload */
    assert_ok(msw_front_find(&front), f.err);
    assert_ok(msw_front_compare(&front, &f.context, &ends, &builder), f.err);
    assert_near(finished_cell(&builder.table, "epsilon", 0), 0, 0);
    assert_near(finished_cell(&builder.table, "epsilon_back", 0), 0.5, 1e-12);
    msw_table_free(&builder.table);
    assert_int_equal(msw_front_compare(&front, &f.context, &none, &builder), -1);
    assert_said(&f.err, "nix");
    msw_store_close(front.input.store, NULL);
    msw_front_free(&front);
    finished_close(&f);
}

/* One front per value of gain has no one counterpart. */
static void several_fronts_are_not_compared(void **state)
{
    (void)state;
    finished f;
    finished_open(&f);
    finished_run(&f, "zdt1.db", ZDT1, NULL);
    msw_front front = {.options = {.group_by = "gain", .ranks = 1}, .err = &f.err};
    msw_front_source source = {.file = "zdt1"};
    msw_table_builder builder = {.err = &f.err};
    assert_ok(msw_front_open(&front, &f.context, &source, MSW_STORE_READ), f.err);
    assert_ok(msw_front_find(&front), f.err);
    assert_int_equal(msw_front_compare(&front, &f.context, &source, &builder), -1);
    assert_said(&f.err, "compares one front with one");
    msw_store_close(front.input.store, NULL);
    msw_front_free(&front);
    finished_close(&f);
}

static void exact_rows_leave_nothing_uncertain(void **state)
{
    (void)state;
    finished f;
    msw_front front = {
        .options = {.filter = "gain = 1", .ranks = 1, .uncertain = true, .confidence = 0.95}};
    msw_text note = MSW_TEXT_EMPTY;
    open_front(&f, &front, NULL, NULL);
    assert_ok(msw_front_find(&front), f.err);
    assert_int_equal(front.shown.count, 3);
    assert_true(msw_front_is_uncertain(&front.ranks.standing[front.shown.rows[0]]));
    assert_ok(msw_front_show(&front), f.err);
    msw_front_uncertain_note(&front, &note);
    assert_true(note.size > 0);
    msw_text_free(&note);
    close_front(&f, &front);
}

static void objectives_are_taken_as_said(void **state)
{
    (void)state;
    static const struct {
        const char *minimize, *said;
    } CASES[] = {
        {"f1,f1", "'f1' is an objective twice"},
        {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r", "more than"},
        {NULL, "sweep 'bare' names no objectives: say --minimize or --maximize"},
        {" , ", "sweep 'bare' names no objectives: say --minimize or --maximize"},
    };
    msw_sweep_info bare = {.name = (char *)"bare"};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_objectives o = {0};
        msw_err err = {0};
        assert_int_equal(msw_objectives_read(CASES[i].minimize, NULL, &bare, &o, &err), -1);
        assert_said(&err, CASES[i].said);
        msw_objectives_free(&o);
    }
    msw_objectives o = {0};
    msw_err err = {0};
    assert_ok(msw_objectives_read("a b", "c", &bare, &o, &err), err);
    assert_int_equal(o.count, 3);
    assert_int_equal(o.goals[1], MSW_GOAL_LOWER);
    assert_int_equal(o.goals[2], MSW_GOAL_HIGHER);
    msw_objectives_free(&o);
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *minimize;
        msw_front_options ask;
        const char *said;
    } CASES[] = {
        {"f9", {.ranks = 1}, "f9"},
        {"workload", {.ranks = 1}, "workload"},
        {"f1,f2", {.ranks = 1, .filter = "x1 = "}, "the expression stops after '='"},
        {"f1,f2", {.ranks = 1, .exclusive = true, .reference = "f1=1"}, "f2"},
        {"f1,f2", {.ranks = 1, .exclusive = true, .reference = "f1=1,f2=z"}, "z"},
        {"f1,f2", {.ranks = 1, .exclusive = true, .reference = "f1=1,f3=1"}, "f3"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        finished f;
        msw_front front = {.options = CASES[i].ask};
        open_front(&f, &front, CASES[i].minimize, NULL);
        assert_int_equal(msw_front_find(&front), -1);
        assert_said(&f.err, CASES[i].said);
        close_front(&f, &front);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_front_is_the_known_one),
        cmocka_unit_test(points_that_are_equal_are_all_on_the_front),
        cmocka_unit_test(each_group_has_a_front_of_its_own),
        cmocka_unit_test(the_hypervolume_is_the_area),
        cmocka_unit_test(a_front_is_no_distance_from_itself),
        cmocka_unit_test(another_front_is_opened_and_compared),
        cmocka_unit_test(several_fronts_are_not_compared),
        cmocka_unit_test(exact_rows_leave_nothing_uncertain),
        cmocka_unit_test(objectives_are_taken_as_said),
        cmocka_unit_test(wrong_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
