/* SPDX-License-Identifier: MIT */
/* What the sections of hardware parts share: random numbers, whole and reduced. */
#ifndef MEMSWEEP_TESTS_NUMBERS_H
#define MEMSWEEP_TESTS_NUMBERS_H

#include "section.h"

#include "memsweep/base/rng.h"

#include <stdlib.h>

typedef struct numbers {
    bench *b;
    int count;
    uint64_t *keys;  /* random numbers, */
    uint64_t *below; /* and the same reduced to what one measurement needs */
    uint64_t sink;
} numbers;

static inline numbers numbers_new(bench *b)
{
    numbers set = {.b = b, .count = (int)bench_set(b, "accesses")};
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    set.keys = bench_memory(b, (size_t)set.count * sizeof *set.keys);
    set.below = bench_memory(b, (size_t)set.count * sizeof *set.below);
    for (int i = 0; i < set.count; i++)
        set.keys[i] = msw_rng_u64(&rng) >> 16;
    return set;
}

static inline void numbers_reduce(numbers *set, uint64_t span)
{
    for (int i = 0; i < set->count; i++)
        set->below[i] = set->keys[i] % span;
}

static inline void numbers_free(numbers *set)
{
    free(set->keys);
    free(set->below);
}

#endif
