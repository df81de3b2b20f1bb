/* SPDX-License-Identifier: MIT */
/* Defect 688. Do exchanges make a Latin hypercube more even and leave it one? Is the centred
 * discrepancy the one of the literature? (Fang, Li and Sudjianto, Design and Modeling for Computer
 * Experiments, 2006: two designs of six points; their values as scipy.stats.qmc prints them.) */
#include "memsweep/base/rng.h"
#include "memsweep/design/design.h"
#include "memsweep/design/discrepancy.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 64, FACTORS = 5 };

static void known_values(void **state)
{
    (void)state;
    static const double ONE[6][2] = {{1, 3}, {2, 6}, {3, 2}, {4, 5}, {5, 1}, {6, 4}};
    static const double TWO[6][2] = {{1, 5}, {2, 4}, {3, 3}, {4, 2}, {5, 1}, {6, 6}};
    double x[12], z[12];
    for (int i = 0; i < 12; i++) {
        x[i] = (ONE[i / 2][i % 2] - 0.5) / 6;
        z[i] = (TWO[i / 2][i % 2] - 0.5) / 6;
    }
    assert_float_equal(msw_discrepancy(x, 6, 2), 0.008142039609053464, 1e-15);
    assert_float_equal(msw_discrepancy(z, 6, 2), 0.010456854423869011, 1e-15);
}

static void random_points_have_the_mean(void **state)
{
    (void)state;
    double x[20 * 3], mean = 0;
    msw_rng rng;
    msw_rng_init(&rng, 4, 4);
    for (int trial = 0; trial < 2000; trial++) {
        for (int c = 0; c < 60; c++)
            x[c] = msw_rng_uniform(&rng);
        mean += msw_discrepancy(x, 20, 3) / 2000;
    }
    assert_true(fabs(mean / msw_discrepancy_random(20, 3) - 1) < 0.03);
}

/* Rows of a design with so many exchanges. */
static void make(int64_t exchanges, const uint64_t *levels, double *x)
{
    const msw_design *lhs = msw_design_find("lhs");
    char config[64];
    msw_err err = {0};
    msw_design_state made;
    msw_params_defaults(lhs->params, config);
    msw_param_set(msw_params_find(lhs->params, "points"), config, POINTS);
    msw_param_set(msw_params_find(lhs->params, "optimise"), config, (double)exchanges);
    msw_design_input input = {
        .factor_count = FACTORS, .levels = levels, .seed = 9, .config = config};
    assert_ok(msw_design_prepare(lhs, &input, &made, &err), err);
    for (uint64_t i = 0; i < POINTS; i++)
        msw_design_point(lhs, &input, &made, i, x + i * FACTORS);
    msw_design_release(lhs, &made);
}

static void exchanges_even_out(void **state)
{
    (void)state;
    static const uint64_t LEVELS[FACTORS] = {0, 0, 0, 4, 0};
    double plain[POINTS * FACTORS], even[POINTS * FACTORS], again[POINTS * FACTORS];
    make(0, LEVELS, plain);
    make(20000, LEVELS, even);
    make(20000, LEVELS, again);
    assert_memory_equal(even, again, sizeof even);
    assert_true(msw_discrepancy(even, POINTS, FACTORS) <
                0.75 * msw_discrepancy(plain, POINTS, FACTORS));
    for (int f = 0; f < FACTORS; f++) {
        int strata[POINTS] = {0}, parts = LEVELS[f] ? (int)LEVELS[f] : POINTS;
        for (int i = 0; i < POINTS; i++)
            strata[(int)(even[i * FACTORS + f] * parts)]++;
        for (int s = 0; s < parts; s++)
            assert_int_equal(strata[s], POINTS / parts);
    }
}

static void too_many_points_are_refused(void **state)
{
    (void)state;
    const msw_design *lhs = msw_design_find("lhs");
    char config[64];
    msw_err err = {0};
    msw_design_state made;
    msw_params_defaults(lhs->params, config);
    msw_param_set(msw_params_find(lhs->params, "points"), config, 20000);
    msw_param_set(msw_params_find(lhs->params, "optimise"), config, 1);
    msw_design_input input = {.factor_count = 1, .levels = (uint64_t[]){0}, .config = config};
    assert_int_equal(msw_design_prepare(lhs, &input, &made, &err), -1);
    assert_non_null(strstr(err.text, "at most 10000 points"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(random_points_have_the_mean),
        cmocka_unit_test(exchanges_even_out),
        cmocka_unit_test(too_many_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
