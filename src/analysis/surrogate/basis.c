#include "analysis/surrogate/basis.h"

#include <math.h>
#include <string.h>

/* sqrt(2 n + 1) P_n(t) is orthonormal under the uniform distribution on [-1, 1]. */
static void legendre(double t, unsigned functions, double *value)
{
    double before = 0, p = 1;
    for (unsigned n = 0; n < functions; n++) {
        value[n] = sqrt(2.0 * n + 1) * p;
        double next = ((2.0 * n + 1) * t * p - n * before) / (n + 1);
        before = p;
        p = next;
    }
}

/* Makes column f of the table orthonormal to those before it, under the weights. */
static void orthonormalize(basis *own, unsigned f, const double *weight)
{
    unsigned m = own->functions;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned g = 0; g < f; g++) {
            double dot = 0;
            for (size_t l = 0; l < own->levels; l++)
                dot += weight[l] * own->table[l * m + f] * own->table[l * m + g];
            for (size_t l = 0; l < own->levels; l++)
                own->table[l * m + f] -= dot * own->table[l * m + g];
        }
    double square = 0;
    for (size_t l = 0; l < own->levels; l++)
        square += weight[l] * own->table[l * m + f] * own->table[l * m + f];
    for (size_t l = 0; l < own->levels; l++)
        own->table[l * m + f] /= sqrt(square);
}

/* Before they are made orthonormal: for ordered levels the previous function times the level, so
 * that degrees rise one by one; for unordered ones the mark of a level. */
static void fill_table(basis *own, const double *weight)
{
    unsigned m = own->functions;
    double center = (own->values[0] + own->values[own->levels - 1]) / 2;
    double reach = fmax(own->values[own->levels - 1] - center, 1e-300);
    for (unsigned f = 0; f < m; f++) {
        for (size_t l = 0; l < own->levels; l++) {
            double previous = f ? own->table[l * m + f - 1] : 1;
            double position = (own->values[l] - center) / reach;
            own->table[l * m + f] = f == 0 ? 1 : own->unordered ? l == f : previous * position;
        }
        orthonormalize(own, f, weight);
    }
}

static int take_weights(const msw_pce_factor *factor, double *weight, msw_err *err)
{
    double sum = 0;
    for (size_t l = 0; l < factor->levels; l++) {
        weight[l] = factor->weights ? factor->weights[l] : 1;
        if (!(weight[l] > 0))
            return msw_fail(err, "level %zu has weight %g; it must be positive", l, weight[l]);
        sum += weight[l];
    }
    for (size_t l = 0; l < factor->levels; l++)
        weight[l] /= sum;
    return 0;
}

static int make_levels(const msw_pce_factor *factor, unsigned degree, basis *own, msw_arena *arena,
                       msw_err *err)
{
    size_t n = factor->levels;
    own->functions = own->unordered || n <= degree ? (unsigned)n : degree + 1;
    own->values = msw_arena_take(arena, n * sizeof *own->values);
    own->table = msw_arena_take(arena, n * own->functions * sizeof *own->table);
    double *weight = msw_arena_take(arena, n * sizeof *weight);
    if (!own->values || !own->table || !weight)
        return msw_fail_memory(err);
    for (size_t l = 0; l < n; l++) {
        own->values[l] = factor->values ? factor->values[l] : (double)l;
        if (l > 0 && !(own->values[l] > own->values[l - 1]))
            return msw_fail(err, "levels must rise, but %g follows %g", own->values[l],
                            own->values[l - 1]);
    }
    if (take_weights(factor, weight, err))
        return -1;
    fill_table(own, weight);
    return 0;
}

int basis_make(const msw_pce_factor *factor, unsigned degree, basis *own, msw_arena *arena,
               msw_err *err)
{
    *own = (basis){.low = factor->low,
                   .high = factor->high,
                   .levels = factor->levels,
                   .unordered = factor->unordered};
    if (factor->levels)
        return make_levels(factor, degree, own, arena, err);
    if (!(factor->low < factor->high))
        return msw_fail(err, "the range %g .. %g of a factor is empty", factor->low, factor->high);
    own->functions = degree + 1;
    return 0;
}

/* The level nearest to x, if it is x up to rounding. */
static int64_t level_of(const basis *own, double x)
{
    size_t low = 0, high = own->levels;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (own->values[mid] <= x)
            low = mid;
        else
            high = mid;
    }
    if (low + 1 < own->levels && own->values[low + 1] - x < x - own->values[low])
        low++;
    return fabs(own->values[low] - x) <= 1e-9 * fmax(fabs(x), 1) ? (int64_t)low : -1;
}

int basis_at(const basis *own, double x, double *value)
{
    if (!own->table) {
        legendre((2 * x - own->low - own->high) / (own->high - own->low), own->functions, value);
        return 0;
    }
    int64_t level = level_of(own, x);
    if (level < 0)
        return -1;
    memcpy(value, own->table + (size_t)level * own->functions, own->functions * sizeof *value);
    return 0;
}
