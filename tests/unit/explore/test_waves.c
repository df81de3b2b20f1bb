/* SPDX-License-Identifier: MIT */
/* Do waves find what is likely: two modes, a curve, a corner far from it, an unknown of levels,
 * sets in blocks? Truths are planted; brute force says what is left and how likely each mode is. */
#include "testing.h"

#include "memsweep/explore/calibrate.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNKNOWNS = 4,
    SIDE = 32,
    CELLS = SIDE * SIDE * SIDE * SIDE,
    SETS = 512,
    WAVES = 6,
    MOST = SETS * WAVES,
    ENOUGH = 200
};

typedef double (*logarithm)(const double *x);

/* Four quantities, each known to 0.05, of four unknowns; the planted truth is 0.126 in the third.
 */
static double four(const double *x, double third, double of)
{
    double sum = 0;
    const double by[] = {x[0] + x[1] - 0.9, x[0] - x[1] + 0.3, third - of, x[3] + x[0] / 2 - 0.55};
    for (int i = 0; i < 4; i++)
        sum -= by[i] * by[i] / (2 * 0.05 * 0.05);
    return sum;
}

/* Even in the third unknown: a mode at 0.126 and one at 0.874, of which a slope leaves 19 %. */
static double two_modes(const double *x)
{
    double at = 2 * x[2] - 1;
    return four(x, at * at, 0.748 * 0.748) + (x[2] > 0.5 ? log(0.81 / 0.19) : 0);
}

/* The same with 5 %. */
static double small_mode(const double *x)
{
    double at = 2 * x[2] - 1;
    return four(x, at * at, 0.748 * 0.748) + (x[2] > 0.5 ? log(0.95 / 0.05) : 0);
}

/* On a quarter of a circle of radius 0.8, thin. */
static double curve(const double *x)
{
    double by = sqrt(x[0] * x[0] + x[2] * x[2]) - 0.8;
    return -by * by / (2 * 0.02 * 0.02) + four(x, 0, 0) / 1e9 - 200 * (x[1] - 0.5) * (x[1] - 0.5);
}

/* In two boxes that nothing joins, of 1/16 and 1/81 of two unknowns; nothing else has an answer. */
static double disjoint(const double *x)
{
    bool a = x[0] < 0.25 && x[1] > 0.75, b = x[0] > 8 / 9.0 && x[1] < 1 / 9.0;
    return a || b
               ? 0
               : -30 * fmin(fmax(x[0] - 0.25, 0.75 - x[1]), fmax(8 / 9.0 - x[0], x[1] - 1 / 9.0)) -
                     6;
}

typedef struct drawn {
    msw_sets sets;
    double *positions, *log, *density, *weights;
    uint64_t levels[UNKNOWNS];
    msw_wave waves[WAVES];
    size_t wave_count;
    double effective;
} drawn;

static void weigh(drawn *d, logarithm log)
{
    for (size_t k = 0; k < d->sets.count; k++) {
        d->log[k] = log(&d->positions[k * UNKNOWNS]);
        d->density[k] =
            msw_wave_density(d->waves, d->wave_count, UNKNOWNS, &d->positions[k * UNKNOWNS]);
    }
    msw_weights_of(d->log, d->density, d->sets.count, d->weights);
    d->effective = msw_weights_effective(d->weights, d->sets.count);
}

/* As calibrate does: a wave of the prior, then around what is likely until there is enough. */
static void draw_all(drawn *d, logarithm log, uint64_t seed)
{
    static const bool OUTER[UNKNOWNS] = {false, true, false, false};
    msw_rng rng;
    msw_err err = {0};
    msw_rng_init(&rng, seed, 1);
    *d = (drawn){.positions = malloc(MOST * UNKNOWNS * sizeof(double)),
                 .log = malloc(MOST * sizeof(double)),
                 .density = malloc(MOST * sizeof(double)),
                 .weights = malloc(MOST * sizeof(double))};
    d->sets = (msw_sets){SETS, UNKNOWNS, d->positions, d->log, d->density, d->levels};
    for (size_t i = 0; i < SETS * UNKNOWNS; i++)
        d->positions[i] = msw_rng_uniform(&rng);
    d->waves[d->wave_count++].drawn = SETS;
    weigh(d, log);
    while (d->wave_count < WAVES && d->effective < ENOUGH) {
        msw_wave *wave = &d->waves[d->wave_count];
        assert_ok(msw_wave_around(&d->sets, SETS / 8, msw_rng_uniform(&rng), wave, &err), err);
        msw_wave_draw(wave, UNKNOWNS, OUTER, 4, &rng, SETS,
                      &d->positions[d->sets.count * UNKNOWNS]);
        wave->drawn = SETS;
        d->wave_count++;
        d->sets.count += SETS;
        weigh(d, log);
    }
}

static void free_all(drawn *d)
{
    for (size_t k = 0; k < d->wave_count; k++)
        msw_wave_free(&d->waves[k]);
    free(d->positions);
    free(d->log);
    free(d->density);
    free(d->weights);
}

/* Weight above a half of an unknown; share of the prior within 3 deviations of the likeliest. */
static double weight_above(const drawn *d, size_t u)
{
    double sum = 0;
    for (size_t k = 0; k < d->sets.count; k++)
        sum += d->positions[k * UNKNOWNS + u] > 0.5 ? d->weights[k] : 0;
    return sum;
}

#define LEFT (-4.5)

static double share_left(const drawn *d)
{
    double left = 0, all = 0;
    for (size_t k = 0; k < d->sets.count; k++) {
        all += 1 / d->density[k];
        left += d->log[k] > LEFT ? 1 / d->density[k] : 0;
    }
    return left / all;
}

static double brute_left(logarithm log)
{
    double x[UNKNOWNS], left = 0;
    for (int i = 0; i < CELLS; i++) {
        for (int u = 0, rest = i; u < UNKNOWNS; u++, rest /= SIDE)
            x[u] = (rest % SIDE + 0.5) / SIDE;
        left += log(x) > LEFT;
    }
    return left / CELLS;
}

/* Whether a value lies between 2.5 and 97.5 % of the weight of each unknown. */
static bool holds(const drawn *d, const double *truth)
{
    for (size_t u = 0; u < UNKNOWNS; u++) {
        double below = 0;
        for (size_t k = 0; k < d->sets.count; k++)
            below += d->positions[k * UNKNOWNS + u] < truth[u] ? d->weights[k] : 0;
        if (below < 0.025 || below > 0.975)
            return false;
    }
    return true;
}

static int repetitions(void)
{
    return getenv("MEMSWEEP_FULL") ? 50 : 4;
}

/* Counts in how many repetitions a region of a kind is found; prints that. */
static void try_region(const char *name, logarithm log, const double *truth, double mode)
{
    int all = repetitions(), held = 0, kept = 0, sized = 0;
    double brute = brute_left(log), effective = 0;
    for (int i = 0; i < all; i++) {
        drawn d;
        draw_all(&d, log, 100 + (uint64_t)i);
        double share = share_left(&d), weight = weight_above(&d, 2);
        held += !truth || holds(&d, truth);
        kept += fmin(weight, 1 - weight) >= mode / 2 && fmin(weight, 1 - weight) <= 2 * mode + 0.05;
        sized += share < 1.5 * brute && share > brute / 1.5;
        effective += d.effective / all;
        free_all(&d);
    }
    print_message("%s: of %d truth in %d, mode in %d, volume in %d; effective %.0f, left %.3g %%\n",
                  name, all, held, kept, sized, effective, 100 * brute);
    assert_true(held >= all * 137 / 150);
    assert_true(mode == 0 || kept >= all * 137 / 150);
    assert_true(sized >= all * 137 / 150);
}

static void two_modes_are_kept(void **state)
{
    (void)state;
    const double truth[] = {0.3, 0.6, 0.126, 0.4};
    try_region("two modes", two_modes, truth, 0.19);
    try_region("a mode of 5 %", small_mode, NULL, 0.05);
}

static void a_curve_is_followed(void **state)
{
    (void)state;
    const double truth[] = {0.56, 0.5, 0.571, 0.4};
    try_region("curve", curve, truth, 0);
}

static void parts_that_nothing_joins_are_found(void **state)
{
    (void)state;
    const double truth[] = {0.1, 0.9, 0.5, 0.5};
    try_region("disjoint", disjoint, truth, 0);
}

/* A kernel of a wave integrates to 1, at the ends, too, and draws are spread as it says. */
static void densities_are_those_of_the_draws(void **state)
{
    (void)state;
    double centre[] = {0.05, 0.5, 0.9, 0.2}, reach[] = {0.2, 0.3, 0.4, 1}, share[] = {1};
    msw_wave waves[] = {{100, 0, NULL, NULL, NULL}, {300, 1, share, centre, reach}};
    static const bool OUTER[UNKNOWNS] = {false, true, false, false};
    double sum = 0, shares = 0, x[UNKNOWNS];
    enum { DRAWN = 20000 };
    double *positions = malloc(DRAWN * UNKNOWNS * sizeof *positions);
    msw_rng rng;
    msw_rng_init(&rng, 7, 7);
    for (int i = 0; i < CELLS; i++) {
        for (int u = 0, rest = i; u < UNKNOWNS; u++, rest /= SIDE)
            x[u] = (rest % SIDE + 0.5) / SIDE;
        sum += msw_wave_density(waves, 2, UNKNOWNS, x) / CELLS;
        if (x[0] < 0.125 && x[2] > 0.75)
            shares += msw_wave_density(&waves[1], 1, UNKNOWNS, x) / CELLS;
    }
    assert_near(sum, 1, 0.01);
    msw_wave_draw(&waves[1], UNKNOWNS, OUTER, 4, &rng, DRAWN, positions);
    double there = 0;
    for (int i = 0; i < DRAWN; i++) {
        there += positions[i * UNKNOWNS] < 0.125 && positions[i * UNKNOWNS + 2] > 0.75;
        if (i % 4)
            assert_true(positions[i * UNKNOWNS + 1] == positions[(i - 1) * UNKNOWNS + 1]);
    }
    assert_near(there / DRAWN, shares, 0.02);
    free(positions);
}

/* The power: 1 where enough is likely, else the one that leaves the target. */
static void the_power_leaves_the_target(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    double log[COUNT], density[COUNT], weights[COUNT];
    for (int k = 0; k < COUNT; k++) {
        log[k] = -0.5 * k;
        density[k] = 1;
    }
    log[COUNT - 1] = -INFINITY;
    msw_sets sets = {.count = COUNT, .log = log, .density = density};
    assert_near(msw_tempered(&sets, 3, weights), 1, 0);
    double power = msw_tempered(&sets, 100, weights);
    assert_true(power > 0 && power < 1);
    assert_near(msw_weights_effective(weights, COUNT), 100, 0.1);
    assert_near(msw_tempered(&sets, COUNT, weights), 0, 1e-9); /* more than there are */
    assert_near(weights[COUNT - 1], 0, 0);
    assert_near(weights[0], 1.0 / (COUNT - 1), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_those_of_the_draws),
        cmocka_unit_test(the_power_leaves_the_target),
        cmocka_unit_test(two_modes_are_kept),
        cmocka_unit_test(a_curve_is_followed),
        cmocka_unit_test(parts_that_nothing_joins_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
