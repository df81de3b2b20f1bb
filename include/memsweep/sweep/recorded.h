/* SPDX-License-Identifier: MIT */
/* recorded: what the view of a stored sweep is made of, read from its canonical text.
 *
 * A file says of its sweeps what it likes. The text is read as the data it is: the names of the
 * workloads and the expressions of the derived columns, which the caller still has to check before
 * they become part of a query. Mechanisms and designs need not be known here. */
#ifndef MEMSWEEP_SWEEP_RECORDED_H
#define MEMSWEEP_SWEEP_RECORDED_H

#include "memsweep/sweep/sweep.h"

typedef struct msw_recorded {
    size_t workload_count;
    char **workloads; /* names, in the order of the plan */
    size_t derived_count;
    msw_derived *derived; /* names and texts as written: not checked */
} msw_recorded;

/* Reads a canonical text. Returns 0, or -1 when it is none. */
int msw_recorded_read(const char *canonical, msw_recorded *recorded, msw_err *err);

/* Frees what the record owns. */
void msw_recorded_free(msw_recorded *recorded);

#endif
