/* SPDX-License-Identifier: MIT */
/* Defect 430. Candidates have classes of their own: is a unit of their reference still measured
 * once for all? Before blocks every candidate measured again what its classes drew. */
#include "direct.h"
#include "testing.h"

#include <stdlib.h>

enum { UNITS = 4 * 2500, CANDIDATES = 6 };

static msw_mech counting;
static int measured[4][2500];
static double reference_gain = 1;

static int count_unit(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                      msw_unit_out *out, msw_err *err)
{
    const msw_param *gain = msw_params_find(task->mech->params, "gain");
    measured[stratum][unit] += msw_param_get(gain, task->config) == reference_gain;
    return msw_mech_find("null")->measure(task, state, stratum, unit, out, err);
}

static void a_unit_is_measured_once(void **state)
{
    (void)state;
    msw_err err = {0};
    direct d;
    uint64_t drawn = 0;
    int all = 0, most = 0;
    counting = *msw_mech_find("null");
    counting.measure = count_unit;
    assert_ok(direct_open(&d, &counting, "synth/even", &err), err);
    direct_set(&d, "synth_units", 2500);
    direct_set(&d, "synth_shape", 1);
    direct_set(&d, "synth_cv", 0.5);
    direct_set(&d, "unit_events", 100);
    direct_set(&d, "predict_law", 1);
    for (int i = 0; i < CANDIDATES; i++) {
        direct_set(&d, "gain", 1.5 + i); /* other sizes, other classes */
        direct_run(&d, MSW_SAMPLED, 3);
        assert_int_equal(d.answer.status, MSW_OK);
        assert_true(d.answer.measured < d.answer.units);
        drawn += d.answer.measured;
    }
    for (size_t u = 0; u < UNITS; u++) {
        int times = measured[u / 2500][u % 2500];
        all += times;
        most = times > most ? times : most;
    }
    printf("%d units of the reference measured, %llu drawn by the candidates\n", all,
           (unsigned long long)drawn);
    assert_int_equal(most, 1);
    assert_true((uint64_t)all < drawn);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_unit_is_measured_once)};
    return cmocka_run_group_tests_name("references_share_units", tests, NULL, NULL);
}
