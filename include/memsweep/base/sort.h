/* SPDX-License-Identifier: MIT */
/* sort: one stable sort. Equal items stay in the order in which they were, with every C library.
 *
 * Sorting never fails: if there is no memory for scratch, it takes longer. */
#ifndef MEMSWEEP_BASE_SORT_H
#define MEMSWEEP_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a negative number, 0 or a positive number: the order of two items. */
typedef int msw_compare(const void *a, const void *b);
typedef int msw_compare_with(const void *a, const void *b, const void *context);

/* Sorts `count` items of `size` bytes, as qsort. */
void msw_sort(void *items, size_t count, size_t size, msw_compare *compare);

/* The same with a context for the comparison. */
void msw_sort_with(void *items, size_t count, size_t size, msw_compare_with *compare,
                   const void *context);

/* Sort plain values, rising. NaN stands last. */
void msw_sort_f64(double *values, size_t count);
void msw_sort_u64(uint64_t *values, size_t count);
void msw_sort_i64(int64_t *values, size_t count);
void msw_sort_u32(uint32_t *values, size_t count);
void msw_sort_size(size_t *values, size_t count);

/* Sorts plain values, falling. NaN stands last. */
void msw_sort_falling(double *values, size_t count);

/* Sorts strings by their bytes. `strings` is an array of char pointers, const or not. */
void msw_sort_strings(void *strings, size_t count);

/* Fill `order` with the numbers 0 .. count - 1, sorted by the key of each number, rising; of equal
 * keys the smaller number comes first. NaN stands last. */
void msw_order_f64(const double *keys, size_t count, size_t *order);
void msw_order_u64(const uint64_t *keys, size_t count, size_t *order);

/* Compare two values, for comparisons of structs. Each returns -1, 0 or 1. */
static inline int msw_compare_f64(double a, double b)
{
    return (a > b) - (a < b);
}

static inline int msw_compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int msw_compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

#endif
