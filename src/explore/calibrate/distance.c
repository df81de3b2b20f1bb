/* SPDX-License-Identifier: MIT */
/* How far values are from what was published, and the closed form's answers as full would give
 * them: docs/models/calibrate.md, sections 1 and 2. */
#include "memsweep/base/math.h"
#include "memsweep/explore/calibrate.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
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

static double discrepancy_of(const msw_quantity *q, double value)
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
    double grown = q->growth * discrepancy_of(q, value);
    return sqrt(fixed_square(q) + grown * grown);
}

/* Half of the band; a limit's is two discrepancies. Returns it. */
static double half_band(const msw_quantity *q)
{
    if (has_ends(q) && isnan(q->discrepancy) && isnan(limit_of(q)))
        return (q->high - q->low) / 2;
    return 2 * discrepancy_of(q, isnan(q->published) ? 0 : q->published);
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
    return isnan(q->fidelity) || (q->fidelity > 0 && q->fidelity >= half_band(q));
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
    double discrepancy = discrepancy_of(q, value);
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

/* The closed form's answers as full would give them: docs/models/calibrate.md, section 1. */

/* A line says something of pairs that are not its own from so many on. */
enum { FEWEST = 20 };

/* Root mean square of what the line misses full by, each pair foretold without its own share. */
static double left_out(const double *closed, const double *full, size_t count,
                       const msw_correction *line, double spread, double middle)
{
    double sum = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double from = closed[i] - middle;
        double own = 1 / n + (spread > 0 ? from * from / spread : 0);
        double missed = full[i] - msw_correct(line, closed[i]);
        /* A pair that alone decides the line is not foretold by the others. */
        if (!(own < 1 - 1e-9))
            return INFINITY;
        sum += missed * missed / ((1 - own) * (1 - own));
    }
    return sqrt(sum / n);
}

static msw_correction as_it_is(const double *closed, const double *full, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (full[i] - closed[i]) * (full[i] - closed[i]);
    return (msw_correction){.slope = 1, .error = sqrt(sum / (double)count)};
}

static msw_correction shifted(const double *closed, const double *full, size_t count)
{
    msw_correction line = {.slope = 1};
    line.offset = gsl_stats_mean(full, 1, count) - gsl_stats_mean(closed, 1, count);
    line.error = left_out(closed, full, count, &line, 0, 0);
    return line;
}

static msw_correction straight(const double *closed, const double *full, size_t count)
{
    double middle = gsl_stats_mean(closed, 1, count), ignored[4];
    double spread = gsl_stats_tss_m(closed, 1, count, middle);
    msw_correction line = {.error = INFINITY};
    if (!(spread > 0))
        return line;
    gsl_fit_linear(closed, 1, full, 1, count, &line.offset, &line.slope, &ignored[0], &ignored[1],
                   &ignored[2], &ignored[3]);
    line.error = left_out(closed, full, count, &line, spread, middle);
    return line;
}

msw_correction msw_correction_of(const double *closed, const double *full, size_t count)
{
    if (count == 0)
        return (msw_correction){.slope = 1, .error = NAN};
    msw_correction best = as_it_is(closed, full, count);
    if (count < FEWEST)
        return best;
    msw_correction others[] = {shifted(closed, full, count), straight(closed, full, count)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].error < best.error)
            best = others[i];
    return best;
}

double msw_correct(const msw_correction *correction, double closed)
{
    return correction->offset + correction->slope * closed;
}
