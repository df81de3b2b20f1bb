/* SPDX-License-Identifier: MIT */
/* What do our mathematical functions cost beside the C library's? One thread, arguments of usual
 * size, a call; the ratio is what to look at. */
#include "section.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { COUNT = 4096 };

typedef double unary(double x);

static const double HALF = 0.5;

static double own_pow(double x)
{
    return msw_math_pow(x, x * 0.3 + HALF);
}

static double other_pow(double x)
{
    return pow(x, x * 0.3 + HALF);
}

static double own_student(double x)
{
    return msw_math_student_quantile(0.975, x * 20);
}

static double other_student(double x)
{
    return gsl_cdf_tdist_Pinv(0.975, x * 20);
}

static const struct {
    const char *name;
    unary *own, *other;
    double low, high;
} ROWS[] = {
    {"exp", msw_math_exp, exp, -20, 20},
    {"exp2", msw_math_exp2, exp2, -20, 20},
    {"expm1", msw_math_expm1, expm1, -3, 3},
    {"log", msw_math_log, log, 0.01, 100},
    {"log2", msw_math_log2, log2, 0.01, 100},
    {"log10", msw_math_log10, log10, 0.01, 100},
    {"log1p", msw_math_log1p, log1p, 0.01, 3},
    {"pow", own_pow, other_pow, 0.01, 10},
    {"cbrt", msw_math_cbrt, cbrt, 0.01, 100},
    {"sin", msw_math_sin, sin, -4, 4},
    {"cos", msw_math_cos, cos, -4, 4},
    {"tanh", msw_math_tanh, tanh, -4, 4},
    {"normal", msw_math_normal, gsl_cdf_ugaussian_P, -4, 4},
    {"normal quantile", msw_math_normal_quantile, gsl_cdf_ugaussian_Pinv, 0.0001, 0.9999},
    {"student quantile", own_student, other_student, 1, 10},
};

typedef struct calls {
    unary *function;
    double x[COUNT];
} calls;

static double rounds(bench *b, void *context, size_t n)
{
    const calls *c = context;
    double sum = 0, start = bench_seconds();
    for (size_t round = 0; round < n; round++)
        for (int i = 0; i < COUNT; i++)
            sum += c->function(c->x[i]);
    if (isnan(sum))
        bench_fail(b, "a sum is not a number");
    return bench_seconds() - start;
}

void section_math(bench *b)
{
    enum { TIMES = 40 };
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        calls c;
        for (int i = 0; i < COUNT; i++)
            c.x[i] = ROWS[r].low + msw_rng_uniform(&rng) * (ROWS[r].high - ROWS[r].low);
        c.function = ROWS[r].own;
        double own = bench_mean(b, rounds, &c, TIMES) / TIMES / COUNT;
        c.function = ROWS[r].other;
        double other = bench_mean(b, rounds, &c, TIMES) / TIMES / COUNT;
        bench_time(b, own, "%s", ROWS[r].name);
        bench_row(b, "x", BENCH_LOWER, own / other, "%s over the libraries' time", ROWS[r].name);
    }
}
