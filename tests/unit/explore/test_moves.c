/* SPDX-License-Identifier: MIT */
/* Do particles that are resampled and moved come to the distribution they are meant for, is every
 * proposal as likely back as forth, and is the test for few ranks that of the tables? */
#include "testing.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/explore/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- powers of the likelihood ---- */

static void the_power_leaves_the_effective_sample_asked_for(void **state)
{
    (void)state;
    /* Half of 100 has the likelihood 1, the others exp(-5): with w = exp(-5 phi) the effective
     * sample is 50 (1 + w)^2 / (1 + w^2). At 90, w / (1 + w^2) is 0.4: w is 1/2, phi = ln 2 / 5. */
    double log[100], density[100];
    for (size_t k = 0; k < 100; k++) {
        log[k] = k < 50 ? 0 : -5;
        density[k] = 1;
    }
    assert_near(msw_temper(log, NULL, 100, 0, 90), msw_math_log(2) / 5, 1e-6);
    assert_near(msw_temper(log, density, 100, 0.1, 90), 0.1 + msw_math_log(2) / 5, 1e-6);
    assert_near(msw_temper(log, NULL, 100, 0, 40), 1, 0);   /* all of it leaves 50 */
    assert_near(msw_temper(log, NULL, 100, 0, 101), 0, 0);  /* nothing does */
    assert_near(msw_temper(log, NULL, 100, 0.9, 90), 1, 0); /* 0.1 of it leaves more */
    log[0] = -INFINITY; /* has no value: never counts, at no power */
    assert_near(msw_temper(log, NULL, 100, 0, 100), 0, 0);
    double weights[100];
    msw_tempered_weights(log, NULL, 100, 0, weights);
    assert_near(weights[0], 0, 0);
    assert_near(weights[99], 1.0 / 99, 1e-15);
}

/* ---- resampling ---- */

static void resampling_rounds_each_weight_down_or_up(void **state)
{
    (void)state;
    enum { OF = 37, DRAWS = 100 };
    double weights[OF], sum = 0, mean = 0;
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (size_t k = 0; k < OF; k++)
        sum += weights[k] = k % 5 ? msw_rng_uniform(&rng) : 0;
    for (int key = 0; key < 200; key++) {
        size_t chosen[DRAWS], copies[OF] = {0};
        msw_resample(weights, OF, (key + 0.5) / 200, DRAWS, chosen);
        for (size_t i = 0; i < DRAWS; i++)
            copies[chosen[i]]++;
        for (size_t k = 0; k < OF; k++) {
            double wanted = DRAWS * weights[k] / sum;
            assert_true((double)copies[k] >= floor(wanted) && (double)copies[k] <= ceil(wanted));
        }
        mean += (double)copies[1] / 200;
    }
    assert_near(mean, DRAWS * weights[1] / sum, 0.011); /* over all keys it is unbiased */
}

static void only_what_has_weight_is_drawn(void **state)
{
    (void)state;
    const double weights[] = {0, 0.25, 0, 0.75, 0};
    size_t chosen[4];
    msw_resample(weights, 5, 0, 4, chosen);
    const size_t first[] = {1, 3, 3, 3};
    assert_memory_equal(chosen, first, sizeof first);
    msw_resample(weights, 5, 1 - 0x1p-53, 4, chosen);
    assert_int_equal(chosen[3], 3);
}

/* ---- proposals ---- */

/* Probabilities of all proposals between levels, by trying a grid of keys that every part of the
 * unit interval has its share of. */
typedef uint64_t (*step_fn)(uint64_t from, uint64_t levels, uint64_t width, double key);

static uint64_t cut_off(uint64_t from, uint64_t levels, uint64_t width, double key)
{
    double to = (double)from + floor(key * (double)(2 * width)) - (double)width;
    to += to >= (double)from;
    return (uint64_t)fmin(fmax(to, 0), (double)(levels - 1));
}

static uint64_t any_other(uint64_t from, uint64_t levels, uint64_t width, double key)
{
    (void)width;
    return msw_step_other(from, levels, key);
}

enum { MOST = 8 };

/* How far a kernel is from being symmetric. */
static double asymmetry(step_fn step, uint64_t levels, uint64_t width)
{
    double p[MOST][MOST] = {0}, most = 0;
    int keys = 1680; /* every number up to 8, and twice it, divides it */
    for (uint64_t from = 0; from < levels; from++)
        for (int k = 0; k < keys; k++) {
            uint64_t to = step(from, levels, width, (k + 0.5) / keys);
            assert_true(to < levels);
            p[from][to] += 1.0 / keys;
        }
    for (uint64_t a = 0; a < levels; a++)
        for (uint64_t b = 0; b < levels; b++)
            most = fmax(most, fabs(p[a][b] - p[b][a]));
    return most;
}

static void steps_of_levels_are_as_likely_back_as_forth(void **state)
{
    (void)state;
    for (uint64_t levels = 2; levels <= MOST; levels++) {
        assert_near(asymmetry(any_other, levels, 0), 0, 1e-12);
        for (uint64_t width = 1; width < levels; width++)
            assert_near(asymmetry(msw_step_level, levels, width), 0, 1e-12);
    }
    /* The worked ones of docs/models/calibrate.md: five levels, up to two of them. */
    assert_near(asymmetry(cut_off, 5, 2), 0.25, 1e-12);
    assert_int_equal(msw_step_level(0, 5, 2, 0.1), 1); /* -2: reflected */
    assert_int_equal(msw_step_level(0, 5, 2, 0.3), 0); /* -1 */
    assert_int_equal(msw_step_level(4, 5, 2, 0.9), 3); /* 2 */
    assert_int_equal(msw_step_other(1, 2, 0.7), 0);
    assert_int_equal(msw_step_other(0, 1, 0.7), 0);
}

/* Proposals as a whole: with a place from anywhere, widths drawn, positions of cells. */
static void proposals_are_as_likely_back_as_forth(void **state)
{
    (void)state;
    enum { LEVELS = 7, SCALES = 16, KEYS = 1680 };
    double p[LEVELS][LEVELS] = {0};
    for (uint64_t from = 0; from < LEVELS; from++)
        for (int fresh = 0; fresh < 2; fresh++)
            for (int scale = 0; scale < SCALES; scale++)
                for (int k = 0; k < KEYS; k++) {
                    const double keys[] = {fresh ? 0.05 : 0.5, (scale + 0.5) / SCALES,
                                           (k + 0.5) / KEYS};
                    double to = msw_propose((from + 0.5) / LEVELS, LEVELS, 0.3, keys);
                    p[from][msw_level_at(to, LEVELS)] += fresh ? 0.1 : 0.9;
                }
    for (int a = 0; a < LEVELS; a++)
        for (int b = 0; b < LEVELS; b++)
            assert_near(p[a][b] / SCALES / KEYS, p[b][a] / SCALES / KEYS, 1e-9);
    assert_true(p[0][6] > 0);
}

static void steps_of_a_range_are_reflected(void **state)
{
    (void)state;
    assert_near(msw_step_range(0.1, 0.4, 0), 0.3, 1e-12);
    assert_near(msw_step_range(0.9, 0.4, 0.999999999), 0.7, 1e-6);
    assert_near(msw_step_range(0.5, 0.4, 0.75), 0.7, 1e-12);
    /* The even distribution stays as it is: what leaves a cell comes back to it. */
    double p[10] = {0};
    for (int from = 0; from < 1000; from++)
        for (int k = 0; k < 1000; k++) {
            double to = msw_step_range((from + 0.5) / 1000, 0.35, (k + 0.5) / 1000);
            assert_true(to >= 0 && to < 1);
            p[(int)(to * 10)] += 1e-6;
        }
    for (int cell = 0; cell < 10; cell++)
        assert_near(p[cell], 0.1, 5e-4);
}

/* ---- a target that can be counted ---- */

enum { WIDE = 6, FEW = 3, PARTICLES = 16384, ROUNDS = 30 };

/* Two hills over levels, at 0 and 5, higher there with the second unknown at 0 or 2. */
static double log_of(uint64_t a, uint64_t b)
{
    static const double HILL[WIDE] = {0, -2, -3, -3, -1.5, 0.5};
    return HILL[a] + (b == 1 ? -1.5 : 0) + (a > 3 && b == 2 ? 1 : 0);
}

/* The largest difference of the share of a pair of levels from what it is, after particles that
 * stood evenly were tempered in two powers, resampled and moved. */
static double largest_error(step_fn step)
{
    static uint64_t at[PARTICLES][2], before[PARTICLES][2];
    static double log[PARTICLES], weights[PARTICLES];
    static size_t chosen[PARTICLES];
    double count[WIDE][FEW] = {0}, sum = 0, most = 0, phi = 0;
    msw_rng rng;
    msw_rng_init(&rng, 9, 0);
    for (size_t i = 0; i < PARTICLES; i++) {
        at[i][0] = i % WIDE;
        at[i][1] = i / WIDE % FEW;
    }
    for (int power = 1; power <= 2; power++) {
        for (size_t i = 0; i < PARTICLES; i++)
            log[i] = log_of(at[i][0], at[i][1]);
        msw_tempered_weights(log, NULL, PARTICLES, power / 2.0 - phi, weights);
        phi = power / 2.0;
        msw_resample(weights, PARTICLES, msw_rng_uniform(&rng), PARTICLES, chosen);
        memcpy(before, at, sizeof at);
        for (size_t i = 0; i < PARTICLES; i++)
            memcpy(at[i], before[chosen[i]], sizeof at[i]);
        for (int round = 0; round < ROUNDS; round++)
            for (size_t i = 0; i < PARTICLES; i++) {
                uint64_t a = step(at[i][0], WIDE, 2, msw_rng_uniform(&rng)), b = at[i][1];
                if (msw_rng_uniform(&rng) < 0.5)
                    b = msw_step_other(b, FEW, msw_rng_uniform(&rng));
                if (!msw_move_taken(log_of(at[i][0], at[i][1]), log_of(a, b), phi,
                                    msw_rng_uniform(&rng)))
                    continue;
                at[i][0] = a;
                at[i][1] = b;
            }
    }
    for (size_t i = 0; i < PARTICLES; i++)
        count[at[i][0]][at[i][1]] += 1.0 / PARTICLES;
    for (uint64_t a = 0; a < WIDE; a++)
        for (uint64_t b = 0; b < FEW; b++)
            sum += msw_math_exp(log_of(a, b));
    for (uint64_t a = 0; a < WIDE; a++)
        for (uint64_t b = 0; b < FEW; b++)
            most = fmax(most, fabs(count[a][b] - msw_math_exp(log_of(a, b)) / sum));
    return most;
}

static void particles_come_to_a_target_that_can_be_counted(void **state)
{
    (void)state;
    /* Four deviations of a share of 0.4 among so many. With steps that are cut off it is not met.
     */
    double bound = 4 * sqrt(0.4 * 0.6 / PARTICLES);
    assert_true(largest_error(msw_step_level) < bound);
    assert_true(largest_error(cut_off) > 1.5 * bound);
}

static void what_is_likelier_is_always_taken(void **state)
{
    (void)state;
    assert_true(msw_move_taken(-5, -4, 1, 0.999));
    assert_true(msw_move_taken(-4, -5, 1, 0.36)); /* exp(-1) = 0.3679 */
    assert_false(msw_move_taken(-4, -5, 1, 0.37));
    assert_true(msw_move_taken(-4, -5, 0.5, 0.6)); /* exp(-1/2) = 0.6065 */
    assert_false(msw_move_taken(-4, -INFINITY, 1, 0));
}

/* ---- few ranks ---- */

static void kolmogorovs_law_is_that_of_small_samples(void **state)
{
    (void)state;
    /* n = 1: the largest difference is below d where the value is within d of both ends. */
    assert_near(msw_kolmogorov_above(0.7, 1), 1 - 0.4, 1e-12);
    /* n = 2: 2 (2 d - 1/2)^2 up to a half, 1 - 2 (1 - d)^2 above. */
    assert_near(msw_kolmogorov_above(0.4, 2), 1 - 2 * 0.09, 1e-12);
    assert_near(msw_kolmogorov_above(0.8, 2), 2 * 0.04, 1e-12);
    /* Marsaglia, Tsang and Wang, Journal of Statistical Software 8 (2003): P(D_10 < 0.274). */
    assert_near(msw_kolmogorov_above(0.274, 10), 1 - 0.6284796154565043, 1e-12);
    /* Critical values of Miller, Journal of the American Statistical Association 51 (1956). */
    assert_near(msw_kolmogorov_above(0.29408, 20), 0.05, 1e-4);
    assert_near(msw_kolmogorov_above(0.35241, 20), 0.01, 1e-4);
    assert_near(msw_kolmogorov_above(0.40925, 10), 0.05, 1e-4);
    assert_near(msw_kolmogorov_above(0.02, 20), 1, 0);
    assert_near(msw_kolmogorov_above(1, 20), 0, 0);
    double values[] = {0.9, 0.1, 0.2};
    assert_near(msw_kolmogorov(values, 3), 2.0 / 3 - 0.2, 1e-12);
}

static double probability_of(double (*rank)(double))
{
    double ranks[20];
    for (int k = 0; k < 20; k++)
        ranks[k] = rank((k + 0.5) / 20);
    return msw_few_ranks_probability(ranks, 20);
}

static double even(double at)
{
    return at;
}
static double shifted(double at)
{
    return at * at;
}
static double at_the_ends(double at)
{
    return at < 0.5 ? at / 4 : 1 - (1 - at) / 4;
}
static double in_the_middle(double at)
{
    return 0.3 + 0.4 * at;
}

static void twenty_ranks_tell_what_is_shifted_and_what_too_narrow(void **state)
{
    (void)state;
    assert_true(probability_of(even) > 0.99);
    assert_true(probability_of(shifted) < 0.3);
    assert_true(probability_of(at_the_ends) < 1e-4);
    assert_true(probability_of(in_the_middle) < 1e-4);
    assert_true(isnan(msw_few_ranks_probability(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_power_leaves_the_effective_sample_asked_for),
        cmocka_unit_test(resampling_rounds_each_weight_down_or_up),
        cmocka_unit_test(only_what_has_weight_is_drawn),
        cmocka_unit_test(steps_of_levels_are_as_likely_back_as_forth),
        cmocka_unit_test(proposals_are_as_likely_back_as_forth),
        cmocka_unit_test(steps_of_a_range_are_reflected),
        cmocka_unit_test(particles_come_to_a_target_that_can_be_counted),
        cmocka_unit_test(what_is_likelier_is_always_taken),
        cmocka_unit_test(kolmogorovs_law_is_that_of_small_samples),
        cmocka_unit_test(twenty_ranks_tell_what_is_shifted_and_what_too_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
