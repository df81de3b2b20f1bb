/* SPDX-License-Identifier: MIT */
/* distinct: designs that differ only where nothing depends on it. */
#ifndef MEMSWEEP_RESULTS_DISTINCT_H
#define MEMSWEEP_RESULTS_DISTINCT_H

#include "memsweep/base/table.h"
#include "memsweep/store/store.h"

/* Of rows of one workload that are equal in every metric to the last bit, keeps the first: what
 * they differ in has no value there, and the column `alike` counts them. `rows` is what the query
 * gave, which must have had no limit. Writes which rows were kept to `kept`, which has room for all
 * of them, or is NULL. Returns 0, or -1. */
int msw_distinct(msw_store *store, const msw_query *query, msw_table *rows, size_t *kept,
                 msw_err *err);

#endif
