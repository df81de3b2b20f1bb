/* SPDX-License-Identifier: MIT */
/* How fast are fronts, ranks and hypervolumes of large tables found? Beside the rows of uniform
 * points those of points on a sphere, where none dominates another. */
#include "section.h"

#include "memsweep/analysis/agreement.h"
#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>

typedef struct cloud {
    size_t n;
    unsigned k;
    double *columns[8];
    msw_points points;
} cloud;

/* Uniform points, or points on the unit sphere's orthant, where none dominates another. */
static void cloud_make(bench *b, cloud *set, size_t n, unsigned k, bool sphere)
{
    msw_rng rng;
    msw_rng_init(&rng, 1, k);
    *set = (cloud){.n = n, .k = k};
    for (unsigned j = 0; j < k; j++)
        set->columns[j] = bench_memory(b, n * sizeof(double));
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

typedef struct shape {
    unsigned k;
    bool sphere;
} shape;

static double front(bench *b, void *context, size_t n)
{
    const shape *s = context;
    msw_err err;
    cloud set;
    cloud_make(b, &set, n, s->k, s->sphere);
    bool *on_front = bench_memory(b, n * sizeof *on_front);
    double start = bench_seconds();
    bench_check(b, msw_pareto_front(&set.points, on_front, NULL, &err), &err);
    double spent = bench_seconds() - start;
    free(on_front);
    cloud_free(&set);
    return spent;
}

static double rank(bench *b, void *context, size_t n)
{
    const shape *s = context;
    msw_err err;
    cloud set;
    cloud_make(b, &set, n, s->k, s->sphere);
    int32_t *ranks = bench_memory(b, n * sizeof *ranks);
    double start = bench_seconds();
    bench_check(b, msw_pareto_rank(&set.points, ranks, NULL, &err), &err);
    double spent = bench_seconds() - start;
    free(ranks);
    cloud_free(&set);
    return spent;
}

static double uncertain(bench *b, void *context, size_t n)
{
    enum { K = 3 };
    cloud set;
    msw_err err;
    (void)context;
    cloud_make(b, &set, n, K, false);
    double *width = bench_memory(b, n * sizeof *width);
    for (size_t i = 0; i < n; i++)
        width[i] = 0.01;
    const double *half[K] = {width, width, width};
    msw_standing *standing = bench_memory(b, n * sizeof *standing);
    msw_uncertain table = {.points = &set.points,
                           .half = half,
                           .half_confidence = 0.95,
                           .confidence = 0.95,
                           .draws = 1000,
                           .seed = 1};
    double start = bench_seconds();
    bench_check(b, msw_pareto_uncertain(&table, standing, &err), &err);
    double spent = bench_seconds() - start;
    free(width);
    free(standing);
    cloud_free(&set);
    return spent;
}

void section_pareto(bench *b)
{
    size_t rows = (size_t)bench_set(b, "rows");
    for (unsigned k = 2; k <= 4; k++)
        for (int sphere = 0; sphere < 2; sphere++) {
            shape s = {k, sphere};
            const char *how = sphere ? "none dominated" : "uniform";
            bench_growth(b, rows / 10, front, &s, "front of %u objectives, %s", k, how);
            bench_growth(b, rows / 10, rank, &s, "ranks of %u objectives, %s", k, how);
        }
    bench_growth(b, (size_t)bench_set(b, "uncertain") / 10, uncertain, NULL,
                 "uncertain front, 1000 draws");
}

static double volume(bench *b, void *context, size_t n)
{
    const shape *s = context;
    const double reference[] = {1.1, 1.1, 1.1, 1.1, 1.1};
    double found;
    msw_err err;
    cloud set;
    cloud_make(b, &set, n, s->k, true);
    double start = bench_seconds();
    bench_check(b, msw_hypervolume(&set.points, reference, &found, &err), &err);
    double spent = bench_seconds() - start;
    cloud_free(&set);
    return spent;
}

/* Of more objectives fewer rows: the time is with the power k - 2 of the rows. */
void section_volume(bench *b)
{
    size_t rows = (size_t)bench_set(b, "rows");
    bench_growth(b, rows / 10, volume, &(shape){2, true}, "points, 2 objectives");
    bench_growth(b, rows / 10, volume, &(shape){3, true}, "points, 3 objectives");
    bench_growth(b, rows / 100, volume, &(shape){4, true}, "points, 4 objectives");
    bench_growth(b, rows / 1000, volume, &(shape){5, true}, "points, 5 objectives");
}

static double kendall(bench *b, void *context, size_t n)
{
    cloud set;
    double tau;
    msw_err err;
    (void)context;
    cloud_make(b, &set, n, 2, false);
    double start = bench_seconds();
    bench_check(b, msw_kendall(set.columns[0], set.columns[1], n, &tau, &err), &err);
    double spent = bench_seconds() - start;
    cloud_free(&set);
    return spent;
}

void section_agreement(bench *b)
{
    bench_growth(b, (size_t)bench_set(b, "rows") / 10, kendall, NULL, "rows of Kendall's tau-b");
}
