/* SPDX-License-Identifier: MIT */
/* Are rows drawn at random, in whole blocks, and the same ones again? Do numbers stand on an axis
 * where their scale says? */
#include "memsweep/analysis/axis.h"
#include "memsweep/analysis/subset.h"
#include "testing.h"

#include <string.h>

enum { N = 20000 };

/* Of rows that go round in fours each residue is drawn about equally often. */
static void no_pattern_of_the_rows_is_met(void **state)
{
    (void)state;
    static uint32_t row[N], again[N];
    size_t count, repeated, residue[4] = {0};
    assert_int_equal(msw_subset(N, NULL, 5000, 1, row, &count, NULL), 0);
    assert_int_equal(count, 5000);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || row[i] > row[i - 1]);
        residue[row[i] % 4]++;
    }
    for (int r = 0; r < 4; r++)
        assert_near((double)residue[r], 1250, 5 * 31);
    assert_int_equal(msw_subset(N, NULL, 5000, 1, again, &repeated, NULL), 0);
    assert_int_equal(repeated, count);
    assert_memory_equal(row, again, count * sizeof *row);
    assert_int_equal(msw_subset(N, NULL, 5000, 2, again, &repeated, NULL), 0);
    assert_true(memcmp(row, again, count * sizeof *row) != 0);
    assert_int_equal(msw_subset(N, NULL, N, 1, row, &count, NULL), 0);
    assert_int_equal(count, N);
}

static void blocks_come_whole(void **state)
{
    (void)state;
    static uint64_t block[N];
    static uint32_t row[N];
    size_t count, taken[N / 10] = {0};
    for (size_t i = 0; i < N; i++)
        block[i] = i / 10;
    assert_int_equal(msw_subset(N, block, 1005, 1, row, &count, NULL), 0);
    assert_int_equal(count, 1000);
    for (size_t i = 0; i < count; i++)
        taken[row[i] / 10]++;
    for (size_t b = 0; b < N / 10; b++)
        assert_true(taken[b] == 0 || taken[b] == 10);
}

static void numbers_stand_on_their_scale(void **state)
{
    (void)state;
    const double sizes[] = {16, 4, 1, 64}, with_zero[] = {0, 2, 4, 16}, negative[] = {-1, 1, 3};
    msw_axis axis = msw_axis_make(sizes, 4, true);
    assert_near(msw_axis_position(&axis, 1), 0, 0);
    assert_near(msw_axis_position(&axis, 8), 0.5, 1e-15);
    assert_near(msw_axis_position(&axis, 64), 1, 0);
    axis = msw_axis_make(with_zero, 4, true);
    assert_near(msw_axis_position(&axis, 0), 0, 0);
    assert_near(msw_axis_position(&axis, 1), 0.125, 1e-15);
    assert_near(msw_axis_position(&axis, 2), 0.25, 1e-15);
    assert_near(msw_axis_position(&axis, 16), 1, 0);
    axis = msw_axis_make(negative, 3, true);
    assert_near(msw_axis_position(&axis, 1), 0.5, 1e-15);
    axis = msw_axis_make(negative, 1, false);
    assert_near(msw_axis_position(&axis, -1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pattern_of_the_rows_is_met),
        cmocka_unit_test(blocks_come_whole),
        cmocka_unit_test(numbers_stand_on_their_scale),
    };
    return cmocka_run_group_tests_name("subset", tests, NULL, NULL);
}
