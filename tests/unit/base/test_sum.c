/* SPDX-License-Identifier: MIT */
/* Do sums of very many numbers lose nothing? Answers are those of whole numbers, by formula. */
#include "memsweep/base/sum.h"

#include "testing.h"

enum { COUNT = 100000 };
#define FAR 1e9

/* The mean of FAR, FAR + 1, ... and the sum of the squares of the distances from it, n (n^2 - 1) /
 * 12: the sum of the squares has 77 bits. */
static void nothing_is_lost(void **state)
{
    msw_sum sum = {0}, squares = {0};
    double n = COUNT;
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        msw_sum square = msw_sum_product(FAR + i, FAR + i);
        msw_sum_add(&sum, FAR + i);
        msw_sum_join(&squares, &square);
    }
    assert_true(msw_sum_mean(&sum, COUNT) == FAR + (n - 1) / 2);
    assert_true(msw_sum_about_mean(&sum, &squares, COUNT) == n * (n * n - 1) / 12);
}

/* What is large leaves, and what is small is still there. */
static void small_ones_stay(void **state)
{
    msw_sum sum = {0};
    (void)state;
    msw_sum_add(&sum, 1e20);
    for (int i = 0; i < COUNT; i++)
        msw_sum_add(&sum, 0.5);
    msw_sum_add(&sum, -1e20);
    assert_true(msw_sum_value(&sum) == COUNT * 0.5);
}

/* Parts that are joined, in any order, give the mean of the whole. */
static void parts_give_the_whole(void **state)
{
    msw_sum whole = {0}, parts[7] = {{0}}, joined = {0};
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        msw_sum_add(&whole, 1.0 / (1 + i));
        msw_sum_add(&parts[i % 7], 1.0 / (1 + i));
    }
    for (int p = 6; p >= 0; p--)
        msw_sum_join(&joined, &parts[p]);
    assert_true(msw_sum_mean(&whole, COUNT) == msw_sum_mean(&joined, COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(small_ones_stay),
        cmocka_unit_test(parts_give_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
