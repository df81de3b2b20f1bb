/* SPDX-License-Identifier: MIT */
/* Defect 103. Between the levels of a complete grid intervals were of width 0. Do those from
 * levels left out hold what is there, for functions whose bends and steps lie anywhere? */
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>

enum { FACTORS = 3, ROWS = 6 * 5 * 7, TRIALS = 10, FRESH = 60 };

static const size_t LEVELS[FACTORS] = {6, 5, 7};

/* a: drawn anew for each trial, 0 to 1. */
typedef double function(const double *x, const double *a, msw_rng *noise);

static double smooth(const double *x, const double *a, msw_rng *noise)
{
    (void)noise;
    return exp(2 * a[0] * x[0]) * cos(3 * a[1] * x[1]) + a[2] * x[2] * x[2];
}

static double kinked(const double *x, const double *a, msw_rng *noise)
{
    (void)noise;
    return fmax(x[0] + a[0] * x[1], 0.2 + a[1]) + fabs(x[2] - a[2]);
}

static double stepped(const double *x, const double *a, msw_rng *noise)
{
    (void)noise;
    return (x[0] > a[0]) + 0.5 * (x[1] > a[1]) + 0.5 * (x[2] > a[2]);
}

static double noise_only(const double *x, const double *a, msw_rng *noise)
{
    (void)x;
    (void)a;
    return msw_rng_normal(noise);
}

typedef struct trial {
    double column[FACTORS][ROWS], y[ROWS], values[FACTORS][8], a[3];
    const double *x[FACTORS];
    msw_pce_factor factor[FACTORS];
    msw_rng rng, noise;
} trial;

static void fill(trial *t, function *f)
{
    for (int j = 0; j < FACTORS; j++) {
        t->a[j] = msw_rng_uniform(&t->rng);
        t->x[j] = t->column[j];
        t->factor[j] = (msw_pce_factor){.levels = LEVELS[j], .values = t->values[j]};
        for (size_t l = 0; l < LEVELS[j]; l++)
            t->values[j][l] = (double)l / (double)(LEVELS[j] - 1);
    }
    for (size_t i = 0; i < ROWS; i++) {
        size_t rest = i;
        double x[FACTORS] = {0};
        for (int j = 0; j < FACTORS; j++) {
            x[j] = t->column[j][i] = t->values[j][rest % LEVELS[j]];
            rest /= LEVELS[j];
        }
        t->y[i] = f(x, t->a, &t->noise);
    }
}

/* Points between levels of the first factor, or of the first two. */
static size_t count_covered(trial *t, function *f, int between)
{
    msw_err err = {0};
    msw_pce_data data = {ROWS, FACTORS, t->factor, t->x, t->y, NULL};
    msw_pce_settings settings = {.degree = 4, .best = true, .seed = 1};
    msw_pce *pce = msw_pce_fit(&data, &settings, NULL, &err);
    if (!pce)
        fail_msg("%s", err.text);
    size_t covered = 0;
    for (int i = 0; i < FRESH; i++) {
        double x[FACTORS] = {0};
        msw_prediction p;
        for (int j = 0; j < FACTORS; j++)
            x[j] = j < between ? msw_rng_uniform(&t->rng)
                               : t->values[j][msw_rng_below(&t->rng, LEVELS[j])];
        assert_ok(msw_pce_predict(pce, x, 0.95, &p, &err), err);
        assert_true(p.between);
        double y = f(x, t->a, &t->noise);
        covered += y >= p.low && y <= p.high;
    }
    msw_pce_free(pce);
    return covered;
}

static void check(const char *name, function *f, int between)
{
    size_t covered = 0;
    for (int k = 0; k < TRIALS; k++) {
        trial *t = calloc(1, sizeof *t);
        msw_rng_init(&t->rng, 17, (uint64_t)k);
        msw_rng_init(&t->noise, 18, (uint64_t)k);
        fill(t, f);
        covered += count_covered(t, f, between);
        free(t);
    }
    double share = (double)covered / (TRIALS * FRESH);
    printf("%-8s between levels of %d factors: coverage %.3f\n", name, between, share);
    assert_true(share >= 0.92);
}

static void what_lies_between_is_covered(void **state)
{
    (void)state;
    for (int between = 1; between <= 2; between++) {
        check("smooth", smooth, between);
        check("kinked", kinked, between);
        check("stepped", stepped, between);
        check("noise", noise_only, between);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_lies_between_is_covered)};
    return cmocka_run_group_tests_name("between levels", tests, NULL, NULL);
}
