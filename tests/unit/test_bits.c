/* SPDX-License-Identifier: MIT */
/* Is the small arithmetic that models share right at its edges? */
#include "testing.h"

#include "memsweep/base/bits.h"

static const uint64_t NUMBERS[] = {0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   7,
                                   8,
                                   9,
                                   15,
                                   16,
                                   17,
                                   1023,
                                   1024,
                                   1025,
                                   UINT32_MAX,
                                   4096,
                                   UINT64_C(1) << 32,
                                   (UINT64_C(1) << 62) + 1,
                                   UINT64_C(1) << 63};

static void width_and_log2_count_as_loops_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        unsigned width = 0, set = 0;
        for (uint64_t left = NUMBERS[i]; left; left >>= 1, width++)
            set += left & 1;
        assert_int_equal(msw_bits_width(NUMBERS[i]), width);
        assert_int_equal(msw_bits_log2(NUMBERS[i]), width ? width - 1 : 0);
        assert_int_equal(msw_bits_count(NUMBERS[i]), set);
        unsigned up = 0;
        while (up < 64 && (uint64_t)1 << up < NUMBERS[i])
            up++;
        assert_int_equal(msw_bits_log2_up(NUMBERS[i]), up);
    }
}

static void masks_hold_so_many_bits(void **state)
{
    (void)state;
    for (unsigned count = 0; count <= 64; count++) {
        uint64_t mask = 0;
        for (unsigned bit = 0; bit < count; bit++)
            mask |= (uint64_t)1 << bit;
        assert_true(msw_bits_mask(count) == mask);
    }
}

static void power_is_the_next_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        uint64_t power = 1;
        while (power < NUMBERS[i])
            power *= 2;
        assert_true(msw_bits_power(NUMBERS[i]) == power);
    }
}

static void sizes_are_rounded_up(void **state)
{
    (void)state;
    for (uint64_t size = 0; size < 300; size++) {
        assert_int_equal(msw_align_line((size_t)size), (size + 63) / 64 * 64);
        for (uint64_t power = 1; power <= 256; power *= 2)
            assert_int_equal(msw_align_up(size, power), (size + power - 1) / power * power);
    }
}

static void quotients_are_rounded_up(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 100; number++)
        for (uint64_t divisor = 1; divisor < 100; divisor++)
            assert_int_equal(msw_div_up(number, divisor),
                             number / divisor + (number % divisor != 0));
}

/* The second one where neither is smaller or larger: NaN and the sign of 0 follow from that. */
static void ties_and_nan_give_the_second(void **state)
{
    (void)state;
    assert_true(signbit(msw_min_f64(0.0, -0.0)) && signbit(msw_max_f64(0.0, -0.0)));
    assert_true(!signbit(msw_min_f64(-0.0, 0.0)) && !signbit(msw_max_f64(-0.0, 0.0)));
    assert_true(msw_min_f64(NAN, 1) == 1 && msw_max_f64(NAN, 1) == 1);
    assert_true(isnan(msw_min_f64(1, NAN)) && isnan(msw_max_f64(1, NAN)));
    assert_true(msw_min_f64(-1, 2) == -1 && msw_max_f64(-1, 2) == 2);
    assert_true(msw_min_u64(3, UINT64_MAX) == 3 && msw_max_u64(3, UINT64_MAX) == UINT64_MAX);
    assert_true(msw_min_i64(-3, 3) == -3 && msw_max_i64(-3, 3) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_and_log2_count_as_loops_do),
        cmocka_unit_test(masks_hold_so_many_bits),
        cmocka_unit_test(power_is_the_next_one),
        cmocka_unit_test(sizes_are_rounded_up),
        cmocka_unit_test(quotients_are_rounded_up),
        cmocka_unit_test(ties_and_nan_give_the_second),
    };
    return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
