/* SPDX-License-Identifier: MIT */
/* bits: small arithmetic on words and numbers that many models need: set bits, powers of two,
 * alignment, division rounded up, the smaller and the larger of two. */
#ifndef MEMSWEEP_BASE_BITS_H
#define MEMSWEEP_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/* Returns the position of the lowest set bit of a word that is not 0. */
static inline unsigned msw_bits_lowest(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

/* Returns the position of the highest set bit of a word that is not 0. */
static inline unsigned msw_bits_highest(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
}

/* Returns how many bits are set. */
static inline unsigned msw_bits_count(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}
#else
static inline unsigned msw_bits_highest(uint64_t word)
{
    unsigned at = 0;
    for (unsigned step = 32; step; step /= 2)
        if (word >> step) {
            word >>= step;
            at += step;
        }
    return at;
}

static inline unsigned msw_bits_lowest(uint64_t word)
{
    return msw_bits_highest(word & (~word + 1));
}

static inline unsigned msw_bits_count(uint64_t word)
{
    unsigned count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}
#endif

/* Returns how many bits a number needs; 0 for 0. */
static inline unsigned msw_bits_width(uint64_t number)
{
    return number ? msw_bits_highest(number) + 1 : 0;
}

/* Returns the logarithm to base 2, rounded down; 0 for 0. */
static inline unsigned msw_bits_log2(uint64_t number)
{
    return number ? msw_bits_highest(number) : 0;
}

/* Returns the logarithm to base 2, rounded up; 0 for 0. */
static inline unsigned msw_bits_log2_up(uint64_t number)
{
    return number ? msw_bits_width(number - 1) : 0;
}

/* Returns a word whose lowest bits are set, so many of up to 64. */
static inline uint64_t msw_bits_mask(unsigned count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

/* Returns the smallest power of two that is not below a number up to 2^63. */
static inline uint64_t msw_bits_power(uint64_t number)
{
    return number > 1 ? (uint64_t)1 << msw_bits_width(number - 1) : 1;
}

/* Returns a quotient rounded up; their sum is below 2^64. */
static inline uint64_t msw_div_up(uint64_t number, uint64_t divisor)
{
    return (number + divisor - 1) / divisor;
}

/* Returns a size rounded up to a multiple of a power of two. */
static inline uint64_t msw_align_up(uint64_t size, uint64_t power)
{
    return (size + (power - 1)) & ~(power - 1);
}

/* Returns a size rounded up to whole cache lines. */
static inline size_t msw_align_line(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

/* The smaller and the larger of two: the second one where neither is. */
static inline uint64_t msw_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t msw_max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t msw_max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline int64_t msw_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t msw_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline double msw_min_f64(double a, double b)
{
    return a < b ? a : b;
}

static inline double msw_max_f64(double a, double b)
{
    return a > b ? a : b;
}

#endif
