/* SPDX-License-Identifier: MIT */
/* Defect 092. Do the intervals of a surrogate hold what they promise, and is q2 what a test on
 * fresh points would give? Functions that a polynomial can follow, can half follow and cannot
 * follow. */
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>

enum { FACTORS = 8, MOST = 120, FRESH = 400 };

typedef double function(const double *x, msw_rng *noise);

static double smooth(const double *x, msw_rng *noise)
{
    (void)noise;
    return exp(x[0]) * cos(2 * x[1]) + x[2] * x[2];
}

static double kinked(const double *x, msw_rng *noise)
{
    (void)noise;
    return fmax(x[0] + 0.5 * x[1], 0.8) + fabs(x[2] - 0.4);
}

static double stepped(const double *x, msw_rng *noise)
{
    (void)noise;
    return (x[0] > 0.5) + 0.5 * (x[1] > 0.3) + 0.25 * floor(4 * x[2]);
}

static double noise_only(const double *x, msw_rng *noise)
{
    (void)x;
    return msw_rng_normal(noise);
}

typedef struct trial {
    unsigned factors;
    size_t n;
    double column[FACTORS][MOST], y[MOST];
    const double *x[FACTORS];
    msw_pce_factor factor[FACTORS];
    msw_rng rng, noise;
} trial;

static void draw(trial *t, function *f)
{
    for (size_t i = 0; i < t->n; i++) {
        double x[FACTORS] = {0};
        for (unsigned j = 0; j < t->factors; j++)
            x[j] = t->column[j][i] = msw_rng_uniform(&t->rng);
        t->y[i] = f(x, &t->noise);
    }
    for (unsigned j = 0; j < t->factors; j++) {
        t->x[j] = t->column[j];
        t->factor[j] = (msw_pce_factor){.low = 0, .high = 1};
    }
}

typedef struct outcome {
    size_t covered, asked;
    double q2, true_q2;
} outcome;

/* One fit, judged by fresh points. */
static void judge(trial *t, function *f, outcome *all)
{
    msw_err err = {0};
    msw_pce_data data = {t->n, t->factors, t->factor, t->x, t->y, NULL};
    msw_pce_settings settings = {.degree = t->factors > 4 ? 3 : 5, .best = true, .seed = 1};
    msw_pce_quality quality;
    msw_pce *pce = msw_pce_fit(&data, &settings, &quality, &err);
    if (!pce)
        fail_msg("%s", err.text);
    double sum = 0, squares = 0, missed = 0;
    for (int i = 0; i < FRESH; i++) {
        double x[FACTORS] = {0};
        msw_prediction p;
        for (unsigned j = 0; j < t->factors; j++)
            x[j] = msw_rng_uniform(&t->rng);
        double y = f(x, &t->noise);
        assert_ok(msw_pce_predict(pce, x, 0.95, &p, &err), err);
        all->covered += y >= p.low && y <= p.high;
        all->asked++;
        sum += y;
        squares += y * y;
        missed += (y - p.value) * (y - p.value);
    }
    all->q2 += quality.q2;
    all->true_q2 += 1 - missed / (squares - sum * sum / FRESH);
    msw_pce_free(pce);
}

static outcome repeat(const char *name, function *f, unsigned factors, size_t n, int trials)
{
    outcome all = {0, 0, 0, 0};
    for (int k = 0; k < trials; k++) {
        trial *t = calloc(1, sizeof *t);
        t->factors = factors;
        t->n = n;
        msw_rng_init(&t->rng, 7, (uint64_t)k);
        msw_rng_init(&t->noise, 8, (uint64_t)k);
        draw(t, f);
        judge(t, f, &all);
        free(t);
    }
    all.q2 /= trials;
    all.true_q2 /= trials;
    printf("%-8s %u factors %3zu points: coverage %.3f  q2 %6.3f  on fresh points %6.3f\n", name,
           factors, n, (double)all.covered / (double)all.asked, all.q2, all.true_q2);
    return all;
}

static outcome check(const char *name, function *f, unsigned factors, size_t n)
{
    outcome all = repeat(name, f, factors, n, 8);
    double share = (double)all.covered / (double)all.asked;
    assert_true(share >= 0.90 && share <= 0.99);
    return all;
}

static void check_both(const char *name, function *f, unsigned factors, size_t n)
{
    outcome all = check(name, f, factors, n);
    assert_near(all.q2, all.true_q2, 0.1);
}

static void coverage_is_as_promised(void **state)
{
    (void)state;
    check_both("smooth", smooth, 3, 60);
    check_both("smooth", smooth, 3, 120);
    check_both("kinked", kinked, 3, 60);
    check_both("kinked", kinked, 3, 120);
    check_both("stepped", stepped, 3, 60);
    check_both("stepped", stepped, 3, 120);
    check("noise", noise_only, 3, 60);
}

/* 40 points in 8 factors of a function that is none: nothing can be predicted, and q2 says so. */
static void noise_is_not_explained(void **state)
{
    (void)state;
    outcome all = check("noise", noise_only, 8, 40);
    assert_true(all.q2 < 0.02 && all.true_q2 < 0.02);
    assert_true(all.true_q2 > -0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_is_as_promised),
        cmocka_unit_test(noise_is_not_explained),
    };
    return cmocka_run_group_tests_name("intervals cover", tests, NULL, NULL);
}
