/* SPDX-License-Identifier: MIT */
/* Defect 924. Does an answer that contradicts itself say so? A closed form 100 times too high or
 * too low was an answer like any other. Planted: sums that do not add up, cycles below a bound,
 * a metric out of its range; at full they fail, by the closed form they are doubtful. */
#include "direct.h"
#include "testing.h"

static int (*template_analytic)(const msw_task *, double *, msw_err *);
static double times = 1;
static int planted = -1;
static bool in_reference; /* wrong only without latency */

/* The closed form of the example, with one metric that is wrong. */
static int wrong(const msw_task *task, double *metrics, msw_err *err)
{
    int rc = template_analytic(task, metrics, err);
    const msw_param *latency = msw_params_find(task->mech->params, "latency");
    if (planted >= 0 && (!in_reference || msw_param_get(latency, task->config) == 0))
        metrics[planted] *= times;
    return rc;
}

static const msw_self_check CHECKS[] = {{.left = "wait + transfer", .right = "cycles"}, {0}};
static const msw_self_check UNKNOWN[] = {{.left = "waits", .right = "cycles"}, {0}};
static const msw_self_check HOLDS[] = {
    {.left = "transfer + wait", .right = "cycles", .equal = true}, {0}};
static const msw_self_check BROKEN[] = {{.left = "cycles", .right = "transfer"}, {0}};

/* Holds where there is latency, and not without. */
static const msw_self_check BROKEN_WITHOUT[] = {{.left = "transfer", .right = "wait"}, {0}};

static msw_answer ask(msw_mech *toy, const char *metric, double factor, msw_fidelity fidelity)
{
    direct d;
    msw_err err = {0};
    planted = metric ? msw_metrics_find(toy->metrics, metric) : -1;
    times = factor;
    toy->analytic = wrong;
    assert_ok(direct_open(&d, toy, "trace/example", &err), err);
    direct_run(&d, fidelity, 1);
    msw_answer answer = d.answer;
    direct_close(&d);
    return answer;
}

static msw_mech toy_with(const msw_self_check *checks)
{
    msw_mech toy = *msw_mech_find("template");
    template_analytic = toy.analytic;
    toy.checks = checks;
    return toy;
}

static void says(const msw_answer *answer, const char *what)
{
    assert_int_equal(answer->status, MSW_OK);
    if (!strstr(answer->doubt, what))
        fail_msg("'%s' does not say '%s'", answer->doubt, what);
}

/* 240 cycles, of which 150 are needed at least (tests/conformance/test_bounds.c). */
static void a_closed_form_is_doubtful(void **state)
{
    (void)state;
    msw_mech toy = toy_with(CHECKS);
    msw_answer a = ask(&toy, NULL, 1, MSW_ANALYTIC);
    says(&a, "");
    assert_string_equal(a.doubt, "");
    a = ask(&toy, "cycles", 0.01, MSW_ANALYTIC);
    says(&a, "2.4 cycles, fewer than least_window = 150");
    a = ask(&toy, "wait", 100, MSW_ANALYTIC);
    says(&a, "more than cycles = 240");
    a = ask(&toy, "wait", -1, MSW_ANALYTIC);
    says(&a, ", plausible from 0 to 1e+18");
    a = ask(&toy, "wait", 1.04, MSW_ANALYTIC); /* estimates made apart need not add up exactly */
    assert_string_equal(a.doubt, "");
}

/* Defect 1261. The ideal memory takes 40 cycles; a slowdown of 600 was an answer like any other. */
static void a_reference_in_doubt_tells_who_reads_it(void **state)
{
    (void)state;
    msw_mech toy = toy_with(CHECKS);
    in_reference = true;
    msw_answer a = ask(&toy, "cycles", 0.01, MSW_ANALYTIC);
    says(&a, "reference ideal: 0.4 cycles, fewer than least_memory = 40");
    a = ask(&toy, "cycles", 1, MSW_ANALYTIC);
    assert_string_equal(a.doubt, "");
    in_reference = false;
    toy = toy_with(BROKEN_WITHOUT);
    a = ask(&toy, NULL, 1, MSW_FULL);
    assert_int_equal(a.status, MSW_FAILED);
    assert_non_null(strstr(a.reason, "reference ideal: the model contradicts itself"));
}

static void what_is_measured_fails(void **state)
{
    (void)state;
    msw_mech toy = toy_with(BROKEN);
    for (int f = MSW_SAMPLED; f <= MSW_FULL; f++) {
        msw_answer a = ask(&toy, NULL, 1, (msw_fidelity)f);
        assert_int_equal(a.status, MSW_FAILED);
        assert_non_null(strstr(a.reason, "contradicts itself: cycles = 240, more than transfer"));
    }
    toy = toy_with(HOLDS);
    msw_answer a = ask(&toy, NULL, 1, MSW_FULL);
    assert_int_equal(a.status, MSW_OK);
    a = ask(&toy, "wait", 0.5, MSW_ANALYTIC);
    says(&a, "transfer + wait = ");
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_mech toy = toy_with(UNKNOWN);
    assert_int_equal(msw_mech_check(&toy, &err), -1);
    assert_non_null(strstr(err.text, "the check of 'waits'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_form_is_doubtful),
        cmocka_unit_test(a_reference_in_doubt_tells_who_reads_it),
        cmocka_unit_test(what_is_measured_fails),
        cmocka_unit_test(unknown_names_are_refused),
    };
    return cmocka_run_group_tests_name("answers_that_contradict", tests, NULL, NULL);
}
