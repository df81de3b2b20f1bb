/* SPDX-License-Identifier: MIT */
/* Private to run: a worker's window on the shared artifacts. */
#ifndef MSW_RUN_ARTIFACT_H
#define MSW_RUN_ARTIFACT_H

#include "memsweep/mech/engine.h"
#include "memsweep/run/run.h"
#include "run/kept.h"
#include "run/pool.h"

/* Answers of points to which others are equal (msw_alike), shared by all threads.
 * Of very many the older ones give way. */

typedef struct msw_answers msw_answers;

/* Makes room for those of up to so many points. Returns NULL without memory. */
msw_answers *msw_answers_new(uint64_t points, size_t metrics);
void msw_answers_free(msw_answers *answers);

/* Copies the answer with this key, metrics included. Returns whether there is one. */
bool msw_answers_find(msw_answers *answers, msw_digest key, msw_answer *out);

/* Keeps a copy. */
void msw_answers_keep(msw_answers *answers, msw_digest key, const msw_answer *answer);

/* ---- threads that wait for a build help it ---- */

typedef struct help_job help_job;

/* Shares lock and signal with what is waited for. */
typedef struct msw_help {
    msw_lock *lock;
    msw_signal *news;
    help_job *jobs;
    int waiting; /* threads that could help */
} msw_help;

/* Calls fn(context, i) for all i below n, here and on whoever waits. Returns when all are done. */
void msw_help_each(msw_help *help, size_t n, void (*fn)(void *context, size_t i), void *context);

/* With the lock held: gives it away to help with a build, or until there is news or some time is
 * over. */
void msw_help_wait(msw_help *help, double seconds);

struct artifact_entry;

/* An artifact of more bytes is not pinned between points: 64 of them in every worker would hold a
 * node's memory. It stays in the shared cache. */
enum { WINDOW_SLOTS = 64, WINDOW_LARGEST = 1 << 20 };

/* Keeps the artifacts a worker used lately pinned, so that fetching one again takes no lock. */
typedef struct msw_window {
    msw_artifacts *shared;
    struct artifact_entry *slots[WINDOW_SLOTS];
    struct artifact_entry **dropped; /* large, or replaced during this point: maybe still in use */
    size_t dropped_count, dropped_capacity;
    int depth;          /* of builds that fetch */
    bool interrupted;   /* a build of this point ended because all are asked to stop */
    int64_t excused_ns; /* spent in building and waiting for builds: no point's own time */
} msw_window;

/* The source functions; `context` is a msw_window. */
int msw_window_get(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
                   const void *extra, const void **root, void **handle, msw_err *err);
void msw_window_put(void *context, void *handle);
int msw_window_get_kept(void *context, msw_digest key, const msw_kept_build *kept,
                        const msw_task *task, const void **root, void **handle, msw_err *err);

/* Where what is kept is asked for; NULL: nothing is. */
void msw_artifacts_set_requests(msw_artifacts *artifacts, msw_kept_requests *requests);
msw_kept_requests *msw_artifacts_requests(const msw_artifacts *artifacts);

/* The answers that equal points share, made for points of `plan` by the first who asks. Returns
 * NULL where there are none. */
msw_answers *msw_artifacts_answers(msw_artifacts *artifacts, const msw_plan *plan, size_t metrics);

/* Helps a build: `artifacts` are the shared ones. */
void msw_artifacts_each(void *artifacts, size_t n, void (*fn)(void *context, size_t i),
                        void *context);

/* Between points: lets go what is large or was replaced. */
void msw_window_settle(msw_window *window);

/* Lets go everything. */
void msw_window_close(msw_window *window);

#endif
