/* SPDX-License-Identifier: MIT */
/* What is true of every stream of addresses, for tests and fuzzers. */
#ifndef MEMSWEEP_TESTS_ACCESSES_H
#define MEMSWEEP_TESTS_ACCESSES_H

#include "memsweep/workload/accesses.h"

/* The size of a request. */
uint32_t accesses_bytes(const msw_accesses *a, uint64_t i);

/* Checks what is true of every product. Returns NULL, or what is wrong. */
const char *accesses_fault(const msw_product *product);

msw_digest accesses_digest(const msw_accesses *a);

#endif
