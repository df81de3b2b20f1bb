/* SPDX-License-Identifier: MIT */
/* Do the methods of `sensitivity` find the shares that are known, and do they know the designs they
 * fit? */
#include "finished.h"

#include "memsweep/results/effects.h"

#include <string.h>

/* y = x1 + x2 + x3 + 7 / 2: shares of the variance as the variances of the factors, no interaction.
 * x1 of {0, 1}: 1/4; x2 of {0, 0.5, 1}: 1/6; x3 of {0, 0.5}: 1/16; together 23/48. */
#define HEAD "mechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n"
static const char GRID[] = "sweep: it\n" HEAD "vary: {x1: [0, 1], x2: [0, 0.5, 1], x3: [0, 0.5]}\n";
static const char SALTELLI[] =
    "sweep: it\n" HEAD "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 0.5}}\ndesign: {kind: "
    "saltelli, base_rows: 1024}\n";
static const char MORRIS[] = "sweep: it\n" HEAD "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: "
                             "1}}\ndesign: {kind: morris, trajectories: 10}\n";
static const char RANDOM[] = "sweep: it\n" HEAD "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: "
                             "0.5}}\ndesign: {kind: lhs, points: 200}\n";

typedef int method(msw_effects *job, const msw_slice *slice);

/* One question about one sweep: what is there when its slice is looked at. */
typedef struct question {
    finished f;
    msw_cases cases;
    msw_effects job;
    msw_table_builder builder;
    msw_text note;
    method *ask;
} question;

static int each(void *context, const msw_slice *slice)
{
    question *q = context;
    return q->ask(&q->job, slice);
}

static int ask(question *q, const char *text, const msw_effects_options *options, method *how)
{
    *q = (question){.ask = how};
    finished_open(&q->f);
    finished_run(&q->f, "it.db", text, NULL);
    q->cases = (msw_cases){.ask = {.metric = "y"}, .err = &q->f.err};
    q->builder.err = &q->f.err;
    q->job = (msw_effects){
        .cases = &q->cases, .ask = *options, .builder = &q->builder, .note = &q->note};
    assert_ok(msw_cases_open(&q->f.context, "it", NULL, MSW_STORE_READ, &q->cases), q->f.err);
    assert_ok(msw_cases_read(&q->cases), q->f.err);
    return msw_slice_each(&q->cases, each, q);
}

static void end(question *q)
{
    msw_table_free(&q->builder.table);
    msw_text_free(&q->note);
    msw_store_close(q->cases.store, NULL);
    msw_cases_free(&q->cases);
    finished_close(&q->f);
}

static size_t row_of(const question *q, const char *factor)
{
    for (size_t r = 0; r < q->builder.table.rows; r++)
        if (strcmp(finished_label(&q->builder.table, "factor", r), factor) == 0)
            return r;
    fail_msg("no row '%s'", factor);
    return 0;
}

static double cell(const question *q, const char *factor, const char *column)
{
    return finished_cell(&q->builder.table, column, row_of(q, factor));
}

static void a_grid_gives_the_exact_shares(void **state)
{
    (void)state;
    question q;
    msw_effects_options options = {.interactions = 2, .groups = "pair = x1 + x2, x3"};
    assert_ok(ask(&q, GRID, &options, msw_effects_anova), q.f.err);
    assert_near(cell(&q, "x1", "first"), 12.0 / 23, 1e-12);
    assert_near(cell(&q, "x2", "first"), 8.0 / 23, 1e-12);
    assert_near(cell(&q, "x3", "total"), 3.0 / 23, 1e-12);
    assert_near(cell(&q, "x1", "variance"), 23.0 / 48, 1e-12);
    assert_near(cell(&q, "x1 * x2", "interaction"), 0, 1e-12);
    assert_near(cell(&q, "pair", "first"), 20.0 / 23, 1e-12);
    assert_near(cell(&q, "pair", "total"), 20.0 / 23, 1e-12);
    end(&q);
}

static void wrong_groups_are_refused(void **state)
{
    (void)state;
    static const char *const GROUPS[] = {"pair = x1 + x9", "x1 +", "= x1 + , x2"};
    for (size_t i = 0; i < 3; i++) {
        question q;
        msw_effects_options options = {.interactions = 1, .groups = GROUPS[i]};
        assert_int_equal(ask(&q, GRID, &options, msw_effects_anova), -1);
        assert_said(&q.f.err, "is no factor that varies here");
        end(&q);
    }
}

/* Variances 1/12 and 1/48: shares 4/5 and 1/5. */
static void a_saltelli_design_gives_shares_within_its_intervals(void **state)
{
    (void)state;
    question q;
    msw_effects_options options = {.confidence = 0.99, .resamples = 200, .seed = 1};
    assert_ok(ask(&q, SALTELLI, &options, msw_effects_sobol), q.f.err);
    assert_near(cell(&q, "x1", "first"), 0.8, 0.03);
    assert_near(cell(&q, "x2", "total"), 0.2, 0.03);
    assert_true(cell(&q, "x1", "first_low") <= 0.8 && cell(&q, "x1", "first_high") >= 0.8);
    end(&q);
}

static void every_step_of_a_trajectory_has_the_slope_of_a_line(void **state)
{
    (void)state;
    question q;
    msw_effects_options options = {.confidence = 0.95, .resamples = 100, .seed = 1};
    assert_ok(ask(&q, MORRIS, &options, msw_effects_morris), q.f.err);
    assert_near(cell(&q, "x1", "mu"), 1, 1e-9);
    assert_near(cell(&q, "x2", "mu"), 1, 1e-9);
    assert_near(cell(&q, "x2", "sigma"), 0, 1e-9);
    end(&q);
}

static int given(msw_effects *job, const msw_slice *slice)
{
    return msw_effects_given(job, slice, true, true);
}

static void any_rows_give_the_shares_of_a_line(void **state)
{
    (void)state;
    question q;
    msw_effects_options options = {.confidence = 0.95, .resamples = 100, .seed = 1, .degree = 2};
    assert_ok(ask(&q, RANDOM, &options, given), q.f.err);
    assert_near(cell(&q, "x1", "first"), 0.8, 0.02);
    assert_near(cell(&q, "x2", "total"), 0.2, 0.02);
    end(&q);
}

static int say_what_fits(msw_effects *job, const msw_slice *slice)
{
    msw_builder_row(job->builder);
    msw_builder_count(job->builder, "anova", msw_effects_anova_fits(job->cases, slice));
    msw_builder_count(job->builder, "oat", msw_effects_oat_fits(job->cases, slice));
    return 0;
}

static void a_method_knows_the_designs_it_fits(void **state)
{
    (void)state;
    static const char ONE[] =
        "sweep: it\n" HEAD "design: {kind: list, points: [{x1: 0, x2: 0}, {x1: 1, x2: 0}, {x1: 0, "
        "x2: 1}]}\n";
    static const struct {
        const char *text;
        bool anova, oat;
    } CASES[] = {{GRID, true, false}, {RANDOM, false, false}, {ONE, false, true}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        question q;
        msw_effects_options options = {0};
        assert_ok(ask(&q, CASES[i].text, &options, say_what_fits), q.f.err);
        assert_int_equal(finished_cell(&q.builder.table, "anova", 0), CASES[i].anova);
        assert_int_equal(finished_cell(&q.builder.table, "oat", 0), CASES[i].oat);
        end(&q);
    }
}

static void one_factor_at_a_time_swings_by_its_range(void **state)
{
    (void)state;
    question q;
    msw_effects_options options = {.baseline = "x1=0, x2 = 0.5 ,x3= 0"};
    assert_ok(ask(&q, GRID, &options, msw_effects_oat), q.f.err);
    assert_near(cell(&q, "x1", "swing"), 1, 1e-12);
    assert_near(cell(&q, "x3", "swing"), 0.5, 1e-12);
    assert_near(cell(&q, "x2", "baseline"), 4, 1e-12);
    end(&q);
    assert_int_equal(ask(&q, RANDOM, &options, msw_effects_oat), -1);
    assert_said(&q.f.err, "is a range");
    end(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_gives_the_exact_shares),
        cmocka_unit_test(wrong_groups_are_refused),
        cmocka_unit_test(a_saltelli_design_gives_shares_within_its_intervals),
        cmocka_unit_test(every_step_of_a_trajectory_has_the_slope_of_a_line),
        cmocka_unit_test(any_rows_give_the_shares_of_a_line),
        cmocka_unit_test(a_method_knows_the_designs_it_fits),
        cmocka_unit_test(one_factor_at_a_time_swings_by_its_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
