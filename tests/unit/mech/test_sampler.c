/* SPDX-License-Identifier: MIT */
/* Are estimates, half-widths and allocations those of the textbook? */
#include "memsweep/mech/sampler.h"
#include "testing.h"

/* Cochran, Sampling Techniques (3rd ed.), section 2.4-2.6 formulas worked by hand: a population of
 * 10, sample 2, 4, 9: sum 15, s^2 = 13, N = 10, n = 3 -> total 50, variance 100 * 0.7 * 13 / 3. */
static void one_stratum_by_hand(void **state)
{
    (void)state;
    const double values[] = {2, 4, 9};
    msw_stratum_sample s = {.population = 10};
    msw_sample_moments(values, NULL, 0, 3, 1, &s);
    assert_near(s.variance, 13, 1e-12);
    assert_near(msw_sample_total(&s, 1), 50, 1e-12);
    assert_near(msw_sample_variance(&s, 1), 100 * 0.7 * 13 / 3, 1e-9);
    /* Student t, 2 degrees of freedom, 97.5 %: 4.302653 (tables). Mean cubed deviation
     * (-27 - 1 + 64) / 3 = 12, which counts as a third cumulant of 1000 * 12 * 0.7 * 0.85 / 9. */
    double variance = 100 * 0.7 * 13 / 3, t = 4.302653;
    double skewness = 1000 * 12 * 0.7 * 0.85 / 9 / pow(variance, 1.5);
    double factor = 1 + skewness * skewness * (pow(t, 4) + 2 * t * t - 3) / 18;
    assert_near(msw_sample_half_width(&s, 1, 0.95), t * factor * sqrt(variance), 1e-3);
}

static void all_measured_is_exact(void **state)
{
    (void)state;
    const double values[] = {0.1, 0.2, 0.3};
    msw_stratum_sample s = {.population = 3};
    msw_sample_moments(values, NULL, 0, 3, 1, &s);
    assert_true(msw_sample_total(&s, 1) == 0.1 + 0.2 + 0.3);
    assert_true(msw_sample_half_width(&s, 1, 0.95) == 0);
}

static void too_few_units_claim_nothing(void **state)
{
    (void)state;
    msw_stratum_sample s = {.population = 5, .measured = 1, .sum = 2};
    assert_true(isinf(msw_sample_half_width(&s, 1, 0.95)));
}

/* Strided columns and residuals: values - ratio * other. */
static void residuals(void **state)
{
    (void)state;
    const double x[] = {1, -1, 4, -1, 9, -1}, y[] = {1, -1, 2, -1, 3, -1};
    msw_stratum_sample s = {.population = 3};
    msw_sample_moments(x, y, 2, 3, 2, &s);
    assert_near(s.sum, -1 + 0 + 3, 1e-12);
    assert_near(s.variance, 13.0 / 3, 1e-12); /* of -1, 0, 3 */
}

/* Neyman: with equal costs n_h is proportional to N_h s_h. */
static void neyman_proportions(void **state)
{
    (void)state;
    msw_stratum_sample pilot[] = {
        {.population = 100000, .measured = 10, .variance = 1},
        {.population = 100000, .measured = 10, .variance = 9},
        {.population = 200000, .measured = 10, .variance = 9},
    };
    uint64_t n[3];
    msw_sample_allocate(pilot, NULL, 3, 20000, 0.95, n);
    assert_near((double)n[1] / (double)n[0], 3, 0.1);
    assert_near((double)n[2] / (double)n[1], 2, 0.05);
    /* And the variance asked for is met: sum of N^2 s^2 (1/n - 1/N) <= (H / t)^2. */
    double variance = 0, t = msw_student(0.95, 27);
    for (int h = 0; h < 3; h++) {
        double all = (double)pilot[h].population;
        variance += all * all * pilot[h].variance * (1 / (double)n[h] - 1 / all);
    }
    assert_true(variance <= 20000 / t * (20000 / t) * 1.0001);
    assert_true(variance >= 20000 / t * (20000 / t) * 0.98);
}

static void small_strata_are_taken_whole(void **state)
{
    (void)state;
    msw_stratum_sample pilot[] = {
        {.population = 12, .measured = 10, .variance = 1e6},
        {.population = 1000, .measured = 10, .variance = 1},
    };
    uint64_t n[2];
    msw_sample_allocate(pilot, NULL, 2, 100, 0.95, n);
    assert_int_equal(n[0], 12);
    assert_in_range(n[1], 10, 1000);
}

/* A pilot of skewed units: the estimate's skewness at the chosen n must be 1/5 at most, where the
 * precision asked for alone would have been content with the pilot. */
static void skewed_units_need_more(void **state)
{
    (void)state;
    double values[30], third = 0;
    for (int i = 0; i < 30; i++)
        values[i] = i == 0 ? 20 : 1 + i % 3;
    msw_stratum_sample pilot = {.population = 100000};
    msw_sample_moments(values, NULL, 0, 30, 1, &pilot);
    for (int i = 0; i < 30; i++)
        third += pow(values[i] - pilot.sum / 30, 3) / 30;
    uint64_t n;
    msw_sample_allocate(&pilot, NULL, 1, 1e9, 0.95, &n);
    assert_int_equal(n, 30);
    msw_sample_tame(&pilot, 1, &n);
    double skewness = third / pow(pilot.variance, 1.5) / sqrt((double)n);
    assert_near(skewness, 0.2, 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stratum_by_hand),          cmocka_unit_test(all_measured_is_exact),
        cmocka_unit_test(too_few_units_claim_nothing),  cmocka_unit_test(residuals),
        cmocka_unit_test(skewed_units_need_more),       cmocka_unit_test(neyman_proportions),
        cmocka_unit_test(small_strata_are_taken_whole),
    };
    return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
