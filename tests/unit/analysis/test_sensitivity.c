/* SPDX-License-Identifier: MIT */
/* Do the sensitivity functions handle failed points, groups, labels and degenerate tables? */
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 500, D = 2, LENGTH = D + 2 };

/* y = 3 a + b + noise-free interaction, design A, AB_1, AB_2, B. */
static void fill_saltelli(double *y, size_t rows)
{
    msw_rng rng;
    msw_rng_init(&rng, 4, 0);
    for (size_t i = 0; i < rows; i++) {
        double a = msw_rng_uniform(&rng), b = msw_rng_uniform(&rng);
        double c = msw_rng_uniform(&rng), d = msw_rng_uniform(&rng);
        const double row[] = {3 * a + b, 3 * c + b, 3 * a + d, 3 * c + d};
        memcpy(y + i * LENGTH, row, sizeof row);
    }
}

static void run_sobol(const double *y, size_t rows, uint64_t seed, msw_estimate index[2 * D],
                      msw_used *used)
{
    msw_sobol_design design = {.base_rows = rows, .factors = D, .y = y};
    msw_resampling resampling = {.resamples = 100, .confidence = 0.9, .seed = seed};
    msw_sobol_indices indices = {.first = index, .total = index + D};
    msw_err err = {0};
    assert_ok(msw_sobol(&design, &resampling, &indices, used, &err), err);
}

/* A failed point takes its base row with it and nothing else: the answer is that of the table
 * without those rows. */
static void failed_points_drop_base_rows(void **state)
{
    (void)state;
    double y[ROWS * LENGTH], without[ROWS * LENGTH];
    fill_saltelli(y, ROWS);
    size_t kept = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (i % 10 == 3)
            y[i * LENGTH + i % LENGTH] = NAN;
        else
            memcpy(without + kept++ * LENGTH, y + i * LENGTH, LENGTH * sizeof *y);
    msw_estimate index[2 * D], wanted[2 * D];
    msw_used used;
    run_sobol(y, ROWS, 1, index, &used);
    assert_int_equal(used.used, kept);
    assert_int_equal(used.dropped, ROWS / 10);
    run_sobol(without, kept, 1, wanted, &used);
    assert_memory_equal(index, wanted, sizeof index);
}

static void seeds_decide_the_intervals(void **state)
{
    (void)state;
    double y[ROWS * LENGTH];
    fill_saltelli(y, ROWS);
    msw_estimate a[2 * D], b[2 * D], c[2 * D];
    msw_used used;
    run_sobol(y, ROWS, 1, a, &used);
    run_sobol(y, ROWS, 1, b, &used);
    run_sobol(y, ROWS, 2, c, &used);
    assert_memory_equal(a, b, sizeof a);
    for (int i = 0; i < 2 * D; i++) {
        assert_true(a[i].value == c[i].value && a[i].low != c[i].low);
        assert_true(a[i].low < a[i].value && a[i].value < a[i].high);
        assert_near(c[i].half / a[i].half, 1, 0.5);
    }
    assert_near(a[0].value, 0.9, 0.1);
    assert_near(a[D + 1].value, 0.1, 0.02);
}

static void constant_and_empty_outputs_have_no_indices(void **state)
{
    (void)state;
    double y[20 * LENGTH];
    msw_estimate index[2 * D];
    msw_used used;
    for (int i = 0; i < 20 * LENGTH; i++)
        y[i] = 7;
    run_sobol(y, 20, 1, index, &used);
    for (int i = 0; i < 2 * D; i++)
        assert_true(isnan(index[i].value) && isnan(index[i].low) && isnan(index[i].half));
    y[0] = NAN;
    msw_sobol_design design = {.base_rows = 2, .factors = D, .y = y};
    msw_resampling none = {0};
    msw_sobol_indices indices = {.first = index, .total = index + D};
    msw_err err = {0};
    assert_int_equal(msw_sobol(&design, &none, &indices, &used, &err), -1);
    assert_non_null(strstr(err.text, "1 of 2 base rows"));
}

/* Columns 0 and 1 move together as factor 0, column 2 is a label; the third trajectory failed. */
static void morris_groups_labels_and_failures(void **state)
{
    (void)state;
    const double a[] = {0, 0.5, 0.5, 0, 0, 0.5, 0, 0.5, 0.5}, *b = a;
    const double label[] = {2, 2, 0, 1, 3, 3, 0, 0, 1};
    const double y[] = {1, 3, 10, 5, 4, 2, 1, NAN, 1};
    const double *const x[] = {a, b, label};
    const unsigned group_of[] = {0, 0, 1};
    const bool unordered[] = {false, false, true};
    msw_morris_design design = {.trajectories = 3,
                                .factors = 2,
                                .columns = 3,
                                .x = x,
                                .unordered = unordered,
                                .group_of = group_of,
                                .y = y};
    msw_resampling resampling = {.resamples = 50, .confidence = 0.9, .seed = 1};
    msw_morris_index index[2];
    msw_used used;
    msw_err err = {0};
    assert_ok(msw_morris(&design, &resampling, index, &used, &err), err);
    assert_int_equal(used.used, 2);
    assert_int_equal(used.dropped, 1);
    assert_near(index[0].mu_star.value, (4 + 4) / 2.0, 1e-15);
    assert_near(index[1].mu_star.value, (7 + 1) / 2.0, 1e-15);
    assert_true(isnan(index[0].mu) && isnan(index[1].mu));
    assert_near(index[1].sigma, sqrt(18), 1e-14);
    design.group_of = NULL;
    assert_int_equal(msw_morris(&design, &resampling, index, &used, &err), -1);
}

/* y = x^2: the log-log slope is 2 whatever the levels. */
static void tornado_by_hand(void **state)
{
    (void)state;
    const double x[] = {1, 8, 4}, y[] = {1, 64, NAN};
    msw_oat_factor factor = {.levels = 3, .x = x, .y = y, .x_baseline = 2};
    msw_oat_effect effect;
    msw_err err = {0};
    assert_ok(msw_oat(&factor, 4, &effect, &err), err);
    assert_true(effect.low == 1 && effect.high == 64 && effect.swing == 63);
    assert_near(effect.elasticity, 2, 1e-14);
    assert_int_equal(effect.dropped, 1);
    factor.unordered = true;
    assert_ok(msw_oat(&factor, 100, &effect, &err), err);
    assert_true(effect.high == 100 && isnan(effect.elasticity));
    assert_int_equal(msw_oat(&factor, NAN, &effect, &err), -1);
}

/* x1 + x2 + x1 x2 on {0, 1}^2 by hand: mean 5/4, V1 = V2 = 9/16, V12 = 1/16; with weights 1:3 for
 * x1, E = 3/4 + 1/2 + 3/8. */
static void anova_by_hand_and_weighted(void **state)
{
    (void)state;
    const size_t levels[] = {2, 2};
    double y[] = {0, 1, 1, 3}, part[4];
    const double uneven[] = {1, 3};
    const double *weights[] = {uneven, NULL};
    msw_anova_grid grid = {.factors = 2, .levels = levels, .y = y};
    msw_err err = {0};
    assert_ok(msw_anova(&grid, part, &err), err);
    assert_near(part[0], 25.0 / 16, 1e-14);
    assert_near(part[1], 9.0 / 16, 1e-14);
    assert_near(part[2], 9.0 / 16, 1e-14);
    assert_near(part[3], 1.0 / 16, 1e-14);
    assert_near(msw_anova_total(part, 2, 1), 10.0 / 16, 1e-14);
    grid.weights = weights;
    assert_ok(msw_anova(&grid, part, &err), err);
    assert_near(sqrt(part[0]), 1.625, 1e-14);
    /* Main effect of x1: slope 1.5 on a coin of 3/4; of x2: slope 1.75 on a fair coin. */
    assert_near(part[1], 2.25 * 3 / 16, 1e-14);
    assert_near(part[2], 1.75 * 1.75 / 4, 1e-14);
    y[2] = NAN;
    assert_int_equal(msw_anova(&grid, part, &err), -1);
    assert_non_null(strstr(err.text, "(1,0)"));
}

static void arrange_names_what_is_wrong(void **state)
{
    (void)state;
    const size_t levels[] = {2, 2};
    const uint32_t a[] = {0, 1, 1, 1}, b[] = {0, 0, 1, 1};
    const uint32_t *const level[] = {a, b};
    const double y[] = {1, 2, 3, 4};
    double arranged[4];
    msw_anova_grid grid = {.factors = 2, .levels = levels};
    msw_err err = {0};
    assert_int_equal(msw_anova_arrange(&grid, level, y, 4, arranged, &err), -1);
    assert_non_null(strstr(err.text, "row 3 repeats"));
    assert_int_equal(msw_anova_arrange(&grid, level, y, 3, arranged, &err), -1);
    assert_non_null(strstr(err.text, "(0,1)"));
}

/* The partial correlation of two variables given a third has a closed form in the three plain
 * correlations. */
static double correlation(const double *a, const double *b, size_t n)
{
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t i = 0; i < n; i++) {
        sa += a[i];
        sb += b[i];
        saa += a[i] * a[i];
        sbb += b[i] * b[i];
        sab += a[i] * b[i];
    }
    double m = (double)n;
    return (m * sab - sa * sb) / sqrt((m * saa - sa * sa) * (m * sbb - sb * sb));
}

static void partial_correlation_closed_form(void **state)
{
    (void)state;
    double a[ROWS], b[ROWS], y[ROWS], r2;
    msw_rng rng;
    msw_rng_init(&rng, 9, 0);
    for (int i = 0; i < ROWS; i++) {
        a[i] = msw_rng_normal(&rng);
        b[i] = a[i] + msw_rng_normal(&rng);
        y[i] = a[i] - 2 * b[i] + msw_rng_normal(&rng);
    }
    const double *const x[] = {a, b};
    msw_regression_index index[2];
    msw_used used;
    msw_err err = {0};
    msw_given_data data = {.n = ROWS, .factors = 2, .x = x, .y = y};
    assert_ok(msw_regression(&data, false, 0.95, index, &r2, &used, &err), err);
    double ay = correlation(a, y, ROWS), by = correlation(b, y, ROWS), ab = correlation(a, b, ROWS);
    double wanted = (ay - ab * by) / sqrt((1 - ab * ab) * (1 - by * by));
    assert_near(index[0].partial.value, wanted, 1e-12);
    assert_near(index[0].standardized, (ay - ab * by) / (1 - ab * ab), 1e-12);
    double half = 1.959963984540054 / sqrt(ROWS - 4);
    assert_near(index[0].partial.low, tanh(atanh(wanted) - half), 1e-12);
    assert_near(r2, (ay * ay + by * by - 2 * ay * by * ab) / (1 - ab * ab), 1e-12);
}

/* Ranks make exp(x) as good as x. A label explains what its groups' means explain. A constant
 * factor has no index and harms no other. */
static void ranks_labels_and_constants(void **state)
{
    (void)state;
    double a[ROWS], label[ROWS], constant[ROWS], y[ROWS], r2;
    static const double EFFECT[] = {5, -3, 0, 8};
    for (int i = 0; i < ROWS; i++) {
        a[i] = exp(0.1 * (i * 37 % ROWS));
        label[i] = i % 4;
        constant[i] = 42;
        y[i] = EFFECT[i % 4];
    }
    const double *const x[] = {a, label, constant};
    const bool unordered[] = {false, true, false};
    msw_given_data data = {.n = ROWS, .factors = 3, .x = x, .unordered = unordered, .y = y};
    msw_regression_index index[3];
    msw_used used;
    msw_err err = {0};
    assert_ok(msw_regression(&data, false, 0.95, index, &r2, &used, &err), err);
    assert_near(r2, 1, 1e-12);
    assert_near(index[1].standardized, 1, 1e-10);
    assert_near(index[1].partial.value, 1, 1e-10);
    assert_true(isnan(index[2].standardized));
    for (int i = 0; i < ROWS; i++)
        y[i] = log(a[i]) * log(a[i]) * log(a[i]);
    y[7] = NAN;
    assert_ok(msw_regression(&data, true, 0.95, index, &r2, &used, &err), err);
    assert_near(index[0].standardized, 1, 1e-10);
    assert_int_equal(used.dropped, 1);
}

static void dependent_factors_are_named(void **state)
{
    (void)state;
    double a[ROWS], b[ROWS], r2;
    for (int i = 0; i < ROWS; i++) {
        a[i] = i * 7 % 11;
        b[i] = 3 - 2 * a[i];
    }
    const double *const x[] = {a, b};
    msw_given_data data = {.n = ROWS, .factors = 2, .x = x, .y = a};
    msw_regression_index index[2];
    msw_used used;
    msw_err err = {0};
    assert_int_equal(msw_regression(&data, false, 0.95, index, &r2, &used, &err), -1);
    assert_non_null(strstr(err.text, "factor 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_points_drop_base_rows),
        cmocka_unit_test(seeds_decide_the_intervals),
        cmocka_unit_test(constant_and_empty_outputs_have_no_indices),
        cmocka_unit_test(morris_groups_labels_and_failures),
        cmocka_unit_test(tornado_by_hand),
        cmocka_unit_test(anova_by_hand_and_weighted),
        cmocka_unit_test(arrange_names_what_is_wrong),
        cmocka_unit_test(partial_correlation_closed_form),
        cmocka_unit_test(ranks_labels_and_constants),
        cmocka_unit_test(dependent_factors_are_named),
    };
    return cmocka_run_group_tests_name("sensitivity", tests, NULL, NULL);
}
