/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

bench_values *bench_find(bench_results *results, const char *name)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->rows[i].name, name) == 0)
            return &results->rows[i];
    return NULL;
}

static bench_values *new_row(bench_results *results, const bench_values *row)
{
    if (results->count == results->capacity) {
        size_t capacity = 2 * results->capacity + 64;
        bench_values *rows = realloc(results->rows, capacity * sizeof *rows);
        if (!rows)
            return NULL;
        results->rows = rows;
        results->capacity = capacity;
    }
    bench_values *made = &results->rows[results->count];
    *made = *row;
    made->count = 0;
    made->values = calloc((size_t)results->options->repeat, sizeof *made->values);
    made->ratios = calloc((size_t)results->options->repeat, sizeof *made->ratios);
    results->count++;
    return made->values && made->ratios ? made : NULL;
}

int bench_add(bench_results *results, const bench_values *row, double value, double ratio)
{
    bench_values *to = bench_find(results, row->name);
    if (!to)
        to = new_row(results, row);
    if (!to || to->count >= (size_t)results->options->repeat)
        return -1;
    to->values[to->count] = value;
    to->ratios[to->count++] = ratio;
    return 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t below = (size_t)at, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

bench_spread bench_spread_of(const double *values, size_t count)
{
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted || !count) {
        free(sorted);
        return (bench_spread){0};
    }
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    bench_spread spread = {.median = quantile(sorted, count, 0.5),
                           .low = quantile(sorted, count, 0.25),
                           .high = quantile(sorted, count, 0.75),
                           .min = sorted[0],
                           .max = sorted[count - 1]};
    free(sorted);
    return spread;
}

void bench_results_free(bench_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        free(results->rows[i].values);
        free(results->rows[i].ratios);
    }
    free(results->rows);
    free(results->outcomes);
}
