/* SPDX-License-Identifier: MIT */
/* Mean value analysis of a closed network of stations with deterministic service.
 *
 *   R = D (1 + (1 - 1 / n) (n R / T - min(n D / T, 1) / 2))        n = N / copies of the station
 *   T = max(Z + sum R, max n D)
 *
 *   D  cycles of a warp at a station     R  with its waiting     T  cycles of a round of all
 *   N  warps                             Z  cycles elsewhere
 *
 * Where a station of the core is full and one of all cores, too, warps go through phases: those of
 * all cores come to the links together, and while a warp is there it leaves its core's station to
 * others. Then the common station has the N warps of one core, each with what it takes in all
 * cores, and what an arrival finds is what is left of whole phases: without the last term.
 *
 * Sources: M. Reiser and S. S. Lavenberg, J. ACM 27 (1980) 313-322; what an arrival finds after
 * P. Schweitzer (1979); service that always takes the same time after Reiser. Known value: one warp
 * never waits, T = Z + sum D. */
#include "mech/mpu/closed/load.h"

#include <math.h>
#include <stdbool.h>

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

static double wait_in_phase(const mpu_station *s, double warps, double residence, double cycles)
{
    double n = warps / fmax(s->copies, 1), others = n > 1 ? (n - 1) / n : 0;
    return s->demand / fmin(s->copies, 1) * (1 + others * n * residence / cycles);
}

/* Whether a station of the core and one of all cores are both full. An entry of the table is held
 * while its request is at the others: that is no other phase. */
static bool goes_in_phases(const mpu_station *stations, int count, double warps, double cycles)
{
    bool full[2] = {false};
    for (int i = 0; i < count; i++)
        full[stations[i].copies < 1] |=
            i != MPU_STATION_TABLE &&
            warps * stations[i].demand > MPU_FULL * cycles * stations[i].copies;
    return full[0] && full[1];
}

/* Returns the cycles of a round, without bursts. */
static double solve(const mpu_station *stations, int count, double warps, double think,
                    double least, bool phases, double *residence)
{
    double cycles = think;
    for (int i = 0; i < count; i++)
        cycles += residence[i] = stations[i].demand;
    for (int round = 0; round < ROUNDS && cycles > 0; round++) {
        double before = cycles;
        for (int i = 0; i < count; i++)
            residence[i] = phases ? wait_in_phase(&stations[i], warps, residence[i], before)
                                  : wait_at(&stations[i], warps, residence[i], before);
        cycles = fmax(think + sum_of(residence, count), least);
        if (fabs(cycles - before) <= CLOSE * cycles)
            break;
    }
    return cycles;
}

double mpu_queues(const mpu_station *stations, int count, double warps, double chain,
                  double *residence, double *late)
{
    double own = 0, least = 0, burst = 0;
    for (int i = 0; i < count; i++) {
        burst = fmax(burst, stations[i].burst);
        own += stations[i].demand;
        least = fmax(least, stations[i].demand * fmax(warps / stations[i].copies, 1));
    }
    double think = fmax(chain - own, 0), last = think + own + burst;
    double cycles = solve(stations, count, warps, think, least, false, residence);
    if (goes_in_phases(stations, count, warps, cycles))
        cycles = solve(stations, count, warps, think, least, true, residence);
    *late = fmax(last - cycles, 0);
    return cycles + *late;
}
