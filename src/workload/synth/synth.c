/* SPDX-License-Identifier: MIT */
#include "memsweep/workload/synth.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <string.h>

enum { SHAPE_NORMAL, SHAPE_LOGNORMAL };

static const msw_choice SHAPES[] = {
    [SHAPE_NORMAL] = {.name = "normal", .doc = "weights spread like a normal distribution"},
    [SHAPE_LOGNORMAL] = {.name = "lognormal",
                         .doc = "weights spread like a lognormal distribution: a heavy right tail"},
    {.name = NULL},
};

#define FIELD(name) offsetof(msw_synth_config, name)

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "synth_strata", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 64, .def = 4,
            .neutral = MSW_NO_NEUTRAL, .doc = "strata of the synthetic workload",
            .source = MSW_PAPER, .reference = "definition of the instrument",
            .offset = FIELD(strata)),
    MSW_ROW(.name = "synth_units", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1000000,
            .def = 250, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG, .doc = "units in each stratum",
            .source = MSW_PAPER, .reference = "definition of the instrument",
            .offset = FIELD(units)),
    MSW_ROW(.name = "synth_shape", .kind = MSW_CHOICE, .unit = "", .def = SHAPE_NORMAL,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(SHAPES),
            .doc = "distribution of the unit weights", .source = MSW_PAPER,
            .reference = "definition of the instrument", .offset = FIELD(shape),
            .acts = "synth_cv > 0 AND synth_units > 1"),
    MSW_ROW(.name = "synth_cv", .kind = MSW_REAL, .unit = "", .min = 0, .max = 10, .def = 0.3,
            .neutral = MSW_NO_NEUTRAL,
            .doc = "coefficient of variation of the weights within a stratum", .source = MSW_PAPER,
            .reference = "definition of the instrument", .offset = FIELD(cv),
            .acts = "synth_units > 1"),
    MSW_ROW(.name = "synth_growth", .kind = MSW_REAL, .unit = "", .min = 0.01, .max = 100, .def = 2,
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "ratio of the mean weights of neighbouring strata", .source = MSW_PAPER,
            .reference = "definition of the instrument", .offset = FIELD(growth),
            .acts = "synth_strata > 1"),
    {0},
};

static const char *const NAMES[] = {"synth/even", "synth/skewed", "synth/small", NULL};
static const char *const DOCS[] = {
    "4 strata of 250 units, normal weights, coefficient of variation 0.3",
    "4 strata of 250 units, lognormal weights, coefficient of variation 1.3",
    "2 strata of 8 units, normal weights, coefficient of variation 0.3",
    NULL,
};

static int resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    (void)err;
    (void)file_size;
    msw_synth_config *c = config;
    file[0] = '\0';
    if (strcmp(name, "synth/skewed") == 0) {
        c->shape = SHAPE_LOGNORMAL;
        c->cv = 1.3;
    } else if (strcmp(name, "synth/small") == 0) {
        c->strata = 2;
        c->units = 8;
    } else {
        return strcmp(name, "synth/even") == 0;
    }
    return 1;
}

/* The score of rank i of n: the distribution's quantile at the middle of the i-th share. */
static double score(int64_t shape, double cv, uint64_t i, uint64_t n)
{
    double p = ((double)i + 0.5) / (double)n;
    if (shape == SHAPE_NORMAL)
        return msw_math_normal_quantile(p);
    return msw_math_exp(sqrt(msw_math_log1p(cv * cv)) * msw_math_normal_quantile(p));
}

/* Shifts and scales scores to mean 0 and standard deviation 1 (divisor n: they are the population).
 */
static void standardise(double *scores, uint64_t n)
{
    double mean = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++)
        mean += scores[i];
    mean /= (double)n;
    for (uint64_t i = 0; i < n; i++)
        squares += (scores[i] - mean) * (scores[i] - mean);
    double deviation = sqrt(squares / (double)n);
    for (uint64_t i = 0; i < n; i++)
        scores[i] = deviation > 0 ? (scores[i] - mean) / deviation : 0;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    (void)content;
    const msw_synth_config *c = config;
    uint64_t strata = (uint64_t)c->strata, n = (uint64_t)c->units;
    double *weights = msw_arena_take(arena, strata * n * sizeof *weights);
    double *scores = msw_arena_take(arena, n * sizeof *scores);
    msw_synth_product *p = msw_arena_zero(arena, 1, sizeof *p);
    if (!weights || !scores || !p)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < n; i++)
        scores[i] = score(c->shape, c->cv, i, n);
    standardise(scores, n);
    for (uint64_t h = 0; h < strata; h++) {
        double mean = 1000 * msw_math_pow(c->growth, (double)h);
        for (uint64_t i = 0; i < n; i++)
            weights[h * n + i] = mean * (1 + c->cv * scores[msw_permute(i, n, seed + h)]);
        p->total += mean * (double)n;
    }
    p->strata = strata;
    p->units = n;
    p->weights = weights;
    *product = (msw_product){.kind = MSW_PRODUCT_UNITS,
                             .data = p,
                             .summary = {.units = strata * n, .accesses = strata * n}};
    return 0;
}

const msw_frontend msw_frontend_synth = {
    .name = "synth",
    .title = "Synthetic units with known totals and variances",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_synth_config),
    .product = MSW_PRODUCT_UNITS,
    .random = true,
    .names = NAMES,
    .docs = DOCS,
    .resolve = resolve,
    .build = build,
};
