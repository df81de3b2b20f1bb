/* SPDX-License-Identifier: MIT */
#include "analysis/surrogate/pursuit.h"

#include "memsweep/run/tasks.h"

#include <stdlib.h>
#include <string.h>

static void strip_products(const tiles *x, unsigned strip, const double *vector, size_t from,
                           size_t end, double sum[TILE])
{
    const double *data = x->data + strip * x->rows * TILE;
    memset(sum, 0, TILE * sizeof *sum);
    for (size_t i = from; i < end; i++)
        for (int c = 0; c < TILE; c++)
            sum[c] += data[TILE * i + c] * vector[i];
}

typedef struct products {
    const pursuit_table *table;
    const double *vector;
    double *out;
} products;

static void multiply_strip(void *context, size_t strip)
{
    const products *p = context;
    const pursuit_table *t = p->table;
    for (unsigned b = 0; b < t->bins; b++) {
        double sum[TILE];
        unsigned first = (unsigned)strip * TILE;
        strip_products(&t->x, (unsigned)strip, p->vector, t->start[b], t->start[b + 1], sum);
        for (unsigned c = first; c < first + TILE && c < t->x.columns; c++)
            p->out[b * t->x.columns + c] = sum[c - first];
    }
}

/* Products of all columns with a vector, bin by bin. */
static void products_with(const pursuit_table *t, const double *vector, double *out)
{
    msw_tasks_if(t->x.rows * t->x.columns >= 1000000, t->x.strips, multiply_strip,
                 &(products){t, vector, out});
}

static void add_squares(const pursuit_table *t, unsigned bin)
{
    for (size_t i = t->start[bin]; i < t->start[bin + 1]; i++)
        for (unsigned c = 0; c < t->x.columns; c++) {
            double value = *tiles_at(&t->x, i, c);
            t->square[bin * t->x.columns + c] += value * value;
        }
}

int pursuit_start(pursuit_table *t)
{
    size_t p = t->x.columns;
    t->products = msw_arena_zero(t->arena, p, sizeof *t->products);
    t->moment = msw_arena_take(t->arena, t->bins * p * sizeof *t->moment);
    t->square = msw_arena_zero(t->arena, t->bins * p, sizeof *t->square);
    if (!t->products || !t->moment || !t->square)
        return -1;
    products_with(t, t->y, t->moment);
    for (unsigned b = 0; b < t->bins; b++) {
        add_squares(t, b);
        t->spread[b] = 0;
        for (size_t i = t->start[b]; i < t->start[b + 1]; i++)
            t->spread[b] += t->y[i] * t->y[i];
    }
    return 0;
}

/* Fits side by side may ask for one column at the same time: both compute it, to the same bits, and
 * the first to be done leaves it for all. */
const double *pursuit_products(pursuit_table *t, unsigned column)
{
    double *there = atomic_load(&t->products[column]);
    if (there)
        return there;
    double *out = malloc(t->bins * t->x.columns * sizeof *out);
    double *vector = malloc((t->x.rows + 1) * sizeof *vector);
    for (size_t i = 0; out && vector && i < t->x.rows; i++)
        vector[i] = *tiles_at(&t->x, i, column);
    if (out && vector) {
        products_with(t, vector, out);
        if (!atomic_compare_exchange_strong(&t->products[column], &there, out)) {
            free(out);
            out = there;
        }
    } else {
        free(out);
        out = NULL;
    }
    free(vector);
    return out;
}

void pursuit_end(pursuit_table *t)
{
    for (unsigned c = 0; t->products && c < t->x.columns; c++)
        free(atomic_load(&t->products[c]));
}
