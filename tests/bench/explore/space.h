/* SPDX-License-Identifier: MIT */
/* A space whose truth is known: every design by the closed form and in full, as scripts/auto-spaces
 * writes it. */
#ifndef BENCH_EXPLORE_SPACE_H
#define BENCH_EXPLORE_SPACE_H

#include "memsweep/explore/explore.h"

enum { TRUTH_FACTORS = 32 };

typedef struct truth {
    size_t units;
    unsigned factors;
    unsigned levels[TRUTH_FACTORS];
    bool ordered[TRUTH_FACTORS];
    uint8_t *level[TRUTH_FACTORS];
    double *exact, *closed, *full; /* the latter two in logarithms */
    uint32_t *stratum, *group;
    double floor; /* of the logarithm, or -INFINITY */
    msw_explore_factor list[TRUTH_FACTORS];
    msw_explore_space space;
    size_t front; /* distinct vectors of the true front, cheapest first */
    double *cost, *value;
} truth;

/* Reads a table. Returns 0, or -1 after a message. */
int truth_read(const char *path, truth *t);
void truth_free(truth *t);

/* What a set of designs run in full covers of the true front. */
typedef struct cover {
    const truth *t;
    double *best; /* of each vector of the front: least value at no more cost */
} cover;

cover cover_new(const truth *t);
void cover_free(cover *c);
void cover_clear(cover *c);
void cover_add(cover *c, size_t unit);

/* Whether every vector of the true front is matched within a share. */
bool cover_within(const cover *c, double tolerance);

/* The share of the hypervolume of the true front, on logarithmic axes, up to a tenth of its range
 * beyond its ends. */
double cover_volume(const cover *c);

/* When a sequence of runs first had each: designs run, 0: never. */
typedef struct reached {
    size_t run, within, volume, all;
} reached;

/* Adds a run and notes what it reached. */
void reached_add(reached *r, cover *c, size_t unit, double tolerance);

#endif
