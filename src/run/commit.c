/* SPDX-License-Identifier: MIT */
/* Rows on their way to the store. */
#include "run/coordinator.h"

#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>

static void note_failure(msw_coordinator *k, const msw_batch *batch, size_t row)
{
    msw_run_result *result = k->result;
    if (result->failure_count == MSW_FAILURES_SHOWN)
        return;
    int n = result->failure_count++;
    result->failures[n].index = batch->rows[row].index;
    msw_worker_describe(k->pool->plan, batch, row, result->failures[n].text,
                        sizeof result->failures[n].text);
}

static void count_rows(msw_coordinator *k, const msw_batch *batch)
{
    msw_run_result *result = k->result;
    bool analytic = k->pool->plan->fidelity == MSW_ANALYTIC;
    uint64_t *const counts[] = {&result->ok, &result->infeasible, &result->failed,
                                &result->timeout};
    for (size_t i = 0; i < batch->count; i++) {
        msw_status status = (msw_status)batch->rows[i].status;
        ++*counts[status];
        result->doubtful += batch->rows[i].doubt != 0;
        if (status == MSW_OK && !batch->rows[i].doubt && analytic &&
            !msw_errors_are_known(k->pool->plan->errors, batch->rows[i].stratum)) {
            result->unknown++;
            result->stratum = batch->rows[i].stratum;
        }
        if (status == MSW_FAILED || status == MSW_TIMEOUT)
            note_failure(k, batch, i);
    }
    result->evaluated += batch->count;
    result->work_seconds += batch->seconds;
}

uint64_t msw_coordinator_committed(const msw_coordinator *k)
{
    return k->store ? msw_store_committed(k->store) - k->committed_before : k->written;
}

/* After an error rows are still counted but no longer written: the pool is stopping, and the rows
 * would be computed again anyway. */
void msw_coordinator_take(msw_coordinator *k, msw_batch *batch)
{
    msw_err err = {0};
    count_rows(k, batch);
    k->written += batch->count;
    if (k->store && !msw_worker_pool_is_broken(k->pool) &&
        msw_store_write(k->store, k->pool->plan, k->sweep_id, k->run_id, batch, &err))
        msw_worker_pool_fail(k->pool, &err);
}
