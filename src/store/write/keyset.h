/* SPDX-License-Identifier: MIT */
/* keyset: a growing hash map from 128-bit digests to 32-bit numbers, 16 bytes per entry.
 *
 * 96 bits of the digest are compared: among 10^7 keys two different ones are taken for equal with a
 * chance below 10^-14. A value of 0 means "not there". */
#ifndef MSW_STORE_WRITE_KEYSET_H
#define MSW_STORE_WRITE_KEYSET_H

#include "memsweep/base/err.h"
#include "memsweep/base/hash.h"

#include <stddef.h>
#include <stdint.h>

typedef struct msw_keyset_entry {
    uint64_t high;
    uint32_t low, value;
} msw_keyset_entry;

/* Start from a zeroed struct. */
typedef struct msw_keyset {
    msw_keyset_entry *entries;
    size_t capacity, count;
} msw_keyset;

/* Makes room for `count` keys without growing on the way (21.4 bytes each). Returns 0, or -1. */
int msw_keyset_reserve(msw_keyset *set, size_t count, msw_err *err);

/* Looks a key up. Returns a pointer to its value, or NULL. */
uint32_t *msw_keyset_find(const msw_keyset *set, msw_digest key);

/* Adds a key that is new, or finds it. `*value` then points to its value (0 when just added), valid
 * until the next add. Returns 0, or -1 when memory ran out. */
int msw_keyset_add(msw_keyset *set, msw_digest key, uint32_t **value, msw_err *err);

/* A key that stands for a number. Returns it. */
msw_digest msw_keyset_number(uint64_t number);

/* Frees the memory; the set is empty afterwards. */
void msw_keyset_free(msw_keyset *set);

#endif
