/* SPDX-License-Identifier: MIT */
/* density: how the metrics of all points of a sweep are distributed, from its summary, where not
 * every point has a row. */
#ifndef MEMSWEEP_RESULTS_DENSITY_H
#define MEMSWEEP_RESULTS_DENSITY_H

#include "memsweep/base/table.h"
#include "memsweep/store/store.h"

/* Makes a row for each workload and metric: points, mean, deviation, quantiles (within half a bin,
 * 0.4 %) and extremes. The names are those of the plan's workloads, in its order. Returns 0, or -1.
 */
int msw_density_find(msw_store *store, const msw_sweep_info *sweep, char *const *workloads,
                     size_t workload_count, msw_table_builder *builder, msw_err *err);

#endif
