/* SPDX-License-Identifier: MIT */
/* Do the agreement statistics follow their definitions? */
#include "memsweep/analysis/agreement.h"
#include "memsweep/base/rng.h"
#include "testing.h"

static double slow_tau(const double *a, const double *b, size_t n)
{
    double sum = 0, untied_a = 0, untied_b = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            int x = (a[i] > a[j]) - (a[i] < a[j]), y = (b[i] > b[j]) - (b[i] < b[j]);
            sum += x * y;
            untied_a += x != 0;
            untied_b += y != 0;
        }
    return sum / sqrt(untied_a * untied_b);
}

static void tau_equals_its_definition(void **state)
{
    (void)state;
    enum { N = 300 };
    double a[N], b[N], tau;
    msw_err err = {0};
    for (uint64_t levels = 2; levels < 2000; levels *= 5)
        for (size_t n = 2; n <= N; n += 149) {
            msw_rng rng;
            msw_rng_init(&rng, levels, n);
            for (size_t i = 0; i < n; i++) {
                a[i] = (double)msw_rng_below(&rng, levels);
                b[i] = a[i] + (double)msw_rng_below(&rng, levels);
            }
            assert_ok(msw_kendall(a, b, n, &tau, &err), err);
            double wanted = slow_tau(a, b, n);
            if (isnan(wanted))
                assert_true(isnan(tau));
            else
                assert_near(tau, wanted, 1e-14);
        }
}

/* The example of scipy.stats.kendalltau. */
static void tau_known_answer(void **state)
{
    (void)state;
    const double a[] = {12, 2, 1, 12, 2}, b[] = {1, 4, 7, 1, 0}, one[] = {1, 1, 1, 1, 1};
    double tau;
    msw_err err = {0};
    assert_ok(msw_kendall(a, b, 5, &tau, &err), err);
    assert_near(tau, -0.47140452079103173, 1e-15);
    assert_ok(msw_kendall(a, one, 5, &tau, &err), err);
    assert_true(isnan(tau));
    assert_ok(msw_kendall(a, b, 0, &tau, &err), err);
    assert_true(isnan(tau));
}

static void errors_by_hand(void **state)
{
    (void)state;
    const double candidate[] = {11, 18, 30, NAN, 5, 0}, reference[] = {10, 20, 30, 1, 0, 0};
    const double half[] = {0.5, 2, NAN, 1, 1, 0};
    msw_agreement_result result;
    msw_err err = {0};
    msw_pairs pairs = {.n = 6, .candidate = candidate, .reference = reference, .half = half};
    assert_ok(msw_agreement_measure(&pairs, 0.95, &result, &err), err);
    assert_int_equal(result.used, 5);
    assert_int_equal(result.dropped, 1);
    assert_int_equal(result.no_ratio, 1);
    assert_near(result.bias, pow(1.1 * 0.9, 0.25) - 1, 1e-15);
    assert_near(result.median, 0.05, 1e-15);
    assert_near(result.p95, 0.1 + 0.85 * (1. / 9 - 0.1), 1e-15);
    assert_near(result.worst, 1. / 9, 1e-15);
    assert_near(result.p95_difference, 4.4, 1e-12); /* of 0, 0, 1, 2, 5 */
    assert_int_equal(result.covered.n, 4);
    assert_int_equal(result.covered.hits, 2);
}

/* An answer 205 times too low was an error of 0.995. */
static void errors_are_alike_both_ways(void **state)
{
    (void)state;
    const double candidate[] = {1, 205, 0}, reference[] = {205, 1, 3};
    msw_agreement_result result;
    msw_err err = {0};
    msw_pairs pairs = {.n = 2, .candidate = candidate, .reference = reference};
    assert_ok(msw_agreement_measure(&pairs, 0.95, &result, &err), err);
    assert_near(result.bias, 0, 1e-12);
    assert_near(result.median, 204, 1e-12);
    assert_near(result.worst, 204, 1e-12);
    pairs.n = 3;
    assert_ok(msw_agreement_measure(&pairs, 0.95, &result, &err), err);
    assert_near(result.median, 204, 1e-12);
    assert_true(isinf(result.worst));
}

static void categories_and_wilson(void **state)
{
    (void)state;
    enum { NONE = 99 };
    const uint32_t a[] = {1, 2, 3, NONE, 1}, b[] = {1, 2, 1, 1, NONE};
    msw_share share = msw_agreement_category(a, b, 5, NONE, 0.95);
    assert_int_equal(share.hits, 2);
    assert_int_equal(share.n, 3);
    /* Wilson 1927 for 8 of 10 at 95 %: 0.4902, 0.9433. */
    share = msw_share_of(8, 10, 0.95);
    assert_near(share.low, 0.4902, 5e-5);
    assert_near(share.high, 0.9433, 5e-5);
    assert_true(msw_share_of(10, 10, 0.95).high == 1 && msw_share_of(0, 9, 0.9).low == 0);
    assert_true(isnan(msw_share_of(0, 0, 0.95).value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tau_equals_its_definition),
        cmocka_unit_test(tau_known_answer),
        cmocka_unit_test(errors_by_hand),
        cmocka_unit_test(errors_are_alike_both_ways),
        cmocka_unit_test(categories_and_wilson),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
