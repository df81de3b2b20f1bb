/* SPDX-License-Identifier: MIT */
/* Is a metric that a mechanism declares to be the same at every fidelity so, in all bits, is no
 * answer below a floor that it declares, and is a metric that the config alone decides known before
 * a point is evaluated, in all bits? Configs over all parameters, answered by both models:
 * fidelity auto compares such objectives and proves by such floors. */
#include "space_sample.h"
#include "testing.h"

enum { CONFIGS = 6, CONFIGS_FULL = 60, DRAWS = 40 };
#define BUDGET 20000000 /* events of one point */
#define SEED   43

static bool declares(const msw_mech *mech)
{
    for (const msw_metric *m = mech->metrics; m->name; m++)
        if (m->exact || m->priced || m->floor > 0)
            return true;
    return false;
}

static void compare(const msw_mech *mech, const double *closed, const double *full)
{
    for (size_t m = 0; mech->metrics[m].name; m++) {
        const msw_metric *metric = &mech->metrics[m];
        if (metric->exact && closed[m] != full[m] && !(isnan(closed[m]) && isnan(full[m])))
            fail_msg("%s: %s is %.17g by the closed form and %.17g at full", mech->name,
                     metric->name, closed[m], full[m]);
        if (metric->floor > 0 && (full[m] < metric->floor || closed[m] < metric->floor))
            fail_msg("%s: %s is %.17g and %.17g, below its floor %.17g", mech->name, metric->name,
                     closed[m], full[m], metric->floor);
    }
}

/* `price` fills what is declared, and nothing else. */
static void compare_prices(const msw_mech *mech, const void *config, const double *full)
{
    double priced[MSW_METRICS_MAX];
    for (size_t m = 0; mech->metrics[m].name; m++)
        priced[m] = -1;
    if (mech->price)
        mech->price(config, priced);
    for (size_t m = 0; mech->metrics[m].name; m++)
        if (mech->metrics[m].priced ? priced[m] != full[m] : priced[m] != -1)
            fail_msg("%s: %s is %.17g by the config and %.17g at full", mech->name,
                     mech->metrics[m].name, priced[m], full[m]);
}

static bool answer(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    return d->answer.status == MSW_OK;
}

/* Configs that both models answer. */
static size_t compare_some(const msw_mech *mech, const char *workload, size_t wanted)
{
    msw_err err = {0};
    direct d;
    double closed[MSW_METRICS_MAX];
    size_t compared = 0;
    assert_ok(direct_open(&d, mech, workload, &err), err);
    d.task.event_budget = BUDGET;
    for (uint64_t draw = 0; compared < wanted && draw < DRAWS * wanted; draw++) {
        space_draw(&d, SEED, draw);
        if ((mech->check && mech->check(d.config, &err)) || !answer(&d, MSW_ANALYTIC))
            continue;
        memcpy(closed, d.metrics, sizeof closed);
        if (!answer(&d, MSW_FULL))
            continue;
        compare(mech, closed, d.metrics);
        compare_prices(mech, d.config, d.metrics);
        compared++;
    }
    direct_close(&d);
    return compared;
}

static void declared_metrics_are_exact(void **state)
{
    (void)state;
    size_t wanted = getenv("MEMSWEEP_FULL") ? CONFIGS_FULL : CONFIGS, mechanisms = 0;
    for (size_t i = 0; msw_mechs[i]; i++) {
        char workload[128];
        const msw_mech *mech = msw_mechs[i];
        if (!declares(mech))
            continue;
        const char *names = mech->law_workloads ? mech->law_workloads : mech->default_workload;
        snprintf(workload, sizeof workload, "%.*s", (int)strcspn(names, ", "), names);
        size_t compared = compare_some(mech, workload, wanted);
        print_message("%s on %s: %zu configs\n", mech->name, workload, compared);
        assert_true(compared > 0);
        mechanisms++;
    }
    assert_true(mechanisms >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(declared_metrics_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
