/* SPDX-License-Identifier: MIT */
/* Knight 1966: sort by a (ties by b), then the exchanges of a merge sort by b are the discordant
 * pairs. */
#include "memsweep/analysis/agreement.h"

#include "analysis/stats/sort.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Merges two sorted halves. Returns how many pairs were the wrong way round. */
static uint64_t merge(const int32_t *from, size_t middle, size_t n, int32_t *to)
{
    size_t left = 0, right = middle;
    uint64_t exchanges = 0;
    for (size_t i = 0; i < n; i++) {
        bool take_left = right >= n || (left < middle && from[left] <= from[right]);
        exchanges += take_left ? 0 : middle - left;
        to[i] = take_left ? from[left++] : from[right++];
    }
    return exchanges;
}

/* Sorts `value` and counts the pairs that were the wrong way round. */
static uint64_t count_exchanges(int32_t *value, int32_t *spare, size_t n)
{
    uint64_t exchanges = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t rest = n - start, both = rest < 2 * width ? rest : 2 * width;
            exchanges += merge(value + start, width < both ? width : both, both, spare + start);
        }
        memcpy(value, spare, n * sizeof *value);
    }
    return exchanges;
}

static uint64_t pairs_of(uint64_t n)
{
    return n * (n - (n > 0)) / 2;
}

/* Pairs tied in a; with `both`, in a and in b. */
static uint64_t count_ties(const int32_t *a, const int32_t *b, const uint32_t *order, size_t n,
                           bool both)
{
    uint64_t ties = 0;
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && a[order[end]] == a[order[start]] &&
                              (!both || b[order[end]] == b[order[start]]);
             end++)
            ;
        ties += pairs_of(end - start);
    }
    return ties;
}

typedef struct ranked {
    int32_t *a, *b;        /* dense ranks */
    uint32_t *by_a, *by_b; /* by a then b; by b */
    int32_t *value, *spare;
} ranked;

static int take(ranked *pairs, size_t n, msw_arena *arena)
{
    int32_t **lists[] = {&pairs->a, &pairs->b, &pairs->value, &pairs->spare};
    for (int i = 0; i < 4; i++)
        if (!(*lists[i] = msw_arena_take(arena, (n + 1) * sizeof(int32_t))))
            return -1;
    pairs->by_a = msw_arena_take(arena, (n + 1) * sizeof(uint32_t));
    pairs->by_b = msw_arena_take(arena, (n + 1) * sizeof(uint32_t));
    return pairs->by_a && pairs->by_b ? 0 : -1;
}

static int rank_both(ranked *pairs, const double *a, const double *b, size_t n, msw_arena *arena)
{
    if (take(pairs, n, arena) || sort_ascending(a, n, pairs->by_a, arena) ||
        sort_ascending(b, n, pairs->by_b, arena))
        return -1;
    size_t distinct = sort_dense_ranks(a, pairs->by_a, n, pairs->a);
    sort_dense_ranks(b, pairs->by_b, n, pairs->b);
    memcpy(pairs->by_a, pairs->by_b, n * sizeof *pairs->by_a);
    return sort_by_key(pairs->a, 1, distinct, pairs->by_a, n, arena);
}

int msw_kendall(const double *a, const double *b, size_t n, double *tau, msw_err *err)
{
    msw_arena arena = {0};
    ranked pairs;
    if (n > SORT_MAX)
        return msw_fail(err, "%zu pairs; at most %zu can be ranked", n, SORT_MAX);
    if (rank_both(&pairs, a, b, n, &arena)) {
        msw_arena_free(&arena);
        return msw_fail_memory(err);
    }
    uint64_t all = pairs_of(n), tied_a = count_ties(pairs.a, pairs.b, pairs.by_a, n, false);
    uint64_t tied_both = count_ties(pairs.a, pairs.b, pairs.by_a, n, true);
    uint64_t tied_b = count_ties(pairs.b, pairs.a, pairs.by_b, n, false);
    for (size_t i = 0; i < n; i++)
        pairs.value[i] = pairs.b[pairs.by_a[i]];
    uint64_t discordant = count_exchanges(pairs.value, pairs.spare, n);
    double sum = (double)(all - tied_a - tied_b + tied_both) - 2 * (double)discordant;
    double size = sqrt((double)(all - tied_a)) * sqrt((double)(all - tied_b));
    *tau = size > 0 ? sum / size : NAN;
    msw_arena_free(&arena);
    return 0;
}
