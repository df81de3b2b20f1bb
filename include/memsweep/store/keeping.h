/* SPDX-License-Identifier: MIT */
/* keeping: what a file has of a sweep that does not keep all rows, and which questions that
 * answers. */
#ifndef MEMSWEEP_STORE_KEEPING_H
#define MEMSWEEP_STORE_KEEPING_H

#include "memsweep/store/summary.h"

typedef struct msw_kept_rows {
    bool chosen; /* not every point has a row */
    bool done;   /* all is looked at, and what is kept is stored */
    bool front, summary;
    double within;
    uint64_t points, sample, rows, on_front, sampled;
    msw_census_counts counts;
} msw_kept_rows;

/* Reads it. Of a sweep that keeps all rows, `chosen` is false. Returns 0, or -1. */
int msw_kept_rows_read(msw_store *store, const msw_sweep_info *sweep, msw_kept_rows *kept,
                       msw_err *err);

/* Notes what is kept, once all is. Returns 0, or -1. */
int msw_kept_rows_save(msw_store *store, int64_t sweep, const msw_kept_rows *kept,
                       msw_digest summary, msw_err *err);

/* "1,031 rows of 20,000 points: ...", for notes. */
void msw_kept_rows_note(const msw_kept_rows *kept, msw_text *out);

/* Refuses a sweep that is not done. Returns 0, or -1. */
int msw_kept_rows_done(const msw_kept_rows *kept, const msw_sweep_info *sweep, msw_err *err);

/* Refuses what the rows near a front cannot answer. `asked` ends the sentence "... needs all rows".
 * Returns 0, or -1. */
int msw_kept_rows_need(const msw_kept_rows *kept, const msw_sweep_info *sweep, const char *asked,
                       const char *change, msw_err *err);

/* Where rows are to say something of all points: `*filter` (may be NULL) leaves those of the sample
 * alone; `*narrowed` is the caller's to free. Refuses a sweep without one. Returns 0, or -1. */
int msw_kept_rows_sample(msw_store *store, const msw_sweep_info *sweep, const char **filter,
                         char **narrowed, msw_kept_rows *kept, msw_err *err);

#endif
