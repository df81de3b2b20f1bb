/* SPDX-License-Identifier: MIT */
/* Runs plans one after the other, on all ranks: the sweeps of a paper go into one database. */
#include "memsweep/reproduce/paper.h"

#include "memsweep/reproduce/shared_plans.h"
#include "memsweep/run/run.h"
#include "memsweep/sweep/bundle.h"

#include <stdlib.h>
#include <string.h>

static bool is_alone(const msw_shared *shared)
{
    return !shared || shared->ranks.size == 1;
}

/* ---- what plans are made from ---- */

void msw_origin_free(msw_origin *origin)
{
    msw_text_free(&origin->where);
    msw_text_free(&origin->files);
}

static int load(const char *path, const msw_plan_options *options, msw_plan **plan, msw_err *err)
{
    msw_messages messages = {0};
    int rc = msw_plan_load(path, options, plan, &messages);
    if (rc)
        msw_messages_fail(&messages, err);
    msw_text_free(&messages.text);
    return rc;
}

int msw_shared_load(const msw_shared *shared, const char *path, const msw_plan_options *options,
                    msw_plan **plan, msw_origin *origin, msw_err *err)
{
    if (is_alone(shared))
        return load(path, options, plan, err);
    msw_plan_options through = *options;
    msw_recorder recorder = {.from = options->files};
    msw_file_source files = msw_bundle_recorder(&recorder);
    through.files = &files;
    int rc = load(path, &through, plan, err);
    origin->files = recorder.bytes;
    msw_text_add(&origin->where, "%s\n", options->fidelity ? options->fidelity : "");
    msw_bundle_paths(path, options->data_dirs, &origin->where);
    return rc == 0 && origin->where.failed ? msw_fail_memory(err) : rc;
}

/* Rank 0 learns from the digests that there is none, and not why. Returns the plan, or NULL. */
static msw_plan *make_again(const msw_shared *shared, const msw_origin *origin, const msw_log *log)
{
    const char *dirs[MSW_BUNDLE_DIRS + 1];
    char *fidelity = origin->where.data, *path = strchr(fidelity, '\n');
    msw_err err = {0};
    msw_plan *plan = NULL;
    msw_file_source files = msw_bundle_player(&origin->files);
    if (!path)
        return NULL;
    *path++ = '\0';
    msw_bundle_cut_paths(path, dirs);
    msw_plan_options options = {
        .data_dirs = dirs, .fidelity = *fidelity ? fidelity : NULL, .seed = -1, .files = &files};
    if (load(path, &options, &plan, &err) == 0)
        return plan;
    msw_log_line(log, MSW_LOG_WARN, "rank %d: %s", shared->ranks.rank, err.text);
    return NULL;
}

/* Says how it ended where `code` is not 0, and that it is over where nothing is said. */
static int share(const msw_shared *shared, int *code, msw_origin *origin, msw_err *err)
{
    if (msw_ranks_share(&shared->ranks, code, &origin->where, err))
        return -1;
    return origin->where.size ? msw_ranks_share(&shared->ranks, code, &origin->files, err) : 0;
}

/* ---- rank 0 ---- */

/* On rank 0: computes what is missing on all ranks, as msw_run does. */
static int msw_shared_compute(msw_shared *shared, const msw_shared_run *r,
                              const msw_run_options *options, msw_run_result *result, msw_err *err)
{
    msw_run_options with = *options;
    int code = 0, rc = 0;
    if (!is_alone(shared)) {
        with.ranks = &shared->ranks;
        rc = share(shared, &code, r->origin, err);
        if (rc == 0)
            rc = msw_ranks_agree_plan(&shared->ranks, r->plan, err);
        if (rc == 0)
            rc = msw_ranks_share_todo(&shared->ranks, &code, r->todo, err);
    }
    if (rc == 0)
        rc = msw_run(r->plan, r->store, r->sweep, r->run, r->todo, &with, result, err);
    if (!is_alone(shared))
        shared->lost = shared->lost || result->lost || msw_ranks_are_apart(&shared->ranks);
    return rc;
}

void msw_shared_dismiss(msw_shared *shared, int code)
{
    msw_origin nothing = {0};
    msw_err ignored = {0};
    if (is_alone(shared) || shared->lost)
        return;
    share(shared, &code, &nothing, &ignored);
    shared->lost = msw_ranks_are_apart(&shared->ranks);
}

/* ---- the others ---- */

/* Rank 0 knows of all that goes wrong here, unless `lost` is set. */
static void take_part(msw_shared *shared, const msw_origin *origin, const msw_run_options *options,
                      msw_err *err)
{
    msw_plan *plan = make_again(shared, origin, options->log);
    msw_run_options with = *options;
    msw_run_result result = {0};
    msw_todo todo = {0};
    int code = 0;
    with.ranks = &shared->ranks;
    if (msw_ranks_agree_plan(&shared->ranks, plan, err) == 0 &&
        msw_ranks_share_todo(&shared->ranks, &code, &todo, err) == 0)
        msw_run(plan, NULL, 0, 0, &todo, &with, &result, err);
    shared->lost = result.lost;
    msw_todo_free(&todo);
    msw_plan_free(plan);
}

int msw_shared_serve(msw_shared *shared, const msw_run_options *options, int *code, msw_err *err)
{
    for (bool over = false; !over;) {
        msw_origin origin = {0};
        *err = (msw_err){0};
        over = share(shared, code, &origin, err) || !origin.where.size;
        if (!over)
            take_part(shared, &origin, options, err);
        msw_origin_free(&origin);
        shared->lost = shared->lost || msw_ranks_are_apart(&shared->ranks);
        over = over || shared->lost;
    }
    return shared->lost ? -1 : 0;
}

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
    if (j->todo.missing) {
        rc = p->watch->begin_run(p->watch->context, j->store, j->sweep, ranks, p->ask->threads,
                                 &j->run, p->err);
        if (rc == 0)
            rc = evaluate(j);
    }
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
