/* Workers compute batches of rows; the main thread writes them or sends them, reports and watches.
 */
#include "keeper.h"

static void finish(msw_keeper *k, const msw_todo *todo)
{
    k->result->seconds = msw_now() - k->start;
    k->result->stopped = k->result->evaluated < todo->missing;
}

static int run_first(msw_crew *crew, msw_keeper *k, const msw_ranks *ranks, const msw_todo *todo,
                     msw_err *err)
{
    int rc = 0;
    k->crew = crew;
    k->committed_before = k->store ? msw_store_committed(k->store) : 0;
    k->progress.total = todo->missing;
    k->progress.before = todo->answered + todo->reused;
    k->start = k->last_report = k->last_checkpoint = msw_now();
    if (ranks && ranks->size > 1)
        rc = msw_office_open(&k->office, ranks, k, err);
    if (rc == 0)
        rc = msw_crew_work(crew, msw_keeper_main, k, err);
    finish(k, todo);
    msw_office_close(k->office);
    return rc;
}

int msw_run(const msw_plan *plan, msw_store *store, int64_t sweep_id, int64_t run_id,
            const msw_todo *todo, const msw_run_options *options, msw_run_result *result,
            msw_err *err)
{
    const msw_ranks *ranks = options->ranks;
    bool first = !ranks || ranks->rank == 0;
    msw_crew crew = {.options = options, .keys = store != NULL || options->keys};
    msw_keeper keeper = {.store = store, .sweep_id = sweep_id, .run_id = run_id, .result = result};
    *result = (msw_run_result){0};
    if (!todo->missing)
        return 0;
    int rc = msw_crew_open(&crew, plan, todo, !first, err);
    if (rc == 0)
        rc = first ? run_first(&crew, &keeper, ranks, todo, err)
                   : msw_remote_run(&crew, ranks, result, err);
    msw_crew_close(&crew);
    return rc;
}
