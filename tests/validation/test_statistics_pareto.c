/* SPDX-License-Identifier: MIT */
/* Do fronts and hypervolumes meet exact integers and the closed forms of test fronts? */
#include "csv.h"
#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64, OBJECTIVES = 8 };

typedef struct known {
    char name[64];
    size_t n;
    unsigned m;
    double reference[OBJECTIVES], volume;
    double column[OBJECTIVES][MOST], share[MOST];
    int32_t rank[MOST];
    const double *columns[OBJECTIVES];
} known;

static unsigned split_numbers(char *text, double *values)
{
    unsigned count = 0;
    for (char *token = strtok(text, ";"); token; token = strtok(NULL, ";"))
        values[count++] = strtod(token, NULL);
    return count;
}

/* pareto_small_points.csv: ranks and shares by an independent public library, checked there by
 * exhaustive comparison. */
static void read_points(known *set)
{
    csv reader;
    csv_open(&reader, "pareto_small_points.csv");
    set->n = 0;
    while (csv_next(&reader)) {
        if (strcmp(reader.field[0], set->name) != 0)
            continue;
        double values[OBJECTIVES];
        unsigned m = split_numbers(reader.field[3], values);
        for (unsigned j = 0; j < m; j++)
            set->column[j][set->n] = values[j];
        set->rank[set->n] = (int32_t)csv_number(&reader, 4);
        set->share[set->n++] = csv_number(&reader, 5);
    }
}

static void check_set(const known *set)
{
    msw_points points = {.n = set->n, .k = set->m, .columns = set->columns};
    int32_t rank[MOST];
    double volume, share[MOST];
    msw_err err = {0};
    assert_ok(msw_pareto_rank(&points, rank, NULL, &err), err);
    assert_memory_equal(rank, set->rank, set->n * sizeof *rank);
    assert_ok(msw_hypervolume(&points, set->reference, &volume, &err), err);
    assert_true(volume == set->volume);
    assert_ok(msw_hypervolume_exclusive(&points, set->reference, share, &err), err);
    for (size_t i = 0; i < set->n; i++)
        assert_true(share[i] == set->share[i]);
}

static void small_sets_exactly(void **state)
{
    (void)state;
    csv reader;
    csv_open(&reader, "pareto_small_sets.csv");
    int sets = 0;
    for (; csv_next(&reader); sets++) {
        known *set = calloc(1, sizeof *set);
        snprintf(set->name, sizeof set->name, "%.63s", reader.field[0]);
        set->m = split_numbers(reader.field[3], set->reference);
        set->volume = csv_number(&reader, 7);
        for (unsigned j = 0; j < OBJECTIVES; j++)
            set->columns[j] = set->column[j];
        read_points(set);
        assert_int_equal(set->n, csv_number(&reader, 1));
        check_set(set);
        free(set);
    }
    assert_int_equal(sets, 9);
}

static double binomial(unsigned n, unsigned k)
{
    double value = 1;
    for (unsigned i = 1; i <= k; i++)
        value = value * (n - k + i) / i;
    return value;
}

static size_t simplex(double *const *column, unsigned m, unsigned steps)
{
    unsigned part[OBJECTIVES] = {0};
    size_t n = 0;
    for (;;) {
        unsigned sum = 0;
        for (unsigned j = 0; j + 1 < m; j++)
            sum += part[j];
        if (sum <= steps) {
            for (unsigned j = 0; j + 1 < m; j++)
                column[j][n] = part[j];
            column[m - 1][n++] = steps - sum;
        }
        unsigned j = 0;
        while (j + 1 < m && ++part[j] > steps)
            part[j++] = 0;
        if (j + 1 >= m)
            return n;
    }
}

/* The cells [c, c+1) of the lattice with reference H + 1 that a simplex point dominates are those
 * with sum(c) >= H: (H + 1)^m less the C(H + m - 1, m) cells with sum(c) <= H - 1. */
static void simplex_lattices_in_any_dimension(void **state)
{
    (void)state;
    static const unsigned STEPS[] = {0, 0, 50, 30, 14, 7, 5};
    double *column[OBJECTIVES], reference[OBJECTIVES], volume;
    for (unsigned j = 0; j < OBJECTIVES; j++)
        column[j] = malloc(20000 * sizeof(double));
    for (unsigned m = 2; m <= 6; m++) {
        unsigned steps = STEPS[m];
        msw_points points = {.k = m, .columns = (const double *const *)column};
        points.n = simplex(column, m, steps);
        for (unsigned j = 0; j < m; j++)
            reference[j] = steps + 1;
        msw_err err = {0};
        assert_ok(msw_hypervolume(&points, reference, &volume, &err), err);
        assert_true(volume == pow(steps + 1, m) - binomial(steps + m - 1, m));
    }
    for (unsigned j = 0; j < OBJECTIVES; j++)
        free(column[j]);
}

/* Limits of pareto_analytic_fronts_hv.csv: a finite sample of the sphere stays below the limit and
 * comes near it. */
static void spheres_approach_their_limit(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const double LIMIT[] =
        {0, 0, 0.2146018366025517, 0.4764012244017011, 0.6915748624659575, 0.8355065933151774},
                        WITHIN[] = {0, 0, 1e-3, 2e-2, 6e-2, 1.5e-1};
    double *column[OBJECTIVES], volume;
    const double reference[] = {1, 1, 1, 1, 1};
    for (unsigned j = 0; j < OBJECTIVES; j++)
        column[j] = malloc(N * sizeof(double));
    for (unsigned m = 2; m <= 5; m++) {
        msw_rng rng;
        msw_rng_init(&rng, 3, m);
        size_t n = m == 5 ? 1000 : N;
        for (size_t i = 0; i < n; i++) {
            double norm = 0;
            for (unsigned j = 0; j < m; j++) {
                column[j][i] = fabs(msw_rng_normal(&rng));
                norm += column[j][i] * column[j][i];
            }
            for (unsigned j = 0; j < m; j++)
                column[j][i] /= sqrt(norm);
        }
        msw_points points = {.n = n, .k = m, .columns = (const double *const *)column};
        msw_err err = {0};
        assert_ok(msw_hypervolume(&points, reference, &volume, &err), err);
        assert_true(volume < LIMIT[m]);
        assert_near(volume, LIMIT[m], WITHIN[m]);
    }
    for (unsigned j = 0; j < OBJECTIVES; j++)
        free(column[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sets_exactly),
        cmocka_unit_test(simplex_lattices_in_any_dimension),
        cmocka_unit_test(spheres_approach_their_limit),
    };
    return cmocka_run_group_tests_name("statistics_pareto", tests, NULL, NULL);
}
