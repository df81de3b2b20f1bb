/* SPDX-License-Identifier: MIT */
/* Defect 341. Are the units of real networks as far from their prediction as neummu states, and no
 * further? The stated law (README.md, "Prediction of a unit") over configs as papers choose them,
 * of draws that had no part in the choice of its constants; of the units four in a thousand may
 * lie beyond. MEMSWEEP_FULL takes more configs and networks, one of which (ResNet-50) is told
 * worse: one in a hundred. */
#include "direct.h"
#include "neummu_configs.h"
#include "testing.h"

#include <stdlib.h>

enum { FIRST = 40, CONFIGS = 4, CONFIGS_FULL = 40 }; /* draws 0 .. 39 chose the constants */

static msw_mech recorder;
static msw_task predicting;
static double units, beyond, flagged;

static int begin(const msw_task *task, void *state, msw_err *err)
{
    const msw_mech *mech = msw_mech_find("neummu");
    predicting = *task;
    assert_int_equal(mech->predict_begin(&predicting, &predicting.prediction, err), 0);
    return mech->begin(task, state, err);
}

static int measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    const msw_mech *mech = msw_mech_find("neummu");
    double slots[MSW_METRICS_MAX] = {0}, scale[MSW_METRICS_MAX] = {0};
    msw_unit_prediction z = {.totals = slots, .scale = scale};
    if (mech->measure(task, state, stratum, unit, out, err))
        return -1;
    assert_int_equal(mech->predict(&predicting, stratum, unit, &z, err), 0);
    units++;
    flagged += z.uncertain;
    for (size_t m = 0; m < mech->metric_count && !z.uncertain; m++) {
        double largest = mech->metrics[m].predicted.largest;
        double size = scale[m] > 0 ? scale[m] : fabs(slots[m]);
        beyond +=
            largest > 0 && fabs(out->totals[m] - slots[m]) > largest * size * (1 + 1e-9) + 1e-9;
    }
    return 0;
}

static void run_network(const char *workload, double scratchpad)
{
    msw_err err = {0};
    direct d;
    recorder = *msw_mech_find("neummu");
    recorder.begin = begin;
    recorder.measure = measure;
    assert_ok(direct_open(&d, &recorder, workload, &err), err);
    direct_set(&d, "npu_spm_activation", scratchpad);
    direct_set(&d, "npu_spm_weight", scratchpad);
    uint64_t configs = getenv("MEMSWEEP_FULL") ? CONFIGS_FULL : CONFIGS;
    for (uint64_t c = FIRST; c < FIRST + configs; c++) {
        neummu_random(&d, c);
        if (!recorder.predictable(d.config))
            continue;
        direct_drop_artifacts(&d);
        direct_run(&d, MSW_FULL, c);
    }
    direct_close(&d);
}

static void few_units_lie_beyond(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"rnn2/b1",    "mobilenet_v2/b1",   "resnet50/b1",
                                           "alexnet/b1", "bert_base_s128/b1", "vit_b16/b1"};
    bool all = getenv("MEMSWEEP_FULL");
    size_t networks = all ? 6 : 2;
    for (size_t n = 0; n < networks; n++)
        run_network(NETWORKS[n], 131072);
    printf("%.0f units, %.0f beyond, %.0f flagged\n", units, beyond, flagged);
    assert_true(units > 5000);
    assert_true(beyond <= (all ? 10 : 4) * units / 1000);
    assert_true(flagged <= units / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_units_lie_beyond)};
    return cmocka_run_group_tests_name("neummu_errors_stated", tests, NULL, NULL);
}
