/* SPDX-License-Identifier: MIT */
/* Boxes that settings are drawn from: docs/models/calibrate.md, section 3. */
#include "memsweep/explore/calibrate.h"

#include <math.h>

static double density_of(const msw_wave *wave, size_t unknowns, const double *position)
{
    double density = 1;
    for (size_t u = 0; u < unknowns; u++) {
        if (position[u] < wave->low[u] || position[u] >= wave->high[u])
            return 0;
        density /= wave->high[u] - wave->low[u];
    }
    return density;
}

double msw_wave_density(const msw_wave *waves, size_t count, size_t unknowns,
                        const double *position)
{
    double sum = 0, settings = 0;
    for (size_t k = 0; k < count; k++) {
        sum += (double)waves[k].settings * density_of(&waves[k], unknowns, position);
        settings += (double)waves[k].settings;
    }
    return sum / settings;
}

static void widen(double *low, double *high, uint64_t levels, double margin)
{
    double by = margin * (*high - *low), cells = (double)levels;
    if (levels) {
        *low = floor(*low * cells) / cells;
        *high = fmin(floor(*high * cells) + 1, cells) / cells;
        return;
    }
    *low = fmax(*low - by, 0);
    *high = fmin(*high + by, 1);
    if (!(*high > *low)) { /* one setting alone */
        *low = fmax(*low - 0x1p-10, 0);
        *high = fmin(*high + 0x1p-10, 1);
    }
}

void msw_wave_box(const double *positions, const bool *inside, size_t settings, size_t unknowns,
                  const uint64_t *levels, double margin, double *low, double *high)
{
    for (size_t u = 0; u < unknowns; u++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t k = 0; k < settings; k++)
            if (inside[k]) {
                least = fmin(least, positions[k * unknowns + u]);
                most = fmax(most, positions[k * unknowns + u]);
            }
        low[u] = least <= most ? least : 0;
        high[u] = least <= most ? most : 1;
        if (least <= most)
            widen(&low[u], &high[u], levels[u], margin);
    }
}
