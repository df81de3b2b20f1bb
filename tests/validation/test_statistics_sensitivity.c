/* SPDX-License-Identifier: MIT */
/* Do the estimators meet, on fixed samples, the values of public packages, and on enumerable or
 * closed cases the exact indices? Sources: tests/validation/data/README.md. */
#include "csv.h"
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { BASE = 64, FACTORS = 3, PAIRS = 3, RESAMPLES = 200 };

/* Value of (method, quantity, i, j) in sa_expected_results.csv. */
static double expected(const char *method, const char *quantity, int i, int j)
{
    csv reader;
    double value = NAN;
    csv_open(&reader, "sa_expected_results.csv");
    while (csv_next(&reader))
        if (strcmp(reader.field[1], method) == 0 && strcmp(reader.field[2], quantity) == 0 &&
            atoi(reader.field[3]) == i && atoi(reader.field[4]) == j)
            value = csv_number(&reader, 5);
    if (isnan(value))
        fail_msg("no expected value for %s %s %d %d", method, quantity, i, j);
    return value;
}

static size_t read_column(const char *name, int field, double *values)
{
    csv reader;
    size_t n = 0;
    csv_open(&reader, name);
    while (csv_next(&reader))
        values[n++] = csv_number(&reader, field);
    return n;
}

typedef struct caseA {
    double y[512];
    uint32_t drawn[RESAMPLES * BASE];
    msw_estimate first[FACTORS], total[FACTORS], second[PAIRS];
    msw_sobol_design design;
    msw_resampling resampling;
    msw_sobol_indices indices;
    msw_used used;
} caseA;

static void caseA_read(caseA *data)
{
    assert_int_equal(read_column("sa_caseA_ishigami_N64_second.csv", 3, data->y), 512);
    csv reader;
    csv_open(&reader, "sa_caseA_bootstrap_rows.csv");
    for (int unit = 0; csv_next(&reader); unit++)
        for (int r = 0; r < RESAMPLES; r++)
            data->drawn[r * BASE + unit] = (uint32_t)csv_number(&reader, r);
    data->design = (msw_sobol_design){
        .base_rows = BASE, .factors = FACTORS, .second_order = true, .y = data->y};
    data->resampling =
        (msw_resampling){.resamples = RESAMPLES, .confidence = 0.95, .drawn = data->drawn};
    data->indices =
        (msw_sobol_indices){.first = data->first, .total = data->total, .second = data->second};
}

static void caseA_run(caseA *data)
{
    msw_err err = {0};
    assert_ok(msw_sobol(&data->design, &data->resampling, &data->indices, &data->used, &err), err);
}

static void sobol_values_as_salib(void **state)
{
    (void)state;
    caseA data;
    caseA_read(&data);
    caseA_run(&data);
    assert_int_equal(data.used.used, BASE);
    for (int i = 0; i < FACTORS; i++) {
        assert_relative(data.first[i].value, expected("salib_sobol", "S1", i + 1, 0), 1e-9);
        assert_relative(data.total[i].value, expected("salib_sobol", "ST", i + 1, 0), 1e-9);
    }
    assert_relative(data.second[0].value, expected("salib_sobol", "S2", 1, 2), 1e-9);
    assert_relative(data.second[1].value, expected("salib_sobol", "S2", 1, 3), 1e-9);
    assert_relative(data.second[2].value, expected("salib_sobol", "S2", 2, 3), 1e-9);
}

static void sobol_intervals_on_given_resamples(void **state)
{
    (void)state;
    static const char *const NORMAL = "salib_sobol_boot200_seedmatrix",
                             *const PERCENTILE = "percentile_bootstrap_boot200_seedmatrix";
    caseA data;
    caseA_read(&data);
    caseA_run(&data);
    for (int i = 0; i < FACTORS; i++) {
        int j = i + 1;
        assert_relative(data.first[i].half, expected(NORMAL, "S1_conf_95_halfwidth", j, 0), 1e-9);
        assert_relative(data.total[i].half, expected(NORMAL, "ST_conf_95_halfwidth", j, 0), 1e-9);
        assert_relative(data.first[i].low, expected(PERCENTILE, "S1_p2.5", j, 0), 1e-9);
        assert_relative(data.first[i].high, expected(PERCENTILE, "S1_p97.5", j, 0), 1e-9);
        assert_relative(data.total[i].low, expected(PERCENTILE, "ST_p2.5", j, 0), 1e-9);
        assert_relative(data.total[i].high, expected(PERCENTILE, "ST_p97.5", j, 0), 1e-9);
    }
    assert_relative(data.second[0].half, expected(NORMAL, "S2_conf_95_halfwidth", 1, 2), 1e-9);
    assert_relative(data.second[1].half, expected(NORMAL, "S2_conf_95_halfwidth", 1, 3), 1e-9);
    assert_relative(data.second[2].half, expected(NORMAL, "S2_conf_95_halfwidth", 2, 3), 1e-9);
}

static void other_estimators_on_raw_outputs(void **state)
{
    (void)state;
    static const struct {
        msw_sobol_first estimator;
        const char *method;
    } CASES[] = {{MSW_SOBOL_SALTELLI, "formula_saltelli2010_varAB"},
                 {MSW_SOBOL_JANSEN, "formula_jansen_varAB"},
                 {MSW_SOBOL_JANON, "formula_janon2014"}};
    caseA data;
    caseA_read(&data);
    data.design.raw = true;
    data.resampling.resamples = 0;
    for (int c = 0; c < 3; c++) {
        data.design.estimator = CASES[c].estimator;
        caseA_run(&data);
        for (int i = 0; i < FACTORS; i++) {
            assert_relative(data.first[i].value, expected(CASES[c].method, "S1", i + 1, 0), 1e-9);
            assert_relative(data.total[i].value, expected("formula_jansen_varAB", "ST", i + 1, 0),
                            1e-9);
            assert_true(isnan(data.first[i].low));
        }
    }
}

static void morris_as_salib(void **state)
{
    (void)state;
    enum { ROWS = 80 };
    double column[FACTORS][ROWS], y[ROWS];
    size_t n = read_column("sa_caseM1_ishigami_morris.csv", 3, y);
    for (int j = 0; j < FACTORS; j++)
        read_column("sa_caseM1_ishigami_morris.csv", j, column[j]);
    const double pi = acos(-1), width[] = {2 * pi, 2 * pi, 2 * pi};
    const double *const x[] = {column[0], column[1], column[2]};
    msw_morris_design design = {.trajectories = n / (FACTORS + 1),
                                .factors = FACTORS,
                                .columns = FACTORS,
                                .x = x,
                                .width = width,
                                .y = y};
    msw_resampling resampling = {.resamples = 500, .confidence = 0.95, .seed = 1};
    msw_morris_index index[FACTORS];
    msw_used used;
    msw_err err = {0};
    assert_ok(msw_morris(&design, &resampling, index, &used, &err), err);
    for (int i = 0; i < FACTORS; i++) {
        static const char *const METHOD = "salib_morris_L4_unscaled";
        assert_relative(index[i].mu, expected(METHOD, "mu", i + 1, 0), 1e-9);
        assert_relative(index[i].mu_star.value, expected(METHOD, "mu_star", i + 1, 0), 1e-9);
        assert_relative(index[i].sigma, expected(METHOD, "sigma", i + 1, 0), 1e-9);
        assert_true(index[i].mu_star.low <= index[i].mu_star.value);
        assert_true(index[i].mu_star.high >= index[i].mu_star.value);
    }
}

static void complete_grid_exactly(void **state)
{
    (void)state;
    const size_t levels[] = {4, 3, 5, 2};
    uint32_t column[4][120];
    double y[120], grid_y[120], part[16];
    csv reader;
    csv_open(&reader, "sa_discrete_factorial_table.csv");
    for (size_t n = 0; csv_next(&reader); n++) {
        /* Backwards: the order of the rows must not matter. */
        for (int j = 0; j < 4; j++)
            column[j][119 - n] = (uint32_t)csv_number(&reader, j);
        y[119 - n] = csv_number(&reader, 4);
    }
    const uint32_t *const level[] = {column[0], column[1], column[2], column[3]};
    msw_anova_grid grid = {.factors = 4, .levels = levels, .y = grid_y};
    msw_err err = {0};
    assert_ok(msw_anova_arrange(&grid, level, y, 120, grid_y, &err), err);
    assert_ok(msw_anova(&grid, part, &err), err);
    double variance = msw_anova_variance(part, 4);
    csv_open(&reader, "sa_discrete_factorial_exact.csv");
    while (csv_next(&reader)) {
        const char *quantity = reader.field[0];
        unsigned i = (unsigned)atoi(reader.field[1]) - 1, j = (unsigned)atoi(reader.field[2]) - 1;
        double got = strcmp(quantity, "mean") == 0       ? sqrt(part[0])
                     : strcmp(quantity, "variance") == 0 ? variance
                     : strcmp(quantity, "S1") == 0       ? part[1u << i] / variance
                     : strcmp(quantity, "ST") == 0       ? msw_anova_total(part, 4, i) / variance
                                                         : part[1u << i | 1u << j] / variance;
        assert_near(got, csv_number(&reader, 4), 1e-12 * fmax(1, csv_number(&reader, 4)));
    }
}

/* A Saltelli design from plain random numbers in [0, 1). */
static double *saltelli(size_t rows, unsigned d, bool second, double (*f)(const double *x))
{
    size_t length = 2 + (second ? 2 : 1) * d;
    double *y = malloc(rows * length * sizeof *y), a[16], b[16], x[16];
    msw_rng rng;
    msw_rng_init(&rng, 11, 0);
    for (size_t i = 0; i < rows; i++) {
        double *row = y + i * length;
        for (unsigned j = 0; j < d; j++) {
            a[j] = msw_rng_uniform(&rng);
            b[j] = msw_rng_uniform(&rng);
        }
        row[0] = f(a);
        row[length - 1] = f(b);
        for (unsigned j = 0; j < d; j++) {
            memcpy(x, a, sizeof x);
            x[j] = b[j];
            row[1 + j] = f(x);
            memcpy(x, b, sizeof x);
            x[j] = a[j];
            if (second)
                row[1 + d + j] = f(x);
        }
    }
    return y;
}

static double ishigami(const double *u)
{
    double x[3];
    for (int j = 0; j < 3; j++)
        x[j] = (2 * u[j] - 1) * acos(-1);
    return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

static double sobol_g(const double *u)
{
    static const double A[] = {0, 1, 4.5, 9, 99, 99, 99, 99};
    double y = 1;
    for (int j = 0; j < 8; j++)
        y *= (fabs(4 * u[j] - 2) + A[j]) / (1 + A[j]);
    return y;
}

static double product(const double *u)
{
    return u[0] * u[1];
}

/* Indices in sa_exact_indices.csv must lie within twice the 99 % interval. */
static void closed_form(const char *function, const char *parameters, unsigned d,
                        double (*f)(const double *x))
{
    enum { ROWS = 4096 };
    double *y = saltelli(ROWS, d, true, f);
    msw_estimate first[16], total[16], second[64];
    msw_sobol_design design = {.base_rows = ROWS, .factors = d, .second_order = true, .y = y};
    msw_resampling resampling = {.resamples = 200, .confidence = 0.99, .seed = 2};
    msw_sobol_indices indices = {.first = first, .total = total, .second = second};
    msw_used used;
    msw_err err = {0};
    assert_ok(msw_sobol(&design, &resampling, &indices, &used, &err), err);
    csv reader;
    csv_open(&reader, "sa_exact_indices.csv");
    unsigned checked = 0;
    while (csv_next(&reader)) {
        if (strcmp(reader.field[0], function) != 0 || strcmp(reader.field[1], parameters) != 0)
            continue;
        unsigned i = (unsigned)atoi(reader.field[4]) - 1, j = (unsigned)atoi(reader.field[5]) - 1;
        const char *quantity = reader.field[3];
        const msw_estimate *got = strcmp(quantity, "S1") == 0   ? &first[i]
                                  : strcmp(quantity, "ST") == 0 ? &total[i]
                                  : strcmp(quantity, "S2") == 0
                                      ? &second[i * (2 * d - i - 1) / 2 + j - i - 1]
                                      : NULL;
        if (!got)
            continue;
        assert_near(got->value, csv_number(&reader, 6), 2 * got->half + 1e-12);
        checked++;
    }
    assert_int_equal(checked, 2 * d + d * (d - 1) / 2);
    free(y);
}

static void closed_forms_within_the_interval(void **state)
{
    (void)state;
    closed_form("ishigami", "a=7.0;b=0.1", 3, ishigami);
    closed_form("sobol_g", "a=0 1 4.5 9 99 99 99 99", 8, sobol_g);
    closed_form("product2", "f=x1*x2", 2, product);
}

/* The interval for x1 x2 must hold the true index as often as it says: the row bootstrap with plain
 * random rows covers 93 to 95 % at this size; the bounds are three standard errors of 300 trials
 * away. */
static void intervals_cover_as_often_as_they_say(void **state)
{
    (void)state;
    enum { ROWS = 256, TRIALS = 300, LENGTH = 4 };
    double *y = saltelli(ROWS * TRIALS, 2, false, product);
    int first_covered = 0, total_covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        msw_estimate first[2], total[2];
        msw_sobol_design design = {
            .base_rows = ROWS, .factors = 2, .y = y + (size_t)trial * ROWS * LENGTH};
        msw_resampling resampling = {.resamples = 200, .confidence = 0.95, .seed = (uint64_t)trial};
        msw_sobol_indices indices = {.first = first, .total = total};
        msw_used used;
        msw_err err = {0};
        assert_ok(msw_sobol(&design, &resampling, &indices, &used, &err), err);
        first_covered += first[0].low <= 3.0 / 7 && 3.0 / 7 <= first[0].high;
        total_covered += total[0].low <= 4.0 / 7 && 4.0 / 7 <= total[0].high;
    }
    assert_in_range(first_covered, 0.90 * TRIALS, 0.985 * TRIALS);
    assert_in_range(total_covered, 0.90 * TRIALS, 0.985 * TRIALS);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sobol_values_as_salib),
        cmocka_unit_test(sobol_intervals_on_given_resamples),
        cmocka_unit_test(other_estimators_on_raw_outputs),
        cmocka_unit_test(morris_as_salib),
        cmocka_unit_test(complete_grid_exactly),
        cmocka_unit_test(closed_forms_within_the_interval),
        cmocka_unit_test(intervals_cover_as_often_as_they_say),
    };
    return cmocka_run_group_tests_name("statistics_sensitivity", tests, NULL, NULL);
}
