/* SPDX-License-Identifier: MIT */
/* Defect 095. Above 65,536 base rows a bootstrap fell out of the cache and took five times as long
 * per row (memsweep-bench --only analysis/sensitivity --set base_rows=262144). Are resamples of so
 * many rows still resamples: as many drawn as there are, every row equally often, means as far
 * apart as the standard error says? */
#include "analysis/sensitivity/sobol.h"
#include "memsweep/base/rng.h"
#include "testing.h"

enum { ROWS = 70001, RESAMPLES = 202 };

static void means_spread_like_means(void **state)
{
    (void)state;
    msw_arena arena = {0};
    tiles table;
    msw_rng rng;
    msw_rng_init(&rng, 4, 0);
    assert_int_equal(tiles_init(&table, ROWS, 3, &arena), 0);
    for (size_t i = 0; i < ROWS; i++) {
        *tiles_at(&table, i, 0) = 1;
        *tiles_at(&table, i, 1) = msw_rng_normal(&rng);
        *tiles_at(&table, i, 2) = i < ROWS / 2; /* a chance that leans to one end would show */
    }
    static double mean[RESAMPLES * 3];
    msw_resampling how = {.resamples = RESAMPLES, .confidence = 0.95, .seed = 1};
    assert_int_equal(bootstrap_means(&table, &how, mean, &arena), 0);
    double sum[3] = {0}, squares[3] = {0};
    for (int r = 0; r < RESAMPLES; r++)
        for (int c = 0; c < 3; c++) {
            sum[c] += mean[3 * r + c];
            squares[c] += mean[3 * r + c] * mean[3 * r + c];
        }
    double error = 1 / sqrt(ROWS), all[3];
    tiles_means(&table, all);
    for (int r = 0; r < RESAMPLES; r++)
        assert_near(mean[3 * r], 1, 1e-12);
    for (int c = 1; c < 3; c++) {
        double middle = sum[c] / RESAMPLES, own = c == 1 ? error : error / 2;
        assert_near(middle, all[c], 4 * own / sqrt(RESAMPLES));
        assert_near(sqrt(squares[c] / RESAMPLES - middle * middle) / own, 1, 0.2);
    }
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(means_spread_like_means)};
    return cmocka_run_group_tests_name("many base rows", tests, NULL, NULL);
}
