/* SPDX-License-Identifier: MIT */
/* Does the surrogate find polynomials exactly, judge itself by rows it has not seen and give the
 * indices of functions whose indices are known? */
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { N = 600, FACTORS = 3 };

typedef struct sample {
    double column[FACTORS][N], y[N];
    const double *x[FACTORS];
    msw_pce_factor factor[FACTORS];
    msw_pce_data data;
} sample;

static void prepare(sample *job, double low, double high)
{
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (int j = 0; j < FACTORS; j++) {
        job->factor[j] = (msw_pce_factor){.low = low, .high = high};
        job->x[j] = job->column[j];
        for (int i = 0; i < N; i++)
            job->column[j][i] = low + (high - low) * msw_rng_uniform(&rng);
    }
    job->data =
        (msw_pce_data){.n = N, .factors = FACTORS, .factor = job->factor, .x = job->x, .y = job->y};
}

static msw_pce *fit(const sample *job, unsigned degree, bool best, msw_pce_quality *quality)
{
    msw_err err = {0};
    msw_pce_settings settings = {.degree = degree, .best = best, .seed = 1};
    msw_pce *pce = msw_pce_fit(&job->data, &settings, quality, &err);
    if (!pce)
        fail_msg("%s", err.text);
    return pce;
}

/* x1 x2 on [0, 1]: S = 3/7 each and 1/7 together, mean 1/4, variance 7/144. */
static void product_exactly(void **state)
{
    (void)state;
    sample job;
    prepare(&job, 0, 1);
    for (int i = 0; i < N; i++)
        job.y[i] = job.column[0][i] * job.column[1][i];
    for (int best = 0; best < 2; best++) {
        msw_pce_quality quality;
        msw_pce *pce = fit(&job, 3, best, &quality);
        assert_near(msw_pce_mean(pce), 0.25, 1e-12);
        assert_near(msw_pce_variance(pce), 7.0 / 144, 1e-12);
        assert_near(msw_pce_part(pce, 1), 3.0 / 7, 1e-12);
        assert_near(msw_pce_part(pce, 3), 1.0 / 7, 1e-12);
        assert_near(msw_pce_total(pce, 0), 4.0 / 7, 1e-12);
        assert_near(msw_pce_total(pce, 2), 0, 1e-12);
        assert_near(quality.q2, 1, 1e-12);
        assert_int_equal(quality.candidates, 20);
        assert_true(quality.terms < 6);
        assert_int_equal(quality.degree, best ? 2 : 3);
        const double x[] = {0.3, 0.7, 0.1};
        msw_prediction p;
        assert_int_equal(msw_pce_predict(pce, x, 0.95, &p, NULL), 0);
        assert_near(p.value, 0.21, 1e-12);
        assert_near(p.high - p.low, 0, 1e-9);
        assert_int_equal(p.residuals, N);
        msw_pce_free(pce);
    }
}

/* Ishigami, a = 7, b = 0.1 (closed form: sa_exact_indices.csv). */
static void ishigami_closely(void **state)
{
    (void)state;
    sample job;
    double pi = acos(-1);
    prepare(&job, -pi, pi);
    for (int i = 0; i < N; i++) {
        double a = job.column[0][i], b = job.column[1][i], c = job.column[2][i];
        job.y[i] = sin(a) + 7 * sin(b) * sin(b) + 0.1 * c * c * c * c * sin(a);
    }
    msw_pce_quality quality;
    msw_pce *pce = fit(&job, 9, false, &quality);
    assert_true(quality.q2 > 0.99 && quality.q2 <= quality.r2);
    assert_near(msw_pce_part(pce, 1), 0.31390519114781145, 0.01);
    assert_near(msw_pce_part(pce, 2), 0.44241114479004081, 0.01);
    assert_near(msw_pce_part(pce, 5), 0.24368366406214773, 0.01);
    assert_near(msw_pce_total(pce, 2), 0.24368366406214773, 0.01);
    msw_pce_free(pce);
}

/* Every cell of a grid of labels, sizes and two levels, three times each: all contrasts together
 * are the exact decomposition. */
static void labels_and_levels_equal_anova(void **state)
{
    (void)state;
    const size_t levels[] = {4, 5, 2};
    const double sizes[] = {1, 2, 4, 8, 16}, likely[] = {1, 2, 3, 4};
    const double *const weights[] = {likely, NULL, NULL};
    sample job;
    prepare(&job, 0, 1);
    job.data.n = 120;
    job.factor[0] = (msw_pce_factor){.levels = 4, .unordered = true, .weights = likely};
    job.factor[1] = (msw_pce_factor){.levels = 5, .values = sizes};
    job.factor[2] = (msw_pce_factor){.levels = 2};
    for (int i = 0; i < 120; i++) {
        int cell = i % 40;
        job.column[0][i] = cell / 10;
        job.column[1][i] = sizes[cell / 2 % 5];
        job.column[2][i] = cell % 2;
        job.y[i] = cell * cell * 31 % 101;
    }
    double part[8];
    msw_err err = {0};
    msw_anova_grid grid = {.factors = 3, .levels = levels, .weights = weights, .y = job.y};
    assert_ok(msw_anova(&grid, part, &err), err);
    msw_pce_quality quality;
    msw_pce *pce = fit(&job, 6, false, &quality);
    assert_int_equal(quality.terms, 40);
    double variance = msw_anova_variance(part, 3);
    assert_relative(msw_pce_variance(pce), variance, 1e-10);
    for (uint32_t u = 1; u < 8; u++)
        assert_near(msw_pce_part(pce, u), part[u] / variance, 1e-10);
    const double nowhere[] = {1.5, 2, 1};
    msw_prediction p;
    assert_int_equal(msw_pce_predict(pce, nowhere, 0.95, &p, &err), -1);
    msw_pce_free(pce);
}

/* With a single row left out each time q2 is what fitting again without it gives. */
static void q2_equals_fitting_again(void **state)
{
    (void)state;
    sample job;
    prepare(&job, -1, 1);
    job.data.n = 10;
    double mean = 0, error = 0, all = 0;
    for (int i = 0; i < 10; i++) {
        job.y[i] = exp(job.column[0][i]) + job.column[2][i];
        mean += job.y[i] / 10;
    }
    msw_pce_quality quality;
    msw_pce_free(fit(&job, 1, false, &quality));
    for (int i = 0; i < 10; i++) {
        double kept = job.y[i];
        const double x[] = {job.column[0][i], job.column[1][i], job.column[2][i]};
        job.y[i] = NAN;
        msw_pce_quality without;
        msw_prediction p;
        msw_pce *pce = fit(&job, 1, false, &without);
        assert_int_equal(without.dropped, 1);
        assert_int_equal(msw_pce_predict(pce, x, 0.95, &p, NULL), 0);
        assert_true(isnan(p.low) && isnan(p.high));
        error += (p.value - kept) * (p.value - kept);
        all += (kept - mean) * (kept - mean);
        job.y[i] = kept;
        msw_pce_free(pce);
    }
    assert_near(quality.q2, 1 - error / all, 1e-9);
}

/* Polynomials of levels go on between them: a cubic is met there, and judged by levels left out. */
static void between_levels_a_polynomial_goes_on(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 4, 7, 11}, few[] = {0, 1, 5};
    sample job;
    prepare(&job, 0, 1);
    job.data.n = 126;
    job.factor[0] = (msw_pce_factor){.name = "size", .levels = 6, .values = values};
    job.factor[1] = (msw_pce_factor){.name = "ways", .levels = 3, .values = few};
    job.factor[2] = (msw_pce_factor){.low = 0, .high = 6};
    for (int i = 0; i < 126; i++) {
        double a = values[i % 6], b = few[i / 6 % 3], c = i / 18;
        job.column[0][i] = a;
        job.column[1][i] = b;
        job.column[2][i] = c;
        job.y[i] = a * a * a - 2 * a * b + c;
    }
    msw_err err = {0};
    msw_pce *pce = fit(&job, 3, true, NULL);
    msw_prediction p;
    const double between[] = {5.5, 1, 2}, two[] = {5.5, 3, 2}, beyond[] = {12, 1, 2};
    assert_ok(msw_pce_predict(pce, between, 0.95, &p, &err), err);
    assert_near(p.value, 5.5 * 5.5 * 5.5 - 11 + 2, 1e-8);
    assert_near(p.q2, 1, 1e-9);
    assert_int_equal(p.residuals, 84);
    assert_near(p.high - p.low, 0, 1e-6);
    assert_int_equal(msw_pce_predict(pce, two, 0.95, &p, &err), -1);
    assert_non_null(strstr(err.text, "'ways' has 3 levels"));
    assert_int_equal(msw_pce_predict(pce, beyond, 0.95, &p, &err), -1);
    assert_non_null(strstr(err.text, "outside"));
    msw_pce_free(pce);
}

/* Rows of a block leave together: with copies of each row in one block nothing is given away. */
static void blocks_leave_as_a_whole(void **state)
{
    (void)state;
    sample job;
    uint64_t block[N];
    msw_rng rng;
    msw_rng_init(&rng, 8, 0);
    prepare(&job, 0, 1);
    for (int i = 0; i < N; i++) {
        int first = i - i % 20;
        block[i] = (uint64_t)first;
        for (int j = 0; j < FACTORS; j++)
            job.column[j][i] = job.column[j][first];
        job.y[i] = i == first ? msw_rng_normal(&rng) : job.y[first];
    }
    msw_pce_quality apart, together;
    msw_pce_free(fit(&job, 3, false, &apart));
    job.data.block = block;
    msw_pce_free(fit(&job, 3, false, &together));
    assert_true(apart.q2 > 0.3);
    assert_true(together.q2 < 0.05);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    sample job;
    prepare(&job, 0, 1);
    memset(job.y, 0, sizeof job.y);
    msw_err err = {0};
    msw_pce_settings settings = {.degree = 3};
    job.data.n = 2;
    assert_null(msw_pce_fit(&job.data, &settings, NULL, &err));
    assert_non_null(strstr(err.text, "need 3"));
    job.y[1] = INFINITY;
    assert_null(msw_pce_fit(&job.data, &settings, NULL, &err));
    assert_non_null(strstr(err.text, "infinite in 1 rows"));
    job.y[1] = 0;
    job.factor[1].high = job.factor[1].low;
    assert_null(msw_pce_fit(&job.data, &settings, NULL, &err));
    assert_non_null(strstr(err.text, "factor 1: the range"));
    settings.degree = 0;
    assert_null(msw_pce_fit(&job.data, &settings, NULL, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_exactly),
        cmocka_unit_test(ishigami_closely),
        cmocka_unit_test(labels_and_levels_equal_anova),
        cmocka_unit_test(q2_equals_fitting_again),
        cmocka_unit_test(between_levels_a_polynomial_goes_on),
        cmocka_unit_test(blocks_leave_as_a_whole),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests_name("surrogate", tests, NULL, NULL);
}
