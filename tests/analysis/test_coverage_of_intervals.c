/* SPDX-License-Identifier: MIT */
/* Defect 689. How often do intervals hold what they are of? Seeds are counted on functions with
 * known answers; the long form (MEMSWEEP_FULL) prints the table of docs/models/analysis.md. */
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/design/design.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 3, ROWS = 256, MANY = 1024, LENGTH = FACTORS + 2, SEEDS_FULL = 200 };

static bool is_full(void)
{
    return getenv("MEMSWEEP_FULL") != NULL;
}

static uint64_t seeds(void)
{
    return is_full() ? SEEDS_FULL : 15;
}

typedef struct count {
    size_t held, all;
    double widths, squares;
} count;

static void add(count *c, const msw_estimate *e, double truth)
{
    if (!(e->half > 1e-12))
        return;
    c->held += e->low <= truth && truth <= e->high;
    c->all++;
    c->widths += e->half * e->half;
    c->squares += (e->value - truth) * (e->value - truth);
}

static void tell(const char *interval, const char *function, const count *c)
{
    print_message("| %s | %s | %.1f %% | %.2f | %zu |\n", interval, function,
                  100. * (double)c->held / (double)c->all, sqrt(c->widths / c->squares), c->all);
    assert_true((double)c->held >= (is_full() ? 0.91 : 0.8) * (double)c->all);
}

static const double A[FACTORS] = {0, 1, 4.5};

/* V_i = 1 / 3 (1 + a_i)^2, V = prod(1 + V_i) - 1 (Saltelli and Sobol 1995). */
static double sobol_g(const double *x)
{
    double product = 1;
    for (int i = 0; i < FACTORS; i++)
        product *= (fabs(4 * x[i] - 2) + A[i]) / (1 + A[i]);
    return product;
}

static double exact_g(int f, bool total)
{
    double all = 1, own = 0;
    for (int i = 0; i < FACTORS; i++) {
        double v = 1 / (3 * (1 + A[i]) * (1 + A[i]));
        all *= 1 + v;
        own = i == f ? v : own;
    }
    return (total ? own * all / (1 + own) : own) / (all - 1);
}

/* ---- Sobol indices ---- */

/* Base rows of independent uniform numbers: what a resampling of rows is made for. */
static void fill_random(uint64_t seed, double *y)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 11);
    for (int b = 0; b < ROWS; b++) {
        double x[2][FACTORS], mixed[FACTORS];
        for (int c = 0; c < 2 * FACTORS; c++)
            x[c / FACTORS][c % FACTORS] = msw_rng_uniform(&rng);
        double *row = y + b * LENGTH;
        row[0] = sobol_g(x[0]);
        row[LENGTH - 1] = sobol_g(x[1]);
        for (int i = 0; i < FACTORS; i++) {
            memcpy(mixed, x[0], sizeof mixed);
            mixed[i] = x[1][i];
            row[1 + i] = sobol_g(mixed);
        }
    }
}

static void resampled_rows(void **state)
{
    (void)state;
    static double y[ROWS * LENGTH];
    count c = {0};
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        msw_estimate list[2 * FACTORS];
        msw_sobol_indices indices = {.first = list, .total = list + FACTORS};
        msw_used used;
        msw_err err = {0};
        fill_random(seed, y);
        msw_sobol_design design = {.base_rows = ROWS, .factors = FACTORS, .y = y};
        msw_resampling how = {.resamples = 400, .confidence = 0.95, .seed = seed};
        assert_ok(msw_sobol(&design, &how, &indices, &used, &err), err);
        for (int i = 0; i < 2 * FACTORS; i++)
            add(&c, &list[i], exact_g(i % FACTORS, i >= FACTORS));
    }
    tell("Sobol, independent base rows resampled", "G, 256 rows", &c);
}

/* ---- with a control ---- */

/* A saltelli design of 8 scrambles. */
static void fill_scrambled(uint64_t seed, double *y, double *control)
{
    const msw_design *saltelli = msw_design_find("saltelli");
    char config[256];
    msw_err err = {0};
    msw_design_state made;
    msw_params_defaults(saltelli->params, config);
    msw_param_set(msw_params_find(saltelli->params, "base_rows"), config, MANY);
    msw_param_set(msw_params_find(saltelli->params, "scrambles"), config, 8);
    msw_design_input input = {.factor_count = FACTORS,
                              .levels = (const uint64_t[FACTORS]){0},
                              .seed = seed,
                              .config = config};
    assert_ok(msw_design_prepare(saltelli, &input, &made, &err), err);
    for (uint64_t i = 0; i < made.count; i++) {
        double x[FACTORS];
        msw_design_point(saltelli, &input, &made, i, x);
        y[i] = sobol_g(x);
        control[i] = y[i] - 0.2 * x[0] * x[1];
    }
    msw_design_release(saltelli, &made);
}

static void with_a_control(void **state)
{
    (void)state;
    static double y[MANY * LENGTH], control[MANY * LENGTH];
    count scrambles = {0}, controlled = {0};
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        msw_estimate list[2 * FACTORS];
        msw_sobol_indices indices = {.first = list, .total = list + FACTORS};
        msw_controlled did;
        msw_used used;
        msw_err err = {0};
        fill_scrambled(seed, y, control);
        msw_sobol_design design = {.base_rows = 128, .factors = FACTORS, .scrambles = 8, .y = y};
        msw_resampling how = {.resamples = 1, .confidence = 0.95, .seed = seed};
        assert_ok(msw_sobol(&design, &how, &indices, &used, &err), err);
        for (int i = 0; i < 2 * FACTORS; i++)
            add(&scrambles, &list[i], exact_g(i % FACTORS, i >= FACTORS));
        assert_ok(msw_sobol_controlled(&design, control, MANY, &how, &indices, &did, &used, &err),
                  err);
        for (int i = 0; i < 2 * FACTORS; i++)
            add(&controlled, &list[i], exact_g(i % FACTORS, i >= FACTORS));
    }
    tell("Sobol, 8 scrambles", "G, 128 rows", &scrambles);
    tell("Sobol, 8 scrambles and a control", "G, 128 rows of 1,024", &controlled);
}

/* ---- elementary effects ---- */

/* x1 x2 with moves of 1/2: the effect of one factor is where the other stands, 1/2 in the mean. */
static void elementary_effects(void **state)
{
    (void)state;
    enum { WALKS = 40, POINTS = WALKS * 4 };
    static double x[FACTORS][POINTS], y[POINTS];
    count c = {0};
    for (uint64_t seed = 1; seed <= seeds(); seed++) {
        msw_rng rng;
        msw_err err = {0};
        msw_used used;
        msw_morris_index index[FACTORS];
        msw_rng_init(&rng, seed, 12);
        for (int w = 0; w < WALKS; w++) {
            double at[FACTORS];
            for (int f = 0; f < FACTORS; f++)
                at[f] = msw_rng_uniform(&rng);
            for (int s = 0; s <= FACTORS; s++) {
                if (s)
                    at[s - 1] += at[s - 1] < 0.5 ? 0.5 : -0.5;
                for (int f = 0; f < FACTORS; f++)
                    x[f][w * 4 + s] = at[f];
                y[w * 4 + s] = at[0] * at[1];
            }
        }
        const double *columns[FACTORS] = {x[0], x[1], x[2]};
        msw_morris_design design = {
            .trajectories = WALKS, .factors = FACTORS, .columns = FACTORS, .x = columns, .y = y};
        msw_resampling how = {.resamples = 400, .confidence = 0.95, .seed = seed};
        assert_ok(msw_morris(&design, &how, index, &used, &err), err);
        for (int f = 0; f < 2; f++)
            add(&c, &index[f].mu_star, 0.5);
    }
    tell("Morris mu*, trajectories resampled", "x1 x2, 40 walks", &c);
}

/* ---- partial correlations ---- */

/* y = x1 + x2 + e, all standard normal: the partial correlation of x1 is 1 / sqrt 2. */
static void partial_correlations(void **state)
{
    (void)state;
    enum { N = 60 };
    static double x[2][N], y[N];
    count c = {0};
    for (uint64_t seed = 1; seed <= 3 * seeds(); seed++) {
        msw_rng rng;
        msw_err err = {0};
        msw_used used;
        msw_regression_index index[2];
        double r2;
        msw_rng_init(&rng, seed, 13);
        for (int i = 0; i < N; i++) {
            x[0][i] = msw_rng_normal(&rng);
            x[1][i] = msw_rng_normal(&rng);
            y[i] = x[0][i] + x[1][i] + msw_rng_normal(&rng);
        }
        const double *columns[2] = {x[0], x[1]};
        msw_given_data data = {.n = N, .factors = 2, .x = columns, .y = y};
        assert_ok(msw_regression(&data, false, 0.95, index, &r2, &used, &err), err);
        for (int f = 0; f < 2; f++) {
            index[f].partial.half = (index[f].partial.high - index[f].partial.low) / 2;
            add(&c, &index[f].partial, 0.70710678118654752);
        }
    }
    tell("PCC, Fisher's transform", "linear and noise, 60 rows", &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resampled_rows),
        cmocka_unit_test(with_a_control),
        cmocka_unit_test(elementary_effects),
        cmocka_unit_test(partial_correlations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
