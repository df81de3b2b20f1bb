/* SPDX-License-Identifier: MIT */
/* Are the designs what they say: sequences digit by digit, stratification, trajectories, rows? */
#include "design/design_private.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FACTORS = 32 };

static const uint64_t FREE[MAX_FACTORS] = {0};

static msw_design_state ready(const msw_design *design, const msw_design_input *input)
{
    msw_design_state state;
    msw_err err;
    assert_ok(msw_design_prepare(design, input, &state, &err), err);
    return state;
}

static void refused(const msw_design *design, const msw_design_input *input, const char *part)
{
    msw_design_state state;
    msw_err err = {0};
    assert_int_equal(msw_design_prepare(design, input, &state, &err), -1);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
}

/* Files: 32 rows under one line of names; made by public packages (see docs/models/designs.md). */
static void compare_with_file(const msw_design *design, const void *config, const char *file,
                              size_t factors, double tolerance)
{
    msw_design_input input = {.factor_count = factors, .levels = FREE, .config = config};
    msw_design_state state = ready(design, &input);
    char path[512], line[4096];
    snprintf(path, sizeof path, "%s/tests/unit/data/%s", MEMSWEEP_SOURCE, file);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    for (uint64_t i = 0; i < 32; i++) {
        double coords[MAX_FACTORS];
        msw_design_point(design, &input, &state, i, coords);
        char *at = fgets(line, sizeof line, in);
        assert_non_null(at);
        for (size_t j = 0; j < factors; j++, at++)
            assert_near(coords[j], strtod(at, &at), tolerance);
    }
    fclose(in);
    msw_design_release(design, &state);
}

static void sobol_is_joe_and_kuos(void **unused)
{
    (void)unused;
    msw_sobol_config config = {32, MSW_SCRAMBLE_NONE, 0};
    compare_with_file(&msw_design_sobol, &config, "sobol_joe_kuo_32x21.csv", 21, 0);
}

static void halton_is_haltons(void **unused)
{
    (void)unused;
    msw_halton_config config = {32, 0, 0};
    compare_with_file(&msw_design_halton, &config, "halton_32x12.csv", 12, 1.2e-16);
}

/* Point 987,654 in some dimensions, from scipy 1.10's sampler: late direction numbers and the end
 * of the table. */
static void sobol_far_away(void **unused)
{
    (void)unused;
    static const size_t DIMS[] = {1, 2, 3, 100, 1024};
    static const double WANTED[] = {0.6283121109008789, 0.0928945541381836, 0.5800409317016602,
                                    0.5247926712036133, 0.4265584945678711};
    msw_sobol *sobol;
    msw_err err;
    assert_ok(msw_sobol_new(1024, MSW_SCRAMBLE_NONE, 0, &sobol, &err), err);
    for (size_t k = 0; k < sizeof DIMS / sizeof *DIMS; k++) {
        double u;
        msw_sobol_point(sobol, 987654, DIMS[k] - 1, 1, &u);
        assert_near(u, WANTED[k], 0);
    }
    msw_sobol_free(sobol);
}

/* Every dimension of the table is a permutation of the 2^m intervals, or a number is wrong. */
static void every_dimension_is_stratified(void **unused)
{
    (void)unused;
    enum { M = 256 };
    for (msw_scramble scramble = MSW_SCRAMBLE_NONE; scramble <= MSW_SCRAMBLE_SHIFT; scramble++) {
        msw_sobol *sobol;
        msw_err err;
        assert_ok(msw_sobol_new(MSW_SOBOL_DIMS, scramble, 11, &sobol, &err), err);
        static char seen[MSW_SOBOL_DIMS][M];
        static double u[MSW_SOBOL_DIMS];
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < M; i++) {
            msw_sobol_point(sobol, 5 * M + i, 0, MSW_SOBOL_DIMS, u);
            for (size_t j = 0; j < MSW_SOBOL_DIMS; j++)
                assert_int_equal(seen[j][(int)(u[j] * M)]++, 0);
        }
        msw_sobol_free(sobol);
    }
}

/* The first two dimensions are a (0, 2)-sequence: each box 2^-a x 2^-(m-a) holds one of 2^m points.
 * Scrambling must keep that. */
static void elementary_boxes_hold_one_point(void **unused)
{
    (void)unused;
    enum { M = 12 };
    for (msw_scramble scramble = MSW_SCRAMBLE_NONE; scramble <= MSW_SCRAMBLE_SHIFT; scramble++) {
        msw_sobol *sobol;
        msw_err err;
        assert_ok(msw_sobol_new(2, scramble, 5, &sobol, &err), err);
        for (int m = 0; m <= M; m++)
            for (int a = 0; a <= m; a++) {
                char seen[1 << M] = {0};
                for (uint64_t i = 0; i < (uint64_t)1 << m; i++) {
                    double u[2];
                    msw_sobol_point(sobol, i, 0, 2, u);
                    int column = (int)ldexp(u[0], a), row = (int)ldexp(u[1], m - a);
                    assert_int_equal(seen[column << (m - a) | row]++, 0);
                }
            }
        msw_sobol_free(sobol);
    }
}

/* Pairs of points that share k digits must differ in digit k + 1 and agree in each later digit
 * with probability 1/2: Owen's law for pairs. 4,000 seeds: five standard errors are 0.04. */
static void owen_scrambling_obeys_the_law_of_pairs(void **unused)
{
    (void)unused;
    enum { SEEDS = 4000, DEEPEST = 14, LATER = 6 };
    static int agree[DEEPEST][LATER];
    memset(agree, 0, sizeof agree);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        msw_sobol *sobol;
        msw_err err;
        assert_ok(msw_sobol_new(1, MSW_SCRAMBLE_OWEN, seed, &sobol, &err), err);
        double zero;
        msw_sobol_point(sobol, 0, 0, 1, &zero);
        for (int k = 0; k < DEEPEST; k++) {
            /* gray(i) = 2^k: the point 2^-(k+1), which shares k digits with 0 */
            uint64_t i = ((uint64_t)2 << k) - 1;
            double u;
            msw_sobol_point(sobol, i, 0, 1, &u);
            uint64_t different = (uint64_t)ldexp(zero, 52) ^ (uint64_t)ldexp(u, 52);
            assert_int_equal(different >> (51 - k), 1);
            for (int later = 0; later < LATER; later++)
                agree[k][later] += !(different >> (50 - k - later) & 1);
        }
        msw_sobol_free(sobol);
    }
    for (int k = 0; k < DEEPEST; k++)
        for (int later = 0; later < LATER; later++)
            assert_near((double)agree[k][later] / SEEDS, 0.5, 0.04);
}

static double product(const double *u, size_t factors)
{
    double all = 1;
    for (size_t j = 0; j < factors; j++)
        all *= exp(u[j]) / (exp(1) - 1); /* mean 1 */
    return all;
}

/* Mean square error, over 200 seeds, of the mean of a smooth function of three factors. */
static double square_error(const msw_design *design, int64_t points, double *bias)
{
    enum { SEEDS = 200 };
    int64_t config[3] = {points, design == &msw_design_lhs ? 0 : 1, 0};
    double square = 0;
    *bias = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        msw_design_input input = {
            .factor_count = 3, .levels = FREE, .seed = seed, .config = config};
        msw_design_state state = ready(design, &input);
        double mean = 0, u[3];
        for (uint64_t i = 0; i < state.count; i++) {
            msw_design_point(design, &input, &state, i, u);
            mean += product(u, 3) / (double)state.count;
        }
        *bias += (mean - 1) / SEEDS;
        square += (mean - 1) * (mean - 1) / SEEDS;
        msw_design_release(design, &state);
    }
    return square;
}

/* Variance of the function: ((e^2 - 1) / (2 (e - 1)^2))^3 - 1 = 0.26668. */
static void random_points_err_as_monte_carlo_does(void **unused)
{
    (void)unused;
    double bias, square = square_error(&msw_design_random, 256, &bias);
    assert_relative(square, 0.26668 / 256, 0.5); /* five standard errors of a variance of 200 */
    assert_near(bias, 0, 5 * sqrt(square / 200));
}

static void scrambled_designs_are_unbiased_and_better(void **unused)
{
    (void)unused;
    static const struct {
        const msw_design *design;
        double gain; /* at 256 points, in variance; measured: see docs/models/designs.md */
    } CASES[] = {{&msw_design_lhs, 8}, {&msw_design_sobol, 1000}, {&msw_design_halton, 40}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        double bias, square = square_error(CASES[k].design, 256, &bias);
        assert_near(bias, 0, 5 * sqrt(square / 200));
        assert_true(square < 0.26668 / 256 / CASES[k].gain);
    }
}

/* Owen 1997: variance falls like n^-3 for smooth functions; four times the points give 64, plain
 * Monte Carlo 4. */
static void owen_scrambling_gains_its_rate(void **unused)
{
    (void)unused;
    double bias;
    double few = square_error(&msw_design_sobol, 64, &bias);
    double many = square_error(&msw_design_sobol, 1024, &bias);
    assert_true(few / many > 30 * 30);
}

/* Worst error of the first-order indices of Sobol's G function (closed form:
 * docs/models/designs.md), estimated from `rows` base rows of A, B, AB_i (Saltelli et al. 2010,
 * table 2). */
enum { G_FACTORS = 8 };
static const double G_A[G_FACTORS] = {0, 1, 4.5, 9, 99, 99, 99, 99};
static const double G_S1[G_FACTORS] = {0.716192169, 0.179048042, 0.023675774, 0.007161922,
                                       0.000071619, 0.000071619, 0.000071619, 0.000071619};

static double g_function(const double *x)
{
    double g = 1;
    for (size_t j = 0; j < G_FACTORS; j++)
        g *= (fabs(4 * x[j] - 2) + G_A[j]) / (1 + G_A[j]);
    return g;
}

static void saltelli_row(const msw_design_input *input, const msw_design_state *state, uint64_t b,
                         double f[G_FACTORS + 2])
{
    for (uint64_t k = 0; k < state->group; k++) {
        double u[G_FACTORS];
        msw_design_point(&msw_design_saltelli, input, state, b * state->group + k, u);
        f[k] = g_function(u);
    }
}

/* The same row from independent points: A and B are the halves of a random point. */
static void random_row(const msw_design_input *input, const msw_design_state *state, uint64_t b,
                       double f[G_FACTORS + 2])
{
    double u[2 * G_FACTORS];
    msw_design_point(&msw_design_random, input, state, b, u);
    f[0] = g_function(u);
    f[G_FACTORS + 1] = g_function(u + G_FACTORS);
    for (size_t j = 0; j < G_FACTORS; j++) {
        double keep = u[j];
        u[j] = u[G_FACTORS + j];
        f[1 + j] = g_function(u);
        u[j] = keep;
    }
}

static double worst_index_error(const msw_design *design, uint64_t seed)
{
    enum { ROWS = 1024 };
    bool saltelli = design == &msw_design_saltelli;
    msw_saltelli_config rows = {ROWS, 0, MSW_SCRAMBLE_OWEN, 0, 0, 1};
    msw_random_config points = {ROWS};
    msw_design_input input = {.factor_count = saltelli ? G_FACTORS : 2 * G_FACTORS,
                              .levels = FREE,
                              .seed = seed,
                              .config = saltelli ? (const void *)&rows : &points};
    msw_design_state state = ready(design, &input);
    double sum[G_FACTORS] = {0}, mean = 0, square = 0, worst = 0, f[G_FACTORS + 2];
    for (uint64_t b = 0; b < ROWS; b++) {
        (saltelli ? saltelli_row : random_row)(&input, &state, b, f);
        double fa = f[0], fb = f[G_FACTORS + 1];
        mean += (fa + fb) / (2 * ROWS);
        square += (fa * fa + fb * fb) / (2 * ROWS);
        for (size_t j = 0; j < G_FACTORS; j++)
            sum[j] += fb * (f[1 + j] - fa) / ROWS;
    }
    for (size_t j = 0; j < G_FACTORS; j++)
        worst = fmax(worst, fabs(sum[j] / (square - mean * mean) - G_S1[j]));
    msw_design_release(design, &state);
    return worst;
}

static void saltelli_beats_random_rows(void **unused)
{
    (void)unused;
    enum { SEEDS = 20 };
    double ours = 0, plain = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        ours += worst_index_error(&msw_design_saltelli, seed) / SEEDS;
        plain += worst_index_error(&msw_design_random, seed) / SEEDS;
    }
    assert_true(plain / ours > 3);
}

static void saltelli_rows_swap_one_factor(void **unused)
{
    (void)unused;
    enum { D = 3 };
    msw_saltelli_config config = {16, 1, MSW_SCRAMBLE_OWEN, 3, 0, 1};
    msw_design_input input = {.factor_count = D, .levels = FREE, .seed = 4, .config = &config};
    msw_design_state state = ready(&msw_design_saltelli, &input);
    assert_int_equal(state.group, 2 * D + 2);
    assert_int_equal(state.count, 16 * (2 * D + 2));
    for (uint64_t b = 0; b < 16; b++) {
        double x[2 * D + 2][D];
        for (uint64_t k = 0; k < state.group; k++)
            msw_design_point(&msw_design_saltelli, &input, &state, b * state.group + k, x[k]);
        const double *A = x[0], *B = x[2 * D + 1];
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < D; j++) {
                assert_true(A[j] != B[j]);
                assert_true(x[1 + i][j] == (i == j ? B[j] : A[j]));
                assert_true(x[1 + D + i][j] == (i == j ? A[j] : B[j]));
            }
    }
    msw_design_release(&msw_design_saltelli, &state);
}

/* Factors 0 and 2 are one group. */
static void saltelli_groups_swap_together(void **unused)
{
    (void)unused;
    enum { D = 3 };
    static const unsigned GROUP_OF[D] = {0, 1, 0};
    msw_saltelli_config config = {16, 1, MSW_SCRAMBLE_OWEN, 0, 0, 1};
    msw_design_input input = {.factor_count = D,
                              .levels = FREE,
                              .group_of = GROUP_OF,
                              .group_count = 2,
                              .seed = 4,
                              .config = &config};
    msw_design_state state = ready(&msw_design_saltelli, &input);
    assert_int_equal(state.group, 6);
    for (uint64_t b = 0; b < 16; b++) {
        double x[6][D];
        for (uint64_t k = 0; k < 6; k++)
            msw_design_point(&msw_design_saltelli, &input, &state, 6 * b + k, x[k]);
        for (size_t g = 0; g < 2; g++)
            for (size_t j = 0; j < D; j++) {
                assert_true(x[1 + g][j] == (GROUP_OF[j] == g ? x[5][j] : x[0][j]));
                assert_true(x[3 + g][j] == (GROUP_OF[j] == g ? x[0][j] : x[5][j]));
            }
    }
    msw_design_release(&msw_design_saltelli, &state);
}

/* Groups {0, 3}, {1}, {2, 4}: in each step all of one group move and nobody else. */
static void morris_groups_move_together(void **unused)
{
    (void)unused;
    enum { D = 5, G = 3 };
    static const uint64_t LEVELS[D] = {0, 4, 5, 2, 0};
    static const unsigned GROUP_OF[D] = {0, 1, 2, 0, 2};
    msw_morris_config config = {300, 6, 0};
    msw_design_input input = {.factor_count = D,
                              .levels = LEVELS,
                              .group_of = GROUP_OF,
                              .group_count = G,
                              .seed = 9,
                              .config = &config};
    msw_design_state state = ready(&msw_design_morris, &input);
    assert_int_equal(state.count, 300 * (G + 1));
    for (uint64_t t = 0; t < 300; t++) {
        unsigned seen = 0;
        for (uint64_t s = 0; s < G; s++) {
            double before[D], after[D];
            unsigned moved = 0;
            msw_design_point(&msw_design_morris, &input, &state, t * (G + 1) + s, before);
            msw_design_point(&msw_design_morris, &input, &state, t * (G + 1) + s + 1, after);
            for (unsigned j = 0; j < D; j++)
                moved |= (unsigned)(before[j] != after[j]) << j;
            assert_true(moved == 9 || moved == 2 || moved == 20);
            seen |= moved;
        }
        assert_int_equal(seen, 31);
    }
    msw_design_release(&msw_design_morris, &state);
}

static void morris_moves_each_factor_once(void **unused)
{
    (void)unused;
    enum { D = 5 };
    static const uint64_t LEVELS[D] = {0, 4, 5, 2, 0};
    msw_morris_config config = {500, 6, 0};
    msw_design_input input = {.factor_count = D, .levels = LEVELS, .seed = 9, .config = &config};
    msw_design_state state = ready(&msw_design_morris, &input);
    assert_int_equal(state.count, 500 * (D + 1));
    for (uint64_t t = 0; t < 500; t++) {
        int moves[D] = {0};
        double before[D], after[D];
        msw_design_point(&msw_design_morris, &input, &state, t * (D + 1), before);
        for (uint64_t s = 1; s <= D; s++) {
            msw_design_point(&msw_design_morris, &input, &state, t * (D + 1) + s, after);
            int moved = 0;
            for (size_t j = 0; j < D; j++)
                if (after[j] != before[j]) {
                    moved++;
                    moves[j]++;
                    double ring = LEVELS[j] ? (double)LEVELS[j] : 5; /* 6 places: 5 gaps */
                    double step = fabs(after[j] - before[j]) * ring;
                    double half = LEVELS[j] ? floor(ring / 2) : 3;
                    bool wraps = LEVELS[j] % 2;
                    assert_true(fabs(step - half) < 1e-12 ||
                                (wraps && fabs(step - half - 1) < 1e-12));
                }
            assert_int_equal(moved, 1);
            memcpy(before, after, sizeof before);
        }
        for (size_t j = 0; j < D; j++)
            assert_int_equal(moves[j], 1);
    }
    msw_design_release(&msw_design_morris, &state);
}

/* 3! orders of moves over 6,000 trajectories: 1,000 each; five standard deviations are 145. */
static void morris_orders_are_equally_likely(void **unused)
{
    (void)unused;
    enum { D = 3 };
    msw_morris_config config = {6000, 4, 0};
    msw_design_input input = {.factor_count = D, .levels = FREE, .seed = 1, .config = &config};
    msw_design_state state = ready(&msw_design_morris, &input);
    int orders[27] = {0}, kinds = 0;
    for (uint64_t t = 0; t < 6000; t++) {
        double x[D + 1][D];
        int order = 0;
        for (uint64_t s = 0; s <= D; s++)
            msw_design_point(&msw_design_morris, &input, &state, t * (D + 1) + s, x[s]);
        for (int s = 1; s <= D; s++)
            for (int j = 0; j < D; j++)
                order = x[s][j] != x[s - 1][j] ? 3 * order + j : order;
        orders[order]++;
    }
    for (int k = 0; k < 27; k++) {
        kinds += orders[k] > 0;
        if (orders[k] > 0)
            assert_near(orders[k], 1000, 145);
    }
    assert_int_equal(kinds, 6);
    msw_design_release(&msw_design_morris, &state);
}

static void morris_refuses_what_cannot_move(void **unused)
{
    (void)unused;
    static const uint64_t LEVELS[2] = {4, 1};
    msw_morris_config odd = {10, 5, 0}, even = {10, 4, 0};
    msw_design_input input = {.factor_count = 2, .levels = FREE, .config = &odd};
    refused(&msw_design_morris, &input, "even");
    input.config = &even;
    input.levels = LEVELS;
    refused(&msw_design_morris, &input, "factor 2 has one value");
}

static void lhs_takes_each_stratum_once(void **unused)
{
    (void)unused;
    static const int64_t POINTS[] = {1, 2, 3, 7, 49, 100, 1000};
    for (size_t k = 0; k < 2 * sizeof POINTS / sizeof *POINTS; k++) {
        msw_lhs_config config = {.points = POINTS[k / 2], .centred = (int64_t)k % 2};
        msw_design_input input = {.factor_count = 6, .levels = FREE, .seed = k, .config = &config};
        msw_design_state state = ready(&msw_design_lhs, &input);
        char seen[6][1000] = {{0}};
        for (uint64_t i = 0; i < state.count; i++) {
            double u[6];
            msw_design_point(&msw_design_lhs, &input, &state, i, u);
            for (size_t j = 0; j < 6; j++) {
                double at = u[j] * (double)config.points;
                assert_int_equal(seen[j][(int)at]++, 0);
                if (config.centred)
                    assert_near(at - floor(at), 0.5, 1e-9);
            }
        }
        msw_design_release(&msw_design_lhs, &state);
    }
}

static void lhs_balances_levels(void **unused)
{
    (void)unused;
    static const uint64_t LEVELS[] = {2, 3, 7, 10, 98, 99};
    for (uint64_t seed = 0; seed < 50; seed++) {
        msw_lhs_config config = {.points = 99, .centred = (int64_t)seed % 2};
        msw_design_input input = {
            .factor_count = 6, .levels = LEVELS, .seed = seed, .config = &config};
        msw_design_state state = ready(&msw_design_lhs, &input);
        uint64_t counts[6][99] = {{0}};
        for (uint64_t i = 0; i < state.count; i++) {
            double u[6];
            msw_design_point(&msw_design_lhs, &input, &state, i, u);
            for (size_t j = 0; j < 6; j++)
                counts[j][(int)(u[j] * (double)LEVELS[j])]++;
        }
        for (size_t j = 0; j < 6; j++)
            for (uint64_t l = 0; l < LEVELS[j]; l++) {
                assert_true(counts[j][l] >= 99 / LEVELS[j]);
                assert_true(counts[j][l] <= (99 + LEVELS[j] - 1) / LEVELS[j]);
            }
        msw_design_release(&msw_design_lhs, &state);
    }
}

/* Decodes by division, and beside it by the design. */
static void grid_matches_division(const uint64_t *levels, size_t factors, uint64_t jump)
{
    msw_design_input input = {.factor_count = factors, .levels = levels};
    msw_design_state state = ready(&msw_design_grid, &input);
    for (uint64_t i = 0; i < state.count && i + jump > i; i += jump) {
        double coords[MAX_FACTORS];
        msw_design_point(&msw_design_grid, &input, &state, i, coords);
        uint64_t rest = i;
        for (size_t j = factors; j-- > 0; rest /= levels[j])
            assert_true(coords[j] == (double)(rest % levels[j]));
    }
    msw_design_release(&msw_design_grid, &state);
}

static void grid_counts_in_mixed_radix(void **unused)
{
    (void)unused;
    static const uint64_t SMALL[] = {3, 1, 4, 2, 5}, ODD[] = {49, 41, 47, 97, 89},
                          LARGE[] = {7919, 104729, 500009},
                          FULL[] = {(uint64_t)1 << 25, (uint64_t)1 << 25};
    grid_matches_division(SMALL, 5, 1);
    grid_matches_division(ODD, 5, 89 * 13 + 1);
    grid_matches_division(ODD, 5, 89 * 97);
    grid_matches_division(LARGE, 3, 500009ull * 104729 / 64);
    grid_matches_division(LARGE, 3, 500009ull * 977 - 1);
    grid_matches_division(FULL, 2, ((uint64_t)1 << 32) - 1);
}

static void grid_refuses_what_it_cannot_count(void **unused)
{
    (void)unused;
    static const uint64_t MIXED[] = {3, 0}, EMPTY[1] = {0}, HUGE_ONE[] = {1ull << 40, 1ull << 40};
    msw_design_input input = {.factor_count = 2, .levels = MIXED};
    refused(&msw_design_grid, &input, "factor 2 is continuous");
    input.levels = HUGE_ONE;
    refused(&msw_design_grid, &input, "2^50");
    input.levels = EMPTY;
    input.factor_count = 1;
    refused(&msw_design_grid, &input, "factor 1");
}

static int fits(void *context, const double *coords, msw_err *err)
{
    (void)err;
    return coords[0] + coords[1] <= *(const double *)context;
}

static void grid_keeps_what_passes_in_order(void **unused)
{
    (void)unused;
    static const uint64_t LEVELS[] = {100, 100};
    double limit = 99;
    msw_design_input input = {
        .factor_count = 2, .levels = LEVELS, .accept = fits, .accept_context = &limit};
    msw_design_state state = ready(&msw_design_grid, &input);
    assert_int_equal(state.count, 5050); /* 100 + 99 + ... + 1 */
    assert_int_equal(state.drawn, 10000);
    uint64_t next = 0;
    for (uint64_t a = 0; a < 100; a++)
        for (uint64_t b = 0; a + b <= 99; b++, next++) {
            double coords[2];
            msw_design_point(&msw_design_grid, &input, &state, next, coords);
            assert_true(coords[0] == (double)a && coords[1] == (double)b);
        }
    msw_design_release(&msw_design_grid, &state);
}

static void indices_are_stored_only_where_points_are_missing(void **unused)
{
    (void)unused;
    static const uint64_t LEVELS[] = {100, 1};
    double all = 1000, first_half = 49;
    msw_design_input input = {
        .factor_count = 2, .levels = LEVELS, .accept = fits, .accept_context = &all};
    msw_design_state state = ready(&msw_design_grid, &input);
    assert_null(state.raw);
    assert_int_equal(state.count, 100);
    msw_design_release(&msw_design_grid, &state);
    input.accept_context = &first_half;
    state = ready(&msw_design_grid, &input);
    assert_null(state.raw);
    assert_int_equal(state.count, 50);
    msw_design_release(&msw_design_grid, &state);
}

static void rare_acceptance_is_refused_with_its_rate(void **unused)
{
    (void)unused;
    msw_random_config config = {100000};
    double limit = 0.02; /* 2e-4 of the square */
    msw_design_input input = {.factor_count = 2,
                              .levels = FREE,
                              .config = &config,
                              .accept = fits,
                              .accept_context = &limit};
    refused(&msw_design_random, &input, "100000 are wanted");
}

static void group_designs_refuse_constraints_unless_asked(void **unused)
{
    (void)unused;
    double limit = 1.5;
    msw_saltelli_config config = {64, 0, MSW_SCRAMBLE_OWEN, 0, 0, 1};
    msw_design_input input = {.factor_count = 2,
                              .levels = FREE,
                              .config = &config,
                              .accept = fits,
                              .accept_context = &limit};
    refused(&msw_design_saltelli, &input, "constrained: conditional");
    config.constrained = 1;
    msw_design_state state = ready(&msw_design_saltelli, &input);
    assert_int_equal(state.count, 64 * 4);
    assert_true(state.conditional);
    for (uint64_t i = 0; i < state.count; i += 4)
        assert_int_equal(state.raw[i] % 4, 0);
    msw_design_release(&msw_design_saltelli, &state);
}

static void sobol_refuses_more_dimensions_than_it_has(void **unused)
{
    (void)unused;
    static const uint64_t MANY[1025] = {0};
    msw_sobol_config config = {8, MSW_SCRAMBLE_OWEN, 0};
    msw_halton_config other = {8, 1, 0};
    msw_design_input input = {.factor_count = 1025, .levels = MANY, .config = &config};
    refused(&msw_design_sobol, &input, "1024");
    input.config = &other;
    refused(&msw_design_halton, &input, "1024");
    msw_saltelli_config rows = {8, 0, MSW_SCRAMBLE_OWEN, 0, 0, 1};
    input.config = &rows;
    input.factor_count = 513;
    refused(&msw_design_saltelli, &input, "two dimensions a factor");
}

/* More points of the same seed must begin with the same points, so that a sweep can be extended. */
static void more_points_extend_the_design(void **unused)
{
    (void)unused;
    static const msw_design *const OPEN[] = {&msw_design_random, &msw_design_sobol,
                                             &msw_design_halton};
    for (size_t d = 0; d < sizeof OPEN / sizeof *OPEN; d++) {
        int64_t few[3] = {50, 1, 0}, many[3] = {5000, 1, 0};
        msw_design_input input = {.factor_count = 7, .levels = FREE, .seed = 3, .config = few};
        msw_design_state first = ready(OPEN[d], &input);
        input.config = many;
        msw_design_state second = ready(OPEN[d], &input);
        for (uint64_t i = 0; i < 50; i++) {
            double a[7], b[7];
            msw_design_point(OPEN[d], &input, &first, i, a);
            msw_design_point(OPEN[d], &input, &second, i, b);
            assert_memory_equal(a, b, sizeof a);
        }
        msw_design_release(OPEN[d], &first);
        msw_design_release(OPEN[d], &second);
    }
}

static void skip_leaves_out_the_start(void **unused)
{
    (void)unused;
    static const msw_design *const SEQUENCES[] = {&msw_design_sobol, &msw_design_halton};
    for (size_t d = 0; d < 2; d++) {
        int64_t all[3] = {50, 1, 0}, later[3] = {50, 1, 10};
        msw_design_input input = {.factor_count = 3, .levels = FREE, .seed = 3, .config = all};
        msw_design_input skipping = input;
        skipping.config = later;
        msw_design_state first = ready(SEQUENCES[d], &input);
        msw_design_state second = ready(SEQUENCES[d], &skipping);
        double a[3], b[3];
        msw_design_point(SEQUENCES[d], &input, &first, 17, a);
        msw_design_point(SEQUENCES[d], &skipping, &second, 7, b);
        assert_memory_equal(a, b, sizeof a);
        msw_design_release(SEQUENCES[d], &first);
        msw_design_release(SEQUENCES[d], &second);
    }
}

/* Smirnov: the largest gap between uniform and observed, over 4,096 points in each of 200 bases,
 * stays below 0.05 for permuted digits; the plain sequence has gaps of the order of base / n. */
static void permuted_halton_is_uniform_in_large_bases(void **unused)
{
    (void)unused;
    enum { N = 4096, BINS = 16, D = 200 };
    static const uint64_t MANY[D] = {0};
    static double counts[D][BINS];
    static double u[D];
    memset(counts, 0, sizeof counts);
    msw_halton_config config = {N, 1, 0};
    msw_design_input input = {.factor_count = D, .levels = MANY, .seed = 8, .config = &config};
    msw_design_state state = ready(&msw_design_halton, &input);
    for (uint64_t i = 0; i < N; i++) {
        msw_design_point(&msw_design_halton, &input, &state, i, u);
        for (size_t j = 0; j < D; j++)
            counts[j][(int)(u[j] * BINS)]++;
    }
    for (size_t j = 0; j < D; j++)
        for (int b = 0; b < BINS; b++)
            assert_near(counts[j][b] / N, 1.0 / BINS, 0.02);
    msw_design_release(&msw_design_halton, &state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sobol_is_joe_and_kuos),
        cmocka_unit_test(halton_is_haltons),
        cmocka_unit_test(sobol_far_away),
        cmocka_unit_test(every_dimension_is_stratified),
        cmocka_unit_test(elementary_boxes_hold_one_point),
        cmocka_unit_test(owen_scrambling_obeys_the_law_of_pairs),
        cmocka_unit_test(random_points_err_as_monte_carlo_does),
        cmocka_unit_test(scrambled_designs_are_unbiased_and_better),
        cmocka_unit_test(owen_scrambling_gains_its_rate),
        cmocka_unit_test(saltelli_beats_random_rows),
        cmocka_unit_test(saltelli_rows_swap_one_factor),
        cmocka_unit_test(saltelli_groups_swap_together),
        cmocka_unit_test(morris_groups_move_together),
        cmocka_unit_test(morris_moves_each_factor_once),
        cmocka_unit_test(morris_orders_are_equally_likely),
        cmocka_unit_test(morris_refuses_what_cannot_move),
        cmocka_unit_test(lhs_takes_each_stratum_once),
        cmocka_unit_test(lhs_balances_levels),
        cmocka_unit_test(grid_counts_in_mixed_radix),
        cmocka_unit_test(grid_refuses_what_it_cannot_count),
        cmocka_unit_test(grid_keeps_what_passes_in_order),
        cmocka_unit_test(indices_are_stored_only_where_points_are_missing),
        cmocka_unit_test(rare_acceptance_is_refused_with_its_rate),
        cmocka_unit_test(group_designs_refuse_constraints_unless_asked),
        cmocka_unit_test(sobol_refuses_more_dimensions_than_it_has),
        cmocka_unit_test(more_points_extend_the_design),
        cmocka_unit_test(skip_leaves_out_the_start),
        cmocka_unit_test(permuted_halton_is_uniform_in_large_bases),
    };
    return cmocka_run_group_tests_name("design", tests, NULL, NULL);
}
