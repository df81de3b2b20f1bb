/* SPDX-License-Identifier: MIT */
/* Is what a record states of its predictions so? Configs over the whole space, as of agreement. */
#include "direct.h"
#include "space_sample.h"
#include "testing.h"

enum { CONFIGS = 40, DRAWS = 200 * CONFIGS };

/* Sums of one config over units that are not uncertain. */
typedef struct errors {
    double squares[MSW_METRICS_MAX], number;
} errors;

/* What an evaluation at `full` would measure, beside what was predicted. */
static msw_mech recorder;
static errors *seen;
static msw_task predicting; /* the same task, with what the mechanism predicts from */

static int begin_and_prepare(const msw_task *task, void *state, msw_err *err)
{
    const msw_mech *mech = msw_mech_find(task->mech->name);
    predicting = *task;
    predicting.mech = mech;
    if (mech->predict_begin && (!mech->predictable || mech->predictable(task->config)))
        assert_int_equal(mech->predict_begin(&predicting, &predicting.prediction, err), 0);
    return mech->begin ? mech->begin(task, state, err) : 0;
}

/* What an error of a unit is relative to. */
static double scale_of(const msw_unit_prediction *z, size_t m)
{
    return z->scale[m] > 0 ? z->scale[m] : fabs(z->totals[m]);
}

/* The sum of a stratum, where the record has one, is that of its units. */
static void compare_sum(const msw_task *task, const msw_mech *mech, size_t h)
{
    msw_err err = {0};
    double sums[MSW_METRICS_MAX] = {0}, largest[MSW_METRICS_MAX] = {0};
    double units[MSW_METRICS_MAX] = {0}, most[MSW_METRICS_MAX] = {0};
    msw_stratum *strata = calloc(mech->strata_max, sizeof *strata);
    msw_unit_prediction sum = {.totals = sums, .scale = largest};
    size_t count = mech->strata_max;
    bool uncertain = false;
    assert_non_null(strata);
    assert_int_equal(mech->strata(task, strata, &count, &err), 0);
    assert_int_equal(mech->predict_sum(task, h, &sum, &err), 0);
    for (uint64_t u = 0; u < strata[h].units; u++) {
        double slots[MSW_METRICS_MAX] = {0}, scale[MSW_METRICS_MAX] = {0};
        msw_unit_prediction z = {.totals = slots, .scale = scale};
        assert_int_equal(mech->predict(task, h, u, &z, &err), 0);
        uncertain |= z.uncertain;
        for (size_t m = 0; m < mech->metric_count; m++) {
            units[m] += slots[m];
            most[m] = fmax(most[m], scale_of(&z, m));
        }
    }
    assert_true(sum.uncertain || !uncertain);
    for (size_t m = 0; !sum.uncertain && m < mech->metric_count; m++)
        if (mech->metrics[m].predicted.largest > 0) {
            assert_near(sums[m], units[m], 1e-9 * fabs(units[m]));
            assert_near(largest[m], most[m], 1e-9 * most[m]);
        }
    free(strata);
}

static int measure_and_compare(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                               msw_unit_out *out, msw_err *err)
{
    const msw_mech *mech = msw_mech_find(task->mech->name);
    double slots[MSW_METRICS_MAX] = {0}, again[MSW_METRICS_MAX] = {0};
    double scale[MSW_METRICS_MAX] = {0}, scale_again[MSW_METRICS_MAX] = {0};
    msw_unit_prediction z = {.totals = slots, .scale = scale};
    msw_unit_prediction same = {.totals = again, .scale = scale_again};
    if (mech->measure(task, state, stratum, unit, out, err))
        return -1;
    if (mech->predictable && !mech->predictable(task->config))
        return 0;
    if (unit == 0 && mech->predict_sum)
        compare_sum(&predicting, mech, stratum);
    assert_int_equal(mech->predict(&predicting, stratum, unit, &z, err), 0);
    assert_int_equal(mech->predict(&predicting, stratum, unit, &same, err), 0);
    assert_memory_equal(slots, again, sizeof slots);
    assert_memory_equal(scale, scale_again, sizeof scale);
    for (size_t m = 0; !z.uncertain && m < mech->metric_count; m++) {
        double largest = mech->metrics[m].predicted.largest;
        double error = fabs(out->totals[m] - slots[m]), size = scale_of(&z, m);
        if (largest > 0 && error > largest * size * (1 + 1e-9) + 1e-9)
            fail_msg("%s: %s of unit %zu/%llu is %g, predicted %g, stated within %g", mech->name,
                     mech->metrics[m].name, stratum, (unsigned long long)unit, out->totals[m],
                     slots[m], largest);
        if (largest > 0 && size > 0)
            seen->squares[m] += error / size * (error / size);
    }
    seen->number += !z.uncertain;
    return 0;
}

static bool is_predicted(const msw_mech *mech, const void *config)
{
    msw_err err = {0};
    return (!mech->check || mech->check(config, &err) == 0) &&
           (!mech->predictable || mech->predictable(config));
}

static void evaluate_config(direct *d, uint64_t number, errors *e)
{
    seen = e;
    d->task.mech = &recorder;
    direct_run(d, MSW_FULL, number);
}

static void stated_errors_hold(void **state)
{
    (void)state;
    for (size_t i = 0; msw_mechs[i]; i++) {
        const msw_mech *mech = msw_mechs[i];
        errors all = {0};
        msw_err err = {0};
        direct d;
        if (!mech->predict)
            continue;
        recorder = *mech;
        recorder.measure = measure_and_compare;
        recorder.begin = begin_and_prepare;
        assert_ok(direct_open(&d, mech, mech->default_workload, &err), err);
        for (uint64_t number = 0, tried = 0; tried < CONFIGS && number < DRAWS; number++) {
            space_draw(&d, 77, number);
            if (!is_predicted(mech, d.config))
                continue;
            direct_drop_artifacts(&d);
            evaluate_config(&d, number, &all);
            tried++;
        }
        assert_true(all.number > 0);
        for (size_t m = 0; m < mech->metric_count; m++) {
            double typical = sqrt(all.squares[m] / all.number);
            if (mech->metrics[m].predicted.largest > 0)
                printf("%s %s: typical error %.4g, stated %.4g\n", mech->name,
                       mech->metrics[m].name, typical, mech->metrics[m].predicted.typical);
            assert_true(typical <= mech->metrics[m].predicted.typical * (1 + 1e-9));
        }
        direct_close(&d);
    }
}

static void refuses(const msw_mech *mech, const char *what)
{
    msw_err err = {0};
    assert_int_equal(msw_mech_check(mech, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("'%s' does not say '%s'", err.text, what);
}

/* A mark without a prediction, a prediction without a mark, and errors that cannot be. */
static void marks_and_predictions_belong_together(void **state)
{
    (void)state;
    msw_metric rows[MSW_METRICS_MAX];
    msw_mech mech = *msw_mech_find("null");
    memcpy(rows, mech.metrics, (mech.metric_count + 1) * sizeof *rows);
    mech.metrics = rows;
    int cycles = msw_metrics_find(rows, "cycles"), busy = msw_metrics_find(rows, "busy");
    rows[cycles].predicted.typical = 1;
    refuses(&mech, "typical <= largest");
    rows[cycles].predicted = rows[busy].predicted = (msw_metric_error){0};
    refuses(&mech, "needs a metric that is marked");
    rows[msw_metrics_find(rows, "rate")].predicted = (msw_metric_error){1, 1, 0};
    refuses(&mech, "is no total");
    mech = *msw_mech_find("null");
    mech.predict = NULL;
    refuses(&mech, "need predict");
    mech.predict_sum = NULL;
    mech.predictable = NULL;
    refuses(&mech, "there is no predict");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_errors_hold),
        cmocka_unit_test(marks_and_predictions_belong_together),
    };
    return cmocka_run_group_tests_name("predictions", tests, NULL, NULL);
}
