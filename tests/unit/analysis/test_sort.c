/* SPDX-License-Identifier: MIT */
/* Is the order ascending and stable for every spread of values, and are ranks shared by ties? */
#include "analysis/stats/sort.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <stdlib.h>

enum { MOST = 3000, KINDS = 7 };

static double value_of(int kind, msw_rng *rng)
{
    double u = msw_rng_uniform(rng);
    switch (kind) {
    case 0:
        return u;
    case 1:
        return floor(5 * u) - 2;
    case 2:
        return exp(200 * msw_rng_normal(rng));
    case 3: /* a cluster far finer than the distance to the other values */
        return u < 0.1 ? -1e300 * u : 1 + 1e-12 * u;
    case 4:
        return u < 0.5 ? -0.0 : 0.0;
    case 5:
        return u < 0.2 ? -INFINITY : u < 0.4 ? INFINITY : u - 0.5;
    default:
        return 5e-324 * floor(1000 * u);
    }
}

static void check_order(const double *x, size_t n, msw_arena *arena)
{
    static uint32_t order[MOST];
    static char seen[MOST];
    assert_int_equal(sort_ascending(x, n, order, arena), 0);
    for (size_t i = 0; i < n; i++)
        seen[i] = 0;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(seen[order[i]]++, 0);
        if (i > 0) {
            assert_true(x[order[i - 1]] <= x[order[i]]);
            assert_true(x[order[i - 1]] < x[order[i]] || order[i - 1] < order[i]);
        }
    }
}

static void ascending_and_stable(void **state)
{
    (void)state;
    static const size_t SIZES[] = {0, 1, 2, 40, 41, 500, MOST};
    static double x[MOST];
    msw_arena arena = {0};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
            msw_rng rng;
            msw_rng_init(&rng, (uint64_t)kind, s);
            for (size_t i = 0; i < SIZES[s]; i++)
                x[i] = value_of(kind, &rng);
            check_order(x, SIZES[s], &arena);
        }
    msw_arena_free(&arena);
}

static void ties_share_ranks(void **state)
{
    (void)state;
    const double x[] = {3, 1, 3, -0.0, 0.0, 3};
    uint32_t order[6];
    int32_t dense[6];
    double middle[6];
    msw_arena arena = {0};
    assert_int_equal(sort_ascending(x, 6, order, &arena), 0);
    assert_int_equal(sort_dense_ranks(x, order, 6, dense), 3);
    sort_mid_ranks(x, order, 6, middle);
    const int32_t wanted[] = {2, 1, 2, 0, 0, 2};
    const double mid[] = {5, 3, 5, 1.5, 1.5, 5};
    assert_memory_equal(dense, wanted, sizeof dense);
    for (int i = 0; i < 6; i++)
        assert_true(middle[i] == mid[i]);
    msw_arena_free(&arena);
}

static void keys_of_any_size(void **state)
{
    (void)state;
    enum { N = 1000 };
    int32_t key[2 * N];
    uint32_t order[N];
    msw_arena arena = {0};
    for (int64_t limit = 1; limit < 100000000; limit *= 99) {
        for (int i = 0; i < N; i++) {
            order[i] = (uint32_t)i;
            key[2 * i + 1] = (int32_t)((int64_t)i * 7919 * 65537 % limit);
        }
        assert_int_equal(sort_by_key(key + 1, 2, (size_t)limit, order, N, &arena), 0);
        for (int i = 1; i < N; i++) {
            int32_t a = key[2 * order[i - 1] + 1], b = key[2 * order[i] + 1];
            assert_true(a < b || (a == b && order[i - 1] < order[i]));
        }
    }
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascending_and_stable),
        cmocka_unit_test(ties_share_ranks),
        cmocka_unit_test(keys_of_any_size),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
