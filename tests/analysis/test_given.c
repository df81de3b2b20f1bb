/* SPDX-License-Identifier: MIT */
/* Defect 425. Do measures of given rows meet their known values: classes (first order, PAWN,
 * delta) of a sum of two uniform inputs, Shapley effects of populations whose factors depend on
 * each other, plain and rank correlations? */
#include "memsweep/analysis/given.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 4000 };

typedef struct sample {
    double x[2][ROWS], y[ROWS];
    uint32_t of[ROWS];
} sample;

static double uniform(msw_rng *rng)
{
    return (double)(msw_rng_u64(rng) >> 11) * 0x1p-53;
}

static void draw(sample *s, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 0);
    for (int i = 0; i < ROWS; i++) {
        s->x[0][i] = uniform(&rng);
        s->x[1][i] = uniform(&rng);
        s->y[i] = s->x[0][i] + s->x[1][i];
    }
}

static msw_given_index find(sample *s, const double *x, size_t resamples, bool chance)
{
    msw_err err = {0};
    msw_given_classes classes = {.of = s->of};
    msw_resampling how = {.resamples = resamples, .confidence = 0.95, .seed = 1};
    msw_given_outputs outputs;
    msw_given_index index;
    assert_ok(msw_given_cut(x, ROWS, msw_given_classes_most(ROWS), &classes, &err), err);
    assert_ok(msw_given_sort(s->y, ROWS, &outputs, &err), err);
    assert_ok(
        (chance ? msw_given_chance : msw_given_measure)(&outputs, &classes, &how, &index, &err),
        err);
    msw_given_outputs_free(&outputs);
    return index;
}

static msw_given_index measure(sample *s, const double *x, size_t resamples)
{
    return find(s, x, resamples, false);
}

/* y = x1 + x2: first order 1/2. Of class x: the distance is max(x^2, (1 - x)^2) / 2, whose median
 * is 9/32 and whose largest is 1/2; delta is the mean of (x^2 + (1 - x)^2) / 2, 1/3. */
static void a_sum_is_shared(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    double first = 0, pawn = 0, largest = 0, delta = 0;
    int seeds = 12;
    for (int seed = 1; seed <= seeds; seed++) {
        draw(s, (uint64_t)seed);
        msw_given_index index = measure(s, s->x[seed % 2], 50);
        first += index.first / seeds;
        pawn += index.pawn / seeds;
        largest += index.pawn_max / seeds;
        delta += index.delta / seeds;
    }
    print_message("first %.4f (0.5), pawn %.4f (0.2812), largest %.4f (0.5), delta %.4f (0.3333)\n",
                  first, pawn, largest, delta);
    assert_true(fabs(first - 0.5) < 0.01);
    assert_true(fabs(pawn - 9.0 / 32) < 0.02);
    assert_true(fabs(largest - 0.5) < 0.06);
    assert_true(fabs(delta - 1.0 / 3) < 0.02);
    free(s);
}

/* A factor that decides everything has all of the variance and the largest delta; one that is not
 * there has nothing but the noise that is taken off. */
static void levels_are_classes(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    draw(s, 3);
    for (int i = 0; i < ROWS; i++)
        s->y[i] = s->x[0][i] = floor(4 * s->x[0][i]);
    msw_given_index own = measure(s, s->x[0], 0), other = measure(s, s->x[1], 0);
    assert_int_equal(own.classes, 4);
    assert_true(fabs(own.first - 1) < 1e-12);
    assert_true(fabs(other.first) < 0.02);
    assert_true(own.pawn > 0.45 && other.pawn < 0.1);
    free(s);
}

/* The noise of class means is taken off: without that a factor without effect shows 14 / 4000. */
static void chance_explains_nothing(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    double first = 0;
    int seeds = 8;
    for (int seed = 1; seed <= seeds; seed++) {
        draw(s, (uint64_t)seed);
        for (int i = 0; i < ROWS; i++)
            s->y[i] = s->x[0][i];
        first += measure(s, s->x[1], 0).first / seeds;
    }
    print_message("first order of a factor without effect: %.5f\n", first);
    assert_true(fabs(first) < 0.0015);
    free(s);
}

/* The level of chance is what one in twenty factors without effect exceeds: of 100 factors, 5, at
 * most 12 (Binomial(100, 1/20): 0.0015 above). One draw was exceeded by half of them. */
static void chance_has_a_level(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    int above[3] = {0};
    draw(s, 1);
    for (int i = 0; i < ROWS; i++)
        s->y[i] = s->x[0][i] * s->x[0][i];
    msw_given_index level = find(s, s->x[1], 20, true);
    msw_rng rng;
    msw_rng_init(&rng, 77, 0);
    for (int factor = 0; factor < 100; factor++) {
        for (int i = 0; i < ROWS; i++)
            s->x[1][i] = uniform(&rng);
        msw_given_index own = measure(s, s->x[1], 20);
        above[0] += own.first > level.first;
        above[1] += own.pawn > level.pawn;
        above[2] += own.delta > level.delta;
    }
    print_message("above the level: first %d, pawn %d, delta %d of 100\n", above[0], above[1],
                  above[2]);
    for (int i = 0; i < 3; i++)
        assert_in_range(above[i], 0, 12);
    free(s);
}

/* ---- Shapley effects ---- */

static void shares(const double *y, const uint32_t *const *level, const uint32_t *levels,
                   unsigned factors, size_t n, double *effect, double *variance)
{
    msw_err err = {0};
    double first[MSW_SHAPLEY_FACTORS], total[MSW_SHAPLEY_FACTORS];
    msw_population p = {n, factors, level, levels, y};
    assert_ok(msw_shapley(&p, effect, first, total, variance, &err), err);
}

/* The grid {-1, 1}^2 with y = a + ab/2: V = 1 + 1/4, the interaction is shared in halves. */
static void independent_factors_share_interactions(void **state)
{
    (void)state;
    static const uint32_t A[] = {0, 0, 1, 1}, B[] = {0, 1, 0, 1}, LEVELS[] = {2, 2};
    static const double Y[] = {-0.5, -1.5, 0.5, 1.5};
    double effect[2], variance;
    shares(Y, (const uint32_t *const[]){A, B}, LEVELS, 2, 4, effect, &variance);
    assert_true(fabs(variance - 1.25) < 1e-15);
    assert_true(fabs(effect[0] - 0.9) < 1e-15 && fabs(effect[1] - 0.1) < 1e-15);
}

/* Where one factor repeats another they share what either knows, and one outside keeps its own. */
static void dependent_factors_share_what_they_know(void **state)
{
    (void)state;
    static const uint32_t A[] = {0, 1, 2, 0, 1, 2}, C[] = {0, 0, 0, 1, 1, 1}, LEVELS[] = {3, 3, 2};
    double y[6], effect[3], variance;
    for (int i = 0; i < 6; i++)
        y[i] = (double)A[i] + 2.0 * C[i]; /* 2/3 and 1 */
    shares(y, (const uint32_t *const[]){A, A, C}, LEVELS, 3, 6, effect, &variance);
    assert_true(fabs(variance - 5.0 / 3) < 1e-14);
    assert_true(fabs(effect[0] - 0.2) < 1e-14 && fabs(effect[1] - 0.2) < 1e-14);
    assert_true(fabs(effect[2] - 0.6) < 1e-14);
}

/* A triangle a + b <= 2 of a 3 x 3 grid, by hand: y = a. V = 5/9; knowing b alone explains
 * Var(E[a | b]) = Var(1, 1, 1, 1/2, 1/2, 0) = 5/36, a quarter: b has half of it, 1/8. */
static void constrained_factors_are_exact(void **state)
{
    (void)state;
    static const uint32_t A[] = {0, 1, 2, 0, 1, 0}, B[] = {0, 0, 0, 1, 1, 2}, LEVELS[] = {3, 3};
    double y[6], effect[2], variance;
    for (int i = 0; i < 6; i++)
        y[i] = (double)A[i];
    shares(y, (const uint32_t *const[]){A, B}, LEVELS, 2, 6, effect, &variance);
    assert_true(fabs(variance - 5.0 / 9) < 1e-15);
    assert_true(fabs(effect[0] - 0.875) < 1e-15 && fabs(effect[1] - 0.125) < 1e-15);
}

static void twelve_factors_sum_up_to_one(void **state)
{
    (void)state;
    enum { D = MSW_SHAPLEY_FACTORS, N = 500 };
    static uint32_t level[D][N], levels[D];
    static double y[N];
    const uint32_t *list[D];
    double effect[D], variance, sum = 0;
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (int f = 0; f < D; f++) {
        list[f] = level[f];
        levels[f] = 3;
        for (int i = 0; i < N; i++)
            level[f][i] =
                f && uniform(&rng) < 0.3 ? level[f - 1][i] : (uint32_t)(3 * uniform(&rng));
    }
    for (int i = 0; i < N; i++)
        y[i] = level[0][i] * (1.0 + level[1][i]) + uniform(&rng) / 10;
    shares(y, list, levels, D, N, effect, &variance);
    for (int f = 0; f < D; f++)
        sum += effect[f];
    assert_true(fabs(sum - 1) < 1e-12);
    msw_err err = {0};
    msw_population many = {N, D + 1, list, levels, y};
    assert_int_equal(msw_shapley(&many, effect, effect, effect, &variance, &err), -1);
}

static void correlations_with_ties(void **state)
{
    (void)state;
    static const double X[] = {1, 2, 2, 3, 10}, Y[] = {1, 3, 2, 2, 9};
    msw_correlation c;
    msw_err err = {0};
    assert_ok(msw_correlate(X, Y, 5, &c, &err), err);
    /* ranks 1 2.5 2.5 4 5 and 1 4 2.5 2.5 5: 7.25 / 9.5 */
    assert_true(fabs(c.spearman - 7.25 / 9.5) < 1e-12);
    assert_true(fabs(c.pearson - 45.8 / sqrt(53.2 * 41.2)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_shared),
        cmocka_unit_test(levels_are_classes),
        cmocka_unit_test(chance_explains_nothing),
        cmocka_unit_test(chance_has_a_level),
        cmocka_unit_test(independent_factors_share_interactions),
        cmocka_unit_test(dependent_factors_share_what_they_know),
        cmocka_unit_test(constrained_factors_are_exact),
        cmocka_unit_test(twelve_factors_sum_up_to_one),
        cmocka_unit_test(correlations_with_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
