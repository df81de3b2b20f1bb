/* SPDX-License-Identifier: MIT */
/* belady: the fewest misses that any replacement can reach on a recorded stream (Belady 1966).
 *
 * A bound needs the future, so it is no choice of a mechanism that makes its accesses as it goes.
 * No mechanism here keeps a recorded stream yet; a plan that is made before it runs has one, as
 * CaMDN's mapper does, and its mechanism is whom this waits for. A cache or an assoc of the policy
 * Belady gives the same with dirty lines, masks and slices, if its owner passes the next uses that
 * msw_belady_next finds.
 *
 * Waiting: msw_belady_* for camdn (the bound beside its policies). */
#ifndef MEMSWEEP_SIM_BELADY_H
#define MEMSWEEP_SIM_BELADY_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_belady_config {
    uint32_t sets, ways; /* set of a key: key mod sets */
    bool may_bypass;     /* a key used later than all in its set is not filled */
} msw_belady_config;

/* Returns the bytes of memory that msw_belady_next needs for a stream; below 2^30 accesses. */
size_t msw_belady_next_bytes(size_t count);

/* Finds for each access when its key is accessed next: a position in the stream, or
 * MSW_ASSOC_NEVER (assoc.h). Returns 0, or -1 when the stream is too long. */
int msw_belady_next(const uint64_t *keys, size_t count, void *memory, uint64_t *next, msw_err *err);

/* Returns the bytes of memory that msw_belady_misses needs. */
size_t msw_belady_bytes(const msw_belady_config *config, size_t count);

/* Counts the misses of a stream. Returns 0, or -1 with what is wrong. */
int msw_belady_misses(const msw_belady_config *config, const uint64_t *keys, size_t count,
                      void *memory, uint64_t *misses, msw_err *err);

#endif
