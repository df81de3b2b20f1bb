/* SPDX-License-Identifier: MIT */
/* Defect 580. Batch means of series whose answers are known: mean, half-width at 95 % and the
 * correlation of neighbouring batches. */
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include <math.h>

enum { EACH = 4 };

/* Values swing about their batch's mean; the last batch gets some more. */
static camdn_sureness sureness_of(const double *means, uint64_t more)
{
    uint64_t count = CAMDN_BATCHES * EACH + more;
    camdn_batches batches = {0};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t batch = i / EACH < CAMDN_BATCHES ? i / EACH : CAMDN_BATCHES - 1;
        camdn_batch_add(&batches, i, count, means[batch] + (i % 2 ? 100 : -100));
    }
    return camdn_batch_close(&batches);
}

/* Means 1 to 10: their squares sum to 82.5, so that the error of the mean is sqrt(82.5 / 9 / 10)
 * and t(0.975, 9) = 2.2622 times that the half-width. Neighbours: 57.75 / 82.5. What swings within
 * a batch is not seen, what is left over counts in the last. */
static void test_a_rising_series(void **state)
{
    (void)state;
    static const double RISING[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (size_t more = 0; more < CAMDN_BATCHES; more += 2) {
        camdn_sureness is = sureness_of(RISING, more);
        assert_true(fabs(is.mean - 5.5) < 1e-12);
        assert_true(fabs(is.half_width - 2.262157163 * 0.957427108) < 1e-8);
        assert_true(fabs(is.lag1 - 0.7) < 1e-12);
    }
}

/* Every second mean is 2 larger: nine products of -1 over ten squares of 1. */
static void test_a_series_that_swings(void **state)
{
    (void)state;
    static const double SWINGS[] = {3, 5, 3, 5, 3, 5, 3, 5, 3, 5};
    camdn_sureness is = sureness_of(SWINGS, 0);
    assert_true(fabs(is.mean - 4) < 1e-12 && fabs(is.lag1 + 0.9) < 1e-12);
    assert_true(fabs(is.half_width - 2.262157163 / 3) < 1e-8);
}

static void test_a_constant_series(void **state)
{
    (void)state;
    static const double SAME[CAMDN_BATCHES] = {0};
    camdn_sureness is = sureness_of(SAME, 4);
    assert_true(is.mean == 0 && is.half_width == 0 && is.lag1 == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rising_series),
        cmocka_unit_test(test_a_series_that_swings),
        cmocka_unit_test(test_a_constant_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
