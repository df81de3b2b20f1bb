/* SPDX-License-Identifier: MIT */
/* Does one evaluation give what its header says, for every kind of metric and every way to fail? */
#include "direct.h"
#include "testing.h"

static direct open_null(const char *mech, const char *workload)
{
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find(mech), workload, &err), err);
    return d;
}

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

/* The artifact source lives in the struct: reopen it after a copy. */
static void rebind(direct *d)
{
    d->source.context = d;
    d->answer.metrics = d->metrics;
    d->answer.half_widths = d->half_widths;
    d->task.source = &d->source;
    d->task.arena = &d->arena;
    d->task.workload = &d->workload;
    d->task.map = &d->map;
}

/* W = 250 * 1000 * (1 + 2 + 4 + 8); stall = W (g - 1 + c): null/analytic.c. */
static void analytic_known_value(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/even");
    rebind(&d);
    direct_set(&d, "gain", 2);
    direct_set(&d, "carry", 0.25);
    direct_run(&d, MSW_ANALYTIC, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_relative(metric(&d, "cycles"), 3.75e6 * 2.25, 1e-12);
    assert_relative(metric(&d, "slowdown"), 2.25, 1e-12);
    assert_relative(metric(&d, "work"), 250 * 2.5 * (1 + 1.1 + 1.2 + 1.3), 1e-12);
    assert_relative(metric(&d, "rate"), metric(&d, "work") / metric(&d, "cycles"), 1e-12);
    assert_relative(metric(&d, "y"), 5, 1e-12);
    assert_true(isnan(metric(&d, "f1")));
    assert_true(isnan(d.half_widths[0]));
    direct_close(&d);
}

static void full_known_total(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/even");
    rebind(&d);
    direct_run(&d, MSW_FULL, 7);
    assert_relative(metric(&d, "cycles"), 3.75e6, 1e-12);
    assert_true(metric(&d, "slowdown") == 1);
    assert_true(d.half_widths[0] == 0);
    assert_int_equal(d.answer.measured, 1000);
    assert_true(metric(&d, "peak") > 8000 * (1 + 0.3 * 2));
    direct_close(&d);
}

/* A target so tight that every unit must be measured: the bits of `full`, half-widths of 0. */
static void all_units_equal_full(const char *mech, const char *workload)
{
    direct d = open_null(mech, workload);
    rebind(&d);
    double full[MSW_METRICS_MAX];
    direct_set(&d, "gain", 1.7);
    direct_set(&d, "carry", 0.3);
    for (uint64_t stream = 1; stream <= 20; stream++) {
        direct_drop_artifacts(&d);
        direct_run(&d, MSW_FULL, stream);
        memcpy(full, d.metrics, sizeof full);
        d.task.sampling.target = 1e-12;
        direct_run(&d, MSW_SAMPLED, stream);
        assert_int_equal(d.answer.status, MSW_OK);
        assert_int_equal(d.answer.measured, d.answer.units);
        for (size_t m = 0; d.mech->metrics[m].name; m++) {
            if (isnan(full[m]))
                continue;
            if (memcmp(&full[m], &d.metrics[m], sizeof full[m]) != 0)
                fail_msg("%s %s: full %.17g, all units sampled %.17g", mech,
                         d.mech->metrics[m].name, full[m], d.metrics[m]);
            assert_true(d.half_widths[m] == 0);
        }
    }
    direct_close(&d);
}

static void sampling_everything_is_full(void **state)
{
    (void)state;
    all_units_equal_full("null", "synth/even");
    all_units_equal_full("null", "synth/skewed");
    all_units_equal_full("null_forward", "synth/even");
    all_units_equal_full("null_forward", "synth/small");
}

/* The random stream decides the units, never the config: candidate and reference pair up, so a
 * paired ratio at gain 1 is exactly 1 with no uncertainty, however few units were measured. */
static void pairs_share_their_units(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        direct d = open_null(forward ? "null_forward" : "null", "synth/skewed");
        rebind(&d);
        direct_set(&d, "synth_units", 5000);
        direct_run(&d, MSW_SAMPLED, 3);
        assert_true(d.answer.measured < d.answer.units);
        assert_true(metric(&d, "slowdown") == 1);
        assert_near(d.half_widths[msw_metrics_find(d.mech->metrics, "slowdown")], 0, 1e-12);
        direct_close(&d);
    }
}

/* A tighter target must measure more units and end near it. */
static void target_is_met(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/skewed");
    rebind(&d);
    direct_set(&d, "synth_units", 20000);
    direct_set(&d, "gain", 3);
    uint64_t last = 0;
    int slowdown = msw_metrics_find(d.mech->metrics, "slowdown");
    for (double target = 0.02; target > 0.002; target /= 2) {
        d.task.sampling.target = target;
        direct_run(&d, MSW_SAMPLED, 11);
        assert_true(d.answer.measured > last);
        assert_true(d.half_widths[slowdown] < 2 * target * d.metrics[slowdown]);
        last = d.answer.measured;
    }
    assert_true(last < d.answer.units);
    direct_close(&d);
}

static void quantile_has_an_interval(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/skewed");
    rebind(&d);
    direct_set(&d, "synth_units", 5000);
    direct_run(&d, MSW_FULL, 2);
    double exact = metric(&d, "p90");
    direct_set(&d, "gain", 1.5);
    d.task.sampling.target = 0.005;
    direct_run(&d, MSW_SAMPLED, 2);
    int p90 = msw_metrics_find(d.mech->metrics, "p90");
    assert_true(d.half_widths[p90] >= 0);
    assert_true(d.metrics[p90] > exact);
    assert_true(isnan(d.half_widths[msw_metrics_find(d.mech->metrics, "peak")]));
    direct_close(&d);
}

static void failures_are_answers(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/even");
    rebind(&d);
    direct_set(&d, "feasible_sum", 0.5);
    direct_run(&d, MSW_ANALYTIC, 1);
    assert_int_equal(d.answer.status, MSW_INFEASIBLE);
    assert_non_null(strstr(d.answer.reason, "feasible_sum"));
    assert_true(isnan(metric(&d, "cycles")));

    direct_set(&d, "feasible_sum", 2);
    direct_set(&d, "fail_share", 1);
    direct_run(&d, MSW_SAMPLED, 1);
    assert_int_equal(d.answer.status, MSW_FAILED);
    assert_non_null(strstr(d.answer.reason, "fail_share"));

    direct_set(&d, "fail_share", 0);
    d.task.event_budget = 10;
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, MSW_FAILED);
    assert_non_null(strstr(d.answer.reason, "event budget of 10"));

    d.task.event_budget = 0;
    direct_set(&d, "cost", 10e9);
    d.task.deadline_ns = 1; /* long past */
    direct_run(&d, MSW_ANALYTIC, 1);
    assert_int_equal(d.answer.status, MSW_TIMEOUT);
    direct_close(&d);
}

static void details_are_kept_for_who_asks(void **state)
{
    (void)state;
    direct d = open_null("null", "synth/even");
    rebind(&d);
    msw_detail_sink sink = {.arena = &d.arena};
    sink.last = &sink.first;
    d.task.details = &sink;
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(sink.count, 4);
    assert_true(sink.first->values[0] == 0 && sink.first->values[1] == 250);
    assert_relative(sink.first->next->values[2], 2000, 1e-12);
    direct_close(&d);
}

static void histogram_buckets(void **state)
{
    (void)state;
    /* 16 buckets per power of two: at most 1/16 wide. */
    for (double x = 1; x < 1e15; x *= 1.037) {
        int bucket = msw_histogram_bucket(x);
        assert_true(msw_histogram_edge(bucket) <= x && x < msw_histogram_edge(bucket + 1));
        assert_true(msw_histogram_edge(bucket + 1) / msw_histogram_edge(bucket) <= 1.0626);
    }
    for (uint64_t whole = 0; whole < (uint64_t)1 << 52; whole += 1 + whole / 37)
        assert_int_equal(msw_histogram_bucket_of(whole), msw_histogram_bucket((double)whole));
    assert_int_equal(msw_histogram_bucket(0), 0);
    assert_int_equal(msw_histogram_bucket(NAN), 0);
    assert_true(msw_histogram_bucket(1e300) == MSW_HISTOGRAM_BUCKETS - 1);
}

/* Ratios settle by the delta method; a derived metric of totals must get the same interval as the
 * same quantity declared as a ratio. f1.. of null do not depend on totals, so build one here. */
static void derive_as_ratio(const msw_task *task, double *metrics)
{
    (void)task;
    metrics[3] = metrics[1] / metrics[0];
}

static void derived_interval_equals_ratio(void **state)
{
    (void)state;
    static const msw_metric METRICS[] = {
        {"cycles", "", MSW_GOAL_LOWER, MSW_TOTAL, .max = 1e15, .doc = "as in null"},
        {"busy", "", MSW_GOAL_LOWER, MSW_TOTAL, .max = 1e15, .doc = "as in null"},
        {"share", "", MSW_GOAL_LOWER, MSW_RATIO, "busy", "cycles", .max = 1, .doc = "ratio"},
        {"same", "", MSW_GOAL_LOWER, MSW_DERIVED, .max = 1, .doc = "the same, derived"},
        {"w", "", MSW_GOAL_LOWER, MSW_TOTAL, .max = 1e15, .doc = "filler"},
        {"v", "", MSW_GOAL_LOWER, MSW_TOTAL, .max = 1e15, .doc = "filler"},
        {"peak", "", MSW_GOAL_LOWER, MSW_MAXIMUM, .max = 1e15, .doc = "as in null"},
        {0},
    };
    msw_mech mech = *msw_mech_find("null");
    mech.metrics = METRICS;
    mech.primary = "cycles";
    mech.derive = derive_as_ratio;
    mech.references = NULL;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, &mech, "synth/skewed", &err), err);
    direct_set(&d, "gain", 2);
    d.task.sampling.target = 0.1;
    direct_run(&d, MSW_SAMPLED, 5);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.answer.measured < d.answer.units);
    assert_true(d.half_widths[2] > 0);
    assert_relative(d.metrics[3], d.metrics[2], 1e-14);
    assert_relative(d.half_widths[3], d.half_widths[2], 1e-6);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analytic_known_value),
        cmocka_unit_test(full_known_total),
        cmocka_unit_test(sampling_everything_is_full),
        cmocka_unit_test(pairs_share_their_units),
        cmocka_unit_test(target_is_met),
        cmocka_unit_test(quantile_has_an_interval),
        cmocka_unit_test(failures_are_answers),
        cmocka_unit_test(details_are_kept_for_who_asks),
        cmocka_unit_test(histogram_buckets),
        cmocka_unit_test(derived_interval_equals_ratio),
    };
    return cmocka_run_group_tests_name("mech", tests, NULL, NULL);
}
