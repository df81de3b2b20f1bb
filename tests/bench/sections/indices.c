/* SPDX-License-Identifier: MIT */
/* How fast are Sobol indices, a grid's parts of variance and surrogates? */
#include "section.h"

#include "memsweep/analysis/sensitivity.h"
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>

enum { D = 8, RESAMPLES = 1000 };

static double sobol(bench *b, void *second, size_t base_rows)
{
    size_t rows = base_rows * (2 + (second ? 2 : 1) * D);
    double *y = bench_memory(b, rows * sizeof *y);
    msw_err err;
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < rows; i++)
        y[i] = msw_rng_uniform(&rng);
    msw_estimate first[D], total[D], pairs[D * (D - 1) / 2];
    msw_sobol_design design = {
        .base_rows = base_rows, .factors = D, .second_order = second, .y = y};
    msw_resampling resampling = {.resamples = RESAMPLES, .confidence = 0.95, .seed = 1};
    msw_sobol_indices indices = {.first = first, .total = total, .second = pairs};
    msw_used used;
    double start = bench_seconds();
    bench_check(b, msw_sobol(&design, &resampling, &indices, &used, &err), &err);
    double spent = bench_seconds() - start;
    free(y);
    return spent;
}

/* n: levels of the last factor, each of 23328 cells. */
static double anova(bench *b, void *context, size_t n)
{
    const size_t levels[D] = {6, 6, 6, 6, 6, 3, 1, n};
    size_t cells = 23328 * n;
    double *y = bench_memory(b, cells * sizeof *y), *part = bench_memory(b, sizeof *part << D);
    msw_err err;
    (void)context;
    for (size_t i = 0; i < cells; i++)
        y[i] = (double)(i * 2654435761u % 1009);
    msw_anova_grid grid = {.factors = D, .levels = levels, .y = y};
    double start = bench_seconds();
    bench_check(b, msw_anova(&grid, part, &err), &err);
    double spent = bench_seconds() - start;
    free(y);
    free(part);
    return spent;
}

void section_sensitivity(bench *b)
{
    size_t base = (size_t)bench_set(b, "base_rows");
    bench_growth(b, base / 10, sobol, NULL, "base rows, S1 and ST, 1000 resamples");
    bench_growth(b, base / 10, sobol, b, "base rows, S1, ST and S2, 1000 resamples");
    bench_growth(b, 2, anova, NULL, "levels of a complete grid");
}

static double fit(bench *b, void *best, size_t n)
{
    enum { FACTORS = 12 };
    msw_pce_factor factor[FACTORS];
    double *x[FACTORS], *y = bench_memory(b, n * sizeof *y);
    msw_err err;
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    for (int j = 0; j < FACTORS; j++) {
        factor[j] = (msw_pce_factor){.low = 0, .high = 1};
        x[j] = bench_memory(b, n * sizeof *y);
        for (size_t i = 0; i < n; i++)
            x[j][i] = msw_rng_uniform(&rng);
    }
    for (size_t i = 0; i < n; i++)
        y[i] = exp(x[0][i]) * cos(x[1][i] + x[2][i]) + x[3][i] + 0.01 * msw_rng_uniform(&rng);
    msw_pce_data data = {
        .n = n, .factors = FACTORS, .factor = factor, .x = (const double *const *)x, .y = y};
    msw_pce_settings settings = {.degree = 3, .best = best, .seed = 1};
    double start = bench_seconds();
    msw_pce *pce = msw_pce_fit(&data, &settings, NULL, &err);
    double spent = bench_seconds() - start;
    bench_check(b, !pce, &err);
    msw_pce_free(pce);
    for (int j = 0; j < FACTORS; j++)
        free(x[j]);
    free(y);
    return spent;
}

void section_surrogate(bench *b)
{
    size_t rows = (size_t)bench_set(b, "rows");
    bench_growth(b, rows / 10, fit, NULL, "rows, polynomial chaos of degree 3");
    bench_time(b, bench_mean(b, fit, b, rows / 2), "best degree up to 3");
}
