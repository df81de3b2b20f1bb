/* SPDX-License-Identifier: MIT */
/* flat: numbers as plain bytes of a fixed order (little-endian), the same on every machine. */
#ifndef MEMSWEEP_BASE_FLAT_H
#define MEMSWEEP_BASE_FLAT_H

#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends eight bytes. */
void msw_flat_add_u64(msw_text *bytes, uint64_t value);
void msw_flat_add_real(msw_text *bytes, double value);

/* Bytes being read. What is beyond their end reads as 0 and is remembered. */
typedef struct msw_flat {
    const unsigned char *at;
    size_t left;
    bool short_of; /* more was read than there is */
} msw_flat;

/* Returns a reader of `size` bytes. */
msw_flat msw_flat_open(const void *bytes, size_t size);

/* Return the next number. */
uint64_t msw_flat_u64(msw_flat *flat);
double msw_flat_real(msw_flat *flat);

/* Returns whether all bytes were read, and no more. */
bool msw_flat_done(const msw_flat *flat);

#endif
