/* SPDX-License-Identifier: MIT */
/* One open file: its connection and, when writing, what is on its way into it. Opening with lock
 * and shard; what is left to do. */
#ifndef MSW_STORE_STATE_H
#define MSW_STORE_STATE_H

#include "store/catalogue/catalogue.h"
#include "store/sql/sql.h"
#include "store/write/rows.h"

#include "memsweep/base/file.h"

/* Rows not yet committed, and when they will be. */
typedef struct msw_commits {
    msw_batch *batch;
    const msw_plan *plan;
    int64_t run;
    double since, busy_since, retry_at; /* monotonic seconds; 0: not so */
    double pause;                       /* before the next try while busy */
    uint64_t rows;                      /* committed so far */
} msw_commits;

struct msw_store {
    sqlite3 *db;
    char *path;           /* as the user names it */
    char *real;           /* where it is, without links */
    msw_file_info opened; /* what was opened; writing only */
    bool moved;           /* SQLite found the file moved or replaced */
    char *rescued;        /* the file that all rows went to then */
    bool unlocked;        /* see msw_store_open_unlocked */
    msw_store_mode mode;
    msw_log log;
    msw_file_lock *lock;
    int rc; /* of the last SQLite call that failed */
    msw_session session;
    msw_writer writer;
    msw_commits commits;
    msw_merged merged;
    uint64_t first_row, shard_number, shard_count; /* see msw_store_number_shard; 0: no shard */
    bool source;                                   /* opened to be merged: must stay as it is */
    msw_made_views views;
    int64_t *complete; /* sweeps that names.c found complete */
    size_t complete_count;
    msw_keyset warm; /* see choice.c: key -> row */
    bool warmed;
    bool asked;              /* a sweep was looked for by its name */
    struct msw_store *shard; /* where rows go while a reader keeps this file */
};

/* Counts kept artifacts, and those whose digest is wrong. Returns 0, or -1. */
int msw_kept_count_damaged(msw_store *store, uint64_t *all, uint64_t *damaged, msw_err *err);

/* Counts inputs of sweeps, and those that are damaged or not there. Returns 0, or -1. */
int msw_inputs_check(msw_store *store, uint64_t *all, uint64_t *damaged, msw_err *err);

/* Opens for writing under a lock that was taken before, which becomes the store's whatever happens.
 * Returns 0, or -1. */
int msw_store_open_locked(const char *path, msw_file_lock *lock, const msw_log *log,
                          msw_store **store, msw_err *err);

/* Merges <path>.shard when there is one and removes it; one whose making was cut short is removed,
 * a file of somebody else refused. Being refused by a reader is no error. */
int msw_shard_merge(msw_store *store, msw_err *err);

int msw_todo_find(msw_store *store, const msw_plan *plan, int64_t sweep, bool retry, msw_key_fn key,
                  void *context, msw_todo *todo, msw_err *err);

#endif
