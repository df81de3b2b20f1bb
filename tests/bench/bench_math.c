/* What do our mathematical functions cost beside the C library's? One thread, arguments of usual
 * size, nanoseconds per call; the ratio is what to look at. */
#include "bench.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { COUNT = 4096, ROUNDS = 400 };

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
    {"tan", msw_math_tan, tan, -4, 4},
    {"atan", msw_math_atan, atan, -4, 4},
    {"tanh", msw_math_tanh, tanh, -4, 4},
    {"normal", msw_math_normal, gsl_cdf_ugaussian_P, -4, 4},
    {"normal quantile", msw_math_normal_quantile, gsl_cdf_ugaussian_Pinv, 0.0001, 0.9999},
    {"student quantile", own_student, other_student, 1, 10},
};

static double cost(unary *function, const double *x)
{
    double sum = 0, best = INFINITY;
    for (int repeat = 0; repeat < 3; repeat++) {
        double start = bench_seconds();
        for (int round = 0; round < ROUNDS; round++)
            for (int i = 0; i < COUNT; i++)
                sum += function(x[i]);
        best = fmin(best, bench_seconds() - start);
    }
    return isnan(sum) ? NAN : 1e9 * best / COUNT / ROUNDS;
}

int main(void)
{
    static double x[COUNT];
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    printf("%-18s %8s %8s %6s\n", "", "own ns", "libs ns", "ratio");
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        for (int i = 0; i < COUNT; i++)
            x[i] = ROWS[r].low + msw_rng_uniform(&rng) * (ROWS[r].high - ROWS[r].low);
        double own = cost(ROWS[r].own, x), other = cost(ROWS[r].other, x);
        printf("%-18s %8.1f %8.1f %6.2f\n", ROWS[r].name, own, other, own / other);
    }
    return 0;
}
