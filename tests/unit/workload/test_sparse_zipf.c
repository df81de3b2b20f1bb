/* SPDX-License-Identifier: MIT */
/* Are ranks drawn with the probabilities of Zipf's law? Against sums made term by term. */
#include "testing.h"
#include "workload/sparse/parts.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

enum { DRAWS = 200000 };

static double exact(uint32_t from, uint32_t to, double s)
{
    double sum = 0;
    for (uint32_t r = to; r > from; r--)
        sum += pow(r, -s);
    return sum;
}

/* Chi-square of the counts over groups of ranks, each expected at least fifty times. */
static double p_value(const msw_zipf *zipf, uint32_t count, double s, uint64_t seed)
{
    uint32_t *counts = calloc(count, sizeof *counts), groups = 0;
    double total = exact(0, count, s), left = total, chi = 0, expected = 0, found = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint32_t rank = msw_zipf_at(zipf, (msw_zipf_draw){seed, i, 3});
        assert_true(rank < count);
        counts[rank]++;
    }
    for (uint32_t r = 0; r < count; r++) {
        double mass = pow(r + 1, -s);
        left -= mass;
        expected += DRAWS * mass / total;
        found += counts[r];
        if (r + 1 < count && (expected < 50 || left / total * DRAWS < 50))
            continue;
        chi += (found - expected) * (found - expected) / expected;
        expected = found = 0;
        groups++;
    }
    free(counts);
    return groups > 1 ? gsl_cdf_chisq_Q(chi, groups - 1) : 1;
}

static void test_frequencies_are_those_of_the_law(void **state)
{
    (void)state;
    static const uint32_t COUNTS[] = {1, 2, 3, 63, 64, 65, 512, 3194, 20000};
    static const double EXPONENTS[] = {0, 0.5, 0.85, 1, 1.3, 4};
    msw_zipf zipf;
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++)
        for (size_t e = 0; e < sizeof EXPONENTS / sizeof *EXPONENTS; e++) {
            msw_zipf_init(&zipf, COUNTS[c], EXPONENTS[e]);
            double p = p_value(&zipf, COUNTS[c], EXPONENTS[e], 7);
            if (p < 1e-5)
                fail_msg("%u ranks, exponent %g: chance %g", COUNTS[c], EXPONENTS[e], p);
        }
}

/* The share of the first 1000 of a million ranks, within five standard errors. */
static void test_large_tables_too(void **state)
{
    (void)state;
    static const double EXPONENTS[] = {0.6, 1, 1.2};
    enum { COUNT = 1000000, FIRST = 1000 };
    msw_zipf zipf;
    for (size_t e = 0; e < sizeof EXPONENTS / sizeof *EXPONENTS; e++) {
        double s = EXPONENTS[e], share = exact(0, FIRST, s) / exact(0, COUNT, s);
        uint32_t found = 0;
        msw_zipf_init(&zipf, COUNT, s);
        for (uint64_t i = 0; i < DRAWS; i++)
            found += msw_zipf_at(&zipf, (msw_zipf_draw){1, i, 0}) < FIRST;
        assert_near((double)found / DRAWS, share, 5 * sqrt(share * (1 - share) / DRAWS));
    }
}

static void test_each_draw_is_its_own(void **state)
{
    (void)state;
    msw_zipf zipf;
    msw_zipf_init(&zipf, 1000000, 1);
    uint32_t forward[100];
    for (uint64_t i = 0; i < 100; i++)
        forward[i] = msw_zipf_at(&zipf, (msw_zipf_draw){5, i, 1});
    uint32_t other = 0;
    for (uint64_t i = 100; i-- > 0;) {
        assert_int_equal(msw_zipf_at(&zipf, (msw_zipf_draw){5, i, 1}), forward[i]);
        other += msw_zipf_at(&zipf, (msw_zipf_draw){6, i, 1}) != forward[i];
    }
    assert_true(other > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies_are_those_of_the_law),
        cmocka_unit_test(test_large_tables_too),
        cmocka_unit_test(test_each_draw_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
