#include "analysis/surrogate/pursuit.h"

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

/* Products of all columns with a vector, bin by bin. */
static void products_with(const pursuit_table *t, const double *vector, double *out)
{
    for (unsigned b = 0; b < t->bins; b++)
        for (unsigned s = 0; s < t->x.strips; s++) {
            double sum[TILE];
            strip_products(&t->x, s, vector, t->start[b], t->start[b + 1], sum);
            for (unsigned c = s * TILE; c < (s + 1) * TILE && c < t->x.columns; c++)
                out[b * t->x.columns + c] = sum[c - s * TILE];
        }
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

const double *pursuit_products(pursuit_table *t, unsigned column)
{
    if (t->products[column])
        return t->products[column];
    double *out = msw_arena_take(t->arena, t->bins * t->x.columns * sizeof *out);
    msw_arena_mark mark = msw_arena_now(t->arena);
    double *vector = msw_arena_take(t->arena, (t->x.rows + 1) * sizeof *vector);
    if (!out || !vector)
        return NULL;
    for (size_t i = 0; i < t->x.rows; i++)
        vector[i] = *tiles_at(&t->x, i, column);
    products_with(t, vector, out);
    msw_arena_release(t->arena, mark);
    return t->products[column] = out;
}
