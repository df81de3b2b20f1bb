/* SPDX-License-Identifier: MIT */
/* sort: sorting columns of doubles without moving them. */
#ifndef MSW_ANALYSIS_STATS_SORT_H
#define MSW_ANALYSIS_STATS_SORT_H

#include "memsweep/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Most rows that can be sorted: row numbers and ranks are 31-bit. */
#define SORT_MAX ((size_t)INT32_MAX)

/* Finds the stable ascending order of `n` values, none of them NaN. Scratch comes from the arena
 * and is given back. Returns 0, or -1 when memory runs out. */
int sort_ascending(const double *values, size_t n, uint32_t *order, msw_arena *arena);

/* Numbers the distinct values 0, 1, ... along `order`: equal values share a number. Returns how
 * many there are. */
size_t sort_dense_ranks(const double *values, const uint32_t *order, size_t n, int32_t *rank);

/* Numbers the values 1..n along `order`, equal values sharing the mean of their places. */
void sort_mid_ranks(const double *values, const uint32_t *order, size_t n, double *rank);

/* Reorders `order` stably by an integer key below `limit`. Returns 0, or -1 when memory runs out.
 */
int sort_by_key(const int32_t *key, size_t stride, size_t limit, uint32_t *order, size_t n,
                msw_arena *arena);

#endif
