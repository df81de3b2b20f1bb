/* SPDX-License-Identifier: MIT */
/* A cache written down as its rules read (docs/models/sim-assoc.md): everything is searched, one
 * step at a time, nothing is kept that can be counted. What the parts of sim are compared with. */
#ifndef MEMSWEEP_TESTS_PLAIN_CACHE_H
#define MEMSWEEP_TESTS_PLAIN_CACHE_H

#include "memsweep/sim/assoc.h"

enum { PLAIN_WAYS = 256 };

typedef struct plain_line {
    bool held;
    uint64_t key;
    int prediction;
    bool used; /* bit policy */
} plain_line;

typedef struct plain_set {
    plain_line lines[PLAIN_WAYS];
    int order[PLAIN_WAYS]; /* ways, the one to go first first */
    bool tree[PLAIN_WAYS];
    int leads; /* 0, 1: SRRIP, 2: BRRIP */
} plain_set;

typedef struct plain_cache {
    msw_assoc_config config;
    plain_set *sets;
    int ways, largest, counter, counter_top;
    uint64_t bimodal_fills;
    msw_rng rng;
} plain_cache;

typedef struct plain_request {
    uint64_t key;
    msw_insert insert;
    const bool *allowed; /* by way */
} plain_request;

typedef struct plain_answer {
    bool hit, evicted;
    uint64_t victim;
} plain_answer;

void plain_init(plain_cache *cache, const msw_assoc_config *config);
void plain_free(plain_cache *cache);
plain_answer plain_access(plain_cache *cache, const plain_request *request);
void plain_drop(plain_cache *cache, uint64_t key);

#endif
