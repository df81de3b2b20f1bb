/* SPDX-License-Identifier: MIT */
/* Private to report: the front of designs, each by the worst of its workloads. */
#ifndef MSW_REPORT_OVER_H
#define MSW_REPORT_OVER_H

#include "memsweep/report/report.h"

/* Finds it among the rows of the sweep, whose workloads are several and whose objectives have
 * goals. Puts the `most` best by the first objective into a table, and says how many there are.
 * Returns 0, or -1. */
int report_over_find(msw_report *report, const msw_objectives *objectives, size_t most,
                     msw_table_builder *builder, size_t *count);

#endif
