/* SPDX-License-Identifier: MIT */
/* calibrate: which settings of what nobody knows agree with numbers that were published.
 *
 * Pure functions of numbers: distances, waves, sets of quantities that nothing meets, weights,
 * information, and the test of all that with truths that are known. Definitions, formulas and
 * worked numbers: docs/models/calibrate.md. */
#ifndef MEMSWEEP_EXPLORE_CALIBRATE_H
#define MEMSWEEP_EXPLORE_CALIBRATE_H

#include "memsweep/base/err.h"
#include "memsweep/base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- distances (distance.c) ---- */

/* A published quantity. NaN where there is none; standard deviations in the quantity's unit. */
typedef struct msw_quantity {
    double published, low, high;
    double step;        /* unit of the last digit that was printed; 0: exact */
    double reading;     /* of reading it off bars */
    double fidelity;    /* root mean square of the fidelity's error; 0: none */
    double discrepancy; /* stated; NaN: follows from the band */
    double growth;      /* of the discrepancy; 1: as it is */
    size_t group;       /* of evidence: those that repeat one another share a number */
} msw_quantity;

/* Past so many standard deviations a setting is ruled out. */
#define MSW_RULED_OUT 3.0

/* Whether it is a number with a band around it, and not a range or a limit. */
bool msw_quantity_is_number(const msw_quantity *quantity);

/* Returns the s that a value is compared with, discrepancy included, on the value's side. */
double msw_quantity_deviation(const msw_quantity *quantity, double value);

/* Whether there is anything to be far from: a number or a band, and an s above 0. */
bool msw_quantity_measures(const msw_quantity *quantity);

/* Whether the fidelity errs by half of the band or more. */
bool msw_quantity_waits(const msw_quantity *quantity);

/* How far a value is away, in standard deviations. Returns INFINITY for one that is not there. */
double msw_quantity_distance(const msw_quantity *quantity, double value);

/* The growth of the discrepancy at which the value is no longer ruled out. Returns 0 where it is
 * not ruled out even without one, INFINITY where no growth helps. */
double msw_quantity_growth(const msw_quantity *quantity, double value);

/* The largest distances of a setting, largest first, and which quantities have them. */
typedef struct msw_worst {
    double distance[3]; /* 0 where there are fewer */
    size_t at[3];
} msw_worst;
msw_worst msw_worst_of(const double *distances, size_t count);

/* The chance that the true setting is ruled out by one of so many independent quantities. */
double msw_chance_of_cut(size_t quantities);

/* ---- the closed form as full would answer (distance.c) ---- */

/* full is about offset + slope x closed form. */
typedef struct msw_correction {
    double offset, slope;
    double error; /* root mean square of what is left; NaN: not measured */
} msw_correction;

/* The better of three: the closed form as it is, shifted, or on a line; by what each misses of
 * pairs that it was not made from (each is left out in turn). Of few pairs: as it is. */
msw_correction msw_correction_of(const double *closed, const double *full, size_t count);

double msw_correct(const msw_correction *correction, double closed);

/* ---- waves (waves.c) ---- */

/* Parameter sets that were drawn. */
typedef struct msw_sets {
    size_t count, unknowns;
    const double *positions; /* count x unknowns: 0 to 1 over the prior */
    const double *log;       /* of the likelihood; -INFINITY: none */
    const double *density;   /* that they were drawn with, the prior's being 1 */
    const uint64_t *levels;  /* of the unknowns; 0: a range */
} msw_sets;

/* A wave is drawn from a kernel around each of some sets; without any from the prior. */
typedef struct msw_wave {
    double drawn; /* sets, with those that broke a rule */
    size_t centres;
    double *share;          /* of the draws, by centre */
    double *centre, *reach; /* centres x unknowns */
} msw_wave;

/* Weights with the sum 1 of L^power / density, for the largest power up to 1 at which their
 * effective sample is at least `target`. Returns the power. */
double msw_tempered(const msw_sets *sets, double target, double *weights);

/* Lays a wave around the sets that such weights choose; `key` is uniform. Returns 0; -1 without
 * memory. The caller frees it in any case. */
int msw_wave_around(const msw_sets *sets, double target, double key, msw_wave *wave, msw_err *err);
void msw_wave_free(msw_wave *wave);

/* Draws positions from a wave that has centres; each `inner` in a row share those of the unknowns
 * that are `outer`. */
void msw_wave_draw(const msw_wave *wave, size_t unknowns, const bool *outer, size_t inner,
                   msw_rng *rng, size_t count, double *positions);

/* Density of a set under the mixture of all waves, the prior's being 1. Returns it. */
double msw_wave_density(const msw_wave *waves, size_t count, size_t unknowns,
                        const double *position);

/* ---- sets that nothing meets (masks.c) ---- */

/* Keeps of `count` masks those that hold no other one, each once, in order of size and value.
 * Returns how many. */
size_t msw_masks_minimal(uint64_t *masks, size_t count);

/* All smallest sets of at most `most` quantities that share one with every mask, in order of size
 * and value. The caller frees `sets`. Returns 0; -1 without memory. A mask without bits is met by
 * its setting: there are no sets then. */
int msw_hitting_sets(const uint64_t *masks, size_t count, unsigned most, uint64_t **sets,
                     size_t *found, msw_err *err);

/* ---- weights (weights.c) ---- */

/* Logarithm of the likelihood of a setting's distances; quantities of one group weigh as one. */
double msw_likelihood_log(const msw_quantity *quantities, const double *distances, size_t count);

/* Weights with the sum 1 of logarithms of likelihoods; `density` is that which the settings were
 * drawn with, the prior's being 1, NULL: the prior. All 0 where nothing is likely. */
void msw_weights_of(const double *log, const double *density, size_t count, double *weights);

/* The size of a plain sample that would know as much: 1 / sum of squares. */
double msw_weights_effective(const double *weights, size_t count);

/* The value below which a share of the weight lies; `order` sorts the values. NaN: no weight. */
double msw_weights_quantile(const double *values, const double *weights, const size_t *order,
                            size_t count, double share);

/* The order of values, smallest first, those that are not there last, equal ones as they come.
 * Returns 0; -1 without memory. */
int msw_weights_order(const double *values, size_t count, size_t *order, msw_err *err);

/* ---- information (weights.c) ---- */

enum { MSW_MOST_CLASSES = 16 };

/* Below so many bits nothing was learned. */
#define MSW_NOT_IDENTIFIED 0.1

/* How many classes an unknown is cut into: its levels up to 16, else 8; and a position's class. */
size_t msw_class_count(uint64_t levels);
size_t msw_class_of(double position, uint64_t levels);

/* Bits that weights give about a class that was evenly spread before, less what chance gives a
 * sample of the weights' effective size. Returns at least 0. */
double msw_bits_gained(const size_t *classes, size_t class_count, const double *weights,
                       size_t count);

/* Bits that one class gives about another under the weights, less what chance gives. At least 0. */
double msw_bits_shared(const size_t *a, size_t a_count, const size_t *b, size_t b_count,
                       const double *weights, size_t count);

/* Cuts values into four classes of equal weight. Values that are not there are in the last. */
void msw_classes_of_weight(const double *values, const double *weights, const size_t *order,
                           size_t count, size_t *classes);

/* ---- truths that are known (weights.c) ---- */

enum { MSW_RANK_BINS = 10 };

/* Share of the weight below the truth, ties counted in by the share `key`. Uniform where the
 * weights are right. */
double msw_rank_of(double truth, const double *values, const double *weights, size_t count,
                   double key);

/* Probability that ranks as uneven as these, in ten bins, come from a uniform one. */
double msw_rank_probability(const double *ranks, size_t count);

/* Probability that chi-squared of so many degrees of freedom exceeds x. */
double msw_chi_squared_above(double x, unsigned degrees);

/* Holm's correction of `count` probabilities, in place; those that are not there stay so. Returns
 * 0; -1 without memory. */
int msw_holm(double *probabilities, size_t count, msw_err *err);

#endif
