/* SPDX-License-Identifier: MIT */
/* Are the mathematical functions right to the last bit or nearly so, and right at the ends?
 *
 * The reference is the C library in long double, 11 bits more on x86 and 60 on ARM; where long
 * double is no wider, errors are not measured. MEMSWEEP_MATH_SAMPLES arguments per range (20000).
 */
#include "memsweep/base/hash.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

#include "testing.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef double unary(double x);
typedef double binary(double x, double y);
typedef long double unary_reference(long double x);
typedef long double binary_reference(long double x, long double y);

/* Arguments with sizes from `low` to `high`, uniform in the logarithm or, from -high to high, in
 * the number itself; `limit` in units of the last place. */
typedef struct subject {
    const char *name;
    unary *own;
    unary_reference *reference;
    double low, high, limit;
    bool negative; /* below 0 as well */
} subject;

static long double normal(long double x)
{
    return erfcl(-x * 0.707106781186547524400844362104849039284836L) / 2;
}

static const subject SUBJECTS[] = {
    {"exp", msw_math_exp, expl, 1e-20, 745, 0.52, true},
    {"exp2", msw_math_exp2, exp2l, 1e-20, 1074, 0.52, true},
    {"expm1", msw_math_expm1, expm1l, 1e-300, 700, 0.53, true},
    {"log", msw_math_log, logl, 5e-324, 1.7e308, 0.51, false},
    {"log near 1", msw_math_log, logl, 0.5, 2, 0.51, false},
    {"log2", msw_math_log2, log2l, 5e-324, 1.7e308, 0.51, false},
    {"log2 near 1", msw_math_log2, log2l, 0.5, 2, 0.51, false},
    {"log10", msw_math_log10, log10l, 5e-324, 1.7e308, 0.51, false},
    {"log10 near 1", msw_math_log10, log10l, 0.5, 2, 0.51, false},
    {"log1p", msw_math_log1p, log1pl, 1e-300, 1.7e308, 0.51, false},
    {"log1p near 0", msw_math_log1p, log1pl, 1e-20, 0.999, 0.51, true},
    {"cbrt", msw_math_cbrt, cbrtl, 5e-324, 1.7e308, 0.52, true},
    {"sin", msw_math_sin, sinl, 1e-300, 1e5, 0.52, true},
    {"sin large", msw_math_sin, sinl, 1, 1.7e308, 0.52, true},
    {"cos", msw_math_cos, cosl, 1e-300, 1e5, 0.52, true},
    {"cos large", msw_math_cos, cosl, 1, 1.7e308, 0.52, true},
    {"tanh", msw_math_tanh, tanhl, 1e-300, 25, 0.54, true},
    {"atanh", msw_math_atanh, atanhl, 1e-20, 1, 0.52, true},
    {"normal", msw_math_normal, normal, 1e-3, 37, 8, true},
};

/* The distance in units of the last place that a double of this size has. A subnormal result is
 * rounded twice, which may cost a quarter more. */
static double distance(double got, long double wanted)
{
    int exponent;
    frexpl(wanted, &exponent);
    if (!(fabsl(wanted) < (long double)DBL_MAX))
        return got == (double)wanted ? 0 : INFINITY;
    long double unit = ldexpl(1, exponent - 53 < -1074 ? -1074 : exponent - 53);
    double units = (double)(fabsl(got - wanted) / unit);
    return exponent < -1021 ? units - 0.25 : units;
}

static double uniform(msw_rng *rng, double low, double high)
{
    return low + msw_rng_uniform(rng) * (high - low);
}

/* Every third argument from the number line, the others from its logarithm. */
static double argument(msw_rng *rng, double low, double high, bool negative, int i)
{
    double size = i % 3 ? msw_math_exp2(uniform(rng, msw_math_log2(low), msw_math_log2(high)))
                        : uniform(rng, low, high);
    size = fmin(fmax(size, low), high);
    return negative && msw_rng_u32(rng) & 1 ? -size : size;
}

static int samples(void)
{
    const char *asked = getenv("MEMSWEEP_MATH_SAMPLES");
    return asked ? atoi(asked) : 20000;
}

static void judge(const char *name, double worst, double x, double y, double limit)
{
    printf("%-14s %8.4f units at (%.17g, %.17g)\n", name, worst, x, y);
    if (LDBL_MANT_DIG > DBL_MANT_DIG && !(worst <= limit))
        fail_msg("%s is wrong by %g units in the last place, at most %g are allowed", name, worst,
                 limit);
}

static void one_argument(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (size_t s = 0; s < sizeof SUBJECTS / sizeof *SUBJECTS; s++) {
        const subject *f = &SUBJECTS[s];
        double worst = 0, where = 0;
        for (int i = 0; i < samples(); i++) {
            double x = argument(&rng, f->low, f->high, f->negative, i);
            double off = distance(f->own(x), f->reference(x));
            if (!(off <= worst))
                worst = off, where = x;
        }
        judge(f->name, worst, where, 0, f->limit);
    }
}

static void two_arguments(const char *name, binary *own, binary_reference *reference, double y_high,
                          bool negative, double limit)
{
    msw_rng rng;
    msw_rng_init(&rng, 6, (uint64_t)y_high);
    double worst = 0, at_x = 0, at_y = 0;
    for (int i = 0; i < samples(); i++) {
        double x = argument(&rng, i % 2 ? 0.5 : 1e-300, i % 2 ? 2 : 1e300, negative, i);
        double y = argument(&rng, 1e-3, y_high, true, i / 2);
        double off = distance(own(x, y), reference(x, y));
        if (!(off <= worst))
            worst = off, at_x = x, at_y = y;
    }
    judge(name, worst, at_x, at_y, limit);
}

static void pairs(void **state)
{
    (void)state;
    two_arguments("pow", msw_math_pow, powl, 10, false, 0.53);
    two_arguments("pow far", msw_math_pow, powl, 1000, false, 0.56);
    two_arguments("hypot", msw_math_hypot, hypotl, 100, true, 0.52);
}

/* The probability that the quantile gives, against the one it was asked for: the error in x. */
static void normal_quantiles(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 7, 0);
    double worst = 0, where = 0;
    for (int i = 0; i < samples(); i++) {
        double p = argument(&rng, i % 2 ? 1e-300 : 1e-3, 1, false, i);
        double x = msw_math_normal_quantile(p);
        if (!isfinite(x) || x == 0)
            continue;
        long double density = expl(-(long double)x * x / 2) * 0.398942280401432677939946L;
        long double excess = p < 0.5 ? normal(x) - p : (1 - p) - normal(-x);
        double off = distance(x, x - excess / density);
        if (!(off <= worst) && fabs(x) > 1e-6 && fabs(x) < 37)
            worst = off, where = p;
    }
    judge("normal quantile", worst, where, 0, 8);
}

static void exact(double got, double wanted)
{
    if (isnan(wanted) ? !isnan(got) : memcmp(&got, &wanted, sizeof got) != 0)
        fail_msg("found %.17g, wanted %.17g", got, wanted);
}

/* A special value must be the same. */
static void near_or_exact(double got, double wanted)
{
    if (wanted == 0 || fabs(wanted) == 1 || !isfinite(wanted))
        exact(got, wanted);
    else
        assert_relative(got, wanted, 4e-16);
}

/* Results that are doubles must come out as such. */
static void exact_results(void **state)
{
    (void)state;
    for (int k = -1074; k <= 1023; k++) {
        exact(msw_math_exp2(k), ldexp(1, k));
        exact(msw_math_log2(ldexp(1, k)), k);
        exact(msw_math_pow(2, k), ldexp(1, k));
        exact(msw_math_pow(0.5, -k), ldexp(1, k));
        exact(msw_math_pow(ldexp(1, k), 1), ldexp(1, k));
        if (k % 3 == 0)
            exact(msw_math_cbrt(ldexp(-1, k)), ldexp(-1, k / 3));
        if (k % 2 == 0)
            exact(msw_math_pow(ldexp(1, k), 0.5), ldexp(1, k / 2));
    }
    double ten = 1;
    for (int k = 0; k <= 22; k++, ten *= 10) {
        exact(msw_math_log10(ten), k);
        exact(msw_math_pow(10, k), ten);
    }
    for (double i = 1; i < 2000; i++) {
        exact(msw_math_pow(i, 2), i * i);
        exact(msw_math_pow(-i, 3), -i * i * i);
        exact(msw_math_cbrt(i * i * i), i);
        exact(msw_math_pow(i * i, 0.5), i);
        exact(msw_math_pow(i / 7, 1), i / 7);
        exact(msw_math_hypot(3 * i, -4 * i), 5 * i);
    }
}

/* Annex F of the C standard, for one argument: the C library keeps it, so it is the reference. */
static void special_arguments(void **state)
{
    (void)state;
    static const struct {
        unary *own, *reference;
    } PAIRS[] = {
        {msw_math_exp, exp},     {msw_math_exp2, exp2}, {msw_math_expm1, expm1},
        {msw_math_log, log},     {msw_math_log2, log2}, {msw_math_log10, log10},
        {msw_math_log1p, log1p}, {msw_math_cbrt, cbrt}, {msw_math_sin, sin},
        {msw_math_cos, cos},     {msw_math_tanh, tanh}, {msw_math_atanh, atanh},
    };
    static const double X[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -5e-324, -1, 1};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++)
        for (size_t j = 0; j < sizeof X / sizeof *X; j++)
            near_or_exact(PAIRS[i].own(X[j]), PAIRS[i].reference(X[j]));
    exact(msw_math_exp(709.79), INFINITY);
    exact(msw_math_exp(-745.2), 0);
    exact(msw_math_exp(1e300), INFINITY);
    exact(msw_math_exp(-1e300), 0);
    exact(msw_math_exp2(1024), INFINITY);
    exact(msw_math_exp2(-1075.1), 0);
    exact(msw_math_expm1(-1e300), -1);
    exact(msw_math_tanh(-1e300), -1);
}

static void special_pairs(void **state)
{
    (void)state;
    static const double X[] = {0.0, -0.0,   INFINITY, -INFINITY, NAN,   1,      -1,
                               2,   -2,     0.5,      -0.5,      1e300, -1e300, 3,
                               -3,  1e-300, -1e-300,  1e17,      -1e17, 5e-324};
    enum { COUNT = sizeof X / sizeof *X };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            near_or_exact(msw_math_pow(X[i], X[j]), pow(X[i], X[j]));
            near_or_exact(msw_math_hypot(X[i], X[j]), hypot(X[i], X[j]));
        }
}

/* Quantiles found with mpmath at 40 digits, as roots of the regularised incomplete beta function.
 */
static void known_quantiles(void **state)
{
    (void)state;
    assert_relative(msw_math_normal_quantile(0.975), 1.959963984540054, 1e-15);
    assert_relative(msw_math_normal_quantile(1e-300), -37.047096299361199, 1e-15);
    assert_relative(msw_math_normal(-10), 7.619853024160527e-24, 1e-15);
    assert_relative(msw_math_student_quantile(0.975, 1), 12.706204736174693, 1e-14);
    assert_relative(msw_math_student_quantile(0.9995, 1), 636.61924876878973, 1e-14);
    assert_relative(msw_math_student_quantile(0.95, 3.5), 2.2224334936496007, 1e-14);
    assert_relative(msw_math_student_quantile(0.975, 10), 2.2281388519862742, 1e-14);
    assert_relative(msw_math_student_quantile(0.025, 10), -2.2281388519862742, 1e-14);
    assert_relative(msw_math_student_quantile(0.995, 47.25), 2.6839580297014428, 1e-14);
    assert_relative(msw_math_student_quantile(0.995, 1e6), 2.5758342201053338, 1e-14);
    exact(msw_math_student_quantile(0.5, 3), 0);
    exact(msw_math_student_quantile(0.975, INFINITY), msw_math_normal_quantile(0.975));
    exact(msw_math_student_quantile(0.975, 0), NAN);
    exact(msw_math_student_quantile(1, 4), INFINITY);
    exact(msw_math_normal_quantile(0), -INFINITY);
    exact(msw_math_normal_quantile(1), INFINITY);
    exact(msw_math_normal_quantile(1.5), NAN);
    exact(msw_math_normal(-INFINITY), 0);
    exact(msw_math_normal(INFINITY), 1);
}

static uint64_t mixed(uint64_t sum, double x)
{
    uint64_t words[2] = {sum, 0};
    memcpy(&words[1], &x, sizeof x);
    return isnan(x) ? sum : msw_hash_bytes(words, sizeof words).lo;
}

/* The same bits from every compiler, at every level of optimisation, on every CPU: a digest of many
 * results. It changes when a function does; versions of models are raised then. */
static void same_bits(void **state)
{
    (void)state;
    uint64_t sum = 0;
    msw_rng rng;
    msw_rng_init(&rng, 9, 0);
    for (size_t s = 0; s < sizeof SUBJECTS / sizeof *SUBJECTS; s++)
        for (int i = 0; i < 1000; i++) {
            const subject *f = &SUBJECTS[s];
            sum = mixed(sum, f->own(argument(&rng, f->low, f->high, f->negative, i)));
        }
    for (int i = 0; i < 1000; i++) {
        double x = argument(&rng, 0.01, 100, false, i), y = argument(&rng, 0.01, 30, true, i);
        double p = uniform(&rng, 0, 1);
        sum = mixed(sum, msw_math_pow(x, y));
        sum = mixed(sum, msw_math_hypot(x, y));
        sum = mixed(sum, msw_math_normal_quantile(p));
        sum = mixed(sum, msw_math_student_quantile(p, x));
    }
    printf("digest of 23000 results: %016llx\n", (unsigned long long)sum);
    assert_true(sum == 0x4e8a21c1a54f8e84u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_argument),      cmocka_unit_test(pairs),
        cmocka_unit_test(normal_quantiles),  cmocka_unit_test(exact_results),
        cmocka_unit_test(special_arguments), cmocka_unit_test(special_pairs),
        cmocka_unit_test(known_quantiles),   cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
