/* SPDX-License-Identifier: MIT */
/* Links: transfers in the order of the calls, and measured bandwidths by size as tables of ticks
 * (docs/models/sim-link.md). */
#include "memsweep/sim/link.h"

#include "sim/series.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/base/text.h"
#include "memsweep/sim/link_curve.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <string.h>

static int check(const msw_link_config *config, msw_err *err)
{
    if (config->bytes == 0 || config->cycles == 0 || config->bytes >> 20 || config->cycles >> 20)
        return msw_fail(err, "link bandwidth of %llu bytes per %llu cycles: both from 1 to 1048575",
                        (unsigned long long)config->bytes, (unsigned long long)config->cycles);
    if (config->packet_bytes == 0 && config->overhead_bytes)
        return msw_fail(err, "link overhead of %u bytes per packet needs a packet size",
                        config->overhead_bytes);
    return 0;
}

int msw_link_init(msw_link *link, const msw_link_config *config, msw_err *err)
{
    MSW_TRY(check(config, err));
    *link = (msw_link){.config = *config};
    return 0;
}

/* Bytes on the wire for a payload. */
static uint64_t wire_bytes(const msw_link_config *config, uint64_t bytes)
{
    uint32_t packet = config->packet_bytes;
    if (packet == 0)
        return bytes;
    return bytes + (bytes / packet + (bytes % packet != 0)) * config->overhead_bytes;
}

static uint64_t transfer_ticks(const msw_link_config *config, uint64_t bytes)
{
    return config->setup_cycles * config->bytes + wire_bytes(config, bytes) * config->cycles;
}

/* Sum of the waits of a series whose first transfer starts `behind` ticks late, when each transfer
 * makes the next wait `gain` ticks more (or, shrinking, less). */
static uint64_t series_waits(uint64_t behind, uint64_t duration, uint64_t gap, uint64_t count)
{
    if (duration >= gap)
        return msw_series_sum(behind, duration - gap, count);
    uint64_t shrink = gap - duration, waiting = behind / shrink + 1;
    if (waiting > count)
        waiting = count;
    return msw_series_sum(behind, 0 - shrink, waiting);
}

uint64_t msw_link_reserve(msw_link *link, const msw_link_series *series)
{
    const msw_link_config *config = &link->config;
    uint64_t *free = &link->free[config->half_duplex ? 0 : series->direction];
    uint64_t asked = series->time * config->bytes, gap = series->gap * config->bytes;
    uint64_t duration = transfer_ticks(config, series->bytes);
    uint64_t first = msw_max_u64(*free, asked);
    /* The last ends after all were served back to back, or one duration after it was asked for. */
    uint64_t packed = first + series->count * duration;
    uint64_t spaced = asked + (series->count - 1) * gap + duration;
    *free = msw_max_u64(packed, spaced);
    msw_link_stats *stats = &link->stats[series->direction];
    stats->transfers += series->count;
    stats->bytes += series->count * series->bytes;
    stats->wire_bytes += series->count * wire_bytes(config, series->bytes);
    stats->busy_ticks += series->count * duration;
    stats->wait_ticks += series_waits(first - asked, duration, gap, series->count);
    return msw_div_up(*free, config->bytes) + config->latency_cycles;
}

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

/* (2 a / pi) atan(0.07292 s) GiB/s at s KiB, a = 12, 24, 48; the points in between are the curve's
 * to find. */
static const msw_curve_point PCIE3_X16[] = {
    {1024, 0.5971},     {4096, 2.328},      {8192, 4.3318},     {16384, 7.0724},
    {32768, 9.5638},    {65536, 11.1534},   {131072, 12.0094},  {262144, 12.4459},
    {1048576, 12.7751}, {4194304, 12.8574}, {33554432, 12.8815}};
static const msw_curve_point PCIE4_X16[] = {
    {1024, 1.1942},     {4096, 4.656},      {8192, 8.6637},     {16384, 14.1448},
    {32768, 19.1276},   {65536, 22.3069},   {131072, 24.0188},  {262144, 24.8918},
    {1048576, 25.5501}, {4194304, 25.7149}, {33554432, 25.7629}};
static const msw_curve_point PCIE5_X16[] = {
    {1024, 2.3884},     {4096, 9.312},      {8192, 17.3274},    {16384, 28.2895},
    {32768, 38.2552},   {65536, 44.6137},   {131072, 48.0376},  {262144, 49.7836},
    {1048576, 51.1002}, {4194304, 51.4298}, {33554432, 51.5259}};

#define UVMSMART                                                                                   \
    "the formula of the simulator UVMSmart (gpu-sim), fitted there to measured copies; "

#define CURVE(points_) .points = (points_), .count = sizeof(points_) / sizeof *(points_)

const msw_named_curve msw_link_curves[] = {
    {.name = "pcie3_x16",
     .doc = "PCIe 3.0 x16, either direction, up to 12.9 GB/s",
     .source = UVMSMART "a = 12",
     CURVE(PCIE3_X16)},
    {.name = "pcie4_x16",
     .doc = "PCIe 4.0 x16, either direction, up to 25.8 GB/s",
     .source = UVMSMART "a = 24",
     CURVE(PCIE4_X16)},
    {.name = "pcie5_x16",
     .doc = "PCIe 5.0 x16, either direction, up to 51.5 GB/s",
     .source = UVMSMART "a = 48",
     CURVE(PCIE5_X16)},
    {.name = NULL},
};

const msw_named_curve *msw_link_curve_find(const char *name, msw_err *err)
{
    for (const msw_named_curve *c = msw_link_curves; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    const char *nearest = msw_nearest(name, &msw_link_curves[0].name, sizeof msw_link_curves[0]);
    msw_fail(err, "no link curve \"%s\"; %s\"%s\"", name, nearest ? "did you mean " : "one is ",
             nearest ? nearest : msw_link_curves[0].name);
    return NULL;
}
