/* SPDX-License-Identifier: MIT */
/* Defect 099. In many objectives a hypervolume ran for minutes without a word. Is a front past the
 * stated limit refused at once, with the limit, and one at the limit of few objectives computed? */
#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Points on a sphere: none dominates another. */
static int volume_of(size_t n, unsigned k, bool exclusive, msw_err *err)
{
    double *columns[MSW_PARETO_OBJECTIVES], reference[MSW_PARETO_OBJECTIVES], volume;
    double *share = malloc(n * sizeof *share);
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (unsigned j = 0; j < k; j++) {
        columns[j] = malloc(n * sizeof *columns[j]);
        reference[j] = 1.1;
    }
    for (size_t i = 0; i < n; i++) {
        double squares = 0;
        for (unsigned j = 0; j < k; j++) {
            columns[j][i] = fabs(msw_rng_normal(&rng));
            squares += columns[j][i] * columns[j][i];
        }
        for (unsigned j = 0; j < k; j++)
            columns[j][i] /= sqrt(squares);
    }
    msw_points points = {.n = n, .k = k, .columns = (const double *const *)columns};
    int status = exclusive ? msw_hypervolume_exclusive(&points, reference, share, err)
                           : msw_hypervolume(&points, reference, &volume, err);
    for (unsigned j = 0; j < k; j++)
        free(columns[j]);
    free(share);
    return status;
}

static void past_the_limit_is_refused(void **state)
{
    (void)state;
    msw_err err = {0};
    assert_int_equal(volume_of(2000, 8, false, &err), -1);
    assert_non_null(strstr(err.text, "2000 points in 8 objectives"));
    assert_non_null(strstr(err.text, "from 401 points on"));
    assert_int_equal(volume_of(300, 16, false, &err), -1);
    assert_int_equal(volume_of(2000, 7, true, &err), -1);
    assert_non_null(strstr(err.text, "exclusive"));
    assert_ok(volume_of(2000, 5, false, &err), err);
    assert_ok(volume_of(50, 8, false, &err), err);
    assert_ok(volume_of(2000, 4, true, &err), err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(past_the_limit_is_refused)};
    return cmocka_run_group_tests_name("hypervolume limit", tests, NULL, NULL);
}
