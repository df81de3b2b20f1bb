/* SPDX-License-Identifier: MIT */
/* run: evaluates the missing points of a plan on all threads and hands the rows to the store.
 *
 * The calling thread keeps house (writes, reports progress, watches for a stop); `threads` workers
 * compute. With several ranks, rank 0 hands out ranges of points and writes the rows of all. The
 * order of evaluation never changes an answer. */
#ifndef MEMSWEEP_RUN_RUN_H
#define MEMSWEEP_RUN_RUN_H

#include "memsweep/base/log.h"
#include "memsweep/program/launch.h"
#include "memsweep/run/queue.h"
#include "memsweep/run/ranks.h"
#include "memsweep/store/leaf.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"

#include <stdatomic.h>

typedef struct msw_progress {
    uint64_t done, total; /* points evaluated in this run, and to be evaluated */
    uint64_t before;      /* answered when it began: with them, the sweep's own totals */
    double parts;         /* of points in work on this rank, where the mechanism says it */
    uint64_t failed, timeout, committed;
    double seconds;
    double rate;        /* points per second, over the last few seconds */
    double eta_seconds; /* NaN while unknown */
} msw_progress;

typedef struct msw_run_options {
    struct msw_artifacts *shared; /* what points share, kept from run to run; NULL: of this run */
    msw_store *artifacts;    /* another database that kept artifacts are looked for in; or NULL */
    const msw_ranks *ranks;  /* who takes part; NULL: only this process */
    msw_launches *launches;  /* start the program that the mechanism is; NULL: nothing is started */
    msw_forest *scan;        /* leaves of it are summarised, and no rows made; NULL: rows are */
    bool keys;               /* rows need their keys although this rank has no store */
    int threads;             /* workers, at least 1 */
    double point_timeout_s;  /* 0: none; building what points share does not count */
    bool only_builds;        /* build what is kept and return */
    bool shuffled;           /* evaluate in a random order (for tests: answers must not care) */
    double artifact_bytes;   /* memory for artifacts nobody uses just now; 0: 1 GiB */
    double progress_seconds; /* between calls of `progress`; 0: never */
    void (*progress)(void *context, const msw_progress *progress);
    void *progress_context;
    double checkpoint_seconds; /* between calls of `checkpoint`, all rows committed; 0: never */
    int (*checkpoint)(void *context, msw_err *err);
    void *checkpoint_context;
    const atomic_int *stop; /* not 0: finish the points in hand and return */
    const msw_log *log;
} msw_run_options;

enum { MSW_FAILURES_SHOWN = 5 };

typedef struct msw_run_result {
    uint64_t evaluated, ok, infeasible, failed, timeout;
    uint64_t doubtful; /* of those that are ok */
    uint64_t unknown;  /* of the closed form, neither doubtful nor with known errors */
    uint32_t stratum;  /* of the last of those, as rows of a batch have it */
    bool stopped;      /* before everything was evaluated */
    bool lost;         /* a rank can no longer be reached: end with msw_ranks_abort */
    double seconds;
    uint64_t built, found; /* kept artifacts: built, and read instead */
    double build_seconds;  /* that building them took */
    double work_seconds;   /* spent inside evaluations, over all workers */
    int failure_count;
    struct {
        uint64_t index;
        char text[400]; /* parameters that vary, and the reason */
    } failures[MSW_FAILURES_SHOWN];
} msw_run_result;

/* Adds what another run of the same command came to. */
void msw_run_result_add(msw_run_result *all, const msw_run_result *result);

/* Evaluates what `todo` says is missing. Rows go to `store`, or nowhere when it is NULL; ranks
 * above 0 have none and send theirs to rank 0, all with the same `todo`. Returns 0 when the run
 * ended in good order (failed points included), -1 when it could not go on. */
int msw_run(const msw_plan *plan, msw_store *store, int64_t sweep_id, int64_t run_id,
            const msw_todo *todo, const msw_run_options *options, msw_run_result *result,
            msw_err *err);

/* Shared artifacts of a process: each built once per key, by one thread, while others wait. */
typedef struct msw_artifacts msw_artifacts;
msw_artifacts *msw_artifacts_new(double bytes);
void msw_artifacts_free(msw_artifacts *artifacts);

/* What one thread needs to evaluate points of a plan. */
typedef struct msw_worker msw_worker;

/* Makes a worker over shared artifacts; `keys` asks for the digest of every point, which only a
 * store needs. Returns 0, or -1. */
int msw_worker_new(const msw_plan *plan, msw_artifacts *artifacts, bool keys, msw_worker **worker,
                   msw_err *err);
/* Evaluates every point anew from now on, also one that equals another: for timing. */
void msw_worker_repeat(msw_worker *worker);

void msw_worker_free(msw_worker *worker);

/* Lets a worker start the program that the plan's mechanism is. Returns 0, or -1. */
int msw_worker_launch(msw_worker *worker, msw_launches *launches, msw_err *err);

/* From now on keeps there how many thousandths of the point in work were run. */
void msw_worker_tell(msw_worker *worker, atomic_uint *done);

/* Builds what point `index` shares with others, or fetches it where that is kept. What goes wrong
 * the points will show. Returns 0, or -1 when memory runs out. */
int msw_worker_build(msw_worker *worker, uint64_t index, msw_err *err);

/* Appends the row of point `index` to `batch`; a point that goes wrong is a row that says so. One
 * that was ended because all are asked to stop has none. Returns 0, or -1 when memory runs out or
 * no program can be run any more. */
int msw_worker_evaluate(msw_worker *worker, uint64_t index, double timeout_s, msw_batch *batch,
                        msw_err *err);

/* Answers a point of which no row is made, as a msw_answerer does; the context is a worker. */
int msw_worker_answer(void *worker, uint64_t index, const msw_worker_ask *ask, msw_point *point,
                      msw_answer **answer, msw_err *err);
const double *msw_worker_coords(void *worker);

/* Describes the row behind a batch position for people: what varies, and the reason. */
void msw_worker_describe(const msw_plan *plan, const msw_batch *batch, size_t row, char *text,
                         size_t size);

#endif
