/* SPDX-License-Identifier: MIT */
/* Do hypervolume, shares and epsilon agree with counting cells and with the definition? */
#include "memsweep/analysis/hypervolume.h"
#include "memsweep/analysis/quality.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <string.h>

enum { N = 60, LEVELS = 6, MOST_K = 5 };

typedef struct sample {
    double column[MOST_K][N];
    const double *columns[MOST_K];
} sample;

static void fill(sample *data, unsigned k, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, k);
    for (unsigned j = 0; j < k; j++) {
        data->columns[j] = data->column[j];
        for (int i = 0; i < N; i++)
            data->column[j][i] = (double)msw_rng_below(&rng, LEVELS);
    }
}

/* Cell `number` of the integer grid is dominated by a row that is not `skip`. */
static bool cell_dominated(const msw_points *points, unsigned number, size_t skip)
{
    for (size_t i = 0; i < points->n; i++) {
        bool inside = i != skip;
        unsigned rest = number;
        for (unsigned j = 0; j < points->k; j++, rest /= LEVELS)
            inside &= points->columns[j][i] <= rest % LEVELS;
        if (inside)
            return true;
    }
    return false;
}

static unsigned count_cells(const msw_points *points, size_t skip)
{
    unsigned cells = 1, count = 0;
    for (unsigned j = 0; j < points->k; j++)
        cells *= LEVELS;
    for (unsigned c = 0; c < cells; c++)
        count += cell_dominated(points, c, skip);
    return count;
}

static void volumes_equal_counted_cells(void **state)
{
    (void)state;
    const double reference[] = {LEVELS, LEVELS, LEVELS, LEVELS, LEVELS};
    sample data;
    for (unsigned k = 1; k <= MOST_K; k++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            fill(&data, k, seed);
            msw_points points = {.n = N - 13 * seed, .k = k, .columns = data.columns};
            double volume, share[N];
            msw_err err = {0};
            assert_ok(msw_hypervolume(&points, reference, &volume, &err), err);
            unsigned all = count_cells(&points, N);
            assert_true(volume == all);
            assert_ok(msw_hypervolume_exclusive(&points, reference, share, &err), err);
            for (size_t i = 0; i < points.n && k < 5; i++)
                assert_true(share[i] == all - count_cells(&points, i));
        }
}

static void goals_groups_and_missing_rows(void **state)
{
    (void)state;
    const double x[] = {1, 3, NAN, 2, 9}, y[] = {-1, -3, 0, -2, -9};
    const uint32_t group[] = {0, 0, 0, 1, 1};
    const double *const columns[] = {x, y};
    const msw_goal goals[] = {MSW_GOAL_LOWER, MSW_GOAL_HIGHER};
    const double reference[] = {4, -5};
    msw_points points = {
        .n = 5, .k = 2, .columns = columns, .goals = goals, .group = group, .group_count = 2};
    double volume[2], share[5];
    msw_err err = {0};
    assert_ok(msw_hypervolume(&points, reference, volume, &err), err);
    assert_true(volume[0] == 12 && volume[1] == 6);
    assert_ok(msw_hypervolume_exclusive(&points, reference, share, &err), err);
    const double wanted[] = {12 - 2, 0, 0, 6, 0};
    for (int i = 0; i < 5; i++)
        assert_true(i == 2 ? isnan(share[i]) : share[i] == wanted[i]);
    const double nowhere[] = {NAN, 1};
    assert_int_equal(msw_hypervolume(&points, nowhere, volume, &err), -1);
}

/* By hand: against (1, 4) the points (2, 3), (4, 1) fall short by 1 and by 3; against (3, 2) by 1
 * and 1. As factors: 2 and 4, then 3/2 and 4/3. */
static void epsilon_by_hand(void **state)
{
    (void)state;
    const double x[] = {2, 4, NAN}, y[] = {3, 1, 0}, u[] = {1, 3}, v[] = {4, 2};
    const double *const own[] = {x, y}, *const other[] = {u, v};
    msw_points points = {.n = 3, .k = 2, .columns = own};
    msw_points target = {.n = 2, .k = 2, .columns = other};
    double epsilon;
    msw_err err = {0};
    assert_ok(msw_epsilon_indicator(&points, &target, MSW_EPSILON_ADDITIVE, &epsilon, &err), err);
    assert_true(epsilon == 1);
    assert_ok(msw_epsilon_indicator(&points, &target, MSW_EPSILON_FACTOR, &epsilon, &err), err);
    assert_true(epsilon == 2);
    assert_ok(msw_epsilon_indicator(&points, &points, MSW_EPSILON_ADDITIVE, &epsilon, &err), err);
    assert_true(epsilon == 0);
    points.n = 0;
    assert_int_equal(msw_epsilon_indicator(&points, &target, MSW_EPSILON_ADDITIVE, &epsilon, &err),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_equal_counted_cells),
        cmocka_unit_test(goals_groups_and_missing_rows),
        cmocka_unit_test(epsilon_by_hand),
    };
    return cmocka_run_group_tests_name("hypervolume", tests, NULL, NULL);
}
