/* SPDX-License-Identifier: MIT */
/* Defect 433. A paired ratio with and without prediction of its two totals: is it the same ratio,
 * within its interval, and is the residual of predicted units that of the pair? And where every
 * unit is measured, are the bits those of full either way? */
#include "direct.h"
#include "testing.h"

enum { SMALL = 1, WAYS = 2 };

static void open_way(direct *d, int way, double units)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("null"), "synth/even", &err), err);
    direct_set(d, "synth_cv", 0.5);
    direct_set(d, "synth_shape", 1);
    direct_set(d, "synth_units", units);
    direct_set(d, "gain", 2);
    direct_set(d, "carry", 0.1);
    direct_set(d, "unit_events", 100);
    direct_set(d, "predict_law", way ? SMALL : 0);
    direct_set(d, "predict_error", 0.03);
    d->task.sampling.target = 0.01;
}

static void ratios_agree(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        direct d;
        open_way(&d, way, 2500);
        int slowdown = msw_metrics_find(d.mech->metrics, "slowdown");
        direct_run(&d, MSW_FULL, 5);
        double exact = d.metrics[slowdown], full = (double)d.answer.events;
        direct_run(&d, MSW_SAMPLED, 5);
        double miss = fabs(d.metrics[slowdown] - exact), width = d.half_widths[slowdown];
        printf("%s: slowdown %.5f +- %.5f, full %.5f, events %.3f of full\n",
               way ? "predicted" : "plain", d.metrics[slowdown], width, exact,
               (double)d.answer.events / full);
        assert_true(miss <= width);
        assert_true(width <= 0.012 * exact);
        assert_true(!way || (double)d.answer.events < 0.1 * full);
        direct_close(&d);
    }
}

static void all_measured_is_full(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        direct d;
        double full[MSW_METRICS_MAX];
        open_way(&d, way, 250);
        direct_run(&d, MSW_FULL, 5);
        memcpy(full, d.metrics, sizeof full);
        uint64_t events = d.answer.events;
        d.task.sampling.target = 1e-9;
        direct_run(&d, MSW_SAMPLED, 5);
        assert_int_equal(d.answer.measured, d.answer.units);
        for (size_t m = 0; m < d.mech->metric_count; m++) {
            assert_memory_equal(&d.metrics[m], &full[m], sizeof *full);
            assert_true(d.half_widths[m] == 0);
        }
        /* Predictions and the pilot count. */
        assert_true(way ? d.answer.events > events : d.answer.events == events);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_agree),
        cmocka_unit_test(all_measured_is_full),
    };
    return cmocka_run_group_tests_name("paired_with_and_without", tests, NULL, NULL);
}
