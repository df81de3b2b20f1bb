/* bench_analysis: CPU seconds of the analysis on large tables, each beside the CPU seconds that a
 * well-known public library took for the same work on a machine of this class ("-": not known). */
#include "memsweep/analysis/agreement.h"
#include "memsweep/analysis/hypervolume.h"
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/analysis/surrogate.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MILLION = 1000000 };

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void report(const char *what, size_t n, unsigned k, double seconds, double anchor)
{
    printf("%-34s n=%-8zu k=%u  %8.3f s", what, n, k, seconds);
    if (anchor > 0)
        printf("   anchor %.3f s   ratio %.2f\n", anchor, seconds / anchor);
    else
        printf("   anchor -\n");
    fflush(stdout);
}

typedef struct cloud {
    size_t n;
    unsigned k;
    double *columns[8];
    msw_points points;
} cloud;

/* Uniform points, or points on the unit sphere's orthant, where none dominates another. */
static void cloud_make(cloud *set, size_t n, unsigned k, bool sphere)
{
    msw_rng rng;
    msw_rng_init(&rng, 1, k);
    *set = (cloud){.n = n, .k = k};
    for (unsigned j = 0; j < k; j++)
        set->columns[j] = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double norm = 0;
        for (unsigned j = 0; j < k; j++) {
            double x = sphere ? fabs(msw_rng_normal(&rng)) : msw_rng_uniform(&rng);
            set->columns[j][i] = x;
            norm += x * x;
        }
        for (unsigned j = 0; sphere && j < k; j++)
            set->columns[j][i] /= sqrt(norm);
    }
    set->points = (msw_points){.n = n, .k = k, .columns = (const double *const *)set->columns};
}

static void cloud_free(cloud *set)
{
    for (unsigned j = 0; j < set->k; j++)
        free(set->columns[j]);
}

static void bench_front(cloud *set, const char *what, double anchor)
{
    bool *front = malloc(set->n * sizeof *front);
    double start = cpu_seconds();
    msw_pareto_front(&set->points, front, NULL, NULL);
    report(what, set->n, set->k, cpu_seconds() - start, anchor);
    free(front);
}

static void bench_rank(cloud *set, const char *what, double anchor)
{
    int32_t *rank = malloc(set->n * sizeof *rank);
    double start = cpu_seconds();
    msw_pareto_rank(&set->points, rank, NULL, NULL);
    report(what, set->n, set->k, cpu_seconds() - start, anchor);
    free(rank);
}

/* Anchors: moocore 0.2, CPU seconds. */
static void bench_pareto(void)
{
    static const double FRONT[] = {0.11, 0.08, 0.31}, RANK[] = {0.20, 6.0, 9.7},
                        ALL[] = {0.06, 0.50, 2.7};
    for (unsigned k = 2; k <= 4; k++) {
        cloud set;
        cloud_make(&set, MILLION, k, false);
        bench_front(&set, "front, uniform", FRONT[k - 2]);
        bench_rank(&set, "rank, uniform", RANK[k - 2]);
        cloud_free(&set);
        cloud_make(&set, MILLION, k, true);
        bench_front(&set, "front, all nondominated", ALL[k - 2]);
        bench_rank(&set, "rank, all nondominated", ALL[k - 2]);
        cloud_free(&set);
    }
}

static void bench_uncertain(void)
{
    enum { ROWS = 100000, K = 3 };
    cloud set;
    cloud_make(&set, ROWS, K, false);
    double *width = malloc(ROWS * sizeof *width);
    for (size_t i = 0; i < ROWS; i++)
        width[i] = 0.01;
    const double *half[K] = {width, width, width};
    msw_standing *standing = malloc(ROWS * sizeof *standing);
    msw_uncertain table = {.points = &set.points,
                           .half = half,
                           .half_confidence = 0.95,
                           .confidence = 0.95,
                           .draws = 1000,
                           .seed = 1};
    double start = cpu_seconds();
    msw_pareto_uncertain(&table, standing, NULL);
    report("uncertain front, 1000 draws", ROWS, K, cpu_seconds() - start, 0);
    free(width);
    free(standing);
    cloud_free(&set);
}

static void bench_one_volume(size_t n, unsigned k, double anchor)
{
    cloud set;
    cloud_make(&set, n, k, true);
    const double reference[] = {1.1, 1.1, 1.1, 1.1, 1.1};
    double volume, start = cpu_seconds();
    msw_hypervolume(&set.points, reference, &volume, NULL);
    report("hypervolume, all nondominated", n, k, cpu_seconds() - start, anchor);
    cloud_free(&set);
}

static void bench_volume(void)
{
    bench_one_volume(MILLION, 2, 0.21);
    bench_one_volume(MILLION, 3, 0.64);
    bench_one_volume(MILLION / 10, 4, 3.4);
    bench_one_volume(MILLION, 4, 333);
    bench_one_volume(1000, 5, 0);
}

/* Anchor: SALib, 1000 resamples. */
static void bench_one_sobol(size_t base_rows, bool second, double anchor)
{
    enum { D = 8 };
    size_t rows = base_rows * (2 + (second ? 2 : 1) * D);
    double *y = malloc(rows * sizeof *y);
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < rows; i++)
        y[i] = msw_rng_uniform(&rng);
    msw_estimate first[D], total[D], pairs[D * (D - 1) / 2];
    msw_sobol_design design = {
        .base_rows = base_rows, .factors = D, .second_order = second, .y = y};
    msw_resampling resampling = {.resamples = 1000, .confidence = 0.95, .seed = 1};
    msw_sobol_indices indices = {.first = first, .total = total, .second = pairs};
    msw_used used;
    double start = cpu_seconds();
    msw_sobol(&design, &resampling, &indices, &used, NULL);
    report(second ? "sobol S1 ST S2, 1000 resamples" : "sobol S1 ST, 1000 resamples", base_rows, D,
           cpu_seconds() - start, anchor);
    free(y);
}

static void bench_anova(void)
{
    enum { D = 8, CELLS = 6 * 6 * 6 * 6 * 6 * 6 * 5 * 5 };
    const size_t levels[D] = {6, 6, 6, 6, 6, 6, 5, 5};
    double *y = malloc(CELLS * sizeof *y), *part = malloc(sizeof *part << D);
    for (size_t i = 0; i < CELLS; i++)
        y[i] = (double)(i * 2654435761u % 1009);
    msw_anova_grid grid = {.factors = D, .levels = levels, .y = y};
    double start = cpu_seconds();
    msw_anova(&grid, part, NULL);
    report("anova of a complete grid", CELLS, D, cpu_seconds() - start, 0);
    free(y);
    free(part);
}

static void bench_pce(bool best)
{
    enum { D = 12, ROWS = 10000 };
    msw_pce_factor factor[D];
    double *x[D], *y = malloc(ROWS * sizeof *y);
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    for (int j = 0; j < D; j++) {
        factor[j] = (msw_pce_factor){.low = 0, .high = 1};
        x[j] = malloc(ROWS * sizeof *y);
        for (int i = 0; i < ROWS; i++)
            x[j][i] = msw_rng_uniform(&rng);
    }
    for (int i = 0; i < ROWS; i++)
        y[i] = exp(x[0][i]) * cos(x[1][i] + x[2][i]) + x[3][i] + 0.01 * msw_rng_uniform(&rng);
    msw_pce_data data = {
        .n = ROWS, .factors = D, .factor = factor, .x = (const double *const *)x, .y = y};
    msw_pce_settings settings = {.degree = 3, .best = best, .seed = 1};
    msw_pce_quality quality = {0};
    double start = cpu_seconds();
    msw_pce_free(msw_pce_fit(&data, &settings, &quality, NULL));
    report(best ? "polynomial chaos, best degree to 3" : "polynomial chaos, degree 3", ROWS, D,
           cpu_seconds() - start, 0);
    for (int j = 0; j < D; j++)
        free(x[j]);
    free(y);
}

static void bench_kendall(void)
{
    cloud set;
    double tau;
    cloud_make(&set, MILLION, 2, false);
    double start = cpu_seconds();
    msw_kendall(set.columns[0], set.columns[1], MILLION, &tau, NULL);
    report("Kendall's tau-b", MILLION, 2, cpu_seconds() - start, 0);
    cloud_free(&set);
}

int main(int argc, char **argv)
{
    const char *only =
        argc > 1 ? argv[1] : "pareto uncertain volume sensitivity surrogate agreement";
    if (strstr(only, "pareto"))
        bench_pareto();
    if (strstr(only, "uncertain"))
        bench_uncertain();
    if (strstr(only, "volume"))
        bench_volume();
    if (strstr(only, "sensitivity")) {
        bench_one_sobol(1 << 14, false, 14.6);
        bench_one_sobol(1 << 14, true, 59.8);
        bench_one_sobol(1 << 16, false, 0);
        bench_one_sobol(1 << 18, false, 0); /* four times as much */
        bench_anova();
    }
    if (strstr(only, "surrogate")) {
        bench_pce(false);
        bench_pce(true);
    }
    if (strstr(only, "agreement"))
        bench_kendall();
    return 0;
}
