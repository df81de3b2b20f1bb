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
 * all cores come to the links together, and meanwhile the core's station waits. The common station
 * then has the N warps of one core, each with what it takes in all cores, and the last term goes.
 *
 * Sources: M. Reiser and S. S. Lavenberg, J. ACM 27 (1980) 313-322; what an arrival finds after
 * P. Schweitzer (1979); service that always takes the same time after Reiser. Known value: one warp
 * never waits, T = Z + sum D. */
#include "mech/mpu/closed/load.h"

#include <math.h>
#include <stdbool.h>

enum { ROUNDS = 64 };
#define CLOSE 1e-9

/* At a station of n warps an arrival finds (n - 1) / n of what is there on average; the one in
 * service is half done. */
static double wait_at(const mpu_station *s, double warps, bool phases, double residence,
                      double cycles)
{
    double n = warps / (phases ? fmax(s->copies, 1) : s->copies), others = n > 1 ? (n - 1) / n : 0;
    double demand = phases ? s->demand / fmin(s->copies, 1) : s->demand;
    double half = phases ? 0 : fmin(n * demand / cycles, 1) / 2;
    return demand * (1 + others * (n * residence / cycles - half));
}

/* Whether a station of the core (but the table, held meanwhile) and one of all cores are full. */
static bool goes_in_phases(const mpu_station *s, double warps, double cycles)
{
    bool full[2] = {false};
    for (int i = 0; i < MPU_STATIONS; i++)
        full[s[i].copies < 1] |=
            i != MPU_STATION_TABLE && warps * s[i].demand > MPU_FULL * cycles * s[i].copies;
    return full[0] && full[1];
}

static double solve(const mpu_station *s, double warps, double think, double least, bool phases,
                    double *residence)
{
    double sum = 0, cycles;
    for (int i = 0; i < MPU_STATIONS; i++)
        sum += residence[i] = s[i].demand;
    cycles = think + sum;
    for (int round = 0; round < ROUNDS && cycles > 0; round++) {
        double before = cycles;
        sum = 0;
        for (int i = 0; i < MPU_STATIONS; i++)
            sum += residence[i] = wait_at(&s[i], warps, phases, residence[i], before);
        cycles = fmax(think + sum, least);
        if (fabs(cycles - before) <= CLOSE * cycles)
            break;
    }
    return cycles;
}

double mpu_queues(const mpu_station *s, double warps, double chain, double *residence, double *late)
{
    double own = 0, least = 0, burst = 0;
    for (int i = 0; i < MPU_STATIONS; i++) {
        burst = fmax(burst, s[i].burst);
        own += s[i].demand;
        least = fmax(least, s[i].demand * fmax(warps / s[i].copies, 1));
    }
    double think = fmax(chain - own, 0), last = think + own + burst;
    double cycles = solve(s, warps, think, least, false, residence);
    if (goes_in_phases(s, warps, cycles))
        cycles = solve(s, warps, think, least, true, residence);
    *late = fmax(last - cycles, 0);
    return cycles + *late;
}
