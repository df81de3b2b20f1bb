/* SPDX-License-Identifier: MIT */
/* Are rows of one point at two fidelities found and compared, and is what a mechanism states held
 * against them? */
#include "finished.h"

#include "memsweep/results/fidelity.h"
#include "memsweep/results/reading.h"

#include <stdlib.h>
#include <string.h>

static const char SWEEP[] = "sweep: it\nmechanism: null\nworkloads: [synth/small]\n"
                            "fidelity: full\nvary: {x1: [0, 0.5, 1], gain: [1, 2]}\n";

typedef struct comparison {
    finished f;
    msw_store *store;
    msw_sweep_info sweep;
    msw_agree_options ask;
    msw_agree_side side;
    msw_agree_match match;
    msw_table_builder builder;
} comparison;

static void start(comparison *c, const char *metrics)
{
    *c = (comparison){0};
    finished_open(&c->f);
    finished_run(&c->f, "it.db", SWEEP, "analytic");
    finished_run(&c->f, "it.db", SWEEP, "full");
    msw_err *err = &c->f.err;
    assert_ok(msw_open_database(&c->f.context, "it", MSW_STORE_READ, &c->store, err), *err);
    assert_ok(msw_store_sweep(c->store, "it", &c->sweep, err), *err);
    assert_ok(msw_agree_metrics(metrics, msw_mech_find("null"), &c->ask, err), *err);
    c->ask.mech = msw_mech_find("null");
    c->builder.err = err;
}

static int compare(comparison *c)
{
    if (msw_agree_read(c->store, &c->sweep, &c->ask, &c->side, &c->f.err))
        return -1;
    msw_agree_load load = {.end = c->ask.metric_count, .bound_by = true};
    if (msw_agree_load_columns(&c->side, &c->ask, &load, &c->f.err))
        return -1;
    c->match = (msw_agree_match){.candidates = &c->side,
                                 .references = &c->side,
                                 .candidate = MSW_ANALYTIC,
                                 .reference = MSW_FULL};
    return msw_agree_find(&c->ask, &c->match, &c->f.err);
}

static void end(comparison *c)
{
    msw_agree_drop(&c->match);
    msw_agree_free(&c->side);
    for (size_t i = 0; i < c->ask.metric_count; i++)
        free(c->ask.metrics[i]);
    msw_table_free(&c->builder.table);
    msw_sweep_info_free(&c->sweep);
    msw_store_close(c->store, NULL);
    finished_close(&c->f);
}

/* y does not depend on the units: every fidelity gives the same. */
static void equal_answers_have_no_error(void **state)
{
    (void)state;
    comparison c;
    start(&c, "y,cycles");
    assert_ok(compare(&c), c.f.err);
    assert_int_equal(c.side.n, 12);
    assert_int_equal(c.match.n, 6);
    assert_ok(msw_agree_measure(&c.ask, &c.match, 0.95, &c.builder), c.f.err);
    assert_string_equal(finished_label(&c.builder.table, "metric", 0), "y");
    assert_string_equal(finished_label(&c.builder.table, "candidate", 0), "analytic");
    assert_near(finished_cell(&c.builder.table, "worst", 0), 0, 0);
    assert_near(finished_cell(&c.builder.table, "tau", 0), 1, 1e-12);
    assert_int_equal(finished_cell(&c.builder.table, "used", 0), 6);
    assert_true(finished_cell(&c.builder.table, "worst", 1) >= 0);
    end(&c);
}

static void the_worst_pairs_come_first(void **state)
{
    (void)state;
    comparison c;
    start(&c, "stall");
    assert_ok(compare(&c), c.f.err);
    assert_ok(msw_agree_worst(&c.ask, &c.match, 4, &c.builder), c.f.err);
    const msw_table *t = &c.builder.table;
    assert_true(t->rows >= 1 && t->rows <= 4);
    for (size_t r = 1; r < t->rows; r++)
        assert_true(fabs(finished_cell(t, "relative_error", r)) <=
                    fabs(finished_cell(t, "relative_error", r - 1)));
    assert_string_equal(finished_label(t, "workload", 0), "synth/small");
    end(&c);
}

static void groups_are_compared_apart(void **state)
{
    (void)state;
    comparison c;
    start(&c, "y");
    c.ask.group_by = "gain";
    c.ask.filter = "x1 > 0";
    assert_ok(compare(&c), c.f.err);
    assert_int_equal(c.match.group_count, 2);
    assert_int_equal(c.match.n, 4);
    assert_ok(msw_agree_measure(&c.ask, &c.match, 0.95, &c.builder), c.f.err);
    assert_int_equal(finished_cell(&c.builder.table, "used", 0), 2);
    end(&c);
}

static void agree_loading(comparison *c, size_t cells, msw_table_builder *builder)
{
    msw_agree j = {.context = &c->f.context,
                   .file = "it",
                   .mode = MSW_STORE_READ,
                   .confidence = 0.95,
                   .cells = cells,
                   .ask = {.group_by = "gain"},
                   .builder = builder,
                   .err = &c->f.err};
    builder->err = &c->f.err;
    assert_ok(msw_agree_all(&j), c->f.err);
    msw_store_close(j.store, NULL);
    msw_agree_close(&j);
}

/* One metric at a time, as of 10^7 points, or all at once. */
static void what_is_loaded_at_once_changes_nothing(void **state)
{
    (void)state;
    static const char *const NUMBERS[] = {"used", "bias", "median", "worst", "tau", "same"};
    msw_table_builder all = {0}, one = {0};
    comparison c;
    start(&c, "y");
    agree_loading(&c, 0, &all);
    agree_loading(&c, 1, &one);
    assert_true(all.table.rows > 8);
    assert_int_equal(all.table.rows, one.table.rows);
    for (size_t r = 0; r < all.table.rows; r++) {
        assert_string_equal(finished_label(&all.table, "metric", r),
                            finished_label(&one.table, "metric", r));
        assert_string_equal(finished_label(&all.table, "gain", r),
                            finished_label(&one.table, "gain", r));
        for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
            double a = finished_cell(&all.table, NUMBERS[i], r);
            double b = finished_cell(&one.table, NUMBERS[i], r);
            assert_true(a == b || (isnan(a) && isnan(b)));
        }
    }
    msw_table_free(&all.table);
    msw_table_free(&one.table);
    end(&c);
}

static void wrong_metrics_and_filters_are_refused(void **state)
{
    (void)state;
    comparison c;
    start(&c, "cycels");
    assert_int_equal(compare(&c), -1);
    assert_said(&c.f.err, "cycles");
    end(&c);
    start(&c, "y");
    c.ask.filter = "x1 >";
    assert_int_equal(compare(&c), -1);
    assert_said(&c.f.err, "the expression stops after '>'");
    end(&c);
}

static void a_statement_is_held_against_the_pairs_inside_its_region(void **state)
{
    (void)state;
    static const struct {
        double candidate[3], inside[3], within;
        const char *verdict;
    } CASES[] = {
        {{105, 100, 200}, {1, 1, 0}, 1, "holds"},
        {{105, 120, 200}, {1, 1, 0}, 0.5, "broken"},
        {{NAN, 100, 100}, {1, 1, NAN}, 1, "holds"},
        {{105, 100, 200}, {0, 0, 0}, NAN, NULL},
    };
    double reference[] = {100, 100, 100};
    msw_agreement stated = {.metric = "y", .quantile = 1, .tolerance = 0.1};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err = {0};
        msw_table_builder builder = {.err = &err};
        double candidate[3], inside[3];
        memcpy(candidate, CASES[i].candidate, sizeof candidate);
        memcpy(inside, CASES[i].inside, sizeof inside);
        msw_agree_values values = {candidate, reference, NULL, inside, 3};
        msw_builder_row(&builder);
        msw_agree_verdict(&stated, &values, &builder);
        assert_near(finished_cell(&builder.table, "stated", 0), 0.1, 0);
        if (CASES[i].verdict) {
            assert_near(finished_cell(&builder.table, "within", 0), CASES[i].within, 1e-15);
            assert_string_equal(finished_label(&builder.table, "verdict", 0), CASES[i].verdict);
        } else
            assert_true(msw_table_find(&builder.table, "verdict") < 0);
        msw_table_free(&builder.table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_answers_have_no_error),
        cmocka_unit_test(the_worst_pairs_come_first),
        cmocka_unit_test(groups_are_compared_apart),
        cmocka_unit_test(what_is_loaded_at_once_changes_nothing),
        cmocka_unit_test(wrong_metrics_and_filters_are_refused),
        cmocka_unit_test(a_statement_is_held_against_the_pairs_inside_its_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
