/* SPDX-License-Identifier: MIT */
/* link_curve: how long transfers of any size take, from a few measured points of bandwidth by size.
 *
 * Between the points the logarithm of the bandwidth is GSL's monotone interpolation (Steffen) over
 * that of the size: a fixed cost per transfer and a fixed bandwidth are both straight lines there.
 * Below the first point a transfer takes as long as the first one (what it costs then is fixed);
 * above the last it has its bandwidth. A curve is worked out once into whole ticks at 64 sizes per
 * octave; a look-up is one load of a pair, a multiplication and a shift, and exact: the same on
 * every machine. docs/models/sim-link.md.
 *
 * No model calls, but tests do: msw_link_curves. */
#ifndef MEMSWEEP_SIM_LINK_CURVE_H
#define MEMSWEEP_SIM_LINK_CURVE_H

#include "memsweep/base/bits.h"
#include "memsweep/base/err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    MSW_CURVE_TICK_BITS = 16, /* a tick is 2^-16 cycle */
    MSW_CURVE_STEP_BITS = 6,  /* sizes per octave */
    MSW_CURVE_SIZE_BITS = 32, /* sizes are below 2^32 bytes */
    MSW_CURVE_STEPS = 1 << MSW_CURVE_STEP_BITS,
    MSW_CURVE_ENTRIES = (MSW_CURVE_SIZE_BITS - MSW_CURVE_STEP_BITS + 1) * MSW_CURVE_STEPS + 1,
    MSW_CURVE_POINTS_MOST = 64,
};

typedef struct msw_curve_point {
    uint64_t bytes;
    double gbs; /* 1e9 bytes per second that back-to-back transfers of this size achieve */
} msw_curve_point;

typedef struct msw_link_curve {
    uint64_t ticks[MSW_CURVE_ENTRIES]; /* by size: 0 to 63 one by one, then 64 per octave */
} msw_link_curve;

/* Works a curve out for a clock. Returns 0, or -1 with the point that is wrong: sizes must rise,
 * bandwidths be from 0.001 bytes per cycle up, and no larger transfer may take less time. */
int msw_link_curve_init(msw_link_curve *curve, const msw_curve_point *points, size_t count,
                        double clock_ghz, msw_err *err);

/* Returns the ticks that a transfer of fewer than 2^32 bytes holds its channel. */
static inline uint64_t msw_link_curve_ticks(const msw_link_curve *curve, uint64_t bytes)
{
    if (bytes < MSW_CURVE_STEPS)
        return curve->ticks[bytes];
    unsigned shift = msw_bits_highest(bytes) - MSW_CURVE_STEP_BITS;
    uint64_t step = bytes >> shift; /* 64 to 127 */
    const uint64_t *at = &curve->ticks[shift * MSW_CURVE_STEPS + step];
    uint64_t rise = at[1] - at[0], part = bytes & (((uint64_t)1 << shift) - 1);
    /* rise x part / 2^shift in two halves: a slow link's rise may have 45 bits, part 25. */
    return at[0] + ((rise >> 32) * part << (32 - shift)) + ((rise & UINT32_MAX) * part >> shift);
}

/* A published curve with its source. */
typedef struct msw_named_curve {
    const char *name, *doc, *source;
    const msw_curve_point *points;
    size_t count;
} msw_named_curve;

/* Curves by name; the last one has a NULL name. */
extern const msw_named_curve msw_link_curves[];

/* Looks a curve up. Returns it, or NULL with the nearest name in `err`. */
const msw_named_curve *msw_link_curve_find(const char *name, msw_err *err);

#endif
