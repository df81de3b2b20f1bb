/* SPDX-License-Identifier: MIT */
/* Do the intervals of `sampled` hold what they promise? Over many seeds the true value (from
 * `full`, exact) must lie inside the 95 % interval about 95 % of the time.
 *
 * Seeds: 400 as a quick form, MEMSWEEP_SEEDS=2000 as the long one. With n seeds the share has a
 * standard error of sqrt(0.05 * 0.95 / n); the asserted bands are widened by three of them for the
 * quick form. */
#include "direct.h"
#include "testing.h"

static int seeds(void)
{
    const char *text = getenv("MEMSWEEP_SEEDS");
    return text ? atoi(text) : 400;
}

/* Share of intervals that cover, for one metric, and what was measured on average. */
typedef struct coverage {
    int covered, wide, all;
    double measured;
} coverage;

static void run_seed(direct *d, uint64_t stream, const int *metrics, size_t count, coverage *out)
{
    double exact[MSW_METRICS_MAX];
    direct_drop_artifacts(d);
    direct_run(d, MSW_FULL, stream);
    assert_int_equal(d->answer.status, MSW_OK);
    memcpy(exact, d->metrics, sizeof exact);
    direct_run(d, MSW_SAMPLED, stream);
    assert_int_equal(d->answer.status, MSW_OK);
    for (size_t m = 0; m < count; m++) {
        double miss = fabs(d->metrics[metrics[m]] - exact[metrics[m]]);
        out[m].covered += miss <= d->half_widths[metrics[m]];
        out[m].all++;
        out[m].measured += (double)d->answer.measured / (double)d->answer.units;
    }
}

typedef struct setting {
    const char *mech;
    double cv, shape, units, target;
} setting;

static void check_coverage(setting s, double low, double high)
{
    static const char *const NAMES[] = {"cycles", "rate", "slowdown"};
    msw_err err = {0};
    direct d;
    int metrics[3];
    coverage result[3] = {{0}};
    assert_ok(direct_open(&d, msw_mech_find(s.mech), "synth/even", &err), err);
    for (int m = 0; m < 3; m++)
        metrics[m] = msw_metrics_find(d.mech->metrics, NAMES[m]);
    direct_set(&d, "synth_cv", s.cv);
    direct_set(&d, "synth_shape", s.shape);
    direct_set(&d, "synth_units", s.units);
    direct_set(&d, "gain", 2);
    d.task.sampling.target = s.target;
    for (int seed = 0; seed < seeds(); seed++)
        run_seed(&d, (uint64_t)seed * 977 + 5, metrics, 3, result);
    double slack = seeds() < 2000 ? 3 * sqrt(0.05 * 0.95 / seeds()) : 0;
    for (int m = 0; m < 3; m++) {
        double share = (double)result[m].covered / result[m].all;
        printf("%s cv %.1f, 4 x %.0f units, target %.0f %%: %-8s coverage %.1f %% over %d seeds, "
               "%.1f %% of the units measured\n",
               s.mech, s.cv, s.units, 100 * s.target, NAMES[m], 100 * share, seeds(),
               100 * result[m].measured / result[m].all);
        assert_true(share >= low - slack);
        assert_true(share <= high + slack || result[m].measured == result[m].all);
    }
    direct_close(&d);
}

static void moderate_spread(void **state)
{
    (void)state;
    check_coverage((setting){"null", 0.3, 0, 1000, 0.01}, 0.93, 0.97);
    check_coverage((setting){"null", 0.5, 0, 1000, 0.01}, 0.93, 0.97);
    check_coverage((setting){"null", 0.5, 1, 1000, 0.01}, 0.93, 0.97);
    check_coverage((setting){"null", 0.5, 1, 250, 0.02}, 0.93, 0.97);
}

static void heavy_spread(void **state)
{
    (void)state;
    check_coverage((setting){"null", 1.3, 1, 4000, 0.01}, 0.92, 0.985);
    check_coverage((setting){"null", 1.3, 1, 250, 0.05}, 0.92, 0.985);
}

static void forward_pass(void **state)
{
    (void)state;
    check_coverage((setting){"null_forward", 0.5, 0, 1000, 0.01}, 0.93, 0.97);
    check_coverage((setting){"null_forward", 1.3, 1, 1000, 0.05}, 0.92, 0.985);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moderate_spread),
        cmocka_unit_test(heavy_spread),
        cmocka_unit_test(forward_pass),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
