/* bits: positions of the first and last set bit of a word. */
#ifndef MSW_ANALYSIS_BITS_H
#define MSW_ANALYSIS_BITS_H

#include <stdint.h>

#if defined(__GNUC__)
static inline unsigned bits_lowest(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

static inline unsigned bits_highest(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
}
#else
static inline unsigned bits_highest(uint64_t word)
{
    unsigned at = 0;
    for (unsigned step = 32; step; step /= 2)
        if (word >> step) {
            word >>= step;
            at += step;
        }
    return at;
}

static inline unsigned bits_lowest(uint64_t word)
{
    return bits_highest(word & (~word + 1));
}
#endif

#endif
