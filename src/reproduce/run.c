/* SPDX-License-Identifier: MIT */
/* Sweeps of a paper, one after the other, into one database. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/run/run.h"

#include <stdlib.h>

char *msw_paper_database(const msw_paper *p, const char *suffix)
{
    if (p->ask->results)
        return msw_strfmt("%s/%s%s.db", p->ask->results, p->name, suffix);
    return msw_strfmt("%s/paper/%s%s.db", p->context->results_dir, p->name, suffix);
}

/* A sweep on its way. */
typedef struct job {
    msw_paper *paper;
    const msw_plan *plan;
    msw_origin *origin;
    msw_store *store;
    int64_t sweep, run;
    msw_todo todo;
    msw_run_result result;
} job;

static int evaluate(job *j)
{
    msw_paper *p = j->paper;
    msw_log log = p->context->log;
    msw_run_options options = {
        .keys = true,
        .threads = p->ask->threads,
        .progress_seconds = p->watch->progress_seconds,
        .progress = p->watch->progress,
        .stop = p->watch->stop,
        .log = &log,
    };
    msw_shared_run run = {j->plan, j->origin, j->store, j->sweep, j->run, &j->todo};
    int rc = msw_shared_compute(p->shared, &run, &options, &j->result, p->err);
    const char *reason = rc ? "failed" : j->result.stopped ? "interrupted" : "finished";
    MSW_TRY(msw_store_end_run(j->store, j->run, reason, rc ? NULL : p->err));
    MSW_TRY(rc);
    return 0;
}

static int run_plan(job *j)
{
    msw_paper *p = j->paper;
    if (msw_store_add_sweep(j->store, j->plan, &j->sweep, p->err) ||
        msw_store_todo(j->store, j->plan, j->sweep, p->ask->retry, &j->todo, p->err))
        return -1;
    int rc = 0, ranks = p->shared ? p->shared->ranks.size : 1;
    p->watch->started(p->watch->context, j->plan, &j->todo);
    if (j->todo.missing)
        rc = p->watch->begin_run(p->watch->context, j->store, j->sweep, ranks, p->ask->threads,
                                 &j->run, p->err) ||
                     evaluate(j)
                 ? -1
                 : 0;
    p->watch->ended(p->watch->context, j->plan, &j->result);
    uint64_t before = p->ask->retry ? 0 : j->todo.failed + j->todo.timeout;
    p->some_failed |= j->result.failed + j->result.timeout + before > 0;
    p->interrupted |= j->result.stopped;
    msw_todo_free(&j->todo);
    return rc;
}

int msw_paper_run(msw_paper *p, const char *file, msw_paper_plan *plans, size_t count)
{
    msw_store *store = NULL;
    if (msw_make_folder(file, p->err) ||
        msw_store_open(file, MSW_STORE_WRITE, false, &p->context->log, &store, p->err))
        return -1;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0 && !p->interrupted; i++) {
        job j = {.paper = p, .plan = plans[i].plan, .origin = &plans[i].origin, .store = store};
        rc = j.plan ? run_plan(&j) : 0;
    }
    MSW_TRY(msw_store_close(store, rc ? NULL : p->err));
    MSW_TRY(rc);
    return 0;
}
