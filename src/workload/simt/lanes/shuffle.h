/* SPDX-License-Identifier: MIT */
/* shuffle: what lanes send each other, and sums with carries: plain C for both kinds of loops. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_LANES_SHUFFLE_H
#define MEMSWEEP_WORKLOAD_SIMT_LANES_SHUFFLE_H

#include "workload/simt/ops.h"

/* Finds the lane that each lane reads in shfl. Returns the lanes whose source was in range. */
uint32_t simt_shuffle(const msw_simt_detail *detail, const uint32_t *b, const uint32_t *c,
                      uint32_t from[MSW_SIMT_LANES]);

/* Finds for each lane of `mask` the lanes of its members that hold the same value (.any), or all
 * members when they all do, else 0 (.all). Returns the lanes whose members all agree. */
uint32_t simt_match(const msw_simt_detail *detail, const uint64_t *values, const uint32_t *members,
                    uint32_t mask, uint32_t same[MSW_SIMT_LANES]);

/* Combines the members' values for each lane. */
void simt_reduce(const msw_simt_detail *detail, const uint32_t *values, const uint32_t *members,
                 uint32_t mask, uint32_t result[MSW_SIMT_LANES]);

/* add, addc, sub, subc, mad and madc with .cc: `carry` goes in and comes out. Returns the result.
 */
uint64_t simt_carry(const msw_simt_detail *detail, const uint64_t v[3], bool *carry);

#endif
