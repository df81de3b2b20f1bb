/* SPDX-License-Identifier: MIT */
/* Defect 434. A count that is 0 in all units measured of a stratum, but not in others: is it said
 * to be 0 for sure in those left out? (Walks of htmmu where TLBs hold nearly all pages: 88 % of
 * intervals held.) */
#include "direct.h"
#include "testing.h"

enum { UNITS = 500, SEEDS = 60, WORK_EACH = 2 };

static msw_mech rare;
static int work;

/* Work is done by all units of the first stratum, and by two of each other one. */
static int measure_rare(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                        msw_unit_out *out, msw_err *err)
{
    int rc = msw_mech_find("null")->measure(task, state, stratum, unit, out, err);
    bool any = stratum == 0 || unit % (UNITS / WORK_EACH) == 5;
    out->totals[work] = any ? 1 : 0;
    return rc;
}

static void open_rare(direct *d)
{
    msw_err err = {0};
    rare = *msw_mech_find("null");
    rare.measure = measure_rare;
    work = msw_metrics_find(rare.metrics, "work");
    assert_ok(direct_open(d, &rare, "synth/even", &err), err);
    direct_set(d, "synth_strata", 4);
    direct_set(d, "synth_units", UNITS);
    d->task.sampling.pilot = 80;
    d->task.sampling.target = 1;
}

static void rare_counts_have_a_width(void **state)
{
    (void)state;
    direct d;
    int covered = 0;
    open_rare(&d);
    for (int seed = 1; seed <= SEEDS; seed++) {
        direct_drop_artifacts(&d);
        d.task.sampling.seed = (uint64_t)seed;
        direct_run(&d, MSW_SAMPLED, 5);
        assert_true(d.answer.measured < d.answer.units);
        assert_true(d.half_widths[work] > 0);
        double exact = UNITS + 3 * WORK_EACH;
        covered += fabs(d.metrics[work] - exact) <= d.half_widths[work];
    }
    printf("%d of %d covered\n", covered, SEEDS);
    assert_true(covered >= 54);
    direct_close(&d);
}

/* What no unit has anywhere stays 0, and what all have alike stays sure. */
static void constants_stay_sure(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("null"), "synth/even", &err), err);
    direct_set(&d, "synth_units", UNITS);
    d.task.sampling.pilot = 80;
    d.task.sampling.target = 1;
    direct_run(&d, MSW_SAMPLED, 5);
    int stall = msw_metrics_find(d.mech->metrics, "stall");
    assert_true(d.answer.measured < d.answer.units);
    assert_true(d.metrics[stall] == 0 && d.half_widths[stall] == 0);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_counts_have_a_width),
        cmocka_unit_test(constants_stay_sure),
    };
    return cmocka_run_group_tests_name("zero_in_all_measured", tests, NULL, NULL);
}
