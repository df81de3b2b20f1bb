/* SPDX-License-Identifier: MIT */
/* Defect 342. Differences that are equal within every class, and other ones in each class, prove
 * as little as differences that are equal in all: is the half-width then 0 although units were
 * left out? */
#include "direct.h"
#include "testing.h"

static msw_mech shifted;

/* Exact, but for a number of cycles that all units of a stratum share. */
static int predict_shifted(const msw_task *task, size_t stratum, uint64_t unit,
                           msw_unit_prediction *out, msw_err *err)
{
    int rc = msw_mech_find("null")->predict(task, stratum, unit, out, err);
    int cycles = msw_metrics_find(task->mech->metrics, "cycles");
    out->totals[cycles] *= 1 + 0.01 * (double)stratum;
    return rc;
}

static void nothing_is_sure_of_units_left_out(void **state)
{
    (void)state;
    msw_err err = {0};
    direct d;
    shifted = *msw_mech_find("null");
    shifted.predict = predict_shifted;
    assert_ok(direct_open(&d, &shifted, "synth/even", &err), err);
    direct_set(&d, "synth_units", 500);
    direct_set(&d, "synth_cv", 0); /* all units of a stratum are alike */
    direct_set(&d, "gain", 1);
    direct_set(&d, "carry", 0);
    direct_set(&d, "unit_events", 100);
    direct_set(&d, "predict_law", 1);
    direct_set(&d, "predict_error", 1e-12);
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.answer.measured < d.answer.units);
    int cycles = msw_metrics_find(shifted.metrics, "cycles");
    assert_true(d.half_widths[cycles] > 1e-3 * d.metrics[cycles]);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_sure_of_units_left_out)};
    return cmocka_run_group_tests_name("equal_in_classes", tests, NULL, NULL);
}
