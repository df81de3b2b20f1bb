/* SPDX-License-Identifier: MIT */
/* rng: counter-based random numbers (Philox4x32-10, Salmon et al. 2011).
 *
 * A stream is a key and a counter, nothing else: any number can be drawn without drawing those
 * before it, so the order in which threads and ranks work cannot matter. */
#ifndef MEMSWEEP_BASE_RNG_H
#define MEMSWEEP_BASE_RNG_H

#include "memsweep/base/hash.h"

#include <stdint.h>

typedef struct msw_rng {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t block[4];
    unsigned left; /* words of `block` not yet used */
} msw_rng;

/* One Philox4x32-10 block: the function itself, for known answers and random access. */
void msw_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Starts the stream numbered `stream` of a seed. */
void msw_rng_init(msw_rng *rng, uint64_t seed, uint64_t stream);

/* Moves to the n-th block (4 words) of the stream. */
void msw_rng_seek(msw_rng *rng, uint64_t block);

/* Draws 32 random bits. */
uint32_t msw_rng_u32(msw_rng *rng);

/* Draws 64 random bits. */
uint64_t msw_rng_u64(msw_rng *rng);

/* Draws a double in [0, 1) with 53 random bits. */
double msw_rng_uniform(msw_rng *rng);

/* Draws an integer in [0, n) without bias; n > 0. */
uint64_t msw_rng_below(msw_rng *rng, uint64_t n);

/* Draws a standard normal number (inverse transform: one uniform each). */
double msw_rng_normal(msw_rng *rng);

/* Value at position `index` of a keyed random permutation of [0, n), computed without storing the
 * permutation (Feistel network with cycle walking). Returns the value. */
uint64_t msw_permute(uint64_t index, uint64_t n, uint64_t key);

#endif
