/* SPDX-License-Identifier: MIT */
/* sampler: the statistics of measuring some units of many.
 *
 * Stratified simple random sampling without replacement: running totals, ratio estimators with
 * covariance, finite-population correction, Student-t half-widths with Satterthwaite's degrees of
 * freedom (Cochran, Sampling Techniques, chapters 5 and 6), Neyman allocation with costs. */
#ifndef MEMSWEEP_MECH_SAMPLER_H
#define MEMSWEEP_MECH_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the keys of sampled points: raise it when which units are measured, or what is made of them,
 * changes. */
enum { MSW_SAMPLER_VERSION = 4 };

/* Differences within so small a part of their stated bound are about equal. */
enum { MSW_EQUAL_SHARE = 100 };

/* One stratum's sample of a linear combination of variables. */
typedef struct msw_stratum_sample {
    uint64_t population, measured;
    double sum;      /* of the values measured, in unit order */
    double variance; /* sample variance of the values measured */
    double third;    /* mean of their cubed deviations */
    double size;     /* mean of the magnitudes of what is added up in a value */
    double range;    /* largest value less the smallest */
    /* Of values that are differences from predictions; else 0. */
    double base;  /* sum of the predictions over the population */
    double bound; /* largest stated magnitude of a difference */
    bool few;     /* of all differences, over all strata, only a few are apart from the others */
} msw_stratum_sample;

/* Sum and sample variance of `count` values `stride` doubles apart, in order; when `other` is not
 * NULL the values are value - ratio * other (the linearised ratio). Values are centred first, so
 * that large totals lose nothing. */
void msw_sample_moments(const double *values, const double *other, double ratio, size_t count,
                        size_t stride, msw_stratum_sample *out);

/* Estimated total over all strata: exact (plain sum) where every unit was measured. */
double msw_sample_total(const msw_stratum_sample *strata, size_t count);

/* Variance of that estimate. Returns 0 where every unit was measured. */
double msw_sample_variance(const msw_stratum_sample *strata, size_t count);

/* Half-width of the confidence interval of the estimated total: Student's quantile, widened by the
 * skewness term of the two-sided Edgeworth expansion of the t statistic (Hall, The Bootstrap and
 * Edgeworth Expansion, section 2.6), without which skewed units cost coverage. Returns 0 where
 * every unit was measured, infinity where a stratum with unmeasured units has fewer than two
 * measured. */
double msw_sample_half_width(const msw_stratum_sample *strata, size_t count, double confidence);

/* Half-width that differences leave that were about equal (a range of at most a hundredth of their
 * stated bound) in all units measured, or all but a few: the largest total of differences not seen
 * that would have stayed unseen with a chance of 1 - confidence. Returns 0 where nothing is stated.
 */
double msw_sample_unseen(const msw_stratum_sample *strata, size_t count, double confidence);

/* Variance of values over the square of their size, all strata together. */
double msw_sample_spread(const msw_stratum_sample *strata, size_t count);

/* Variance of a stratum as if one more unit had been measured, whose spread is that of all strata:
 * a few units that are alike do not show that all are. */
double msw_sample_moderated(const msw_stratum_sample *stratum, double spread);

/* Gives every stratum the variance that its half-width is made of. */
void msw_sample_moderate(msw_stratum_sample *strata, size_t count);

/* Raises the units to measure until what stays unseen is at most `half_width`; `scratch` is as long
 * as the pilot. */
void msw_sample_see(const msw_stratum_sample *pilot, size_t count, double half_width,
                    double confidence, msw_stratum_sample *scratch, uint64_t *measure);

/* Chooses how many units to measure per stratum so that the half-width of the total becomes
 * `half_width`, from a pilot's variances, and so many more that the estimate is not skewed
 * (Cochran, section 2.15); never fewer than the pilot's, never more than there are. `costs` are
 * relative costs per unit, or NULL. */
void msw_sample_allocate(const msw_stratum_sample *pilot, const double *costs, size_t count,
                         double half_width, double confidence, uint64_t *measure);

/* Whether only a few differ. */
bool msw_sample_few(const msw_stratum_sample *pilot, size_t count);

/* Raises the units to measure until the skewness of the total is at most 1/5 (Cochran, section
 * 2.15): a pilot that missed the tail of skewed units also underestimates their variance. Not where
 * only a few differ: these show no skewness, and what stays unseen counts. */
void msw_sample_tame(const msw_stratum_sample *pilot, size_t count, uint64_t *measure);

/* Student-t half-width factor for a two-sided confidence. Returns the quantile. */
double msw_student(double confidence, double degrees);

#endif
