/* SPDX-License-Identifier: MIT */
/* How far values are from what was published: docs/models/calibrate.md, section 1 and 2. */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/math.h"

#include <math.h>

/* Of a limit's end, where nothing else is known. */
#define LIMIT_PART 0.1

static bool has_ends(const msw_quantity *q)
{
    return !isnan(q->low) && !isnan(q->high);
}

bool msw_quantity_is_number(const msw_quantity *q)
{
    if (isnan(q->published))
        return false;
    if (has_ends(q))
        return (q->low < q->published && q->published < q->high) || q->low == q->high;
    return isnan(q->low) && isnan(q->high);
}

/* The end that a limit is about: the only one, or the one that was published itself. */
static double limit_of(const msw_quantity *q)
{
    if (isnan(q->low) || q->published == q->high)
        return q->high;
    return isnan(q->high) || q->published == q->low ? q->low : NAN;
}

static double from_band(const msw_quantity *q, double value)
{
    if (msw_quantity_is_number(q)) {
        if (!has_ends(q))
            return 0;
        return (value > q->published ? q->high - q->published : q->published - q->low) / 2;
    }
    double limit = limit_of(q);
    if (!isnan(limit))
        return LIMIT_PART * fabs(limit);
    return has_ends(q) ? (q->high - q->low) / 4 : 0;
}

double msw_quantity_discrepancy(const msw_quantity *q, double value)
{
    return isnan(q->discrepancy) ? from_band(q, value) : q->discrepancy;
}

/* The parts of s that do not grow, squared. */
static double fixed_square(const msw_quantity *q)
{
    return q->step * q->step / 12 + q->reading * q->reading + q->fidelity * q->fidelity;
}

double msw_quantity_deviation(const msw_quantity *q, double value)
{
    double grown = q->growth * msw_quantity_discrepancy(q, value);
    return sqrt(fixed_square(q) + grown * grown);
}

double msw_quantity_half_band(const msw_quantity *q)
{
    if (has_ends(q) && isnan(q->discrepancy) && isnan(limit_of(q)))
        return (q->high - q->low) / 2;
    return 2 * msw_quantity_discrepancy(q, isnan(q->published) ? 0 : q->published);
}

bool msw_quantity_measures(const msw_quantity *q)
{
    bool there = !isnan(q->published) || !isnan(q->low) || !isnan(q->high);
    double low = isnan(q->published) ? 0 : q->published - 1;
    return there && msw_quantity_deviation(q, low) > 0;
}

bool msw_quantity_waits(const msw_quantity *q)
{
    /* One without an error says all there is, also where the band is a single number. */
    return isnan(q->fidelity) || (q->fidelity > 0 && q->fidelity >= msw_quantity_half_band(q));
}

static double gap_of(const msw_quantity *q, double value)
{
    if (msw_quantity_is_number(q))
        return fabs(value - q->published);
    if (value < q->low)
        return q->low - value;
    return value > q->high ? value - q->high : 0;
}

double msw_quantity_distance(const msw_quantity *q, double value)
{
    if (isnan(value))
        return INFINITY;
    double gap = gap_of(q, value), s = msw_quantity_deviation(q, value);
    if (gap == 0)
        return 0;
    return s > 0 ? gap / s : INFINITY;
}

double msw_quantity_growth(const msw_quantity *q, double value)
{
    if (isnan(value))
        return INFINITY;
    double wanted = gap_of(q, value) / MSW_RULED_OUT, square = wanted * wanted - fixed_square(q);
    double discrepancy = msw_quantity_discrepancy(q, value);
    if (square <= 0)
        return 0;
    return discrepancy > 0 ? sqrt(square) / discrepancy : INFINITY;
}

msw_worst msw_worst_of(const double *distances, size_t count)
{
    msw_worst worst = {0};
    for (size_t i = 0; i < count; i++) {
        int rank = 3;
        while (rank > 0 && distances[i] > worst.distance[rank - 1])
            rank--;
        for (int k = 2; k > rank; k--) {
            worst.distance[k] = worst.distance[k - 1];
            worst.at[k] = worst.at[k - 1];
        }
        if (rank < 3) {
            worst.distance[rank] = distances[i];
            worst.at[rank] = i;
        }
    }
    return worst;
}

double msw_chance_of_cut(size_t quantities)
{
    double kept = 1 - 2 * msw_math_normal(-MSW_RULED_OUT);
    return 1 - msw_math_pow(kept, (double)quantities);
}
