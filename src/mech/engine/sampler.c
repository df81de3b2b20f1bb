/* SPDX-License-Identifier: MIT */
/* Bounds what a sample of equal differences does not show.
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

static double linear(const double *values, const double *other, double ratio, size_t i)
{
    return other ? values[i] - ratio * other[i] : values[i];
}

/* Two passes: the mean first, then powers of the distances from it. One pass over sums of powers
 * would lose all digits where units are nearly equal. */
void msw_sample_moments(const double *values, const double *other, double ratio, size_t count,
                        size_t stride, msw_stratum_sample *out)
{
    double sum = 0, squares = 0, cubes = 0, size = 0, n = (double)count;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = linear(values, other, ratio, i * stride);
        sum += value;
        low = fmin(low, value);
        high = fmax(high, value);
        size += fabs(values[i * stride]) + (other ? fabs(ratio * other[i * stride]) : 0);
    }
    double mean = count ? sum / n : 0;
    for (size_t i = 0; i < count; i++) {
        double d = linear(values, other, ratio, i * stride) - mean;
        squares += d * d;
        cubes += d * d * d;
    }
    out->measured = count;
    out->sum = sum;
    out->variance = count > 1 ? squares / (n - 1) : 0;
    out->third = count > 2 ? cubes / n : 0;
    out->size = count ? size / n : 0;
    out->range = count ? high - low : 0;
    out->base = out->bound = 0;
    out->few = false;
}

double msw_sample_total(const msw_stratum_sample *strata, size_t count)
{
    double total = 0;
    for (size_t h = 0; h < count; h++) {
        const msw_stratum_sample *s = &strata[h];
        /* Where all units were measured the plain sum must come out, to the last bit. */
        if (s->measured == s->population)
            total += s->sum;
        else if (s->measured)
            total += s->base + s->sum * ((double)s->population / (double)s->measured);
    }
    return total;
}

/* Variance of one stratum's estimated total. */
static double stratum_variance(const msw_stratum_sample *s)
{
    if (s->measured >= s->population)
        return 0;
    if (s->measured < 2)
        return INFINITY;
    double n = (double)s->measured, all = (double)s->population;
    return all * all * (1 - n / all) * s->variance / n;
}

/* The variance of a unit relative to its size, pooled over strata. It says how much a stratum with
 * few measured units may vary, judged by the others. */
double msw_sample_spread(const msw_stratum_sample *strata, size_t count)
{
    double squares = 0, degrees = 0;
    for (size_t h = 0; h < count; h++) {
        const msw_stratum_sample *s = &strata[h];
        if (s->measured < 2 || !(s->size > 0))
            continue;
        squares += (double)(s->measured - 1) * s->variance / (s->size * s->size);
        degrees += (double)(s->measured - 1);
    }
    return degrees > 0 ? squares / degrees : 0;
}

/* Adds one degree of freedom with the pooled spread. A stratum whose two units happened to be equal
 * does not count as one without variance. */
double msw_sample_moderated(const msw_stratum_sample *s, double spread)
{
    if (s->measured <= 1)
        return s->variance;
    return ((double)(s->measured - 1) * s->variance + spread * s->size * s->size) /
           (double)s->measured;
}

static msw_stratum_sample moderate(const msw_stratum_sample *s, double spread)
{
    msw_stratum_sample m = *s;
    m.variance = msw_sample_moderated(s, spread);
    return m;
}

double msw_sample_variance(const msw_stratum_sample *strata, size_t count)
{
    double variance = 0, spread = msw_sample_spread(strata, count);
    for (size_t h = 0; h < count; h++) {
        msw_stratum_sample s = moderate(&strata[h], spread);
        variance += stratum_variance(&s);
    }
    return variance;
}

void msw_sample_moderate(msw_stratum_sample *strata, size_t count)
{
    double spread = msw_sample_spread(strata, count);
    for (size_t h = 0; h < count; h++)
        strata[h] = moderate(&strata[h], spread);
}

double msw_student(double confidence, double degrees)
{
    return msw_math_student_quantile(0.5 + confidence / 2, degrees);
}

/* Satterthwaite's effective degrees of freedom for a sum of stratum variances. */
static double degrees_of_freedom(const msw_stratum_sample *strata, size_t count, double variance)
{
    double below = 0, spread = msw_sample_spread(strata, count);
    for (size_t h = 0; h < count; h++) {
        msw_stratum_sample s = moderate(&strata[h], spread);
        double g = stratum_variance(&s);
        if (g > 0)
            below += g * g / (double)(strata[h].measured - 1);
    }
    return below > 0 ? variance * variance / below : INFINITY;
}

/* Units wanted of a stratum per unit of Neyman's factor. */
static double share(const msw_stratum_sample *s, double cost)
{
    return (double)s->population * sqrt(s->variance) / sqrt(cost);
}

/* What one stratum adds to the skewness of the t statistic, as a third cumulant. Without
 * replacement the mean's own skewness has the factor 1 - 2 f, its dependence on the sample variance
 * 1 - f with weight -3: together -(2 - f), where -2 is what the expansion for f = 0 holds. */
static double stratum_third(const msw_stratum_sample *s, double n)
{
    double all = (double)s->population, share = n / all;
    if (share >= 1 || n < 2)
        return 0;
    return all * all * all * s->third * (1 - share) * (1 - share / 2) / (n * n);
}

/* How much wider a skewed estimate needs its interval: t (1 + g^2 (t^4 + 2 t^2 - 3) / 18) with g
 * the skewness of the estimate. The expansion is cut at twice the width, past which it means
 * nothing. */
static double skewness_factor(const msw_stratum_sample *strata, size_t count, double variance,
                              double t)
{
    double third = 0;
    for (size_t h = 0; h < count; h++)
        third += stratum_third(&strata[h], (double)strata[h].measured);
    double skewness = third / (variance * sqrt(variance));
    double factor = 1 + skewness * skewness * (t * t * t * t + 2 * t * t - 3) / 18;
    return fmin(factor, 2);
}

/* What was seen to vary and what may be unseen are independent errors: their half-widths add as
 * squares. */
double msw_sample_half_width(const msw_stratum_sample *strata, size_t count, double confidence)
{
    double variance = msw_sample_variance(strata, count);
    double unseen = msw_sample_unseen(strata, count, confidence);
    if (variance == 0 || isinf(variance))
        return variance == 0 ? unseen : variance;
    double degrees = degrees_of_freedom(strata, count, variance);
    double t = msw_student(confidence, fmin(degrees, 1e6));
    double seen = t * skewness_factor(strata, count, variance, t) * sqrt(variance);
    return unseen > 0 ? sqrt(seen * seen + unseen * unseen) : seen;
}

static double cost_of(const double *costs, size_t h)
{
    return costs && costs[h] > 0 ? costs[h] : 1;
}

/* Neyman's factor over the strata not yet taken whole: n_h = factor * share_h. */
static double neyman_factor(const msw_stratum_sample *pilot, const double *costs, size_t count,
                            double variance, const uint64_t *measure)
{
    double weighted = 0, finite = 0;
    for (size_t h = 0; h < count; h++) {
        if (measure[h] == pilot[h].population)
            continue;
        weighted += (double)pilot[h].population * sqrt(pilot[h].variance) * sqrt(cost_of(costs, h));
        finite += (double)pilot[h].population * pilot[h].variance;
    }
    return variance + finite > 0 ? weighted / (variance + finite) : 0;
}

/* Takes every stratum whole that the factor would oversample. Returns whether any was. */
static int cap_strata(const msw_stratum_sample *pilot, const double *costs, size_t count,
                      double factor, uint64_t *measure)
{
    int capped = 0;
    for (size_t h = 0; h < count; h++) {
        if (measure[h] == pilot[h].population)
            continue;
        double wanted = ceil(factor * share(&pilot[h], cost_of(costs, h)));
        if (wanted >= (double)pilot[h].population) {
            measure[h] = pilot[h].population;
            capped = 1;
        } else {
            uint64_t n = (uint64_t)wanted;
            measure[h] = n > pilot[h].measured ? n : pilot[h].measured;
        }
    }
    return capped;
}

/* Neyman's allocation for a wanted half-width: units in proportion to N_h s_h / sqrt(cost_h). A
 * stratum that would get more units than it has is taken whole, which changes the factor for the
 * others, so this repeats until no stratum is. */
void msw_sample_allocate(const msw_stratum_sample *pilot, const double *costs, size_t count,
                         double half_width, double confidence, uint64_t *measure)
{
    double total = 0;
    for (size_t h = 0; h < count; h++) {
        measure[h] = pilot[h].measured;
        total += (double)pilot[h].measured;
    }
    double t = msw_student(confidence, fmax(total - (double)count, 2));
    double variance = half_width / t * (half_width / t);
    double factor;
    do
        factor = neyman_factor(pilot, costs, count, variance, measure);
    while (cap_strata(pilot, costs, count, factor, measure));
}

/* Skewness of the total if this many units were measured. */
static double skewness_at(const msw_stratum_sample *pilot, size_t count, const uint64_t *measure)
{
    double variance = 0, third = 0;
    for (size_t h = 0; h < count; h++) {
        msw_stratum_sample s = pilot[h];
        s.measured = measure[h];
        variance += stratum_variance(&s);
        third += stratum_third(&s, (double)measure[h]);
    }
    return variance > 0 ? fabs(third) / (variance * sqrt(variance)) : 0;
}

bool msw_sample_few(const msw_stratum_sample *pilot, size_t count)
{
    for (size_t h = 0; h < count; h++)
        if (pilot[h].few)
            return true;
    return false;
}

/* Cochran's rule n > 25 g^2, for the estimate as a whole: its skewness falls with the root of n. */
void msw_sample_tame(const msw_stratum_sample *pilot, size_t count, uint64_t *measure)
{
    double skewness = skewness_at(pilot, count, measure);
    if (msw_sample_few(pilot, count) || !(skewness > 0.2) || isinf(skewness))
        return;
    double factor = 25 * skewness * skewness;
    for (size_t h = 0; h < count; h++) {
        double wanted = ceil(factor * (double)measure[h]);
        measure[h] = wanted < (double)pilot[h].population ? (uint64_t)wanted : pilot[h].population;
    }
}
