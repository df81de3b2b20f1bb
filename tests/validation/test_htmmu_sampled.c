/* SPDX-License-Identifier: MIT */
/* Does htmmu measure a part of its units as it would measure all of them? */
#include "htmmu_configs.h"
#include "testing.h"

#include "mech/htmmu/machine/machine.h"
#include "mech/htmmu/model.h"

#define GIB ((uint64_t)1 << 30)

enum { REQUESTS = 300000, UNITS = 2000, SEEDS = 3 };

/* What each unit took when all were measured, and when some were; 0: it was not. */
static double exact[UNITS], measured[UNITS];
static double *record = exact;
static uint64_t detailed;

/* The mechanism, but it writes down what its units take. */
static int measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    int rc = htmmu_measure(task, state, stratum, unit, out, err);
    msw_stratum strata[HTMMU_STRATA];
    size_t count;
    assert_int_equal(htmmu_strata(task, strata, &count, err), 0);
    for (size_t i = 0; i < stratum; i++)
        unit += strata[i].units;
    record[unit] = out->totals[HTMMU_CYCLES];
    detailed = ((htmmu_machine *)state)->counts.requests;
    return rc;
}

static void open_skewed(direct *d, msw_mech *mech)
{
    stream_open(d, (stream_config){.kind = STREAM_SKEWED,
                                   .requests = REQUESTS,
                                   .run = 4,
                                   .footprint = 64 * GIB,
                                   .seed = 5});
    *mech = msw_mech_htmmu;
    mech->measure = measure;
    d->mech = d->task.mech = mech;
    d->task.sampling = (msw_sampling){.confidence = 0.95, .target = 10, .pilot = 90};
}

static bool run(direct *d, msw_fidelity fidelity, uint64_t seed)
{
    record = fidelity == MSW_FULL ? exact : measured;
    memset(record, 0, sizeof exact);
    direct_run(d, fidelity, seed);
    return d->answer.status == MSW_OK;
}

/* Units measured alone over the same among all others. */
static double ratio_of_units(void)
{
    double alone = 0, among = 0;
    for (int unit = 0; unit < UNITS; unit++) {
        alone += measured[unit];
        among += measured[unit] > 0 ? exact[unit] : 0;
    }
    return alone / among;
}

/* The next of the random configs that can exist; measures all of its units. */
static uint64_t next_config(direct *d, uint64_t seed)
{
    do {
        htmmu_random(d, ++seed);
        direct_drop_artifacts(d);
    } while (!run(d, MSW_FULL, 1));
    return seed;
}

/* 300,000 requests are too few for 30 units in a fiftieth of them, but not in an eighth. The
 * intervals hold the truth as often as they say: of 93 in 100 fewer than 30 in 36 have a chance
 * of 1e-2. A unit measured alone costs what it costs among the others. */
static void sampled_units_are_as_among_all(void **state)
{
    (void)state;
    int configs = getenv("MEMSWEEP_FULL") ? 200 : 12, covered = 0;
    double difference = 0, share = 0;
    direct d;
    msw_mech mech;
    open_skewed(&d, &mech);
    for (uint64_t config = 0, seed = 0; config < (uint64_t)configs; config++) {
        seed = next_config(&d, seed);
        double full = d.metrics[HTMMU_CYCLES], ratio = 0;
        for (uint64_t i = 0; i < SEEDS; i++) {
            assert_true(run(&d, MSW_SAMPLED, SEEDS * seed + i));
            covered += fabs(d.metrics[HTMMU_CYCLES] - full) <= d.half_widths[HTMMU_CYCLES];
            ratio += ratio_of_units() / SEEDS;
            share += (double)detailed / REQUESTS / (SEEDS * configs);
        }
        assert_true(fabs(ratio - 1) < 0.1);
        difference += (ratio - 1) / configs;
    }
    printf("%d of %d intervals cover, units differ by %+.2f %%, %.1f %% in detail\n", covered,
           SEEDS * configs, 100 * difference, 100 * share);
    assert_true(covered >= SEEDS * configs * 5 / 6);
    assert_true(fabs(difference) < 0.01);
    assert_true(share < 0.16);
    direct_close(&d);
}

/* An open loop that is asked for less than it gives, and for more. */
static void open_loops_keep_their_clock(void **state)
{
    (void)state;
    direct d;
    msw_mech mech;
    open_skewed(&d, &mech);
    direct_set(&d, "requester", HTMMU_OPEN);
    for (int slow = 0; slow <= 1; slow++) {
        direct_set(&d, "rate", slow ? 0.002 : 2);
        direct_set(&d, "burst", slow ? 1 : 64);
        assert_true(run(&d, MSW_FULL, 1));
        double wait = stream_metric(&d, "mean_wait"), ratio = 0;
        for (uint64_t seed = 0; seed < 5; seed++) {
            assert_true(run(&d, MSW_SAMPLED, seed));
            ratio += stream_metric(&d, "mean_wait") / wait / 5;
            assert_relative(ratio_of_units(), 1, 0.1);
        }
        assert_relative(ratio, 1, 0.1);
    }
    direct_close(&d);
}

/* Measuring every unit gives the same bits as `full`. */
static void all_units_are_the_whole(void **state)
{
    (void)state;
    direct d;
    msw_mech mech;
    open_skewed(&d, &mech);
    for (uint64_t seed = 0, config = 0; config < 5; config++) {
        seed = next_config(&d, seed);
        double cycles = d.metrics[HTMMU_CYCLES], wait = d.metrics[HTMMU_WAIT];
        d.task.sampling.pilot = 1000000;
        assert_true(run(&d, MSW_SAMPLED, seed));
        assert_int_equal(d.answer.measured, d.answer.units);
        assert_true(d.metrics[HTMMU_CYCLES] == cycles);
        assert_true(d.metrics[HTMMU_WAIT] == wait);
    }
    direct_close(&d);
}

/* ---- by stream ---- */

enum { ASKED = 4, COVERED_CONFIGS = 60 };

typedef struct coverage {
    double held[ASKED], error[ASKED], measured, configs;
} coverage;

static const int METRICS_ASKED[ASKED] = {HTMMU_CYCLES, HTMMU_MEAN_WAIT, HTMMU_WALKS,
                                         HTMMU_WAIT_P99};

static void compare(direct *d, uint64_t seed, coverage *sum)
{
    double full[ASKED];
    direct_run(d, MSW_FULL, seed);
    for (int i = 0; i < ASKED; i++)
        full[i] = d->metrics[METRICS_ASKED[i]];
    if (d->answer.status != MSW_OK)
        return;
    direct_run(d, MSW_SAMPLED, seed);
    assert_int_equal(d->answer.status, MSW_OK);
    sum->configs++;
    sum->measured += (double)d->answer.measured / (double)d->answer.units;
    for (int i = 0; i < ASKED; i++) {
        double off = fabs(d->metrics[METRICS_ASKED[i]] - full[i]);
        sum->held[i] += off <= d->half_widths[METRICS_ASKED[i]] + 1e-9 * full[i];
        sum->error[i] += full[i] > 0 ? off / full[i] : 0;
    }
}

/* Prints a line for the table of README.md. */
static void cover(const char *stream, double pilot, coverage *sum)
{
    msw_err err = {0};
    direct d;
    *sum = (coverage){.configs = 0};
    assert_ok(direct_open(&d, &msw_mech_htmmu, stream, &err), err);
    for (uint64_t seed = 0; seed < COVERED_CONFIGS; seed++) {
        htmmu_random(&d, 1000 + seed);
        d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 10, .pilot = pilot};
        compare(&d, 1 + seed, sum);
        direct_drop_artifacts(&d);
    }
    printf("| `%s` | %.0f |", stream, sum->configs);
    for (int i = 0; i < ASKED; i++)
        printf(" %.0f %%, %.1f %% |", 100 * sum->held[i] / sum->configs,
               100 * sum->error[i] / sum->configs);
    printf(" %.0f %% |\n", 100 * sum->measured / sum->configs);
    direct_close(&d);
}

/* Takes minutes: only with MEMSWEEP_FULL=1. MEMSWEEP_STREAMS: only those so named. */
static void coverage_by_stream(void **state)
{
    (void)state;
    static const char *const STREAMS[] = {"large",       "dlrm/b128", "big",       "dense",
                                          "neumf/b2048", "kgcn/b128", "dlrm/b2048"};
    const char *only = getenv("MEMSWEEP_STREAMS");
    coverage sum;
    if (!getenv("MEMSWEEP_FULL"))
        skip();
    printf("| stream | configs | cycles: held, error | mean wait | walks | wait_p99 | units |\n");
    for (size_t i = 0; i < sizeof STREAMS / sizeof *STREAMS; i++) {
        if (only && !strstr(only, STREAMS[i]))
            continue;
        cover(STREAMS[i], 24, &sum);
        assert_true(sum.held[0] >= 0.85 * sum.configs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_units_are_as_among_all),
        cmocka_unit_test(open_loops_keep_their_clock),
        cmocka_unit_test(all_units_are_the_whole),
        cmocka_unit_test(coverage_by_stream),
    };
    return cmocka_run_group_tests_name("htmmu_sampled", tests, NULL, NULL);
}
