/* SPDX-License-Identifier: MIT */
/* math: the transcendental functions, with the same bits on every CPU of an architecture.
 *
 * A C library may choose another implementation of exp or pow on another CPU, so that a last bit
 * changes. These use plain arithmetic only, rounded once per operation: no fused multiply-add, no
 * dispatch. Special values (NaN, infinities, zeros) are those of C's annex F. The errors measured
 * are in docs/internals/decisions/own-math.md; functions that IEEE rounds exactly (sqrt, floor,
 * fmod, ldexp) are taken from the C library. */
#ifndef MEMSWEEP_BASE_MATH_H
#define MEMSWEEP_BASE_MATH_H

/* Return e^x, 2^x and e^x - 1. */
double msw_math_exp(double x);
double msw_math_exp2(double x);
double msw_math_expm1(double x);

/* Return the logarithm of x to base e, 2 and 10, and that of 1 + x to base e. */
double msw_math_log(double x);
double msw_math_log2(double x);
double msw_math_log10(double x);
double msw_math_log1p(double x);

/* Return x^y, the cube root of x, and the square root of x^2 + y^2. */
double msw_math_pow(double x, double y);
double msw_math_cbrt(double x);
double msw_math_hypot(double x, double y);

/* Return the circular functions of x in radians. */
double msw_math_sin(double x);
double msw_math_cos(double x);

/* Return the hyperbolic tangent, and its inverse. */
double msw_math_tanh(double x);
double msw_math_atanh(double x);

/* Returns by how much one number is off another, both ways alike: a tenth and ten times are both 9
 * (as -9 and 9). 0 where they are equal; an infinity where one is 0 or their signs differ. */
double msw_math_ratio_error(double value, double reference);

/* Returns the probability that a standard normal variable is at most x. */
double msw_math_normal(double x);

/* Returns the x below which a standard normal variable lies with this probability. */
double msw_math_normal_quantile(double probability);

/* Returns the x below which a variable with Student's t distribution lies with this probability;
 * the degrees of freedom need not be whole, and may be infinite. NaN unless they are above 0. */
double msw_math_student_quantile(double probability, double degrees);

#endif
