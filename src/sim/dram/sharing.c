/* SPDX-License-Identifier: MIT */
/* dram_sharing: accesses of many requesters over channels that do not all get as many.
 *
 * Symbols: L(k) cycles of an access with k under way in its channel, m a channel's mean of them, s
 * its share of the accesses, P cycles on the way, N accesses under way in all, X accesses per
 * cycle.
 *
 * A channel with k under way serves k / L(k) per cycle. Requesters choose channels at random, so
 * that k is not m but spread about it, as Poisson's law has it for small m; for m > 32 it is of no
 * account, a channel is then busy in any case: r(m) = sum of Poisson(k; m) k / L(k). In every
 * channel r(m) = s X, and N = X P + the sum of m: X follows by halving. A channel that cannot serve
 * its share keeps what the others do not. N / X is the answer (Little's law). */
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/sim/dram_analytic.h"

#include <math.h>

enum { STEPS = 16, SPREAD_UP_TO = 5, TERMS = 160, HALVINGS = 40 };

/* A value between those for 1, 2, 4 ... */
static double between(const double *values, size_t steps, double at)
{
    size_t step = 0;
    double floor = 1;
    while (step + 1 < steps && 2 * floor <= at) {
        floor *= 2;
        step++;
    }
    if (step + 1 >= steps || at <= 1)
        return values[step];
    return values[step] + (values[step + 1] - values[step]) * (at / floor - 1);
}

static double spread_rate(const msw_dram_sharing *s, double mean)
{
    double chance = msw_math_exp(-mean), rate = 0;
    for (int k = 1; k < TERMS; k++) {
        chance *= mean / k;
        rate += chance * k / between(s->latency, s->steps, k);
    }
    return rate;
}

/* Accesses per cycle of a channel with 1, 2, 4 ... under way, mean: never fewer with more. */
static void fill_rates(const msw_dram_sharing *s, double *rate)
{
    for (size_t step = 0; step < s->steps; step++) {
        double mean = msw_math_exp2((double)step);
        rate[step] = step <= SPREAD_UP_TO ? spread_rate(s, mean) : mean / s->latency[step];
        rate[step] = step ? fmax(rate[step], rate[step - 1]) : rate[step];
    }
}

/* How many are under way in a channel that serves so many per cycle. */
static double under_way_at(const double *rate, size_t steps, double wanted)
{
    double floor = 1;
    if (wanted <= rate[0])
        return wanted / rate[0];
    for (size_t step = 0; step + 1 < steps; step++, floor *= 2)
        if (wanted < rate[step + 1])
            return floor * (1 + (wanted - rate[step]) / (rate[step + 1] - rate[step]));
    return floor;
}

static double in_all(const msw_dram_sharing *s, const double *rate, double x)
{
    double sum = x * s->way;
    for (size_t i = 0; i < s->channels; i++)
        sum += under_way_at(rate, s->steps, x * s->share[i]);
    return sum;
}

double msw_dram_shared_latency(const msw_dram_sharing *s, double under_way)
{
    double rate[STEPS], most = 0;
    fill_rates(s, rate);
    for (size_t i = 0; i < s->channels; i++)
        most = fmax(most, s->share[i]);
    double low = 0, high = rate[s->steps - 1] / most;
    for (int i = 0; i < HALVINGS; i++) {
        double x = (low + high) / 2;
        if (in_all(s, rate, x) < under_way)
            low = x;
        else
            high = x;
    }
    return under_way / high;
}
