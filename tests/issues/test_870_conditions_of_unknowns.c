/* SPDX-License-Identifier: MIT */
/* An unknown that waits for another was drawn where it changes nothing. Where its condition does
 * not hold, are the answers the same bits whatever its value, and do they differ somewhere where it
 * does? */
#include "direct.h"
#include "testing.h"

#include "memsweep/base/rng.h"
#include "memsweep/reproduce/conditions.h"

/* Small values of everything the conditions ask for. */
static double some_value(const msw_param *p, msw_rng *rng)
{
    double u = msw_rng_uniform(rng), low = p->min;
    if (msw_param_choices(p))
        return floor(u * (double)msw_param_choices(p));
    if (strncmp(p->name, "large_page", 10) == 0)
        return u < 0.5 ? 0 : 4194304;
    if (strcmp(p->name, "streams") == 0)
        return u < 0.3 ? 1 : 4;
    if (strcmp(p->name, "tlb2_entries") == 0)
        return u < 0.5 ? 0 : 64;
    if (strcmp(p->name, "table_lines") == 0 || strcmp(p->name, "walk_queue") == 0)
        return u < 0.5 ? 0 : 16;
    return fmin(floor(low + u * 4), p->max);
}

static bool asked_for(const msw_conditions *c, const char *param, const char *other)
{
    return msw_conditions_ask(c, param, other);
}

static void draw(direct *d, const msw_conditions *c, const char *param, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 5);
    for (const msw_param *p = d->mech->params; p->name; p++) {
        double value = some_value(p, &rng);
        msw_param_set(p, d->config, asked_for(c, param, p->name) ? value : p->def);
    }
}

/* Whether any metric differs between two values of a parameter; -1: a rule forbids one. */
static int differs_at(direct *d, msw_fidelity fidelity, const msw_param *param, double a, double b)
{
    double before[MSW_METRICS_MAX];
    msw_param_set(param, d->config, a);
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        return -1;
    memcpy(before, d->metrics, sizeof before);
    msw_param_set(param, d->config, b);
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        return -1;
    return memcmp(before, d->metrics, d->mech->metric_count * sizeof *before) != 0;
}

static int differs(direct *d, const msw_param *param, double a, double b)
{
    int closed = differs_at(d, MSW_ANALYTIC, param, a, b);
    return closed ? closed : differs_at(d, MSW_FULL, param, a, b);
}

static void check(const msw_condition *known)
{
    enum { CONFIGS = 24 };
    direct d;
    msw_err err = {0};
    msw_conditions *c;
    const msw_mech *mech = msw_mech_find(known->mech);
    assert_non_null(mech);
    const msw_param *param = msw_params_find(mech->params, known->param);
    if (!param)
        fail_msg("%s has no %s", known->mech, known->param);
    assert_ok(msw_conditions_new(mech, &c, &err), err);
    assert_ok(direct_open(&d, mech, strcmp(known->mech, "htmmu") == 0 ? "karate" : "rnn1/b1", &err),
              err);
    int idle = 0;
    double low = msw_param_choices(param) ? 0 : param->plausible_min;
    double high =
        msw_param_choices(param) ? (double)msw_param_choices(param) - 1 : param->plausible_max;
    for (uint64_t seed = 0; seed < CONFIGS && idle < 6; seed++) {
        draw(&d, c, known->param, seed);
        int holds = msw_conditions_hold(c, known->param, d.config, &err);
        assert_true(holds >= 0);
        if (holds)
            continue;
        int changed = differs(&d, param, low, high);
        idle += changed >= 0;
        if (changed > 0)
            fail_msg("%s: %s changes an answer where '%s' does not hold", known->mech, known->param,
                     known->holds);
    }
    if (idle == 0)
        fail_msg("%s: %s: no config where '%s' does not hold", known->mech, known->param,
                 known->holds);
    direct_close(&d);
    msw_conditions_free(c);
}

static void what_waits_for_another_changes_nothing_without_it(void **state)
{
    (void)state;
    for (const msw_condition *k = msw_conditions_known; k->mech; k++)
        check(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_for_another_changes_nothing_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
