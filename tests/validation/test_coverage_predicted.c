/* SPDX-License-Identifier: MIT */
/* Do intervals hold what they promise where units are predicted? Over seeds that draw units and
 * never the workload the exact value must lie inside, and the median half-width must not be far
 * above the median error. 160 seeds of small workloads;
 * MEMSWEEP_FULL=1: 2000, and 400 of larger ones.
 *
 * With n seeds a coverage of 95 % has a standard error of sqrt(0.05 * 0.95 / n): the bounds leave
 * three of them. */
#include "direct.h"
#include "testing.h"

typedef struct setting {
    const char *mech, *law;
    double number, error, flags, shape, cv, units, target;
    double widest;   /* median half-width of slowdown over its median error; 0: equal differences */
    double cheapest; /* events over those of full */
} setting;

enum { SEEDS_MOST = 2000, METRICS = 2 };
static const char *const NAMES[METRICS] = {"cycles", "slowdown"};

typedef struct tally {
    int number, covered, measured_whole;
    double errors[SEEDS_MOST], widths[SEEDS_MOST];
} tally;

static bool long_form(void)
{
    return getenv("MEMSWEEP_FULL") != NULL;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static void count_seed(const direct *d, int metric, double exact, tally *t)
{
    double miss = fabs(d->metrics[metric] - exact), width = d->half_widths[metric];
    t->covered += miss <= width + 1e-12 * fabs(exact);
    t->errors[t->number] = miss / fabs(exact);
    t->widths[t->number++] = width / fabs(exact);
}

static void open_setting(direct *d, const setting *s, double law)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find(s->mech), "synth/even", &err), err);
    direct_set(d, "synth_cv", s->cv);
    direct_set(d, "synth_shape", s->shape);
    direct_set(d, "synth_units", s->units);
    direct_set(d, "gain", 2);
    direct_set(d, "carry", 0.1);
    direct_set(d, "unit_events", 100);
    direct_set(d, "predict_law", law);
    direct_set(d, "predict_error", s->error);
    direct_set(d, "predict_flags", s->flags);
    d->task.sampling.target = s->target;
}

/* Returns the events of the samples over those of full. */
static double run_seeds(direct *d, int seeds, tally *tallies)
{
    double exact[MSW_METRICS_MAX], events = 0;
    direct_run(d, MSW_FULL, 5);
    memcpy(exact, d->metrics, sizeof exact);
    double full = (double)d->answer.events;
    for (int seed = 1; seed <= seeds; seed++) {
        direct_drop_artifacts(d);
        d->task.sampling.seed = (uint64_t)seed;
        direct_run(d, MSW_SAMPLED, 5);
        assert_int_equal(d->answer.status, MSW_OK);
        events += (double)d->answer.events;
        if (d->answer.measured == d->answer.units)
            continue;
        for (int m = 0; m < METRICS; m++) {
            int metric = msw_metrics_find(d->mech->metrics, NAMES[m]);
            count_seed(d, metric, exact[metric], &tallies[m]);
        }
    }
    return events / full / seeds;
}

static void check_setting(const setting *s, int seeds)
{
    static tally tallies[METRICS];
    double cost[2];
    for (int with = 0; with < 2; with++) {
        direct d;
        memset(tallies, 0, sizeof tallies);
        open_setting(&d, s, with ? s->number : 0);
        cost[with] = run_seeds(&d, with ? seeds : seeds / 8, tallies);
        for (int m = 0; m < METRICS; m++) {
            tally *t = &tallies[m];
            int n = t->number ? t->number : 1;
            double share = (double)t->covered / n, error = median(t->errors, n);
            double width = median(t->widths, n);
            printf("%-12s %-8s 4 x %4.0f units, target %.1f %%, %s: %-8s coverage %5.1f %% of %4d, "
                   "median error %.4f %%, half-width %.4f %%, events %.3f of full\n",
                   s->mech, s->law, s->units, 100 * s->target, with ? "predicted" : "plain    ",
                   NAMES[m], 100 * share, t->number, 100 * error, 100 * width, cost[with]);
            if (!with || !t->number)
                continue;
            assert_true(share >= 0.93 - 3 * sqrt(0.05 * 0.95 / n));
            if (m == 1 && s->widest > 0)
                assert_true(width <= s->widest * error);
        }
        direct_close(&d);
    }
    assert_true(cost[1] <= s->cheapest);
}

/* Law numbers are those of the instrument's table. */
static void planted_errors_are_covered(void **state)
{
    (void)state;
    static const setting SETTINGS[] = {
        {"null", "small", 1, 0.03, 0, 1, 0.5, 500, 0.01, 4, 0.1},
        {"null", "rare", 2, 0.03, 0, 1, 0.5, 500, 0.02, 0, 0.6},
        {"null", "flagged", 2, 0.03, 1, 1, 0.5, 500, 0.02, 0, 0.4},
        {"null", "biased", 3, 0.03, 0, 1, 0.5, 500, 0.01, 5, 0.1},
        {"null", "cost", 4, 0.03, 0, 1, 0.5, 500, 0.02, 0, 0.4},
        {"null_forward", "small", 1, 0.03, 0, 1, 0.5, 500, 0.02, 0, 0.2},
        {"null_forward", "biased", 3, 0.03, 0, 1, 0.5, 500, 0.02, 0, 0.2},
    };
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        check_setting(&SETTINGS[i], long_form() ? SEEDS_MOST : 160);
}

static void long_settings_are_covered(void **state)
{
    (void)state;
    static const setting SETTINGS[] = {
        {"null", "small", 1, 0.05, 0, 1, 1.3, 2500, 0.005, 4, 0.1},
        {"null", "rare", 2, 0.05, 0, 1, 1.3, 2500, 0.01, 0, 1.05},
        {"null", "flagged", 2, 0.05, 1, 1, 1.3, 2500, 0.01, 0, 0.4},
        {"null", "biased", 3, 0.05, 0, 1, 1.3, 2500, 0.005, 5, 0.1},
        {"null", "cost", 4, 0.05, 0, 1, 1.3, 2500, 0.01, 0, 1.05},
        {"null_forward", "rare", 2, 0.05, 0, 1, 0.5, 2500, 0.01, 0, 0.4},
        {"null_forward", "cost", 4, 0.05, 0, 1, 0.5, 2500, 0.01, 0, 0.4},
    };
    if (!long_form())
        skip();
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        check_setting(&SETTINGS[i], 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_errors_are_covered),
        cmocka_unit_test(long_settings_are_covered),
    };
    return cmocka_run_group_tests_name("coverage_predicted", tests, NULL, NULL);
}
