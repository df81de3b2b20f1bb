/* SPDX-License-Identifier: MIT */
/* Private to report: how important the factors of a sweep are. A file of its own, because figures
 * and analyses both have an axis. */
#ifndef MSW_REPORT_IMPORTANCE_H
#define MSW_REPORT_IMPORTANCE_H

#include "memsweep/base/context.h"
#include "memsweep/base/table.h"
#include "memsweep/base/text.h"

typedef struct report_importance {
    const msw_context *context;
    const char *file, *sweep, *metric, *filter;
    bool beyond;   /* also rows beyond the limits of the sweep */
    bool doubtful; /* also rows that are not to be trusted */
} report_importance;

/* Asks as `memsweep sensitivity` does, by the method that fits the design. The table is the
 * caller's to free. Returns 0, or -1. */
int report_importance_find(const report_importance *ask, msw_table *table, msw_text *note,
                           msw_err *err);

#endif
