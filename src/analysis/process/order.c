/* SPDX-License-Identifier: MIT */
#include "analysis/process/order.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>

static const double *row_of(const kernel_rows *rows, size_t i)
{
    return rows->x + i * rows->factors;
}

/* Rows are looked at in keyed order, so that the first of equals is the one the key says. */
static size_t farthest(const double *distance, size_t n, uint64_t key)
{
    size_t best = SIZE_MAX;
    for (size_t r = 0; r < n; r++) {
        size_t i = msw_permute(r, n, key);
        if (distance[i] >= 0 && (best == SIZE_MAX || distance[i] > distance[best]))
            best = i;
    }
    return best;
}

/* The same without walking the permutation: only ties need it. */
static size_t farthest_quick(const double *distance, size_t n, uint64_t key)
{
    double most = -1;
    size_t best = 0, ties = 0;
    for (size_t i = 0; i < n; i++) {
        if (distance[i] > most) {
            most = distance[i];
            best = i;
            ties = 0;
        } else if (distance[i] == most) {
            ties++;
        }
    }
    return ties ? farthest(distance, n, key) : best;
}

int order_maximin(const kernel *k, const kernel_rows *rows, size_t most, uint64_t key,
                  uint32_t *order)
{
    size_t n = rows->n;
    double *distance = malloc((n + 1) * sizeof *distance);
    if (!distance)
        return -1;
    for (size_t i = 0; i < n; i++)
        distance[i] = INFINITY;
    for (size_t step = 0; step < most && step < n; step++) {
        size_t next = farthest_quick(distance, n, key);
        order[step] = (uint32_t)next;
        distance[next] = -1;
        for (size_t i = 0; i < n; i++)
            if (distance[i] >= 0)
                distance[i] =
                    fmin(distance[i], kernel_distance(k, row_of(rows, i), row_of(rows, next)));
    }
    free(distance);
    return 0;
}

static bool is_left_out(const order_search *s, size_t i)
{
    const kernel_rows *rows = s->rows;
    if (i == s->without)
        return true;
    for (unsigned f = 0; s->levels && f < rows->factors; f++)
        if (s->levels >> f & 1 && row_of(rows, i)[f] == s->x[f])
            return true;
    return false;
}

size_t order_nearest(const order_search *s, uint32_t *nearest)
{
    double distance[MSW_PROCESS_NEIGHBOURS];
    size_t count = 0;
    for (size_t c = 0; c < s->count; c++) {
        size_t i = s->among ? s->among[c] : c;
        double own = kernel_distance(s->k, s->x, row_of(s->rows, i));
        if ((count == MSW_PROCESS_NEIGHBOURS && !(own < distance[count - 1])) || is_left_out(s, i))
            continue;
        size_t at = count < MSW_PROCESS_NEIGHBOURS ? count++ : count - 1;
        for (; at > 0 && distance[at - 1] > own; at--) {
            distance[at] = distance[at - 1];
            nearest[at] = nearest[at - 1];
        }
        distance[at] = own;
        nearest[at] = (uint32_t)i;
    }
    return count;
}
