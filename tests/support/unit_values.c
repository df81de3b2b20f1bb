/* SPDX-License-Identifier: MIT */
#include "unit_values.h"

#include <assert.h>
#include <math.h>

static msw_mech copy;
static size_t strata;
static msw_stratum *sizes;
static uint64_t *first, units;
static double *exact;   /* unit-major: all metrics at full */
static double *more;    /* stratum-major: what a sample's units gave more */
static uint64_t *count; /* its units of each stratum */
static double lead;

static void *room(size_t number, size_t size)
{
    void *p = calloc(number + 1, size);
    assert(p);
    return p;
}

void unit_values_close(void)
{
    free(sizes);
    free(first);
    free(exact);
    free(more);
    free(count);
    sizes = NULL;
    first = count = NULL;
    exact = more = NULL;
}

static int begin_full(const msw_task *task, msw_err *err)
{
    unit_values_close();
    strata = copy.strata_max;
    sizes = room(strata, sizeof *sizes);
    if (copy.strata(task, sizes, &strata, err))
        return -1;
    first = room(strata, sizeof *first);
    units = 0;
    for (size_t h = 0; h < strata; h++) {
        first[h] = units;
        units += sizes[h].units;
    }
    exact = room(units * copy.metric_count, sizeof *exact);
    more = room(strata * copy.metric_count, sizeof *more);
    count = room(strata, sizeof *count);
    return 0;
}

static int record_begin(const msw_task *task, void *state, msw_err *err)
{
    if (task->fidelity == MSW_FULL && begin_full(task, err))
        return -1;
    if (count)
        memset(count, 0, strata * sizeof *count);
    if (more)
        memset(more, 0, strata * copy.metric_count * sizeof *more);
    return copy.begin(task, state, err);
}

static int record_unit(const msw_task *task, void *state, size_t h, uint64_t unit,
                       msw_unit_out *out, msw_err *err)
{
    size_t width = copy.metric_count;
    if (copy.measure(task, state, h, unit, out, err))
        return -1;
    double *all = exact + (first[h] + unit) * width;
    count[h]++;
    if (task->fidelity == MSW_FULL)
        memcpy(all, out->totals, width * sizeof *all);
    for (size_t m = 0; m < width; m++)
        more[h * width + m] += out->totals[m] - all[m];
    if (task->fidelity == MSW_FULL && copy.lead)
        lead = copy.lead(task, state);
    return 0;
}

void unit_values_open(msw_mech *mech)
{
    unit_values_close();
    copy = *mech;
    mech->begin = record_begin;
    mech->measure = record_unit;
}

static double value_of(uint64_t unit, int metric)
{
    return exact[unit * copy.metric_count + (size_t)metric];
}

static double total_of(int metric)
{
    double sum = 0;
    for (uint64_t i = 0; i < units; i++)
        sum += value_of(i, metric);
    return sum;
}

/* Strata of so few units are measured whole. */
enum { WHOLE_MOST = 8 };

static bool is_whole(size_t h)
{
    return sizes[h].units <= WHOLE_MOST;
}

unit_spread unit_spread_of(int metric)
{
    unit_spread s = {.strata = strata};
    double sum = 0, squares = 0, cubes = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t h = 0; h < strata; h++)
            for (uint64_t u = 0; u < sizes[h].units && !is_whole(h); u++) {
                double y = value_of(first[h] + u, metric);
                double d = pass ? y - sum / (double)s.units : 0;
                s.units += !pass;
                sum += pass ? 0 : y;
                s.largest = fmax(s.largest, y);
                squares += d * d;
                cubes += d * d * d;
            }
    double mean = sum / (double)s.units, deviation = sqrt(squares / (double)s.units);
    s.spread = mean > 0 ? deviation / mean : 0;
    s.skewness = deviation > 0 ? cubes / (double)s.units / pow(deviation, 3) : 0;
    s.largest = mean > 0 ? s.largest / mean : 0;
    return s;
}

double unit_change_of(int metric)
{
    double sum = 0;
    for (size_t h = 0; h < strata; h++)
        if (count[h])
            sum += more[h * copy.metric_count + (size_t)metric] * (double)sizes[h].units /
                   (double)count[h];
    return sum / total_of(metric);
}

unit_forecast unit_forecast_best(int metric, int x, int y)
{
    double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (uint64_t i = 0; i < units; i++) {
        double t = value_of(i, metric), a = value_of(i, x), b = value_of(i, y);
        xx += a * a;
        xy += a * b;
        yy += b * b;
        xt += a * t;
        yt += b * t;
    }
    double det = xx * yy - xy * xy;
    if (!(det > 1e-9 * xx * yy)) /* one says all that the other does */
        return (unit_forecast){x, y, xt / xx, 0};
    unit_forecast f = {x, y, (xt * yy - yt * xy) / det, (yt * xx - xt * xy) / det};
    if (f.a < 0 || f.b < 0) /* units of which nothing would be expected */
        f = (unit_forecast){x, y, xt / xx, 0};
    return f;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Differences farther than a hundredth of the stated error from the middle one. */
static double share_apart(double *d, uint64_t n, double bound)
{
    uint64_t far = 0;
    qsort(d, n, sizeof *d, compare);
    for (uint64_t i = 0; i < n; i++)
        far += fabs(d[i] - d[n / 2]) > bound / 100;
    return (double)far / (double)n;
}

unit_errors unit_errors_of(int metric, const unit_forecast *f)
{
    unit_errors e = {.units = (double)units, .lead = lead, .total = total_of(metric)};
    double *d = room(units, sizeof *d), *relative = room(units, sizeof *relative);
    double sum = 0, squares = 0;
    uint64_t n = 0;
    for (size_t h = 0; h < strata; h++)
        for (uint64_t u = 0; u < sizes[h].units; u++) {
            uint64_t i = first[h] + u;
            double z = f->a * value_of(i, f->x) + (f->y < 0 ? 0 : f->b * value_of(i, f->y));
            if (is_whole(h)) {
                e.whole++;
                continue;
            }
            d[n] = value_of(i, metric) - z;
            relative[n] = z > 0 ? fabs(d[n]) / z : 1e9;
            e.sum += z;
            e.typical += relative[n] * relative[n];
            sum += d[n];
            squares += d[n] * d[n];
            n++;
        }
    double m = (double)n;
    qsort(relative, n, sizeof *relative, compare);
    e.largest = n ? relative[(uint64_t)ceil(0.999 * m) - 1] : 0;
    e.typical = n ? sqrt(e.typical / m) : 0;
    e.spread = n > 1 ? sqrt(fmax(0, squares - sum * sum / m) / (m - 1)) : 0;
    e.apart = n ? share_apart(d, n, e.largest * e.sum / m) : 0;
    free(d);
    free(relative);
    return e;
}

static double in_detail(const unit_errors *e, double n)
{
    double rest = e->units - e->whole;
    return (e->whole + fmin(rest, n * (1 + e->lead))) / e->units;
}

/* Units that keep a variance of values of this spread below the half-width. */
static double for_variance(const unit_errors *e, double spread, double half_width)
{
    double rest = e->units - e->whole, n = 1.96 * spread * rest / half_width;
    return n * n / (1 + n * n / rest);
}

enum { DIFFERENCES_LEAST = 8 };

double unit_errors_least(const unit_errors *e, double largest, double target, double confidence)
{
    double half_width = target * e->total, bound = largest * e->sum;
    double varied = fmax(for_variance(e, e->spread, half_width), DIFFERENCES_LEAST);
    double equal = half_width < bound ? log(1 - confidence) / log(1 - half_width / bound) : 0;
    if (e->apart >= 0.25)
        return in_detail(e, varied);
    double enough = e->apart > 0 ? DIFFERENCES_LEAST / e->apart : INFINITY;
    return in_detail(e, fmin(fmax(varied, equal), fmax(varied, enough)));
}

double unit_errors_ahead(const unit_errors *e, double typical, double target)
{
    double rest = e->units - e->whole, mean = rest > 0 ? e->sum / rest : 0;
    return in_detail(e, fmax(for_variance(e, typical * mean, target * e->total), 1));
}
