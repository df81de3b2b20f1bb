/* SPDX-License-Identifier: MIT */
/* Workers compute batches of rows; the main thread writes them or sends them, reports and watches.
 */
#include "run/coordinator.h"

static void finish(msw_coordinator *k, const msw_todo *todo)
{
    k->result->seconds = msw_now() - k->start;
    k->result->stopped = k->pool->options->only_builds ? msw_worker_pool_stopping(k->pool)
                                                       : k->result->evaluated < todo->missing;
}

static int run_first(msw_worker_pool *pool, msw_coordinator *k, const msw_ranks *ranks,
                     const msw_todo *todo, msw_err *err)
{
    int rc = 0;
    k->pool = pool;
    k->archive = (msw_archive){.ledger = {.ranks = ranks ? ranks->size : 1},
                               .desk = pool->desk,
                               .store = k->store,
                               .other = pool->options->artifacts,
                               .log = pool->options->log,
                               .result = k->result};
    k->committed_before = k->store ? msw_store_committed(k->store) : 0;
    k->progress.total = todo->missing;
    k->progress.before = todo->answered + todo->reused;
    k->start = k->last_progress = k->last_checkpoint = msw_now();
    if (ranks && ranks->size > 1)
        rc = msw_peers_open(&k->peers, ranks, k, err);
    if (rc == 0)
        rc = msw_worker_pool_work(pool, msw_coordinator_main, k, err);
    finish(k, todo);
    msw_archive_close(&k->archive);
    msw_peers_close(k->peers);
    return rc;
}

int msw_run(const msw_plan *plan, msw_store *store, int64_t sweep_id, int64_t run_id,
            const msw_todo *todo, const msw_run_options *options, msw_run_result *result,
            msw_err *err)
{
    const msw_ranks *ranks = options->ranks;
    bool first = !ranks || ranks->rank == 0;
    msw_worker_pool pool = {.options = options, .keys = store != NULL || options->keys};
    msw_coordinator coordinator = {
        .store = store, .sweep_id = sweep_id, .run_id = run_id, .result = result};
    *result = (msw_run_result){0};
    if (!todo->missing)
        return 0;
    int rc = msw_worker_pool_open(&pool, plan, todo, !first, err);
    if (rc == 0)
        rc = first ? run_first(&pool, &coordinator, ranks, todo, err)
                   : msw_remote_run(&pool, ranks, result, err);
    /* An error that breaks the pool is sent to the other ranks; one that kept it from starting is
     * not. */
    if (rc && ranks && ranks->size > 1 && !pool.broken.kind)
        result->lost = true;
    msw_worker_pool_close(&pool);
    return rc;
}

void msw_run_result_add(msw_run_result *all, const msw_run_result *r)
{
    all->evaluated += r->evaluated;
    all->ok += r->ok;
    all->infeasible += r->infeasible;
    all->failed += r->failed;
    all->timeout += r->timeout;
    all->stopped = all->stopped || r->stopped;
    all->lost = all->lost || r->lost;
    all->seconds += r->seconds;
    all->work_seconds += r->work_seconds;
    all->built += r->built;
    all->found += r->found;
    all->build_seconds += r->build_seconds;
    for (int i = 0; i < r->failure_count && all->failure_count < MSW_FAILURES_SHOWN; i++)
        all->failures[all->failure_count++] = r->failures[i];
}
