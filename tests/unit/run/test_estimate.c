/* SPDX-License-Identifier: MIT */
/* Does the summary of a plan say what is in it, and does an estimate grow with what is asked for?
 */
#include "sweep_testing.h"

#include "memsweep/run/estimate.h"

static void says(const char *text, const msw_run_size *size, double trial, const char *wanted)
{
    msw_plan *plan = plan_of(text);
    msw_text out = MSW_TEXT_EMPTY;
    msw_err err = {0};
    assert_ok(msw_run_summary(plan, size, trial, &out, &err), err);
    if (!strstr(msw_text_str(&out), wanted))
        fail_msg("'%s' is not in:\n%s", wanted, msw_text_str(&out));
    if (trial <= 0)
        assert_null(strstr(msw_text_str(&out), "memory "));
    msw_text_free(&out);
    msw_plan_free(plan);
}

static void a_summary_counts_points_and_factors(void **state)
{
    (void)state;
    static const char SWEEP[] = HEAD "workloads: [synth/even, synth/small]\nfidelity: full\n"
                                     "vary: {gain: [1, 2, 3]}\nreplicates: 2\n";
    const msw_run_size one = {1, 1}, many = {4, 2};
    says(SWEEP, &one, 0, "sweep      test: null at full\n");
    says(SWEEP, &one, 0, "points     12 = 2 workloads x 3 of grid x 2 replicates\n");
    says(SWEEP, &one, 0, "factors    1\n  gain                 3 levels\n");
    says(SWEEP, &many, 0.01, " on 4 ranks x 2 threads: ");
    says(SWEEP, &many, 0.01, "rank 0     writes ");
    says(SWEEP, &one, 0.01, " on 1 thread: ");
}

static void a_node_needs_memory_for_each_rank(void **state)
{
    (void)state;
    int64_t one, ten;
    msw_err err = {0};
    msw_plan *plan = plan_of(HEAD "workloads: [synth/small]\nvary: {gain: [1, 2]}\n");
    assert_ok(msw_run_node_memory(plan, 1, &one, &err), err);
    assert_ok(msw_run_node_memory(plan, 10, &ten, &err), err);
    assert_true(one > 256);
    assert_true(ten - 256 >= 9 * (one - 256)); /* the process may have grown in between */
    msw_plan_free(plan);
}

/* The writer of a thousand ranks is the limit where points cost nothing, and shards share it. */
static void a_forecast_knows_the_writer(void **state)
{
    (void)state;
    msw_plan *plan = plan_of(HEAD "workloads: [synth/small]\nvary: {gain: [1, 2]}\n");
    plan->points = 100000000;
    const msw_run_estimate e = {.tried = 1, .point_seconds = 1e-3, .write_seconds = 1000};
    const msw_run_size one = {1, 1}, many = {1000, 10};
    msw_run_forecast f = msw_run_forecast_make(plan, &e, &one);
    assert_near(f.seconds, 1e5, 1);
    assert_int_equal(f.shards, 1);
    f = msw_run_forecast_make(plan, &e, &many);
    assert_true(f.seconds > 1000);
    assert_true(f.shards > 100);
    msw_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_counts_points_and_factors),
        cmocka_unit_test(a_node_needs_memory_for_each_rank),
        cmocka_unit_test(a_forecast_knows_the_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
