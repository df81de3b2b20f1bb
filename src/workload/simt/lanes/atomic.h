/* SPDX-License-Identifier: MIT */
/* atomic: what atom and red do to one value in memory. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_LANES_ATOMIC_H
#define MEMSWEEP_WORKLOAD_SIMT_LANES_ATOMIC_H

#include "workload/simt/ops.h"

/* Returns the new value; b is compared or added, c is what cas writes. */
uint64_t simt_atomic(const msw_simt_detail *detail, uint64_t old, uint64_t b, uint64_t c);

/* Returns whether the operation exists for its type. */
bool simt_atomic_knows(const msw_simt_detail *detail);

#endif
