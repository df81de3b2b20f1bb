/* SPDX-License-Identifier: MIT */
#include "analysis/stats/sort.h"

#include "memsweep/base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Values become integers of DIGITS x DIGIT_BITS bits that never order two values wrongly but may
 * call them equal; a radix sort on those leaves only short runs to be sorted by value. */
enum { DIGIT_BITS = 11, BINS = 1 << DIGIT_BITS, DIGITS = 3, ROW_BITS = 31, SHORT = 40 };

static const uint64_t ROW_MASK = ((uint64_t)1 << ROW_BITS) - 1;

typedef struct keyed {
    double value;
    uint32_t row;
} keyed;

/* The bits of a double, in the order of the doubles; both zeros are one. */
static inline uint64_t ordered_bits(double value)
{
    value += 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static void make_items(const double *values, size_t n, uint64_t *items)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = items[i] = ordered_bits(values[i]);
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
    }
    int shift = 0;
    while ((high - low) >> shift >> (DIGITS * DIGIT_BITS))
        shift++;
    for (size_t i = 0; i < n; i++)
        items[i] = (items[i] - low) >> shift << ROW_BITS | i;
}

static void scatter(const uint64_t *from, uint64_t *to, size_t n, int shift, const uint32_t *count)
{
    uint32_t start[BINS], sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
        start[bin] = sum;
        sum += count[bin];
    }
    for (size_t i = 0; i < n; i++)
        to[start[from[i] >> shift & (BINS - 1)]++] = from[i];
}

/* Sorts on the key bits. Returns whichever of the two buffers holds the result. */
static uint64_t *radix(uint64_t *items, uint64_t *spare, size_t n)
{
    uint32_t count[DIGITS][BINS] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++)
            count[d][items[i] >> (ROW_BITS + d * DIGIT_BITS) & (BINS - 1)]++;
    for (int d = 0; d < DIGITS; d++) {
        int shift = ROW_BITS + d * DIGIT_BITS;
        if (count[d][items[0] >> shift & (BINS - 1)] == n)
            continue;
        scatter(items, spare, n, shift, count[d]);
        uint64_t *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

static void insertion(const double *values, uint64_t *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t item = items[i];
        double value = values[item & ROW_MASK];
        size_t j = i;
        for (; j > 0 && values[items[j - 1] & ROW_MASK] > value; j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

static int compare_keyed(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static bool all_equal(const double *values, const uint64_t *items, size_t n)
{
    double first = values[items[0] & ROW_MASK];
    for (size_t i = 1; i < n; i++)
        if (values[items[i] & ROW_MASK] != first)
            return false;
    return true;
}

static int sort_long_run(const double *values, uint64_t *items, size_t n, msw_arena *arena)
{
    if (all_equal(values, items, n))
        return 0;
    msw_arena_mark mark = msw_arena_now(arena);
    keyed *run = msw_arena_take(arena, n * sizeof *run);
    if (!run)
        return -1;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = (uint32_t)(items[i] & ROW_MASK);
        run[i] = (keyed){values[row], row};
    }
    msw_sort(run, n, sizeof *run, compare_keyed);
    for (size_t i = 0; i < n; i++)
        items[i] = run[i].row;
    msw_arena_release(arena, mark);
    return 0;
}

/* Sorts by value the runs in which the keys are equal. */
static int sort_runs(const double *values, uint64_t *items, size_t n, msw_arena *arena)
{
    for (size_t start = 0, end; start < n; start = end) {
        uint64_t key = items[start] >> ROW_BITS;
        for (end = start + 1; end < n && items[end] >> ROW_BITS == key; end++)
            ;
        if (end - start > SHORT) {
            if (sort_long_run(values, items + start, end - start, arena))
                return -1;
        } else if (end - start > 1)
            insertion(values, items + start, end - start);
    }
    return 0;
}

static void sort_few(const double *values, size_t n, uint32_t *order)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = i;
        for (; j > 0 && values[order[j - 1]] > values[i]; j--)
            order[j] = order[j - 1];
        order[j] = (uint32_t)i;
    }
}

int sort_ascending(const double *values, size_t n, uint32_t *order, msw_arena *arena)
{
    if (n <= SHORT) {
        sort_few(values, n, order);
        return 0;
    }
    msw_arena_mark mark = msw_arena_now(arena);
    uint64_t *items = msw_arena_take(arena, n * sizeof *items);
    uint64_t *spare = msw_arena_take(arena, n * sizeof *spare);
    int status = -1;
    if (items && spare) {
        make_items(values, n, items);
        items = radix(items, spare, n);
        status = sort_runs(values, items, n, arena);
        for (size_t i = 0; i < n; i++)
            order[i] = (uint32_t)(items[i] & ROW_MASK);
    }
    msw_arena_release(arena, mark);
    return status;
}

size_t sort_dense_ranks(const double *values, const uint32_t *order, size_t n, int32_t *rank)
{
    int32_t next = -1;
    double last = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[order[i]];
        next += next < 0 || value != last;
        rank[order[i]] = next;
        last = value;
    }
    return (size_t)next + 1;
}

void sort_mid_ranks(const double *values, const uint32_t *order, size_t n, double *rank)
{
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && values[order[end]] == values[order[start]]; end++)
            ;
        for (size_t i = start; i < end; i++)
            rank[order[i]] = 0.5 * (double)(start + end + 1);
    }
}

static void scatter_rows(const int32_t *key, size_t stride, int shift, const uint32_t *from,
                         uint32_t *to, size_t n)
{
    uint32_t count[BINS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        count[((uint32_t)key[from[i] * stride] >> shift & (BINS - 1)) + 1]++;
    for (int bin = 1; bin < BINS; bin++)
        count[bin] += count[bin - 1];
    for (size_t i = 0; i < n; i++)
        to[count[(uint32_t)key[from[i] * stride] >> shift & (BINS - 1)]++] = from[i];
}

int sort_by_key(const int32_t *key, size_t stride, size_t limit, uint32_t *order, size_t n,
                msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    uint32_t *spare = msw_arena_take(arena, n * sizeof *spare);
    if (!spare)
        return -1;
    for (int shift = 0; shift == 0 || limit >> shift; shift += DIGIT_BITS) {
        scatter_rows(key, stride, shift, order, spare, n);
        memcpy(order, spare, n * sizeof *order);
    }
    msw_arena_release(arena, mark);
    return 0;
}
