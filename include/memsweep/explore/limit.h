/* SPDX-License-Identifier: MIT */
/* limit: what a simple random sample says about the set it was drawn from.
 *
 * `draws` of `all` things were looked at, without putting any back, and `found` of them were wrong.
 * The exact distribution of `found` is hypergeometric (docs/models/auto.md). */
#ifndef MEMSWEEP_EXPLORE_LIMIT_H
#define MEMSWEEP_EXPLORE_LIMIT_H

#include <stdint.h>

/* Probability that a sample finds at most `found` where `wrong` of `all` are wrong. Returns it. */
double msw_limit_probability(uint64_t all, uint64_t wrong, uint64_t draws, uint64_t found);

/* The most wrong ones, those found included, that would leave as few in the sample with more than
 * the probability `error`. Returns it, at least `found` and at most `all`. */
uint64_t msw_limit_wrong(uint64_t all, uint64_t draws, uint64_t found, double error);

/* The fewest draws that, when none of them is wrong, say that at most `most` of all are. Returns
 * them, at most `all`. */
uint64_t msw_limit_draws(uint64_t all, uint64_t most, double error);

#endif
