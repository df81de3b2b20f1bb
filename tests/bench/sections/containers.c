/* SPDX-License-Identifier: MIT */
/* What do the containers of base cost, each beside the code by hand that it replaced? */
#include "section.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/heap.h"
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Half of the numbers are met twice. */
static uint64_t *draw_numbers(bench *b, size_t n)
{
    uint64_t *numbers = bench_memory(b, n * sizeof *numbers);
    msw_rng rng;
    msw_rng_init(&rng, 1, n);
    for (size_t i = 0; i < n; i++)
        numbers[i] = i % 2 ? numbers[i / 2] : msw_rng_u64(&rng) >> 20;
    return numbers;
}

static void check_sum(bench *b, uint64_t sum)
{
    if (sum == 1)
        bench_fail(b, "no sum of random numbers is 1");
}

/* ---- arrays ---- */

static double push_by_vec(bench *b, void *context, size_t n)
{
    msw_err err;
    MSW_VEC(uint64_t) v = {0};
    (void)context;
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++)
        if (MSW_VEC_PUSH(&v, i, &err))
            bench_fail(b, "%s", err.text);
    double spent = bench_seconds() - start;
    check_sum(b, v.items[n / 2] + 2);
    free(v.items);
    return spent;
}

static double push_by_hand(bench *b, void *context, size_t n)
{
    uint64_t *list = NULL;
    size_t room = 0;
    (void)context;
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++) {
        if (i == room) {
            room = 2 * room + 16;
            uint64_t *larger = realloc(list, room * sizeof *larger);
            if (!larger)
                bench_fail(b, "out of memory");
            list = larger;
        }
        list[i] = i;
    }
    double spent = bench_seconds() - start;
    check_sum(b, list[n / 2] + 2);
    free(list);
    return spent;
}

/* ---- hash tables ---- */

static double count_by_map(bench *b, void *context, size_t n)
{
    msw_err err;
    msw_map map = {0};
    uint64_t *numbers = draw_numbers(b, n), *value;
    (void)context;
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++) {
        if (msw_map_add(&map, numbers[i], &value, &err))
            bench_fail(b, "%s", err.text);
        ++*value;
    }
    double spent = bench_seconds() - start;
    msw_map_free(&map);
    free(numbers);
    return spent;
}

typedef struct counted {
    uint64_t key, count; /* 0: free */
} counted;

static counted *find_counted(counted *table, size_t mask, uint64_t key)
{
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & mask;
    while (table[at].count && table[at].key != key)
        at = (at + 1) & mask;
    return &table[at];
}

static double count_by_hand(bench *b, void *context, size_t n)
{
    size_t mask = 15, used = 0;
    counted *table = calloc(mask + 1, sizeof *table);
    uint64_t *numbers = draw_numbers(b, n);
    (void)context;
    double start = bench_seconds();
    for (size_t i = 0; table && i < n; i++) {
        if (2 * used > mask) {
            counted *larger = calloc(2 * (mask + 1), sizeof *larger);
            for (size_t at = 0; larger && at <= mask; at++)
                if (table[at].count)
                    *find_counted(larger, 2 * mask + 1, table[at].key) = table[at];
            free(table);
            table = larger;
            mask = 2 * mask + 1;
        }
        counted *found = find_counted(table, mask, numbers[i]);
        used += !found->count;
        found->key = numbers[i];
        found->count++;
    }
    double spent = bench_seconds() - start;
    free(numbers);
    free(table);
    return spent;
}

static double see_by_set(bench *b, void *context, size_t n)
{
    uint64_t *numbers = draw_numbers(b, n), fresh = 0;
    uint64_t *slots = bench_memory(b, msw_set_slots(n) * sizeof *slots);
    msw_set set;
    (void)context;
    double start = bench_seconds();
    msw_set_init(&set, slots, n);
    for (size_t i = 0; i < n; i++)
        fresh += msw_set_add(&set, numbers[i]);
    double spent = bench_seconds() - start;
    check_sum(b, fresh);
    free(slots);
    free(numbers);
    return spent;
}

static double see_by_hand(bench *b, void *context, size_t n)
{
    uint64_t *numbers = draw_numbers(b, n), fresh = 0;
    size_t count = msw_bits_power(2 * n + 2), mask = count - 1;
    uint64_t *seen = bench_memory(b, count * sizeof *seen);
    (void)context;
    double start = bench_seconds();
    memset(seen, 0, count * sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        size_t at = (size_t)(numbers[i] * UINT64_C(0x9E3779B97F4A7C15) >> 20) & mask;
        while (seen[at] && seen[at] != numbers[i] + 1)
            at = (at + 1) & mask;
        fresh += !seen[at];
        seen[at] = numbers[i] + 1;
    }
    double spent = bench_seconds() - start;
    check_sum(b, fresh);
    free(seen);
    free(numbers);
    return spent;
}

/* ---- heaps ---- */

static inline bool is_smaller(const void *context, const uint64_t *a, const uint64_t *b)
{
    (void)context;
    return *a < *b;
}

MSW_HEAP(smallest, uint64_t, const void *, is_smaller)

static double pop_by_heap(bench *b, void *context, size_t n)
{
    uint64_t *numbers = draw_numbers(b, n), sum = 2;
    (void)context;
    double start = bench_seconds();
    smallest_make(NULL, numbers, n);
    for (size_t left = n; left > 0; left--)
        sum += left * smallest_pop(NULL, numbers, left);
    double spent = bench_seconds() - start;
    check_sum(b, sum);
    free(numbers);
    return spent;
}

static void sink(uint64_t *items, size_t at, size_t count)
{
    uint64_t moved = items[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && items[child + 1] < items[child])
            child++;
        if (items[child] >= moved)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = moved;
}

static double pop_by_hand(bench *b, void *context, size_t n)
{
    uint64_t *numbers = draw_numbers(b, n), sum = 2;
    (void)context;
    double start = bench_seconds();
    for (size_t i = n / 2; i-- > 0;)
        sink(numbers, i, n);
    for (size_t left = n; left > 0; left--) {
        sum += left * numbers[0];
        numbers[0] = numbers[left - 1];
        sink(numbers, 0, left - 1);
    }
    double spent = bench_seconds() - start;
    check_sum(b, sum);
    free(numbers);
    return spent;
}

/* ---- sorts ---- */

typedef enum sort_way { BY_SORT, BY_QSORT, BY_VALUE } sort_way;

static int by_number(const void *a, const void *b)
{
    return msw_compare_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

static double sort(bench *b, void *context, size_t n)
{
    uint64_t *numbers = draw_numbers(b, n);
    double start = bench_seconds();
    switch (*(const sort_way *)context) {
    case BY_SORT:
        msw_sort(numbers, n, sizeof *numbers, by_number);
        break;
    case BY_QSORT:
        qsort(numbers, n, sizeof *numbers, by_number);
        break;
    case BY_VALUE:
        msw_sort_u64(numbers, n);
        break;
    }
    double spent = bench_seconds() - start;
    check_sum(b, numbers[n / 2] + 2);
    free(numbers);
    return spent;
}

static double search(bench *b, void *context, size_t n)
{
    enum { LEVELS = 1000 };
    uint64_t *numbers = draw_numbers(b, n), *levels = draw_numbers(b, LEVELS), sum = 2;
    bool by_hand = context != NULL;
    msw_sort_u64(levels, LEVELS);
    double start = bench_seconds();
    for (size_t i = 0; i < n && !by_hand; i++)
        sum += msw_lower_bound_u64(levels, LEVELS, numbers[i]);
    for (size_t i = 0; i < n && by_hand; i++) {
        size_t low = 0, high = LEVELS;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (levels[middle] < numbers[i])
                low = middle + 1;
            else
                high = middle;
        }
        sum += low;
    }
    double spent = bench_seconds() - start;
    check_sum(b, sum);
    free(levels);
    free(numbers);
    return spent;
}

/* What this leaves to the process spares the first rows the system's work for new memory. */
static void warm_memory(bench *b)
{
    enum { BYTES = 30 << 20 };
    free(memset(bench_memory(b, BYTES), 1, BYTES));
}

void section_containers(bench *b)
{
    warm_memory(b);
    size_t n = (size_t)bench_set(b, "items");
    double items = (double)n;
    bench_rate(b, items, bench_mean(b, push_by_vec, NULL, n), "array: vec");
    bench_rate(b, items, bench_mean(b, push_by_hand, NULL, n), "array: by hand");
    bench_rate(b, items, bench_mean(b, count_by_map, NULL, n), "counts by number: map");
    bench_rate(b, items, bench_mean(b, count_by_hand, NULL, n), "counts by number: by hand");
    bench_rate(b, items, bench_mean(b, see_by_set, NULL, n), "numbers seen: set");
    bench_rate(b, items, bench_mean(b, see_by_hand, NULL, n), "numbers seen: by hand");
    bench_rate(b, items, bench_mean(b, pop_by_heap, NULL, n), "heap: heap");
    bench_rate(b, items, bench_mean(b, pop_by_hand, NULL, n), "heap: by hand");
    bench_rate(b, items, bench_mean(b, sort, &(sort_way){BY_SORT}, n), "sort by comparison: sort");
    bench_rate(b, items, bench_mean(b, sort, &(sort_way){BY_QSORT}, n),
               "sort by comparison: qsort");
    bench_rate(b, items, bench_mean(b, sort, &(sort_way){BY_VALUE}, n), "sort of values: sort");
    bench_rate(b, items, bench_mean(b, search, NULL, n), "bisection: search");
    bench_rate(b, items, bench_mean(b, search, &n, n), "bisection: by hand");
}
