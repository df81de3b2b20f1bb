/* SPDX-License-Identifier: MIT */
/* Bandwidth by size, worked out into a table of ticks by size: docs/models/sim-link.md. */
#include "memsweep/sim/link_curve.h"

#include "memsweep/base/math.h"

#include <gsl/gsl_interp.h>

#include <math.h>

typedef struct curve_fit {
    double x[MSW_CURVE_POINTS_MOST],
        y[MSW_CURVE_POINTS_MOST]; /* log2 of bytes, of bytes per cycle */
    size_t count;
    gsl_interp *interp; /* NULL: one or two points, a straight line */
} curve_fit;

static int check_points(const msw_curve_point *points, size_t count, double clock_ghz, msw_err *err)
{
    if (count == 0 || count > MSW_CURVE_POINTS_MOST)
        return msw_fail(err, "link curve of %zu points: 1 to %d are allowed", count,
                        MSW_CURVE_POINTS_MOST);
    if (!(clock_ghz > 0 && clock_ghz < 1000))
        return msw_fail(err, "link curve at %g GHz: must be above 0 and below 1000", clock_ghz);
    for (size_t i = 0; i < count; i++) {
        const msw_curve_point *p = &points[i];
        double rate = p->gbs / clock_ghz;
        if (p->bytes == 0 || p->bytes >> MSW_CURVE_SIZE_BITS)
            return msw_fail(err, "link curve, point %zu: %llu bytes, allowed are 1 to 4294967295",
                            i + 1, (unsigned long long)p->bytes);
        if (!(rate >= 1e-3 && rate <= 1e6))
            return msw_fail(err,
                            "link curve, point %zu: %g GB/s at %g GHz is %g bytes a cycle, allowed "
                            "are 0.001 to 1000000",
                            i + 1, p->gbs, clock_ghz, rate);
        if (i && p->bytes <= points[i - 1].bytes)
            return msw_fail(err, "link curve, point %zu: %llu bytes after %llu; sizes must rise",
                            i + 1, (unsigned long long)p->bytes,
                            (unsigned long long)points[i - 1].bytes);
        if (i && p->bytes / p->gbs < points[i - 1].bytes / points[i - 1].gbs)
            return msw_fail(err,
                            "link curve, point %zu: %llu bytes at %g GB/s take less time than %llu "
                            "at %g",
                            i + 1, (unsigned long long)p->bytes, p->gbs,
                            (unsigned long long)points[i - 1].bytes, points[i - 1].gbs);
    }
    return 0;
}

static double rate_at(const curve_fit *fit, double bytes)
{
    double x = msw_math_log2(bytes), y = fit->y[fit->count - 1];
    if (x < fit->x[fit->count - 1])
        y = fit->interp
                ? gsl_interp_eval(fit->interp, fit->x, fit->y, x, NULL)
                : fit->y[0] + (fit->y[1] - fit->y[0]) * (x - fit->x[0]) / (fit->x[1] - fit->x[0]);
    return msw_math_exp2(y);
}

/* Sizes of the table in order. */
static uint64_t size_of(size_t entry)
{
    if (entry < 2 * MSW_CURVE_STEPS)
        return entry;
    size_t shift = entry / MSW_CURVE_STEPS - 1;
    return (uint64_t)(entry - shift * MSW_CURVE_STEPS) << shift;
}

static uint64_t ticks_of(double bytes, double rate)
{
    return (uint64_t)(bytes / rate * (1 << MSW_CURVE_TICK_BITS) + 0.5);
}

/* Between two points where bandwidth rises nearly as the size a cubic may bend time back by a
 * little: it stays between the times of the points. */
static void fill(msw_link_curve *curve, const curve_fit *fit, const msw_curve_point *points,
                 double clock_ghz)
{
    size_t next = 0;
    uint64_t before = 0, most = ticks_of((double)points[0].bytes, points[0].gbs / clock_ghz);
    uint64_t fixed = most;
    for (size_t i = 1; i < MSW_CURVE_ENTRIES; i++) {
        uint64_t bytes = size_of(i), ticks = fixed;
        if (bytes > points[0].bytes)
            ticks = ticks_of((double)bytes, rate_at(fit, (double)bytes));
        for (; next < fit->count && bytes > points[next].bytes; next++)
            most = next + 1 < fit->count
                       ? ticks_of((double)points[next + 1].bytes, points[next + 1].gbs / clock_ghz)
                       : UINT64_MAX;
        ticks = ticks < most ? ticks : most;
        before = ticks > before ? ticks : before;
        curve->ticks[i] = before;
    }
    curve->ticks[0] = 0;
}

int msw_link_curve_init(msw_link_curve *curve, const msw_curve_point *points, size_t count,
                        double clock_ghz, msw_err *err)
{
    curve_fit fit = {.count = count};
    if (check_points(points, count, clock_ghz, err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        fit.x[i] = msw_math_log2((double)points[i].bytes);
        fit.y[i] = msw_math_log2(points[i].gbs / clock_ghz);
    }
    if (count >= gsl_interp_type_min_size(gsl_interp_steffen)) {
        fit.interp = gsl_interp_alloc(gsl_interp_steffen, count);
        if (!fit.interp)
            return msw_fail_memory(err);
        gsl_interp_init(fit.interp, fit.x, fit.y, count);
    }
    fill(curve, &fit, points, clock_ghz);
    gsl_interp_free(fit.interp);
    return 0;
}
