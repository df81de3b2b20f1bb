/* SPDX-License-Identifier: MIT */
/* Defect 685. Do few rows of a model and many of a control give its indices where rows are
 * independent draws or cells of a grid? Do intervals cover as often as they say (seeds counted),
 * and are all cells exact? */
#include "memsweep/analysis/given.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 3, LEVELS = 8, CELLS = LEVELS * LEVELS * LEVELS, DRAWS = 4096, SEEDS_FULL = 200 };

static bool is_full(void)
{
    return getenv("MEMSWEEP_FULL") != NULL;
}

static uint64_t seeds(void)
{
    return is_full() ? SEEDS_FULL : 12;
}

/* x1 + 2 x2 + x1 x2 on the unit cube, the third idle: parts by hand. With u = x - 1/2: 3/2 u1 +
 * 5/2 u2 + u1 u2 + const; V1 = 9/48, V2 = 25/48, V12 = 1/144. */
static double control_of(const double *x)
{
    return x[0] + 2 * x[1] + x[0] * x[1];
}

/* The model differs by something the control does not know. */
static double model_of(const double *x)
{
    return control_of(x) + 0.3 * x[2] + 0.1 * x[0];
}

/* 3/2 + 1/10, 5/2, 3/10 squared over 12, and 1/144. */
static const double PARTS[FACTORS] = {2.56 / 12, 6.25 / 12, 0.09 / 12};

static double exact(unsigned f, bool total)
{
    double both = 1. / 144, all = PARTS[0] + PARTS[1] + PARTS[2] + both;
    return (PARTS[f] + (total && f < 2 ? both : 0)) / all;
}

typedef struct trial {
    double x[DRAWS], control[DRAWS], model[DRAWS];
    uint32_t far[FACTORS][DRAWS], near[FACTORS][DRAWS];
    double coordinate[FACTORS][DRAWS];
    msw_given_classes far_classes[FACTORS], near_classes[FACTORS];
    msw_estimate first[FACTORS], total[FACTORS];
    msw_sobol_indices indices;
    msw_controlled did;
} trial;

static void measure(trial *t, size_t n, size_t rows, bool whole, uint64_t seed)
{
    msw_err err = {0};
    msw_used used;
    for (unsigned f = 0; f < FACTORS; f++) {
        t->far_classes[f].of = t->far[f];
        t->near_classes[f].of = t->near[f];
        assert_ok(msw_given_cut(t->coordinate[f], n, whole ? LEVELS : 16, &t->far_classes[f], &err),
                  err);
        assert_ok(msw_given_cut(t->coordinate[f], n, whole ? LEVELS : 6, &t->near_classes[f], &err),
                  err);
    }
    t->indices = (msw_sobol_indices){.first = t->first, .total = t->total};
    msw_control_rows known = {.n = n,
                              .factors = FACTORS,
                              .control = t->control,
                              .model = t->model,
                              .far = t->far_classes,
                              .near = t->near_classes,
                              .whole = whole,
                              .seed = seed};
    msw_resampling how = {.confidence = 0.95};
    assert_ok(msw_given_controlled(&known, &how, &t->indices, &t->did, &used, &err), err);
    assert_int_equal(used.used, rows);
}

static void fill(trial *t, size_t i, const double *x, bool model)
{
    for (unsigned f = 0; f < FACTORS; f++)
        t->coordinate[f][i] = x[f];
    t->control[i] = control_of(x);
    t->model[i] = model ? model_of(x) : NAN;
}

static void try_draws(trial *t, size_t rows, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 5);
    for (size_t i = 0; i < DRAWS; i++) {
        double x[FACTORS];
        for (unsigned f = 0; f < FACTORS; f++)
            x[f] = msw_rng_uniform(&rng);
        fill(t, i, x, i < rows);
    }
    measure(t, DRAWS, rows, false, seed);
}

static void try_grid(trial *t, size_t rows, uint64_t seed)
{
    for (size_t i = 0; i < CELLS; i++) {
        double x[FACTORS] = {(double)(i / LEVELS / LEVELS), (double)(i / LEVELS % LEVELS),
                             (double)(i % LEVELS)};
        for (unsigned f = 0; f < FACTORS; f++)
            x[f] /= LEVELS - 1;
        fill(t, i, x, msw_permute(i, CELLS, seed + 999) < rows);
    }
    measure(t, CELLS, rows, true, seed);
}

/* The grid's own indices: all cells of both. */
static void know_grid(trial *t, double first[FACTORS], double total[FACTORS])
{
    double part[1 << FACTORS];
    size_t levels[FACTORS] = {LEVELS, LEVELS, LEVELS};
    msw_err err = {0};
    try_grid(t, CELLS, 1);
    msw_anova_grid grid = {.factors = FACTORS, .levels = levels, .y = t->model};
    assert_ok(msw_anova(&grid, part, &err), err);
    double all = msw_anova_variance(part, FACTORS);
    for (unsigned f = 0; f < FACTORS; f++) {
        /* arranged with the last factor fastest, as msw_anova wants it */
        first[f] = part[(uint32_t)1 << f] / all;
        total[f] = msw_anova_total(part, FACTORS, f) / all;
    }
}

static void all_cells_are_exact(void **state)
{
    (void)state;
    trial *t = calloc(1, sizeof *t);
    double first[FACTORS], total[FACTORS];
    know_grid(t, first, total);
    for (unsigned f = 0; f < FACTORS; f++) {
        assert_float_equal(t->first[f].value, first[f], 1e-12);
        assert_float_equal(t->total[f].value, total[f], 1e-12);
        assert_float_equal(t->first[f].half, 0, 1e-12);
    }
    free(t);
}

/* Counts the intervals that hold their index; prints them. */
static void cover(bool whole)
{
    trial *t = calloc(1, sizeof *t);
    double first[FACTORS], total[FACTORS], widths = 0, squares = 0, saving = 0;
    size_t held = 0, all = 0;
    know_grid(t, first, total);
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        (whole ? try_grid : try_draws)(t, whole ? 160 : 128, seed);
        saving += t->did.saving / (double)seeds();
        for (unsigned f = 0; f < FACTORS; f++)
            for (int k = 0; k < (whole ? 2 : 1); k++) {
                const msw_estimate *e = k ? &t->total[f] : &t->first[f];
                double truth = whole ? (k ? total[f] : first[f]) : exact(f, k != 0);
                held += e->low <= truth && truth <= e->high;
                all++;
                widths += e->half * e->half;
                squares += (e->value - truth) * (e->value - truth);
            }
    }
    print_message("%s: %d rows with a control, %.1f %% of %d seeds x indices, half-width %.2f "
                  "errors, squares %.3g times smaller\n",
                  whole ? "grid of 512 cells" : "4,096 draws", whole ? 160 : 128,
                  100. * (double)held / (double)all, (int)seeds(), sqrt(widths / squares), saving);
    assert_true((double)held > (is_full() ? 0.91 : 0.85) * (double)all);
    assert_true(sqrt(widths / squares) < 4);
    assert_true(saving > 5);
    free(t);
}

static void draws_cover(void **state)
{
    (void)state;
    cover(false);
}

static void cells_cover(void **state)
{
    (void)state;
    cover(true);
}

static void few_rows_are_refused(void **state)
{
    (void)state;
    trial *t = calloc(1, sizeof *t);
    double y[4] = {1, 2, 3, 4};
    uint32_t of[4] = {0, 0, 1, 1};
    msw_given_classes classes = {2, of};
    msw_control_rows known = {
        .n = 4, .factors = 1, .control = y, .model = y, .far = &classes, .near = &classes};
    msw_resampling how = {.confidence = 0.95};
    msw_used used;
    msw_err err = {0};
    t->indices = (msw_sobol_indices){.first = t->first, .total = t->total};
    assert_int_equal(msw_given_controlled(&known, &how, &t->indices, &t->did, &used, &err), -1);
    assert_non_null(strstr(err.text, "64 are needed"));
    known.whole = true;
    y[2] = NAN;
    assert_int_equal(msw_given_controlled(&known, &how, &t->indices, &t->did, &used, &err), -1);
    assert_non_null(strstr(err.text, "no value in 1 of 4 cells"));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cells_are_exact),
        cmocka_unit_test(draws_cover),
        cmocka_unit_test(cells_cover),
        cmocka_unit_test(few_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
