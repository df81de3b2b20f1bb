/* SPDX-License-Identifier: MIT */
/* Is a sample with predictions what docs/models/sampling.md says, on units with planted errors? */
#include "direct.h"
#include "testing.h"

#include "memsweep/mech/sampler.h"

enum { NONE, SMALL, RARE, BIASED, COST, LAWS };

static void open_law(direct *d, const char *mech, double law, double units)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find(mech), "synth/skewed", &err), err);
    direct_set(d, "synth_units", units);
    direct_set(d, "synth_cv", 0.5);
    direct_set(d, "gain", 2);
    direct_set(d, "carry", 0.1);
    direct_set(d, "unit_events", 100);
    direct_set(d, "predict_law", law);
}

static int number_of(const direct *d, const char *name)
{
    return msw_metrics_find(d->mech->metrics, name);
}

static double value(const direct *d, const char *name)
{
    return d->metrics[number_of(d, name)];
}

static double half_width(const direct *d, const char *name)
{
    return d->half_widths[number_of(d, name)];
}

static void check_bits_of_full(direct *d)
{
    double full[MSW_METRICS_MAX];
    direct_run(d, MSW_FULL, 3);
    assert_int_equal(d->answer.status, MSW_OK);
    memcpy(full, d->metrics, sizeof full);
    direct_run(d, MSW_SAMPLED, 3);
    assert_int_equal(d->answer.status, MSW_OK);
    assert_int_equal(d->answer.measured, d->answer.units);
    for (size_t m = 0; d->mech->metrics[m].name; m++) {
        assert_memory_equal(&d->metrics[m], &full[m], sizeof *full);
        assert_true(d->half_widths[m] == 0);
    }
}

/* By a target that needs all, by a workload too small to save, by units that are all uncertain. */
static void all_units_are_full(void **state)
{
    (void)state;
    for (int law = SMALL; law < 2 * LAWS; law++) {
        direct d;
        if (law % LAWS == NONE)
            continue;
        open_law(&d, law < LAWS ? "null" : "null_forward", law % LAWS, 250);
        d.task.sampling.target = 1e-12;
        check_bits_of_full(&d);
        d.task.sampling.target = 0.5;
        direct_set(&d, "synth_units", 7);
        check_bits_of_full(&d);
        direct_close(&d);
    }
}

/* Without a law nothing is predicted: the flags of the instrument change no bit. */
static void no_prediction_is_as_before(void **state)
{
    (void)state;
    direct d;
    double before[MSW_METRICS_MAX], widths[MSW_METRICS_MAX];
    open_law(&d, "null", NONE, 5000);
    direct_run(&d, MSW_SAMPLED, 3);
    memcpy(before, d.metrics, sizeof before);
    memcpy(widths, d.half_widths, sizeof widths);
    uint64_t measured = d.answer.measured;
    direct_set(&d, "predict_error", 0.05);
    direct_set(&d, "predict_flags", 1);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.measured, measured);
    assert_memory_equal(before, d.metrics, d.mech->metric_count * sizeof *before);
    assert_memory_equal(widths, d.half_widths, d.mech->metric_count * sizeof *widths);
    direct_close(&d);
}

/* A prediction without error still leaves a width, that of N units of which n were equal. */
static void equal_differences_have_a_width(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        direct d;
        open_law(&d, forward ? "null_forward" : "null", SMALL, 2500);
        direct_set(&d, "predict_error", 0);
        direct_run(&d, MSW_FULL, 3);
        double cycles = value(&d, "cycles");
        direct_run(&d, MSW_SAMPLED, 3);
        assert_true(d.answer.measured < d.answer.units / 2);
        assert_relative(value(&d, "cycles"), cycles, 1e-12);
        double n = (double)d.answer.measured;
        assert_true(half_width(&d, "cycles") > 0.5 * cycles * (1 - pow(0.05, 1 / n)));
        if (!forward)
            assert_true(half_width(&d, "slowdown") <= 0.02 * value(&d, "slowdown"));
        direct_close(&d);
    }
}

static void unseen_of_one_stratum(void **state)
{
    (void)state;
    msw_stratum_sample s = {.population = 1000, .measured = 30, .bound = 2};
    assert_relative(msw_sample_unseen(&s, 1, 0.95), 2000 * (1 - pow(0.05, 1.0 / 30)), 1e-12);
    msw_stratum_sample pair[2] = {s, s};
    assert_relative(msw_sample_unseen(pair, 2, 0.95), 4000 * (1 - pow(0.05, 1.0 / 60)), 1e-12);
    pair[1].bound = 1e-9; /* not worth a part of the chance */
    assert_relative(msw_sample_unseen(pair, 2, 0.95), 2000 * (1 - pow(0.05, 1.0 / 30)), 1e-6);
    pair[1].bound = 0;
    pair[0].range = 0.1;
    assert_true(msw_sample_unseen(pair, 2, 0.95) == 0);
    s.measured = s.population;
    assert_true(msw_sample_unseen(&s, 1, 0.95) == 0);
}

/* Uncertain units are measured whole: what is left is predicted without error. */
static void uncertain_units_are_measured(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        direct d;
        open_law(&d, forward ? "null_forward" : "null", RARE, 2500);
        direct_set(&d, "predict_error", 0.05);
        direct_run(&d, MSW_FULL, 3);
        double cycles = value(&d, "cycles");
        direct_set(&d, "predict_flags", 1);
        direct_run(&d, MSW_SAMPLED, 3);
        assert_true(d.answer.measured < d.answer.units / 2);
        assert_true(d.answer.measured > d.answer.units / 50);
        assert_relative(value(&d, "cycles"), cycles, 1e-12);
        direct_close(&d);
    }
}

/* The seed of the choice changes the units, not the workload. */
static void seed_draws_other_units(void **state)
{
    (void)state;
    for (int law = NONE; law <= SMALL; law++) {
        direct d;
        double first[2];
        open_law(&d, "null", law, 5000);
        for (uint64_t seed = 0; seed < 2; seed++) {
            d.task.sampling.seed = 0;
            direct_run(&d, MSW_FULL, 3);
            double full = value(&d, "cycles");
            d.task.sampling.seed = seed;
            direct_run(&d, MSW_FULL, 3);
            assert_true(value(&d, "cycles") == full);
            direct_run(&d, MSW_SAMPLED, 3);
            first[seed] = value(&d, "cycles");
        }
        assert_true(first[0] != first[1]);
        direct_close(&d);
    }
}

/* A stratum's sum stands for its units: about as many are measured, for fewer events. */
static void sums_are_of_units(void **state)
{
    (void)state;
    direct d;
    double by_unit[MSW_METRICS_MAX];
    open_law(&d, "null", SMALL, 2500);
    direct_set(&d, "synth_shape", 0);
    direct_set(&d, "synth_cv", 0.05); /* sizes that need no cut */
    direct_run(&d, MSW_SAMPLED, 3);
    memcpy(by_unit, d.metrics, sizeof by_unit);
    uint64_t measured = d.answer.measured, events = d.answer.events;
    direct_set(&d, "predict_sum", 1);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_relative((double)d.answer.measured, (double)measured, 0.1);
    assert_true(d.answer.events < events);
    assert_relative(value(&d, "cycles"), by_unit[number_of(&d, "cycles")], 1e-3);
    assert_relative(value(&d, "slowdown"), by_unit[number_of(&d, "slowdown")], 1e-3);
    direct_close(&d);
}

/* Metrics that the sweep names meet the target, too. */
static void named_metrics_meet_the_target(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"rate", "p90"};
    for (int law = NONE; law <= SMALL; law++)
        for (int i = 0; i < 2; i++) {
            direct d;
            open_law(&d, "null", law, 20000);
            d.task.sampling.target = 0.01;
            direct_run(&d, MSW_SAMPLED, 3);
            uint64_t measured = d.answer.measured;
            double before = half_width(&d, NAMES[i]);
            int m = number_of(&d, NAMES[i]);
            d.task.sampling.metrics[m / 64] |= (uint64_t)1 << m % 64;
            direct_run(&d, MSW_SAMPLED, 3);
            assert_true(d.answer.measured > measured);
            assert_true(half_width(&d, NAMES[i]) < before);
            assert_true(half_width(&d, NAMES[i]) < 0.015 * value(&d, NAMES[i]));
            direct_close(&d);
        }
}

/* What the prediction takes counts, and so does what was spent before all units were chosen. */
static void predictions_count(void **state)
{
    (void)state;
    direct d;
    open_law(&d, "null", SMALL, 250);
    direct_set(&d, "unit_events", 0); /* a unit takes as long as its prediction */
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.measured, 1000);
    assert_in_range(d.answer.events, 2001, 2200);
    assert_true(half_width(&d, "cycles") == 0);
    direct_close(&d);
}

/* What units passed over change is stated, and added for the part passed over. */
static void jumps_widen(void **state)
{
    (void)state;
    msw_mech mech = *msw_mech_find("null_forward");
    msw_metric rows[MSW_METRICS_MAX];
    memcpy(rows, mech.metrics, (mech.metric_count + 1) * sizeof *rows);
    mech.metrics = rows;
    double widths[2][2], cycles = 0, passed = 0;
    for (int with = 0; with < 2; with++) {
        direct d;
        rows[0].predicted.jump = with ? 0.01 : 0;
        assert_string_equal(rows[0].name, "cycles");
        open_law(&d, "null_forward", SMALL, 2500);
        d.mech = d.task.mech = &mech;
        direct_run(&d, MSW_SAMPLED, 3);
        assert_int_equal(d.answer.status, MSW_OK);
        widths[with][0] = half_width(&d, "cycles");
        widths[with][1] = half_width(&d, "slowdown") / value(&d, "slowdown");
        cycles = value(&d, "cycles");
        passed = 1 - (double)d.answer.measured / (double)d.answer.units;
        direct_close(&d);
    }
    assert_true(passed > 0.5);
    assert_relative(widths[1][0] - widths[0][0], 0.01 * passed * cycles, 1e-9);
    assert_relative(widths[1][1] - widths[0][1], 0.02 * passed, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_units_are_full),
        cmocka_unit_test(no_prediction_is_as_before),
        cmocka_unit_test(equal_differences_have_a_width),
        cmocka_unit_test(unseen_of_one_stratum),
        cmocka_unit_test(uncertain_units_are_measured),
        cmocka_unit_test(seed_draws_other_units),
        cmocka_unit_test(sums_are_of_units),
        cmocka_unit_test(named_metrics_meet_the_target),
        cmocka_unit_test(predictions_count),
        cmocka_unit_test(jumps_widen),
    };
    return cmocka_run_group_tests_name("predicted", tests, NULL, NULL);
}
