/* SPDX-License-Identifier: MIT */
/* Sequential Monte Carlo without what is moved: powers of the likelihood, resampling, proposals
 * that are as likely back as forth, and a test for few ranks. docs/models/calibrate.md, section 6.
 */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>

/* ---- powers of the likelihood ---- */

static double effective_at(const double *log, const double *density, size_t count, double by)
{
    double most = -INFINITY, sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, log[k]);
    for (size_t k = 0; isfinite(most) && k < count; k++) {
        double weight = isfinite(log[k]) ? msw_math_exp(by * (log[k] - most)) : 0;
        weight /= density ? density[k] : 1;
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0;
}

double msw_temper(const double *log, const double *density, size_t count, double from,
                  double target)
{
    enum { HALVINGS = 20, BISECTIONS = 40 };
    double low = 1 - from, high = low;
    for (int i = 0; i < HALVINGS && effective_at(log, density, count, low) < target; i++) {
        high = low;
        low /= 2;
    }
    if (effective_at(log, density, count, low) < target)
        return from;
    for (int i = 0; i < BISECTIONS && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (effective_at(log, density, count, middle) < target)
            high = middle;
        else
            low = middle;
    }
    return low < 1 - from ? from + low : 1;
}

void msw_tempered_weights(const double *log, const double *density, size_t count, double by,
                          double *weights)
{
    for (size_t k = 0; k < count; k++)
        weights[k] = isfinite(log[k]) ? by * log[k] : -INFINITY; /* also where `by` is 0 */
    msw_weights_of(weights, density, count, weights);
}

void msw_resample(const double *weights, size_t count, double key, size_t draws, size_t *chosen)
{
    double all = 0, below = 0;
    size_t k = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        all += weights[i];
        last = weights[i] > 0 ? i : last;
    }
    for (size_t i = 0; i < draws; i++) {
        double at = ((double)i + key) / (double)draws * all;
        while (k < last && !(at < below + weights[k]))
            below += weights[k++];
        chosen[i] = k;
    }
}

/* ---- proposals ---- */

#define FRESH      0.1 /* chance of a place from anywhere */
#define DEVIATIONS 2.0 /* of the particles: the widest step */
#define NARROWEST  3.0 /* halvings of it */

/* The part of [0, n) that a key falls in. */
static uint64_t part_of(double key, uint64_t n)
{
    return (uint64_t)fmin(floor(key * (double)n), (double)(n - 1));
}

uint64_t msw_level_at(double position, uint64_t levels)
{
    return part_of(position, levels);
}

uint64_t msw_step_other(uint64_t from, uint64_t levels, double key)
{
    return levels < 2 ? from : (from + 1 + part_of(key, levels - 1)) % levels;
}

uint64_t msw_step_level(uint64_t from, uint64_t levels, uint64_t width, double key)
{
    int64_t step = (int64_t)part_of(key, 2 * width) - (int64_t)width, count = (int64_t)levels;
    int64_t to = (int64_t)from + step + (step >= 0);
    return (uint64_t)(to < 0 ? -1 - to : to >= count ? 2 * count - 1 - to : to);
}

double msw_step_range(double from, double width, double key)
{
    double to = fabs(from + width * (2 * key - 1));
    return fmin(to > 1 ? 2 - to : to, 1 - 0x1p-53);
}

static double middle_of(uint64_t level, uint64_t levels)
{
    return ((double)level + 0.5) / (double)levels;
}

double msw_propose(double from, uint64_t levels, double spread, const double keys[3])
{
    double scale = DEVIATIONS * spread * msw_math_exp2(-NARROWEST * keys[1]);
    if (levels && levels <= MSW_FEW_LEVELS)
        return middle_of(msw_step_other(msw_level_at(from, levels), levels, keys[2]), levels);
    if (!levels)
        return keys[0] < FRESH ? keys[2]
                               : msw_step_range(from, fmin(fmax(scale, 0.01), 0.5), keys[2]);
    double wide = floor(scale * (double)levels + 0.5);
    uint64_t width = (uint64_t)fmin(fmax(wide, 1), (double)(levels - 1));
    uint64_t to = keys[0] < FRESH
                      ? part_of(keys[2], levels)
                      : msw_step_level(msw_level_at(from, levels), levels, width, keys[2]);
    return middle_of(to, levels);
}

bool msw_move_taken(double from, double to, double phi, double key)
{
    return isfinite(to) && (to >= from || key < msw_math_exp(phi * (to - from)));
}

/* ---- few ranks ---- */

/* The matrix of Durbin's law: row i, column j. */
static double element(size_t i, size_t j, size_t m, double h)
{
    double value = i + 1 >= j ? 1 : 0, product = 1;
    if (j == 0)
        value -= msw_math_pow(h, (double)(i + 1));
    if (i == m - 1)
        value -= msw_math_pow(h, (double)(m - j));
    if (j == 0 && i == m - 1 && 2 * h > 1)
        value += msw_math_pow(2 * h - 1, (double)m);
    for (size_t k = 2; i + 1 >= j && k <= i + 1 - j; k++)
        product *= (double)k;
    return value / product;
}

/* n times the vector by the matrix, and by i / n, so that nothing grows. */
static double durbin(double *matrix, double *row, double *next, size_t m, double h, size_t n)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            matrix[i * m + j] = element(i, j, m, h);
    for (size_t j = 0; j < m; j++)
        row[j] = j == m / 2;
    for (size_t step = 1; step <= n; step++) {
        for (size_t j = 0; j < m; j++) {
            next[j] = 0;
            for (size_t i = 0; i < m; i++)
                next[j] += row[i] * matrix[i * m + j];
        }
        for (size_t j = 0; j < m; j++)
            row[j] = next[j] * (double)step / (double)n;
    }
    return row[m / 2];
}

double msw_kolmogorov_above(double d, size_t n)
{
    if (n == 0 || isnan(d))
        return NAN;
    if (d >= 1 || d * (double)n <= 0.5)
        return d >= 1 ? 0 : 1;
    double at = d * (double)n;
    size_t k = (size_t)at + 1, m = 2 * k - 1;
    double *room = malloc((m * m + 2 * m) * sizeof *room);
    double below = room ? durbin(room, room + m * m, room + m * m + m, m, (double)k - at, n) : NAN;
    free(room);
    return fmax(1 - below, 0);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double msw_kolmogorov(double *values, size_t n)
{
    double most = 0, all = (double)n;
    qsort(values, n, sizeof *values, by_size);
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fmax((double)(k + 1) / all - values[k], values[k] - (double)k / all));
    return most;
}

double msw_few_ranks_probability(double *ranks, size_t count)
{
    if (count == 0)
        return NAN;
    double shifted = msw_kolmogorov_above(msw_kolmogorov(ranks, count), count);
    for (size_t k = 0; k < count; k++)
        ranks[k] = fabs(2 * ranks[k] - 1);
    double spread = msw_kolmogorov_above(msw_kolmogorov(ranks, count), count);
    return fmin(2 * fmin(shifted, spread), 1);
}
