/* bits: positions of the first and last set bit of a word that is not 0. */
#ifndef MEMSWEEP_BASE_BITS_H
#define MEMSWEEP_BASE_BITS_H

#include <stdint.h>

#if defined(__GNUC__)
/* Returns the position of the lowest set bit. */
static inline unsigned msw_bits_lowest(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

/* Returns the position of the highest set bit. */
static inline unsigned msw_bits_highest(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
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
#endif

#endif
