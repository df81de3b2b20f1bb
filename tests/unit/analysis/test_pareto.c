/* SPDX-License-Identifier: MIT */
/* Does ranking agree with the definition on every kind of table, and are rows that cannot be
 * compared kept out? */
#include "memsweep/analysis/pareto.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 6000, MOST_K = 6 };

typedef struct sample {
    double column[MOST_K][MOST_ROWS];
    const double *columns[MOST_K];
    uint32_t group[MOST_ROWS];
    bool valid[MOST_ROWS];
} sample;

static int setup(void **state)
{
    sample *data = calloc(1, sizeof *data);
    for (int j = 0; j < MOST_K; j++)
        data->columns[j] = data->column[j];
    *state = data;
    return data ? 0 : -1;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

/* `levels` values per objective give ties and duplicates; 0 means continuous; `slope` tilts the
 * cloud towards a front. */
static void fill(sample *data, size_t n, unsigned k, unsigned levels, double slope, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, k);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < k; j++) {
            double x = msw_rng_uniform(&rng);
            data->column[j][i] = j + 1 < k ? x : (1 - slope) * x - slope * sum;
            sum += x;
            if (levels)
                data->column[j][i] = floor(data->column[j][i] * levels);
        }
    }
}

static bool dominates(const msw_points *points, size_t a, size_t b)
{
    bool better = false;
    for (unsigned j = 0; j < points->k; j++) {
        double sign = points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -1 : 1;
        double x = sign * points->columns[j][a], y = sign * points->columns[j][b];
        if (x > y)
            return false;
        better |= x < y;
    }
    return better && (!points->group || points->group[a] == points->group[b]);
}

/* A row is ranked right if no rank at or above its own dominates it and its rank is one more than
 * that of some dominator. */
static void check_ranks(const msw_points *points, const int32_t *rank)
{
    for (size_t b = 0; b < points->n; b++) {
        int32_t highest = -1;
        for (size_t a = 0; a < points->n && rank[b] >= 0; a++)
            if (rank[a] > highest && dominates(points, a, b))
                highest = rank[a];
        if (rank[b] >= 0)
            assert_int_equal(rank[b], highest + 1);
    }
}

static void check(const msw_points *points)
{
    static int32_t rank[MOST_ROWS];
    static bool front[MOST_ROWS];
    msw_err err = {0};
    msw_pareto_count by_rank, by_front;
    assert_ok(msw_pareto_rank(points, rank, &by_rank, &err), err);
    assert_ok(msw_pareto_front(points, front, &by_front, &err), err);
    check_ranks(points, rank);
    for (size_t i = 0; i < points->n; i++)
        assert_int_equal(front[i], rank[i] == 0);
    assert_memory_equal(&by_rank, &by_front, sizeof by_rank);
}

static void ranks_follow_the_definition(void **state)
{
    sample *data = *state;
    static const unsigned LEVELS[] = {0, 2, 7, 100};
    static const size_t SIZES[] = {1, 2, 3, 40, 49, 700};
    for (unsigned k = 1; k <= MOST_K; k++)
        for (size_t l = 0; l < 4; l++)
            for (size_t s = 0; s < 6; s++) {
                fill(data, SIZES[s], k, LEVELS[l], s % 2 ? 0.9 : 0, 10 * l + s);
                check(&(msw_points){.n = SIZES[s], .k = k, .columns = data->columns});
            }
}

/* Large enough that rows are pruned first. */
static void large_tables_too(void **state)
{
    sample *data = *state;
    for (unsigned k = 2; k <= 5; k++)
        for (unsigned levels = 0; levels <= 30; levels += 30) {
            fill(data, MOST_ROWS, k, levels, 0, k);
            check(&(msw_points){.n = MOST_ROWS, .k = k, .columns = data->columns});
        }
}

static void goals_and_groups_separate(void **state)
{
    sample *data = *state;
    const msw_goal goals[] = {MSW_GOAL_HIGHER, MSW_GOAL_LOWER, MSW_GOAL_HIGHER};
    enum { N = 900 };
    fill(data, N, 3, 20, 0, 5);
    for (size_t i = 0; i < N; i++)
        data->group[i] = (uint32_t)(i * i % 7);
    check(&(msw_points){.n = N,
                        .k = 3,
                        .columns = data->columns,
                        .goals = goals,
                        .group = data->group,
                        .group_count = 9});
}

static void nan_and_invalid_rows_stay_out(void **state)
{
    sample *data = *state;
    enum { N = 500 };
    fill(data, N, 2, 0, 0, 6);
    memset(data->valid, true, N);
    for (size_t i = 0; i < N; i += 5)
        data->column[i % 2][i] = NAN;
    for (size_t i = 0; i < N; i += 3)
        data->valid[i] = false;
    msw_points points = {.n = N, .k = 2, .columns = data->columns, .valid = data->valid};
    int32_t rank[N];
    msw_pareto_count count;
    msw_err err = {0};
    assert_ok(msw_pareto_rank(&points, rank, &count, &err), err);
    size_t none = 0;
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(rank[i] == MSW_RANK_NONE, i % 3 == 0 || i % 5 == 0);
        none += rank[i] == MSW_RANK_NONE;
    }
    assert_int_equal(count.ranked, N - none);
    assert_int_equal(count.left_out, 100 - 34);
    check_ranks(&points, rank);
}

static void infinities_and_signed_zeros_are_ordinary(void **state)
{
    (void)state;
    const double x[] = {0.0, -0.0, INFINITY, -INFINITY, 1}, y[] = {1, 1, -1e308, INFINITY, 1e308};
    const double *const columns[] = {x, y};
    int32_t rank[5];
    msw_err err = {0};
    assert_ok(msw_pareto_rank(&(msw_points){.n = 5, .k = 2, .columns = columns}, rank, NULL, &err),
              err);
    const int32_t wanted[] = {0, 0, 0, 0, 1};
    assert_memory_equal(rank, wanted, sizeof rank);
}

static void empty_and_wrong_input(void **state)
{
    sample *data = *state;
    msw_err err = {0};
    int32_t rank[2];
    msw_pareto_count count;
    assert_ok(msw_pareto_rank(&(msw_points){.k = 2, .columns = data->columns}, rank, &count, &err),
              err);
    assert_int_equal(count.ranked, 0);
    assert_int_equal(msw_pareto_rank(&(msw_points){.n = 2}, rank, NULL, &err), -1);
    const uint32_t group[] = {0, 3};
    msw_points wrong = {.n = 2, .k = 1, .columns = data->columns, .group = group, .group_count = 2};
    assert_int_equal(msw_pareto_rank(&wrong, rank, NULL, &err), -1);
    assert_non_null(strstr(err.text, "row 1 is in group 3"));
}

/* y = 1/x over [1, 4]: the farthest point from the chord is where the slope is that of the chord,
 * x = 2, at distance 1/sqrt(2) x (1 - 1/3 - 1/3) in normalised objectives. */
static void knee_of_a_hyperbola(void **state)
{
    (void)state;
    double x[31], y[31];
    int32_t rank[31] = {0};
    for (int i = 0; i <= 30; i++) {
        x[i] = 1 + 0.1 * i;
        y[i] = -1 / x[i];
    }
    const double *const columns[] = {x, y};
    const msw_goal goals[] = {MSW_GOAL_LOWER, MSW_GOAL_HIGHER};
    msw_knee knee;
    msw_err err = {0};
    msw_points points = {.n = 31, .k = 2, .columns = columns, .goals = goals};
    assert_ok(msw_pareto_knee(&points, rank, 0, &knee, &err), err);
    assert_int_equal(knee.row, 10);
    assert_near(knee.distance, sqrt(0.5) / 3, 1e-14);
    for (int i = 0; i <= 30; i++)
        rank[i] = 1;
    assert_int_equal(msw_pareto_knee(&points, rank, 0, &knee, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_follow_the_definition),
        cmocka_unit_test(large_tables_too),
        cmocka_unit_test(goals_and_groups_separate),
        cmocka_unit_test(nan_and_invalid_rows_stay_out),
        cmocka_unit_test(infinities_and_signed_zeros_are_ordinary),
        cmocka_unit_test(empty_and_wrong_input),
        cmocka_unit_test(knee_of_a_hyperbola),
    };
    return cmocka_run_group_tests_name("pareto", tests, setup, teardown);
}
