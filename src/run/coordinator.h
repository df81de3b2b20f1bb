/* SPDX-License-Identifier: MIT */
/* Private to run: the main thread of rank 0 (run.c, with peers.c for the other ranks) and
 * of all others (remote.c). */
#ifndef MSW_RUN_COORDINATOR_H
#define MSW_RUN_COORDINATOR_H

#include "run/kept.h"
#include "run/message.h"
#include "run/worker_pool.h"

#include "memsweep/run/ranks.h"

/* Messages of rows a rank may have sent that are not yet committed, and rows in one of them. */
enum { MSW_WINDOW = 16, MSW_OUTBOX_ROWS = 4096 };

/* Everybody says something this often; who is silent for long is taken to be lost. */
#define MSW_BEAT_SECONDS    5.0
#define MSW_SILENCE_SECONDS 120.0

typedef struct msw_peers msw_peers;

typedef struct msw_coordinator {
    msw_worker_pool *pool;
    msw_store *store; /* NULL: rows go nowhere */
    int64_t sweep_id, run_id;
    msw_run_result *result;
    msw_peers *peers; /* NULL when alone */
    msw_archive archive;
    uint64_t written, committed_before;
    msw_batch *held; /* first rows of a program, while they all failed alike */
    bool settled;    /* some did not */
    bool recorded;   /* how it ends is already in the run's record */
    msw_progress progress;
    double start, last_progress, last_checkpoint;
    struct {
        double seconds;
        uint64_t done;
    } marks[8]; /* recent reports, for the rate */
    size_t mark;
} msw_coordinator;

/* Counts the rows of a batch and hands them to the store. */
void msw_coordinator_take(msw_coordinator *coordinator, msw_batch *batch);

/* Writes rows that were held back. */
void msw_coordinator_let_go(msw_coordinator *coordinator);

/* Puts leaves into the store when they have waited long enough, or at the last. Returns 0, or -1.
 */
int msw_coordinator_store_leaves(msw_coordinator *coordinator, bool last, msw_err *err);

/* Rows of this run that are safe. */
uint64_t msw_coordinator_committed(const msw_coordinator *coordinator);

/* Opens the books on the other ranks (all ranks call it together). Returns 0, or -1. */
int msw_peers_open(msw_peers **peers, const msw_ranks *ranks, msw_coordinator *coordinator,
                   msw_err *err);
void msw_peers_close(msw_peers *peers);

/* Answers what has arrived. Returns whether there was anything. */
bool msw_peers_serve(msw_peers *peers);

/* Whether every other rank has nothing left. */
bool msw_peers_finished(const msw_peers *peers);

/* After the last commit: lets the others go. */
void msw_peers_release(msw_peers *peers);

/* What ranks above 0 do instead. Returns 0, or -1. */
int msw_remote_run(msw_worker_pool *pool, const msw_ranks *ranks, msw_run_result *result,
                   msw_err *err);

#endif
