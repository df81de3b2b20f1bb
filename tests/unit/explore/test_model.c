/* SPDX-License-Identifier: MIT */
/* Are the guesses of the closed form's error the averages that docs/models/auto.md says? */
#include "explore/explorer.h"
#include "testing.h"

/* One ordered factor and one choice of 4 levels each; one stratum. */
static const uint8_t ordered[] = {0, 1, 2, 3, 2, 2}, choice[] = {0, 0, 0, 0, 1, 3};
static const uint32_t zero[6];
static const double values[6];

static msw_explore_space space(const msw_explore_factor *factors, unsigned count)
{
    return (msw_explore_space){.units = 6,
                               .groups = 1,
                               .group = zero,
                               .stratum = zero,
                               .strata = 1,
                               .exact_count = 1,
                               .open_count = 1,
                               .exact = {values},
                               .open = {values},
                               .factor_count = count,
                               .factors = factors};
}

static const msw_explore_factor factors[] = {{ordered, 4, true}, {choice, 4, false}};

static void nothing_is_known(void **state)
{
    (void)state;
    msw_explore_space s = space(factors, 1);
    msw_model m;
    msw_err err = {0};
    assert_ok(msw_model_new(&s, &m, &err), err);
    msw_guess guess = msw_model_rough(&m, 0, 0);
    assert_near(guess.mean, 0, 0);
    assert_near(guess.deviation, 0.05, 1e-15);
    msw_model_free(&m);
}

/* One row at level 2 with error 0.1, as on the page. */
static void one_row(void **state)
{
    (void)state;
    msw_explore_space s = space(factors, 1);
    msw_model m;
    msw_err err = {0};
    const double error = 0.1;
    assert_ok(msw_model_new(&s, &m, &err), err);
    assert_ok(msw_model_learn(&m, 2, &error, &err), err);
    assert_near(msw_model_rough(&m, 0, 0).mean, 0.2 / 3, 1e-15);
    assert_ok(msw_model_watch(&m, 3, &err), err);
    assert_near(msw_model_fine(&m, 3, 0).mean, 0.25 / 3, 1e-15);
    assert_near(msw_model_rough(&m, 2, 0).mean, (0.1 + 0.2 / 3) / 2, 1e-15);
    msw_model_free(&m);
}

/* Rows learnt after a unit was looked at count as if it had been looked at last. */
static void sums_catch_up(void **state)
{
    (void)state;
    msw_explore_space s = space(factors, 2);
    msw_model a, b;
    msw_err err = {0};
    const double errors[] = {0.1, -0.2, 0.4};
    assert_ok(msw_model_new(&s, &a, &err), err);
    assert_ok(msw_model_new(&s, &b, &err), err);
    assert_ok(msw_model_watch(&a, 5, &err), err);
    for (uint32_t u = 1; u < 4; u++) {
        assert_ok(msw_model_learn(&a, u, &errors[u - 1], &err), err);
        assert_ok(msw_model_learn(&b, u, &errors[u - 1], &err), err);
        msw_model_fine(&a, 5, 0);
    }
    assert_ok(msw_model_watch(&b, 5, &err), err);
    msw_guess x = msw_model_fine(&a, 5, 0), y = msw_model_fine(&b, 5, 0);
    assert_true(x.mean == y.mean && x.deviation == y.deviation);
    msw_model_free(&a);
    msw_model_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(one_row),
        cmocka_unit_test(sums_catch_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
