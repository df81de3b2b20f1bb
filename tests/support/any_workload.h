/* SPDX-License-Identifier: MIT */
/* Closed forms on workloads whose like no statement names: numbers that such workloads are made of,
 * and errors of random configs on them. */
#ifndef MEMSWEEP_TESTS_ANY_WORKLOAD_H
#define MEMSWEEP_TESTS_ANY_WORKLOAD_H

#include "space_sample.h"

#include <math.h>

/* A number below `below` that looks drawn, always the same for the same x. */
static inline uint64_t any_scatter(uint64_t x, uint64_t below)
{
    x *= 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return (x ^ x >> 32) % below;
}

/* A rank of so many, of a distribution that falls with rank^-s, s < 1. */
static inline uint64_t any_zipf(msw_rng *rng, double s, double ranks)
{
    return (uint64_t)pow(msw_rng_uniform(rng) * (pow(ranks, 1 - s) - 1) + 1, 1 / (1 - s));
}

/* Draws a config and answers it in closed form and at full. Returns the size of ln(closed / full)
 * of a metric, or NaN where there is none. */
static inline double any_error(direct *d, int metric, uint64_t seed, uint64_t draw)
{
    msw_err err = {0};
    space_draw(d, seed, draw);
    if (d->mech->check(d->config, &err))
        return NAN;
    direct_run(d, MSW_ANALYTIC, 1);
    double closed = d->answer.status == MSW_OK ? d->metrics[metric] : NAN;
    direct_run(d, MSW_FULL, 1);
    return d->answer.status == MSW_OK ? fabs(log(closed / d->metrics[metric])) : NAN;
}

static inline int any_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts and prints them. */
static inline void any_print(double *errors, size_t count)
{
    qsort(errors, count, sizeof *errors, any_compare);
    printf("median %.4f, 90 %% %.3f, 95 %% %.3f, worst %.3f\n", errors[count / 2],
           errors[count * 9 / 10], errors[count * 19 / 20], errors[count - 1]);
}

#endif
