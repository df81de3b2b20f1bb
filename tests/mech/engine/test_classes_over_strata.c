/* SPDX-License-Identifier: MIT */
/* Defect 431. A workload of many small strata: does ruling out what could be unseen still ask for
 * two units of each? What holds for all units together takes as many of one stratum as of forty. */
#include "direct.h"
#include "testing.h"

#include "memsweep/mech/sampler.h"

static uint64_t measured_with(double strata, double units)
{
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, msw_mech_find("null"), "synth/even", &err), err);
    direct_set(&d, "synth_strata", strata);
    direct_set(&d, "synth_units", units);
    direct_set(&d, "synth_growth", 1);
    direct_set(&d, "synth_cv", 0);
    direct_set(&d, "predict_law", 1);
    direct_set(&d, "predict_error", 0);
    direct_set(&d, "unit_events", 100);
    d.task.sampling.target = 0.1;
    direct_run(&d, MSW_SAMPLED, 3);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_true(d.half_widths[msw_metrics_find(d.mech->metrics, "slowdown")] > 0);
    assert_true(d.answer.measured < d.answer.units);
    uint64_t measured = d.answer.measured;
    direct_close(&d);
    return measured;
}

static void strata_ask_for_no_more(void **state)
{
    (void)state;
    uint64_t one = measured_with(1, 1600), forty = measured_with(40, 40);
    printf("%llu of one stratum, %llu of forty\n", (unsigned long long)one,
           (unsigned long long)forty);
    assert_true(one < 60 && forty <= one + 4);
}

/* With n equal differences of N units the half-width is that of the union, not of a sum. */
static void union_is_one_class(void **state)
{
    (void)state;
    msw_stratum_sample parts[4], whole = {.population = 4000, .measured = 120, .bound = 2};
    for (int i = 0; i < 4; i++)
        parts[i] = (msw_stratum_sample){.population = 1000, .measured = 30, .bound = 2};
    assert_relative(msw_sample_unseen(parts, 4, 0.95), msw_sample_unseen(&whole, 1, 0.95), 1e-12);
    /* Rates in proportion to the bounds: the sum of the bounds, at all that was measured. */
    parts[3] = (msw_stratum_sample){.population = 1000, .measured = 90, .bound = 6};
    assert_relative(msw_sample_unseen(parts, 4, 0.95), 12000 * (1 - pow(0.05, 1.0 / 180)), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_ask_for_no_more),
        cmocka_unit_test(union_is_one_class),
    };
    return cmocka_run_group_tests_name("classes_over_strata", tests, NULL, NULL);
}
