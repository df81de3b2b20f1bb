/* SPDX-License-Identifier: MIT */
/* What a sample of equal differences does not show.
 *
 *   N_h, n_h  units of stratum h, and those measured, whose differences are (but for a few) equal
 *   B_h       largest magnitude that a difference may have, as stated
 *   p_h       share of units whose difference is another: unseen with a chance of (1 - p_h)^n_h
 *   a         1 - confidence
 *
 * The largest total that can stay unseen: the maximum of sum N_h B_h p_h with the product of the
 * (1 - p_h)^n_h at a. With p_h = 1 - exp(-q_h) it is concave: q_h = max(0, ln(N_h B_h / n_h) - l),
 * l so that sum n_h q_h = -ln(a). Of one stratum: N B (1 - a^(1/n)); 30 of 1000 units at 95 %: the
 * total of 95 units. */
#include "memsweep/mech/sampler.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdbool.h>

static bool is_equal(const msw_stratum_sample *s)
{
    return s->bound > 0 && s->measured > 0 && s->measured < s->population &&
           (s->few || s->range <= s->bound / MSW_EQUAL_SHARE);
}

/* ln(N_h B_h / n_h). */
static double worth(const msw_stratum_sample *s)
{
    return msw_math_log((double)s->population * s->bound / (double)s->measured);
}

/* The level l at which the chance is spent: strata worth less take no part of it. */
static double find_level(const msw_stratum_sample *strata, size_t count, double spent)
{
    double level = -INFINITY, last;
    do {
        double weighted = 0, units = 0;
        last = level;
        for (size_t h = 0; h < count; h++)
            if (is_equal(&strata[h]) && worth(&strata[h]) > last) {
                weighted += (double)strata[h].measured * worth(&strata[h]);
                units += (double)strata[h].measured;
            }
        if (units > 0)
            level = (weighted - spent) / units;
    } while (level > last);
    return level;
}

double msw_sample_unseen(const msw_stratum_sample *strata, size_t count, double confidence)
{
    double total = 0, level = find_level(strata, count, -msw_math_log(1 - confidence));
    for (size_t h = 0; h < count; h++) {
        const msw_stratum_sample *s = &strata[h];
        if (is_equal(s) && worth(s) > level)
            total += (double)s->population * s->bound * (1 - msw_math_exp(level - worth(s)));
    }
    return total;
}

static double unseen_at(const msw_stratum_sample *pilot, size_t count, double confidence,
                        const uint64_t *measure, msw_stratum_sample *scratch)
{
    for (size_t h = 0; h < count; h++) {
        scratch[h] = pilot[h];
        scratch[h].measured = measure[h];
    }
    return msw_sample_unseen(scratch, count, confidence);
}

/* Units are dealt to strata in proportion to N_h B_h. The number grows by a tenth each time until
 * what may be unseen is small enough, or all units are measured. */
void msw_sample_see(const msw_stratum_sample *pilot, size_t count, double half_width,
                    double confidence, msw_stratum_sample *scratch, uint64_t *measure)
{
    double whole = 0, each = 1;
    for (size_t h = 0; h < count; h++)
        whole += is_equal(&pilot[h]) ? (double)pilot[h].population * pilot[h].bound : 0;
    for (bool more = whole > 0;
         more && unseen_at(pilot, count, confidence, measure, scratch) > half_width; each *= 1.1) {
        more = false;
        for (size_t h = 0; h < count; h++) {
            if (!is_equal(&pilot[h]) || measure[h] >= pilot[h].population)
                continue;
            double n = ceil(each * (double)pilot[h].population * pilot[h].bound / whole);
            if (n > (double)measure[h])
                measure[h] = n < (double)pilot[h].population ? (uint64_t)n : pilot[h].population;
            more = true;
        }
    }
}
