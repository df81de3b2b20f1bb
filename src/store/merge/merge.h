/* SPDX-License-Identifier: MIT */
/* Declares what the two halves of merging share: the other file is attached as `other`. */
#ifndef MSW_STORE_MERGE_MERGE_H
#define MSW_STORE_MERGE_MERGE_H

#include "store/file/file.h"
#include "store/state.h"
#include "store/sum/sum.h"

/* The other file, as it can be read. */
typedef struct msw_merge_source {
    const char *path;
    char *read;   /* what is opened: it, or a copy */
    char *folder; /* of the copy; NULL: none */
} msw_merge_source;

/* Finds out how a file can be read without changing it. `into` is the file that is merged into;
 * `own`: the file may be changed. Returns 0, or -1. */
int msw_merge_source_open(msw_merge_source *source, const char *path, const char *into, bool own,
                          msw_err *err);
void msw_merge_source_close(msw_merge_source *source);

/* Attaches it as `other`, for reading only. */
int msw_merge_source_attach(msw_store *store, const msw_merge_source *source, msw_err *err);

typedef struct msw_merge {
    msw_store *store;
    const char *path; /* of the other file */
    msw_merge_rule rule;
    const char *only;             /* digest of the one sweep that is added; NULL: all */
    uint64_t *wanted;             /* bits of its rows there; NULL: all rows */
    uint64_t added;               /* rows */
    uint64_t damaged;             /* rows there that were left out */
    msw_checker checker;          /* of the rows there */
    bool sums;                    /* the other file has checksums */
    char *mechanism;              /* the one whose rows are being merged */
    char *columns;                /* of its table in the other file, but for id and run: ", a, b" */
    char *values;                 /* SQL for what goes into them */
    char *filled;                 /* SQL for the checksum of a row there as it is here */
    uint32_t *rows;               /* row there -> row here; 0: none there */
    uint64_t row_count;           /* largest row id there */
    uint64_t first_new, next_new; /* ids given to new rows */
    uint64_t first_there;         /* smallest row id there */
    bool keeps;                   /* new rows keep their id and run */
    bool whole;                   /* and all rows there are new */
    bool runs_shift;              /* runs here are those there plus run_shift */
    int64_t run_shift;
    msw_span run;       /* rows being copied: from `point` there to `row` here */
    msw_keyset keys;    /* rows here: see msw_merged */
    msw_links replaced; /* rows there (point) that take the place of rows here (row) */
    msw_links shared;   /* rows there (point) that answer what rows here (row) answer */
    msw_text differs;   /* SQL: cases of metrics that differ between two rows */
    const char *column; /* the metric two rows differ in */
} msw_merge;

/* Tables, columns, sweeps and runs. */
int msw_merge_catalogue(msw_merge *merge, msw_err *err);

/* Makes or widens the tables of merge->mechanism; lists the columns. */
int msw_merge_tables(msw_merge *merge, msw_err *err);

/* Renews the stored views of its sweeps: once their rows are there. */
int msw_merge_views(msw_merge *merge, msw_err *err);

/* Rows, details and spans of merge->mechanism. */
int msw_merge_rows(msw_merge *merge, msw_err *err);
int msw_merge_spans(msw_merge *merge, msw_err *err);

/* Lists the sweeps there that take part in temp.merge_sweep; where it is one alone, the runs of its
 * rows in temp.merge_ran. Returns 0, or -1: there is no such sweep. */
int msw_merge_choose(msw_merge *merge, msw_err *err);

/* Finds the rows of the one sweep there. Returns 0, or -1. */
int msw_merge_want(msw_merge *merge, msw_err *err);

/* Calls `each` for every row of a query. Returns 0, or -1. */
int msw_merge_each(msw_merge *merge, const char *sql, const char *text,
                   int (*each)(msw_merge *, sqlite3_stmt *, msw_err *), msw_err *err);

/* Merges a file into the store, whose pending rows the caller has committed. With `own` it is one
 * of our own that is removed afterwards: a journal beside it is played back in place. Returns 0 and
 * the rows added, or -1. */
int msw_merge_file(msw_store *store, const char *path, msw_merge_rule rule, bool own,
                   uint64_t *rows, msw_err *err);

/* The same for a merge whose store, path, rule and `only` are set. */
int msw_merge_asked(msw_merge *merge, bool own, uint64_t *rows, msw_err *err);

#endif
