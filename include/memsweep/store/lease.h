/* SPDX-License-Identifier: MIT */
/* lease: points of a sweep that were handed out to be evaluated elsewhere, and until when.
 *
 * A lease is no row: when it expires the point is free again. What was handed out once stays
 * known by its key, so that an answer that comes late, or twice, finds its point. */
#ifndef MEMSWEEP_STORE_LEASE_H
#define MEMSWEEP_STORE_LEASE_H

#include "memsweep/store/store.h"

typedef struct msw_lease {
    uint64_t point;
    msw_digest key;
    double until; /* seconds since 1970 */
} msw_lease;

/* All that were ever given of a sweep, by point. Returns 0 and a list on the heap, or -1. */
int msw_store_leases(msw_store *store, int64_t sweep, msw_lease **leases, size_t *count,
                     msw_err *err);

/* Gives leases, in place of those the same points had, and commits them. Returns 0, or -1. */
int msw_store_lease(msw_store *store, int64_t sweep, const msw_lease *leases, size_t count,
                    msw_err *err);

#endif
