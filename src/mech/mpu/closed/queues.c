/* SPDX-License-Identifier: MIT */
/* Mean value analysis of a closed network of stations with deterministic service.
 *
 *   R = D (1 + (1 - 1 / n) (n R / T - min(n D / T, 1) / 2))        n = N / copies of the station
 *   T = max(Z + sum R, max n D)
 *
 *   D  cycles of a warp at a station     R  with its waiting     T  cycles of a round of all
 *   N  warps                             Z  cycles elsewhere
 *
 * Sources: M. Reiser and S. S. Lavenberg, J. ACM 27 (1980) 313-322; what an arrival finds after
 * P. Schweitzer (1979); service that always takes the same time after Reiser. Known value: one warp
 * never waits, T = Z + sum D. */
#include "mech/mpu/closed/load.h"

#include <math.h>

enum { ROUNDS = 64 };
#define CLOSE 1e-9

static double sum_of(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* At a station of n warps an arrival finds (n - 1) / n of what is there on average; the one in
 * service is half done. */
static double wait_at(const mpu_station *s, double warps, double residence, double cycles)
{
    double n = warps / s->copies, others = n > 1 ? (n - 1) / n : 0;
    double queue = n * residence / cycles, busy = n * s->demand / cycles;
    busy = busy < 1 ? busy : 1;
    return s->demand * (1 + others * (queue - busy / 2));
}

double mpu_queues(const mpu_station *stations, int count, double warps, double chain,
                  double *residence, double *late)
{
    double own = 0, least = 0, burst = 0;
    for (int i = 0; i < count; i++) {
        double most = stations[i].demand * fmax(warps / stations[i].copies, 1);
        residence[i] = stations[i].demand;
        burst = fmax(burst, stations[i].burst);
        own += stations[i].demand;
        least = most > least ? most : least;
    }
    double think = chain > own ? chain - own : 0, cycles = think + own;
    double last = cycles + burst;
    for (int round = 0; round < ROUNDS && cycles > 0; round++) {
        double before = cycles;
        for (int i = 0; i < count; i++)
            residence[i] = wait_at(&stations[i], warps, residence[i], before);
        cycles = fmax(think + sum_of(residence, count), least);
        if (fabs(cycles - before) <= CLOSE * cycles)
            break;
    }
    *late = fmax(last - cycles, 0);
    return cycles + *late;
}
