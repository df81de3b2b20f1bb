/* SPDX-License-Identifier: MIT */
/* Defect 340. Is what predictions are made from there for every unit predicted, and that of the
 * config that is asked about, candidate or reference? Are answers those of units predicted one by
 * one? */
#include "direct.h"
#include "testing.h"

typedef struct made {
    double gain;
} made;

static msw_mech prepared;
static int begun, predicted;

static double gain_of(const msw_task *task)
{
    return msw_param_get(msw_params_find(task->mech->params, "gain"), task->config);
}

static int begin_prediction(const msw_task *task, const void **prediction, msw_err *err)
{
    made *m = msw_arena_take(task->arena, sizeof *m);
    (void)err;
    assert_non_null(m);
    m->gain = gain_of(task);
    *prediction = m;
    begun++;
    return 0;
}

static int predict_from_it(const msw_task *task, size_t stratum, uint64_t unit,
                           msw_unit_prediction *out, msw_err *err)
{
    const made *m = task->prediction;
    assert_non_null(m);
    assert_true(m->gain == gain_of(task));
    predicted++;
    return msw_mech_find("null")->predict(task, stratum, unit, out, err);
}

static void every_unit_finds_what_was_made(void **state)
{
    (void)state;
    double plain[MSW_METRICS_MAX];
    msw_err err = {0};
    direct d;
    prepared = *msw_mech_find("null");
    assert_ok(direct_open(&d, &prepared, "synth/skewed", &err), err);
    direct_set(&d, "synth_units", 500);
    direct_set(&d, "gain", 2);
    direct_set(&d, "unit_events", 100);
    direct_set(&d, "predict_law", 1);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.answer.measured < d.answer.units);
    memcpy(plain, d.metrics, sizeof plain);
    prepared.predict_begin = begin_prediction;
    prepared.predict = predict_from_it;
    direct_drop_artifacts(&d);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_int_equal(begun, 2); /* candidate and reference */
    assert_true(predicted >= (int)d.answer.units);
    assert_memory_equal(plain, d.metrics, prepared.metric_count * sizeof *plain);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_unit_finds_what_was_made)};
    return cmocka_run_group_tests_name("predict_begin", tests, NULL, NULL);
}
