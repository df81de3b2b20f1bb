/* SPDX-License-Identifier: MIT */
/* subset: which rows to take when there are more than can be worked on.
 *
 * Rows come from designs, whose order is anything but random: every n-th of a grid may have the
 * same value of a factor. So they are drawn by a keyed permutation. */
#ifndef MEMSWEEP_ANALYSIS_SUBSET_H
#define MEMSWEEP_ANALYSIS_SUBSET_H

#include "memsweep/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Draws at most `most` of n rows into `row`, rising; adjacent rows of equal `block` (NULL: none
 * are) come together or not at all. The same seed gives the same rows. Returns 0 with their count,
 * or -1 with `err`. */
int msw_subset(size_t n, const uint64_t *block, size_t most, uint64_t seed, uint32_t *row,
               size_t *count, msw_err *err);

#endif
