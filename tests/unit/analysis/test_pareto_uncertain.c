/* SPDX-License-Identifier: MIT */
/* Are rows excluded, kept and sent back for more samples with the right probability? */
#include "memsweep/analysis/pareto.h"
#include "testing.h"

#include <gsl/gsl_cdf.h>

enum { N = 6 };

typedef struct sample {
    double x[N], y[N], hx[N], hy[N];
    const double *columns[2], *half[2];
    msw_points points;
    msw_uncertain table;
    msw_standing standing[N];
} sample;

static void prepare(sample *data)
{
    data->columns[0] = data->x;
    data->columns[1] = data->y;
    data->half[0] = data->hx;
    data->half[1] = data->hy;
    data->points = (msw_points){.n = N, .k = 2, .columns = data->columns};
    data->table = (msw_uncertain){.points = &data->points,
                                  .half = data->half,
                                  .half_confidence = 0.95,
                                  .confidence = 0.95,
                                  .draws = 20000,
                                  .seed = 1};
}

/* Rows 0 and 1 differ by one standard deviation of their difference in x and are equal in y: row 0
 * dominates with probability P(1) / 2. Row 2 is far behind both, row 3 is missing, rows 4 and 5 are
 * exact and the same. */
static void probabilities_of_a_close_pair(void **state)
{
    (void)state;
    double z = gsl_cdf_ugaussian_Pinv(0.975), p = gsl_cdf_ugaussian_P(1);
    sample data = {.x = {10, 10 + sqrt(2), 30, NAN, 20, 20},
                   .y = {5, 5, 9, 1, 0, 0},
                   .hx = {z, z, z, z, 0, 0},
                   .hy = {z, z, z, z, 0, 0}};
    msw_err err = {0};
    prepare(&data);
    assert_ok(msw_pareto_uncertain(&data.table, data.standing, &err), err);
    const msw_standing *s = data.standing;
    assert_int_equal(s[0].verdict, MSW_FRONT_OPEN);
    assert_int_equal(s[1].verdict, MSW_FRONT_OPEN);
    assert_near(s[0].probability, 1 - (1 - p) / 2, 0.02);
    assert_near(s[1].probability, 1 - p / 2, 0.02);
    assert_int_equal(s[1].rival, 0);
    assert_true(s[0].sample_more && s[1].sample_more);
    assert_int_equal(s[2].verdict, MSW_FRONT_EXCLUDED);
    assert_int_equal(s[2].rival, 0);
    double behind = gsl_cdf_ugaussian_P(20 / sqrt(2)) * gsl_cdf_ugaussian_P(4 / sqrt(2));
    assert_near(s[2].probability, 1 - behind, 1e-12);
    assert_false(s[2].sample_more);
    assert_int_equal(s[3].verdict, MSW_FRONT_NONE);
    for (int i = 4; i < 6; i++) {
        assert_int_equal(s[i].verdict, MSW_FRONT_CERTAIN);
        assert_true(s[i].probability == 1 && !s[i].sample_more);
    }
}

/* Without half-widths the verdicts are the front itself. */
static void exact_rows_give_the_front(void **state)
{
    (void)state;
    sample data = {.x = {1, 2, 3, 2, 5, 1}, .y = {5, 3, 1, 4, 5, 5}};
    const msw_goal goals[] = {MSW_GOAL_LOWER, MSW_GOAL_LOWER};
    bool front[N];
    msw_err err = {0};
    prepare(&data);
    data.table.half = NULL;
    data.table.draws = 3;
    data.points.goals = goals;
    assert_ok(msw_pareto_uncertain(&data.table, data.standing, &err), err);
    assert_ok(msw_pareto_front(&data.points, front, NULL, &err), err);
    for (int i = 0; i < N; i++)
        assert_int_equal(data.standing[i].verdict,
                         front[i] ? MSW_FRONT_CERTAIN : MSW_FRONT_EXCLUDED);
    data.table.confidence = 1;
    assert_int_equal(msw_pareto_uncertain(&data.table, data.standing, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_of_a_close_pair),
        cmocka_unit_test(exact_rows_give_the_front),
    };
    return cmocka_run_group_tests_name("pareto_uncertain", tests, NULL, NULL);
}
