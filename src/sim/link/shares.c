/* SPDX-License-Identifier: MIT */
/* Weighted max-min shares: each round divides what is left by weight among those who still want
 * more; those satisfied by it are done. At most as many rounds as masters. */
#include "memsweep/sim/link.h"

#include <math.h>

/* Gives everybody whose wish lies below the level their wish. Returns how many were given. */
static size_t satisfy(const double *demand, const uint32_t *weights, size_t count, double level,
                      double *got)
{
    size_t given = 0;
    for (size_t m = 0; m < count; m++)
        if (isnan(got[m]) && fmin(demand[m], 1) <= level * weights[m]) {
            got[m] = fmin(demand[m], 1);
            given++;
        }
    return given;
}

void msw_link_shares(const double *demand, const uint32_t *weights, size_t count, double *got)
{
    for (size_t m = 0; m < count; m++)
        got[m] = NAN;
    for (size_t round = 0; round <= count; round++) {
        double left = 1, weight = 0;
        for (size_t m = 0; m < count; m++) {
            left -= isnan(got[m]) ? 0 : got[m];
            weight += isnan(got[m]) ? weights[m] : 0;
        }
        if (weight == 0)
            return;
        if (satisfy(demand, weights, count, left / weight, got))
            continue;
        for (size_t m = 0; m < count; m++)
            got[m] = isnan(got[m]) ? left / weight * weights[m] : got[m];
    }
}
