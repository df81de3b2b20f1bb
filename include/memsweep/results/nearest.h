/* SPDX-License-Identifier: MIT */
/* nearest: where few rows of a sweep keep its limits, which limit binds and what comes nearest. */
#ifndef MEMSWEEP_RESULTS_NEAREST_H
#define MEMSWEEP_RESULTS_NEAREST_H

#include "memsweep/store/store.h"

/* Appends a line, without a line break; nothing where there are no limits, or many rows keep them.
 * Doubtful rows take part only if `doubtful`. Returns 0, or -1. */
int msw_nearest_note(msw_store *store, const char *sweep, bool doubtful, msw_text *out,
                     msw_err *err);

#endif
