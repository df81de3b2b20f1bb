/* SPDX-License-Identifier: MIT */
/* Are the random numbers Philox4x32-10, unbiased in use, and independent of drawing order? */
#include "memsweep/base/rng.h"
#include "testing.h"

#include <string.h>

/* Known answers: kat_vectors of the Random123 library (Salmon et al. 2011). */
static void philox_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } CASES[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint32_t out[4];
        msw_philox(CASES[i].counter, CASES[i].key, out);
        assert_memory_equal(out, CASES[i].out, sizeof out);
    }
}

static void seeking_equals_drawing(void **state)
{
    (void)state;
    msw_rng walk, jump;
    msw_rng_init(&walk, 42, 7);
    for (int i = 0; i < 4 * 1000; i++)
        msw_rng_u32(&walk);
    msw_rng_init(&jump, 42, 7);
    msw_rng_seek(&jump, 1000);
    assert_int_equal(msw_rng_u64(&walk), msw_rng_u64(&jump));
}

static void permutation_is_one(void **state)
{
    (void)state;
    static const uint64_t SIZES[] = {1, 2, 3, 5, 16, 17, 1000, 4096};
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        char seen[4096] = {0};
        for (uint64_t i = 0; i < SIZES[s]; i++) {
            uint64_t to = msw_permute(i, SIZES[s], 99);
            assert_true(to < SIZES[s]);
            assert_int_equal(seen[to]++, 0);
        }
    }
}

/* Counts of value v at place i over 40,000 keys; five standard errors of a share 1/n. */
static void permutation_favours_no_value(void **state)
{
    (void)state;
    enum { KEYS = 40000, LARGEST = 20 };
    for (uint64_t n = 2; n <= LARGEST; n++) {
        int counts[LARGEST][LARGEST] = {{0}};
        for (uint64_t key = 0; key < KEYS; key++)
            for (uint64_t i = 0; i < n; i++)
                counts[i][msw_permute(i, n, key * 0x9E3779B97F4A7C15u)]++;
        double share = 1.0 / (double)n, error = sqrt(KEYS * share * (1 - share));
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t v = 0; v < n; v++)
                assert_near(counts[i][v], KEYS * share, 5 * error);
    }
}

static void moments(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 1, 2);
    double sum = 0, squares = 0, uniform = 0;
    enum { N = 200000 };
    for (int i = 0; i < N; i++) {
        double x = msw_rng_normal(&rng);
        sum += x;
        squares += x * x;
        uniform += msw_rng_uniform(&rng);
    }
    /* Five standard errors of each mean. */
    assert_near(sum / N, 0, 5 / 447.2);
    assert_near(squares / N, 1, 5 * 1.4143 / 447.2);
    assert_near(uniform / N, 0.5, 5 * 0.2887 / 447.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(seeking_equals_drawing),
        cmocka_unit_test(permutation_is_one),
        cmocka_unit_test(permutation_favours_no_value),
        cmocka_unit_test(moments),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
