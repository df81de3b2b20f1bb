/* SPDX-License-Identifier: MIT */
/* Defect 672. Are distances between fronts, R2, thinning and goal attainment what their
 * definitions say? */
#include "memsweep/analysis/quality.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <math.h>
#include <string.h>

enum { MOST = 9 };

static const double UNIT[] = {1, 1, 1};

/* Figure 3 of Ishibuchi, Masuda, Tanigaki, Nojima, "Modified distance calculation in generational
 * distance and inverted generational distance" (EMO 2015): A dominates B, IGD says the opposite,
 * IGD+ does not. */
static const double TARGET1[] = {10, 6, 2, 1, 0}, TARGET2[] = {0, 1, 2, 6, 10};
static const double A1[] = {4, 3, 2}, A2[] = {2, 3, 4}, B1[] = {8, 4, 2}, B2[] = {2, 4, 8};

static msw_points set_of(size_t n, const double **columns, const double *x, const double *y)
{
    columns[0] = x;
    columns[1] = y;
    return (msw_points){.n = n, .k = 2, .columns = columns};
}

static double measured(const double *x, const double *y, msw_distance kind)
{
    const double *own[2], *theirs[2];
    msw_points points = set_of(3, own, x, y), target = set_of(5, theirs, TARGET1, TARGET2);
    double distance = NAN;
    msw_err err;
    assert_int_equal(msw_front_distance(&points, &target, UNIT, kind, &distance, &err), 0);
    return distance;
}

static void near(double found, double wanted)
{
    if (!(fabs(found - wanted) < 1e-12))
        fail_msg("%.17g, wanted %.17g", found, wanted);
}

static void test_distances(void **state)
{
    (void)state;
    near(measured(A1, A2, MSW_DISTANCE_IGD), (2 * sqrt(40) + 2 * sqrt(5) + sqrt(2)) / 5);
    assert_true(fabs(measured(A1, A2, MSW_DISTANCE_IGD) - 3.707) < 5e-4);
    assert_true(fabs(measured(B1, B2, MSW_DISTANCE_IGD) - 2.591) < 5e-4);
    assert_true(fabs(measured(A1, A2, MSW_DISTANCE_IGD_PLUS) - 1.483) < 5e-4);
    assert_true(fabs(measured(B1, B2, MSW_DISTANCE_IGD_PLUS) - 2.260) < 5e-4);
    near(measured(A1, A2, MSW_DISTANCE_IGD_PLUS), (6 + sqrt(2)) / 5);
    near(measured(A1, A2, MSW_DISTANCE_GD), (4 + sqrt(2)) / 3);
}

/* What is to be maximised, and other units, change nothing. */
static void test_goals_and_scale(void **state)
{
    (void)state;
    static const msw_goal GOALS[] = {MSW_GOAL_LOWER, MSW_GOAL_HIGHER};
    double a2[3], t2[5], distance;
    for (int i = 0; i < 3; i++)
        a2[i] = -1000 * A2[i];
    for (int i = 0; i < 5; i++)
        t2[i] = -1000 * TARGET2[i];
    const double *own[2], *theirs[2], scale[] = {1, 1000};
    msw_points points = set_of(3, own, A1, a2), target = set_of(5, theirs, TARGET1, t2);
    msw_err err;
    points.goals = GOALS;
    assert_int_equal(
        msw_front_distance(&points, &target, scale, MSW_DISTANCE_IGD_PLUS, &distance, &err), 0);
    near(distance, (6 + sqrt(2)) / 5);
    assert_int_equal(msw_front_distance(&points, &target, scale, MSW_DISTANCE_GD, &distance, &err),
                     0);
    near(distance, (4 + sqrt(2)) / 3);
}

/* Weights (1, 0), (1/2, 1/2), (0, 1): least utilities 2, 3/2, 2. */
static void test_r2(void **state)
{
    (void)state;
    const double *columns[2], ideal[] = {0, 0};
    msw_points points = set_of(3, columns, A1, A2);
    double r2;
    msw_err err;
    assert_int_equal(msw_front_r2(&points, ideal, UNIT, 2, &r2, &err), 0);
    near(r2, 5.5 / 3);
    /* Of three objectives and two divisions there are six weight vectors; one point at (1, 2, 3):
     * 1, 2, 3 alone, 1, 1.5, 1.5 of the halves. */
    const double x[] = {1}, y[] = {2}, z[] = {3}, *three[] = {x, y, z}, zero[] = {0, 0, 0};
    msw_points one = {.n = 1, .k = 3, .columns = three};
    assert_int_equal(msw_front_r2(&one, zero, UNIT, 2, &r2, &err), 0);
    near(r2, (1 + 2 + 3 + 1 + 1.5 + 1.5) / 6);
}

/* ---- thinning ---- */

static size_t thinned(const msw_points *points, size_t wanted, bool *kept, double *epsilon)
{
    msw_err err;
    size_t count = 0;
    assert_int_equal(msw_pareto_front(points, kept, NULL, &err), 0);
    assert_int_equal(msw_front_thin(points, wanted, kept, epsilon, &err), 0);
    for (size_t i = 0; i < points->n; i++)
        count += kept[i];
    return count;
}

static void test_line(void **state)
{
    (void)state;
    static const double X[] = {0, 1, 2, 3, 4}, Y[] = {4, 3, 2, 1, 0};
    static const double WANTED[] = {0, 0.5, 0.25, 0.25, 0.25, 0, 0};
    const double *columns[2];
    msw_points points = set_of(5, columns, X, Y);
    for (size_t wanted = 1; wanted < 7; wanted++) {
        bool kept[5];
        double epsilon;
        assert_true(thinned(&points, wanted, kept, &epsilon) <= wanted);
        near(epsilon, WANTED[wanted]);
    }
}

/* The least epsilon of any subset, by trying them all. */
static double least_epsilon(const msw_points *points, const bool *on_front, size_t wanted)
{
    double ideal[3], range[3], best = INFINITY;
    msw_front_range(points, on_front, 0, ideal, range);
    for (unsigned subset = 1; subset < 1U << points->n; subset++) {
        double epsilon = 0;
        size_t size = 0;
        for (size_t i = 0; i < points->n; i++)
            size += subset >> i & 1;
        for (size_t b = 0; b < points->n && size <= wanted; b++) {
            double least = INFINITY;
            for (size_t a = 0; a < points->n; a++) {
                double most = 0;
                for (unsigned j = 0; j < points->k; j++)
                    most = fmax(most, (points->columns[j][a] - points->columns[j][b]) / range[j]);
                if (subset >> a & 1 && on_front[a])
                    least = fmin(least, most);
            }
            epsilon = on_front[b] ? fmax(epsilon, least) : epsilon;
        }
        best = size <= wanted ? fmin(best, epsilon) : best;
    }
    return best;
}

static void check_thin(unsigned k, uint64_t seed)
{
    double values[3][MOST], epsilon;
    const double *columns[] = {values[0], values[1], values[2]};
    msw_points points = {.n = MOST, .k = k, .columns = columns};
    bool kept[MOST], front[MOST];
    msw_rng rng;
    msw_err err;
    msw_rng_init(&rng, seed, k);
    for (unsigned j = 0; j < k; j++)
        for (size_t i = 0; i < MOST; i++)
            values[j][i] = (double)msw_rng_below(&rng, 40);
    for (size_t i = 0; i < MOST && k == 2; i++)
        values[1][i] = 40 - values[0][i] + (double)msw_rng_below(&rng, 4);
    assert_int_equal(msw_pareto_front(&points, front, NULL, &err), 0);
    for (size_t wanted = 1; wanted <= 4; wanted++) {
        double least = least_epsilon(&points, front, wanted);
        assert_true(thinned(&points, wanted, kept, &epsilon) <= wanted);
        if (k == 2)
            near(epsilon, least);
        else
            assert_true(epsilon >= least - 1e-12 && epsilon <= 1);
    }
}

static void test_subsets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        check_thin(2, seed);
        check_thin(3, seed);
    }
}

/* Gembicki and Haimes 1975: the least largest weighted miss. */
static void test_goals(void **state)
{
    (void)state;
    const double *columns[2], goal[] = {2, 2}, scale[] = {2, 2}, weight[] = {1, 3};
    msw_points points = set_of(3, columns, A1, A2);
    unsigned by;
    near(msw_goal_miss(&points, 0, goal, scale, UNIT, &by), 1);
    assert_int_equal(by, 0);
    near(msw_goal_miss(&points, 1, goal, scale, UNIT, &by), 0.5);
    near(msw_goal_miss(&points, 1, goal, scale, weight, &by), 1.5);
    assert_int_equal(by, 1);
    near(msw_goal_miss(&points, 0, goal, scale, weight, &by), 1);
    near(msw_goal_miss(&points, 1, (const double[]){4, 6}, scale, UNIT, &by), -0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances), cmocka_unit_test(test_goals_and_scale),
        cmocka_unit_test(test_r2),        cmocka_unit_test(test_line),
        cmocka_unit_test(test_subsets),   cmocka_unit_test(test_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
