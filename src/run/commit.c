/* SPDX-License-Identifier: MIT */
/* Rows on their way to the store. */
#include "memsweep/base/clock.h"
#include "memsweep/store/leaf.h"
#include "run/coordinator.h"

#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    if (k->pool->options->scan)
        return k->store ? k->pool->options->scan->stored_leaves : k->written;
    return k->store ? msw_store_committed(k->store) - k->committed_before : k->written;
}

/* After an error rows are still counted but no longer written: the pool is stopping, and the rows
 * would be computed again anyway. */
static void write_rows(msw_coordinator *k, msw_batch *batch)
{
    msw_err err = {0};
    k->written += batch->count;
    if (k->store && !msw_worker_pool_is_broken(k->pool) &&
        msw_store_write(k->store, k->pool->plan, k->sweep_id, k->run_id, batch, &err))
        msw_worker_pool_fail(k->pool, &err);
}

/* ---- the first rows of a program ---- */

enum { ALIKE_MOST = 10 };

static bool are_alike(const msw_batch *rows)
{
    const char *first = msw_batch_reason_text(rows, 0);
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i].status != MSW_FAILED ||
            strcmp(msw_batch_reason_text(rows, i), first) != 0)
            return false;
    return true;
}

static int add_held(msw_coordinator *k, const msw_batch *batch, msw_err *err)
{
    if (!k->held)
        k->held = msw_batch_new(batch->count, batch->params, batch->metrics);
    return k->held ? msw_batch_append(k->held, batch, err) : msw_fail_memory(err);
}

void msw_coordinator_let_go(msw_coordinator *k)
{
    k->settled = true;
    if (k->held)
        write_rows(k, k->held);
    msw_batch_free(k->held);
    k->held = NULL;
}

/* A program that is not there, or a word that is wrong, fails every point alike: rows of that are
 * worth nothing, and would have to be asked for again. Returns whether the batch is held back. */
static bool hold_back(msw_coordinator *k, const msw_batch *batch)
{
    msw_err err = {0};
    if (k->settled || !k->pool->plan->program || k->progress.before || !batch->count)
        return false;
    if (add_held(k, batch, &err)) {
        msw_worker_pool_fail(k->pool, &err);
        return true;
    }
    if (are_alike(k->held) && k->held->count < ALIKE_MOST)
        return true;
    if (are_alike(k->held)) {
        msw_fail_kind(&err, MSW_ERR_IO, "the first %d points failed alike, nothing is stored: %s",
                      ALIKE_MOST, msw_batch_reason_text(k->held, 0));
        msw_worker_pool_fail(k->pool, &err);
    }
    msw_coordinator_let_go(k);
    return true;
}

/* ---- leaves of a summary ---- */

enum { SUMMARY_SECONDS = 1 };

int msw_coordinator_store_leaves(msw_coordinator *k, bool last, msw_err *err)
{
    msw_forest *forest = k->pool->options->scan;
    if (!k->store || !forest->since || (!last && msw_now() - forest->since < SUMMARY_SECONDS))
        return 0;
    return msw_forest_store(forest, k->store, k->sweep_id, err);
}

static void take_leaves(msw_coordinator *k, const msw_batch *batch)
{
    msw_err err = {0};
    const void *bytes;
    size_t at = 0, size;
    uint64_t leaf;
    k->result->evaluated += batch->count;
    k->result->work_seconds += batch->seconds;
    k->written += batch->count;
    int rc = msw_worker_pool_is_broken(k->pool) ? -1 : 0;
    while (rc == 0 && (bytes = msw_scan_bytes(batch, &at, &leaf, &size)))
        rc = msw_forest_add(k->pool->options->scan, leaf, bytes, size, &err);
    if (rc == 0)
        rc = msw_coordinator_store_leaves(k, false, &err);
    if (rc && err.kind)
        msw_worker_pool_fail(k->pool, &err);
}

void msw_coordinator_take(msw_coordinator *k, msw_batch *batch)
{
    if (k->pool->options->scan) {
        take_leaves(k, batch);
        return;
    }
    count_rows(k, batch);
    if (!hold_back(k, batch))
        write_rows(k, batch);
}
