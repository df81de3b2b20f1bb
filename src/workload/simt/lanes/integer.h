/* SPDX-License-Identifier: MIT */
/* integer: operations on whole numbers and bits that have no loop of their own. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_LANES_INTEGER_H
#define MEMSWEEP_WORKLOAD_SIMT_LANES_INTEGER_H

#include "workload/simt/ops.h"

/* Returns the value cut to a type's bits and extended as its sign says. */
uint64_t simt_cut_to(msw_simt_type type, uint64_t a);

/* Returns the value of type `to` next to `a`, which is of type `from` in 64 bits. */
uint64_t simt_saturate(msw_simt_type to, msw_simt_type from, uint64_t a);

/* Return the results of bfe, bfi, bfind, fns, prmt, dp2a, mul24 and mad24, sad, brev; and of add,
 * sub and mad.hi with .sat or of 16 bits. */
uint64_t simt_extract_bits(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_insert_bits(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_find_bit(const msw_simt_detail *d, uint64_t a);
uint64_t simt_find_nth(uint32_t a, uint32_t base, int32_t n);
uint64_t simt_permute(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_dot_two(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_multiply_24(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_difference(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_reverse_bits(uint64_t a);
uint64_t simt_integer(const msw_simt_detail *d, const uint64_t src[5]);

#endif
