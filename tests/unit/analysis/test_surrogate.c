/* Does the surrogate find polynomials exactly, judge itself honestly and give the indices of
 * functions whose indices are known? */
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

static msw_pce *fit(const sample *job, unsigned degree, bool sparse, msw_pce_quality *quality)
{
    msw_err err = {0};
    msw_pce_settings settings = {.degree = degree, .sparse = sparse};
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
    for (int sparse = 0; sparse < 2; sparse++) {
        msw_pce_quality quality;
        msw_pce *pce = fit(&job, 3, sparse, &quality);
        assert_near(msw_pce_mean(pce), 0.25, 1e-12);
        assert_near(msw_pce_variance(pce), 7.0 / 144, 1e-12);
        assert_near(msw_pce_part(pce, 1), 3.0 / 7, 1e-12);
        assert_near(msw_pce_part(pce, 3), 1.0 / 7, 1e-12);
        assert_near(msw_pce_total(pce, 0), 4.0 / 7, 1e-12);
        assert_near(msw_pce_total(pce, 2), 0, 1e-12);
        assert_near(quality.q2, 1, 1e-12);
        assert_true(sparse ? quality.terms < quality.candidates : quality.terms == 20);
        const double x[] = {0.3, 0.7, 0.1};
        double value, half;
        assert_int_equal(msw_pce_predict(pce, x, 0.95, &value, &half, NULL), 0);
        assert_near(value, 0.21, 1e-12);
        assert_near(half, 0, 1e-9);
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
    msw_pce *pce = fit(&job, 9, true, &quality);
    assert_true(quality.q2 > 0.99 && quality.q2 <= quality.r2);
    assert_near(msw_pce_part(pce, 1), 0.31390519114781145, 0.01);
    assert_near(msw_pce_part(pce, 2), 0.44241114479004081, 0.01);
    assert_near(msw_pce_part(pce, 5), 0.24368366406214773, 0.01);
    assert_near(msw_pce_total(pce, 2), 0.24368366406214773, 0.01);
    msw_pce_free(pce);
}

/* On a complete grid with labels, all contrasts together are the exact decomposition. */
static void labels_and_levels_equal_anova(void **state)
{
    (void)state;
    const size_t levels[] = {4, 5, 2};
    const double sizes[] = {1, 2, 4, 8, 16}, likely[] = {1, 2, 3, 4};
    const double *const weights[] = {likely, NULL, NULL};
    sample job;
    prepare(&job, 0, 1);
    job.data.n = 40;
    job.factor[0] = (msw_pce_factor){.levels = 4, .unordered = true, .weights = likely};
    job.factor[1] = (msw_pce_factor){.levels = 5, .values = sizes};
    job.factor[2] = (msw_pce_factor){.levels = 2};
    for (int i = 0; i < 40; i++) {
        job.column[0][i] = i / 10;
        job.column[1][i] = sizes[i / 2 % 5];
        job.column[2][i] = i % 2;
        job.y[i] = i * i * 31 % 101;
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
    const double nowhere[] = {0, 3, 1};
    double value;
    assert_int_equal(msw_pce_predict(pce, nowhere, 0.95, &value, NULL, &err), -1);
    msw_pce_free(pce);
}

/* Leave-one-out by definition: fit again without the row and predict it. */
static void q2_equals_fitting_again(void **state)
{
    (void)state;
    sample job;
    prepare(&job, -1, 1);
    job.data.n = 60;
    double mean = 0, error = 0, all = 0;
    for (int i = 0; i < 60; i++) {
        job.y[i] = exp(job.column[0][i]) * cos(3 * job.column[1][i]) + job.column[2][i];
        mean += job.y[i] / 60;
    }
    msw_pce_quality quality;
    msw_pce_free(fit(&job, 3, false, &quality));
    for (int i = 0; i < 60; i++) {
        double kept = job.y[i], value;
        const double x[] = {job.column[0][i], job.column[1][i], job.column[2][i]};
        job.y[i] = NAN;
        msw_pce_quality without;
        msw_pce *pce = fit(&job, 3, false, &without);
        assert_int_equal(without.dropped, 1);
        assert_int_equal(msw_pce_predict(pce, x, 0.95, &value, NULL, NULL), 0);
        error += (value - kept) * (value - kept);
        all += (kept - mean) * (kept - mean);
        job.y[i] = kept;
        msw_pce_free(pce);
    }
    assert_near(quality.q2, 1 - error / all, 1e-9);
}

/* New rows of a noisy plane lie in the 90 % interval 90 % of the time. */
static void intervals_cover(void **state)
{
    (void)state;
    sample job;
    prepare(&job, 0, 1);
    msw_rng rng;
    msw_rng_init(&rng, 6, 1);
    for (int i = 0; i < N; i++)
        job.y[i] = 2 + job.column[0][i] - job.column[1][i] + msw_rng_normal(&rng);
    job.data.n = N / 10;
    msw_pce_quality quality;
    msw_pce *pce = fit(&job, 1, false, &quality);
    int covered = 0;
    for (int i = N / 10; i < N; i++) {
        const double x[] = {job.column[0][i], job.column[1][i], job.column[2][i]};
        double value, half;
        assert_int_equal(msw_pce_predict(pce, x, 0.9, &value, &half, NULL), 0);
        covered += fabs(value - job.y[i]) <= half;
    }
    /* The fit itself is one draw: its scale alone moves the coverage by about 0.03. */
    assert_near(covered / (0.9 * N), 0.9, 0.08);
    msw_pce_free(pce);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    sample job;
    prepare(&job, 0, 1);
    memset(job.y, 0, sizeof job.y);
    msw_err err = {0};
    msw_pce_settings settings = {.degree = 3};
    job.data.n = 10;
    assert_null(msw_pce_fit(&job.data, &settings, NULL, &err));
    assert_non_null(strstr(err.text, "10 rows for 20 terms"));
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
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests_name("surrogate", tests, NULL, NULL);
}
