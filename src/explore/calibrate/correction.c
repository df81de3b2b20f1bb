/* SPDX-License-Identifier: MIT */
/* The closed form's answers as full would give them: docs/models/calibrate.md, section 1. */
#include "memsweep/explore/calibrate.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

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
