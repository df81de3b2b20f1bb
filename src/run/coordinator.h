/* Private to run: the main thread of rank 0 (keeper.c, with office.c for the other ranks) and of
 * all others (remote.c). */
#ifndef MSW_RUN_COORDINATOR_H
#define MSW_RUN_COORDINATOR_H

#include "run/message.h"
#include "run/worker_pool.h"

#include "memsweep/run/ranks.h"

/* Messages of rows a rank may have sent that are not yet committed, and rows in one of them. */
enum { MSW_WINDOW = 16, MSW_OUTBOX_ROWS = 4096 };

/* Everybody says something this often; who is silent for long is taken to be lost. */
#define MSW_BEAT_SECONDS    5.0
#define MSW_SILENCE_SECONDS 120.0

typedef struct msw_office msw_office;

typedef struct msw_keeper {
    msw_crew *crew;
    msw_store *store; /* NULL: rows go nowhere */
    int64_t sweep_id, run_id;
    msw_run_result *result;
    msw_office *office; /* NULL when alone */
    uint64_t written, committed_before;
    bool noted; /* how it ends is already in the run's record */
    msw_progress progress;
    double start, last_report, last_checkpoint;
    struct {
        double seconds;
        uint64_t done;
    } marks[8]; /* recent reports, for the rate */
    size_t mark;
} msw_keeper;

/* Writes, reports and deals with the other ranks until all is done; `context` is the keeper. */
void msw_keeper_main(void *context);

/* Counts the rows of a batch and hands them to the store. */
void msw_keeper_take(msw_keeper *keeper, msw_batch *batch);

/* Rows of this run that are safe. */
uint64_t msw_keeper_committed(const msw_keeper *keeper);

/* Opens the books on the other ranks (all ranks call it together). Returns 0, or -1. */
int msw_office_open(msw_office **office, const msw_ranks *ranks, msw_keeper *keeper, msw_err *err);
void msw_office_close(msw_office *office);

/* Answers what has arrived. Returns whether there was anything. */
bool msw_office_serve(msw_office *office);

/* Whether every other rank has nothing left. */
bool msw_office_finished(const msw_office *office);

/* After the last commit: lets the others go. */
void msw_office_dismiss(msw_office *office);

/* What ranks above 0 do instead. Returns 0, or -1. */
int msw_remote_run(msw_crew *crew, const msw_ranks *ranks, msw_run_result *result, msw_err *err);

/* What every rank says about itself when a run starts. */
typedef struct msw_hello {
    int64_t pid;
    int64_t workers;
    char host[48];
} msw_hello;

/* Returns what this rank says. */
msw_hello msw_hello_make(int workers);

#endif
