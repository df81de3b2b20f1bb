/* SPDX-License-Identifier: MIT */
/* exact: IEEE arithmetic on bits of f16, bf16, f32 and f64, in integers, rounded once in any
 * direction.
 *
 * Slow and plain: what the loops over lanes do not do themselves, and what tests compare them with.
 * A result that is not a number is the format's one NaN (f16, bf16 0x7fff, f32 0x7fffffff, f64
 * 0xfff8000000000000). */
#ifndef MSW_WORKLOAD_SIMT_LANES_EXACT_H
#define MSW_WORKLOAD_SIMT_LANES_EXACT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum exact_format { EXACT_F16, EXACT_BF16, EXACT_F32, EXACT_F64 } exact_format;

typedef enum exact_rounding {
    EXACT_RN, /* to nearest, halves to even */
    EXACT_RZ, /* towards zero */
    EXACT_RM, /* down */
    EXACT_RP, /* up */
    EXACT_RNA /* to nearest, halves away from zero */
} exact_rounding;

/* Returns a x b + c, rounded once. */
uint64_t exact_fma(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b,
                   uint64_t c);

/* Return a + b, a x b, a / b and the square root of a. */
uint64_t exact_add(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b);
uint64_t exact_mul(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b);
uint64_t exact_div(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b);
uint64_t exact_sqrt(exact_format format, exact_rounding rounding, uint64_t a);

/* Returns the number in another format. */
uint64_t exact_convert(exact_format from, exact_format to, exact_rounding rounding, uint64_t a);

/* Returns -magnitude or magnitude as a float. */
uint64_t exact_from_int(exact_format to, exact_rounding rounding, bool negative,
                        uint64_t magnitude);

/* Returns the integer of `bits` bits (8 ... 64; two's complement when signed) next to `a` in the
 * direction; the ends of the range for what lies outside, 0 for NaN. */
uint64_t exact_to_int(exact_format from, exact_rounding rounding, uint64_t a, bool is_signed,
                      unsigned bits);

/* Returns the whole number next to `a`, as a float. */
uint64_t exact_integral(exact_format format, exact_rounding rounding, uint64_t a);

bool exact_is_nan(exact_format format, uint64_t a);
bool exact_is_subnormal(exact_format format, uint64_t a);

/* Returns the format's one NaN, its infinity and its sign bit. */
uint64_t exact_nan(exact_format format);
uint64_t exact_infinity(exact_format format);
uint64_t exact_sign(exact_format format);

#endif
