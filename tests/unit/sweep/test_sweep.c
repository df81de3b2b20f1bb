/* SPDX-License-Identifier: MIT */
/* Does a sweep file become the plan it describes? */
#include "sweep_testing.h"

#include <stdlib.h>

static const msw_factor *factor(const msw_plan *plan, const char *name)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        if (strcmp(plan->space.factors[f].name, name) == 0)
            return &plan->space.factors[f];
    fail_msg("no factor %s", name);
    return NULL;
}

static void assert_values(const msw_plan *plan, const char *name, const double *wanted,
                          size_t count)
{
    const msw_factor *f = factor(plan, name);
    assert_int_equal(f->levels, count);
    for (size_t i = 0; i < count; i++)
        assert_near(f->values[i], wanted[i], 0);
}

static void assert_levels(const char *vary, const double *wanted, size_t count)
{
    char text[400];
    const char *colon = strchr(vary, ':');
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(colon - vary), vary);
    snprintf(text, sizeof text, HEAD "vary: {%s}\n", vary);
    msw_plan *plan = plan_of(text);
    assert_values(plan, name, wanted, count);
    msw_plan_free(plan);
}

#define LEVELS(vary, ...)                                                                          \
    assert_levels(vary, (const double[]){__VA_ARGS__},                                             \
                  sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void ranges_become_levels(void **state)
{
    (void)state;
    LEVELS("gain: [1, 2.5, 10]", 1, 2.5, 10);
    LEVELS("gain: {values: [3, 2]}", 3, 2);
    LEVELS("x1: [10%, 0.2]", 0.1, 0.2);
    LEVELS("gain: {from: 1, to: 2, step: 0.25}", 1, 1.25, 1.5, 1.75, 2);
    LEVELS("gain: {from: 1, to: 2, step: 0.4}", 1, 1.4, 1.8);
    LEVELS("x1: {from: 0, to: 1, count: 5}", 0, 0.25, 0.5, 0.75, 1);
    LEVELS("gain: {from: 1, to: 4, count: 3, scale: log}", 1, 2, 4);
    LEVELS("gain: {from: 1, to: 8, scale: pow2}", 1, 2, 4, 8);
    LEVELS("synth_strata: {from: 2, to: 5}", 2, 3, 4, 5);
    LEVELS("synth_strata: {from: 2, to: 9, step: 3}", 2, 5, 8);
    LEVELS("synth_strata: {from: 4, to: 64, scale: pow2}", 4, 8, 16, 32, 64);
    LEVELS("synth_strata: {from: 1, to: 4, count: 8, scale: log}", 1, 2, 3, 4);
    LEVELS("synth_units: {from: 1, to: 1000, count: 4}", 1, 10, 100, 1000);
    LEVELS("cost_kind: all", 0, 1);
    LEVELS("function: [zdt1, linear]", 4, 0);
    LEVELS("cost: [1us, 2ms]", 1e3, 2e6);
}

static void ranges_stay_continuous(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "design: {kind: sobol, points: 8}\n"
                                  "vary:\n"
                                  "  gain: {from: 1, to: 4, scale: log}\n"
                                  "  x1: {from: 0.25, to: 0.5}\n"
                                  "  synth_units: {from: 1, to: 100000}\n");
    assert_int_equal(factor(plan, "gain")->levels, 0);
    assert_int_equal(factor(plan, "gain")->scale, MSW_LOG);
    assert_int_equal(factor(plan, "x1")->levels, 0);
    assert_near(factor(plan, "x1")->to, 0.5, 0);
    assert_int_equal(factor(plan, "synth_units")->levels, 0);
    assert_int_equal(plan->points, 8);
    msw_plan_free(plan);
}

static void dotted_names_are_columns(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "vary: {synth.units: [8, 16], x1: [0, 0.5]}\n"
                                  "where: \"synth.units > 8 or x1 > 0\"\n");
    assert_string_equal(plan->space.factors[0].name, "synth_units");
    assert_string_equal(plan->space.where, "synth_units > 8 or x1 > 0");
    assert_int_equal(plan->points, 3);
    msw_plan_free(plan);
}

/* null/slow sets gain 1.5 and carry 0.1. */
static void fixed_beats_preset_beats_default(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "preset: slow\nfix: {carry: 0.2}\n");
    assert_near(value_at(plan, 0, "gain"), 1.5, 0);
    assert_near(value_at(plan, 0, "carry"), 0.2, 0);
    assert_near(value_at(plan, 0, "cost"), 0, 0);
    assert_int_equal(plan->points, 1);
    msw_plan_free(plan);
}

/* synth/small is 2 strata of 8 units, synth/even 4 of 250. */
static void fixed_beats_workload_name(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/even, synth/small]\n"
                                  "fix: {synth.units: 32}\n");
    assert_near(value_at(plan, 0, "synth_strata"), 4, 0);
    assert_near(value_at(plan, 1, "synth_strata"), 2, 0);
    assert_near(value_at(plan, 0, "synth_units"), 32, 0);
    assert_near(value_at(plan, 1, "synth_units"), 32, 0);
    msw_plan_free(plan);
    plan = plan_of(HEAD "workloads: [synth/even, synth/small]\nvary: {synth.units: [16, 64]}\n");
    assert_near(value_at(plan, 2, "synth_strata"), 2, 0);
    assert_near(value_at(plan, 3, "synth_units"), 64, 0);
    msw_plan_free(plan);
}

static void expressions_fix_in_order(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "vary: {x1: [0.2, 0.4]}\n"
                                  "fix: {x2: \"x3 / 2\", x3: \"x1 / 2\", x4: \"0.5\"}\n");
    assert_near(value_at(plan, 1, "x3"), 0.2, 1e-15);
    assert_near(value_at(plan, 1, "x2"), 0.1, 1e-15);
    assert_near(value_at(plan, 1, "x4"), 0.5, 0);
    assert_int_equal(plan->space.fixed_count, 2);
    msw_plan_free(plan);
}

/* x2 counts for one of three functions only: 2 + 1 + 1 points. x3 hangs on x2. */
static void inactive_factors_do_not_multiply(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "vary:\n"
                                  "  function: [linear, zdt1, zdt2]\n"
                                  "  x2: {values: [0.1, 0.2], when: \"function = 'linear'\"}\n");
    assert_int_equal(plan->points, 4);
    assert_near(value_at(plan, 2, "x2"), 0.5, 0);
    assert_true(plan->distinct);
    msw_plan_free(plan);
    plan = plan_of(HEAD "vary:\n"
                        "  function: [linear, zdt1]\n"
                        "  x3: {values: [0.1, 0.2], when: \"function = 'linear'\"}\n"
                        "  x2: {values: [0.3, 0.4], when: \"x3 > 0.15 and x3 < 0.5\"}\n");
    assert_string_equal(plan->space.factors[1].name, "x3");
    assert_int_equal(plan->points, 4);
    msw_plan_free(plan);
}

/* 4 shares over three parameters: C(6, 2) = 15 ways. Unit cost 16 KiB: one share buys 0.25 at a
 * total of 16 KiB. */
static void a_split_deals_the_whole_budget(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "split: {sram: {total: 16KiB, parts: 4, over: {x1: 16KiB, x2: "
                                  "16KiB, x3: 16KiB}}}\n");
    const msw_factor *f = factor(plan, "sram");
    assert_int_equal(f->levels, 15);
    assert_int_equal(plan->design.left_out, 0);
    for (uint64_t i = 0; i < f->levels; i++)
        assert_near(f->values[3 * i] + f->values[3 * i + 1] + f->values[3 * i + 2], 1, 0);
    assert_int_equal(plan->points, 15);
    assert_true(plan->distinct);
    msw_plan_free(plan);
}

/* Of the 5 ways to deal 4 shares of 16 to two counts from 1 up, the ends leave one at 0. */
static void a_split_leaves_out_what_does_not_fit(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "split: {s: {total: 64, parts: 4, over: {synth_strata: 1, "
                                  "synth_units: 2}}}\n");
    const double WANTED[] = {16, 24, 32, 16, 48, 8};
    const msw_factor *f = factor(plan, "s");
    assert_int_equal(f->levels, 3);
    for (int i = 0; i < 6; i++)
        assert_near(f->values[i], WANTED[i], 0);
    assert_int_equal(plan->design.left_out, 2);
    msw_plan_free(plan);
    plan = plan_of(HEAD "split: {s: {total: 64, parts: 4, over: {synth_strata: {cost: 1, min: 20}, "
                        "synth_units: {cost: 2, min: 1}}}}\n");
    assert_int_equal(factor(plan, "s")->levels, 2);
    assert_int_equal(plan->design.left_out, 0);
    msw_plan_free(plan);
}

static void a_maximum_has_no_half_width(void **state)
{
    (void)state;
    assert_refused(
        HEAD "derive: {a: \"peak_hw + y_hw\"}\n",
        "test.yaml:3:14: derive: no parameter or metric 'peak_hw', did you mean 'work_hw'?\n");
}

static void derived_columns_are_spliced(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "derive:\n"
                                  "  b: \"cycles + y_hw\"\n"
                                  "  a: \"b * b / 'b'\"\n"
                                  "objectives: {minimize: [a, y], maximize: rate}\n");
    assert_int_equal(plan->view.derived_count, 2);
    assert_string_equal(plan->view.derived[0].name, "a");
    assert_string_equal(plan->view.derived[0].text, "(cycles + y_hw) * (cycles + y_hw) / 'b'");
    assert_int_equal(plan->view.objective_count, 3);
    assert_string_equal(plan->view.objectives[2].name, "rate");
    assert_int_equal(plan->view.objectives[2].goal, MSW_GOAL_HIGHER);
    msw_plan_free(plan);
}

static void listed_points_come_as_written(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "design:\n"
                                  "  kind: list\n"
                                  "  points:\n"
                                  "    - {x1: 0.5, gain: 2}\n"
                                  "    - {gain: 1, x1: 0.25}\n");
    assert_int_equal(plan->points, 2);
    assert_near(value_at(plan, 0, "gain"), 2, 0);
    assert_near(value_at(plan, 0, "x1"), 0.5, 0);
    assert_near(value_at(plan, 1, "x1"), 0.25, 0);
    assert_false(plan->distinct);
    msw_plan_free(plan);
}

static void defaults_of_a_sweep(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "vary: {gain: [1, 2]}\n");
    assert_string_equal(plan->name, "test");
    assert_string_equal(plan->design.kind->name, "grid");
    assert_int_equal(plan->fidelity, MSW_ANALYTIC);
    assert_near(plan->sampling.confidence, 0.95, 0);
    assert_near(plan->sampling.target, 0.02, 0);
    assert_int_equal(plan->seed, 1);
    assert_int_equal(plan->replicates, 1);
    assert_int_equal(plan->workload_count, 1);
    assert_string_equal(plan->workloads[0].name, plan->mech->default_workload);
    msw_plan_free(plan);
}

static void options_override_the_file(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD "fidelity: full\nseed: 3\n";
    const msw_plan_options options = {.fidelity = "sampled", .seed = 9};
    msw_messages messages = {0};
    msw_plan *plan;
    assert_int_equal(msw_plan_parse("t", TEXT, strlen(TEXT), &options, &plan, &messages), 0);
    assert_int_equal(plan->fidelity, MSW_SAMPLED);
    assert_int_equal(plan->seed, 9);
    msw_plan_free(plan);
    const msw_plan_options wrong = {.fidelity = "fast", .seed = -1};
    assert_int_equal(msw_plan_parse("t", TEXT, strlen(TEXT), &wrong, &plan, &messages), -1);
    assert_string_equal(msw_text_str(&messages.text),
                        "t: unknown fidelity 'fast', allowed: analytic, sampled, full, auto\n");
    msw_text_free(&messages.text);
}

static void globs_are_expanded_once(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/small, synth/*]\n");
    assert_int_equal(plan->workload_count, 3);
    assert_string_equal(plan->workloads[0].name, "synth/small");
    msw_plan_free(plan);
}

static const char *where_of(const char *written)
{
    static char where[200];
    char text[400];
    snprintf(text, sizeof text, HEAD "vary: {function: all, x1: [0, 1]}\nwhere: %s\n", written);
    msw_plan *plan = plan_of(text);
    snprintf(where, sizeof where, "%s", plan->space.where);
    msw_plan_free(plan);
    return where;
}

static void every_way_of_quoting_reads_the_same(void **state)
{
    (void)state;
    static const char WANTED[] = "x1 > 0 or function = 'linear'";
    assert_string_equal(where_of("x1 > 0 or function = 'linear'"), WANTED);
    assert_string_equal(where_of("\"x1 > 0 or function = 'linear'\""), WANTED);
    assert_string_equal(where_of("'x1 > 0 or function = ''linear'''"), WANTED);
    assert_string_equal(where_of("'x1 > 0\n\n  or   function = ''linear'' '"), WANTED);
    assert_string_equal(where_of(">\n  x1 > 0\n  or function = 'linear'"), WANTED);
    assert_string_equal(where_of("|\n  x1 > 0\n  or function = 'linear'"), WANTED);
}

/* The first YAML block of the page. */
static void the_documented_sweep_is_one(void **state)
{
    (void)state;
    static const char START[] = "```yaml\n";
    char *page;
    size_t size;
    msw_err err = {0};
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/docs/sweep-file.md", &page, &size, &err), err);
    char *text = strstr(page, START);
    assert_non_null(text);
    text += strlen(START);
    char *end = strstr(text, "```");
    assert_non_null(end);
    *end = '\0';
    msw_plan *plan = plan_of(text);
    assert_string_equal(plan->name, "quick-look");
    assert_int_equal(plan->points, 3 * 64);
    msw_plan_free(plan);
    free(page);
}

static void all_errors_come_in_file_order(void **state)
{
    (void)state;
    assert_refused(HEAD "vary: {gain: [0, 1]}\nseed: x\nfix: {x1: 2}\n",
                   "test.yaml:3:15: gain = 0 is out of range: 1 .. 10\n"
                   "test.yaml:4:7: seed: 'x' is not a number\n"
                   "test.yaml:5:11: x1 = 2 is out of range: 0 .. 1\n");
}

/* x1 would leave its range at x2 = 0.8, which `where` keeps out; without it the point is kept and
 * fails when it is made. */
static void where_guards_computed_values(void **state)
{
    (void)state;
    static const char GUARDED[] = HEAD "vary: {x2: [0.1, 0.2, 0.5, 0.8]}\nfix: {x1: \"x2 * 2\"}\n"
                                       "where: \"x2 <= 0.5\"\n";
    msw_plan *plan = plan_of(GUARDED);
    assert_int_equal(plan->points, 3);
    assert_true(value_at(plan, 2, "x1") == 1);
    msw_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_become_levels),
        cmocka_unit_test(ranges_stay_continuous),
        cmocka_unit_test(dotted_names_are_columns),
        cmocka_unit_test(fixed_beats_preset_beats_default),
        cmocka_unit_test(fixed_beats_workload_name),
        cmocka_unit_test(expressions_fix_in_order),
        cmocka_unit_test(inactive_factors_do_not_multiply),
        cmocka_unit_test(a_split_deals_the_whole_budget),
        cmocka_unit_test(a_split_leaves_out_what_does_not_fit),
        cmocka_unit_test(a_maximum_has_no_half_width),
        cmocka_unit_test(derived_columns_are_spliced),
        cmocka_unit_test(listed_points_come_as_written),
        cmocka_unit_test(defaults_of_a_sweep),
        cmocka_unit_test(options_override_the_file),
        cmocka_unit_test(globs_are_expanded_once),
        cmocka_unit_test(where_guards_computed_values),
        cmocka_unit_test(every_way_of_quoting_reads_the_same),
        cmocka_unit_test(the_documented_sweep_is_one),
        cmocka_unit_test(all_errors_come_in_file_order),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
