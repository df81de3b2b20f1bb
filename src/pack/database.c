/* SPDX-License-Identifier: MIT */
/* The rows: a copy of one sweep in a database of its own, made by the store's own merging, so that
 * a file that is being written gives what was committed, and nothing of its other sweeps. */
#include "memsweep/results/reading.h"
#include "pack/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the copy ---- */

static int check_there(msw_pack_job *job, const char *word)
{
    msw_store *store = NULL;
    const msw_context *context = job->ask->context;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, job->err))
        return -1;
    char *called = msw_store_called(store, job->plan, job->err);
    msw_store_close(store, NULL);
    free(called);
    return called ? 0 : -1;
}

static int copy(msw_pack_job *job, const char *word)
{
    msw_store *store = NULL;
    uint64_t rows;
    const msw_context *context = job->ask->context;
    char *path = msw_context_database(context, word);
    if (!path)
        return msw_fail_memory(job->err);
    int rc = msw_store_open(job->database, MSW_STORE_WRITE, false, &context->log, &store, job->err);
    if (rc == 0)
        rc = msw_store_merge_sweep(store, path, job->plan->digest, &rows, job->err);
    if (msw_store_close(store, rc ? NULL : job->err))
        rc = -1;
    free(path);
    return rc;
}

/* ---- what it holds ---- */

static int read_sql(msw_pack_job *job, msw_store *store, const char *sql, msw_table *table)
{
    return msw_store_read(store, &(msw_query){.sql = sql}, table, job->err);
}

static const char *label_at(const msw_table *table, size_t column, size_t row)
{
    const msw_column *c = &table->columns[column];
    return c->labels && c->values[row] >= 0 ? c->labels[(size_t)c->values[row]] : NULL;
}

static int find_date(msw_pack_job *job, msw_store *store)
{
    msw_table last = {0};
    if (read_sql(job, store, "SELECT max(ifnull(ended, started)) AS last FROM msw_run", &last))
        return -1;
    const char *date = last.rows ? label_at(&last, 0, 0) : NULL;
    job->date = msw_pack_text(job, "%s", date ? date : "1980-01-01T00:00:00Z");
    msw_table_free(&last);
    return job->date ? 0 : -1;
}

/* What is left of the plan is said with the way to go on. */
static int check_whole(msw_pack_job *job, uint64_t answered)
{
    const msw_plan *plan = job->plan;
    if (answered == plan->points || job->ask->partial)
        return 0;
    return msw_fail(job->err,
                    "%" PRIu64 " of %" PRIu64 " points of sweep '%s' are answered: run it to its "
                    "end, or pack it so with --partial",
                    answered, plan->points, plan->name);
}

static bool is_answer(const char *status)
{
    return status && (strcmp(status, "ok") == 0 || strcmp(status, "infeasible") == 0);
}

static int count(msw_pack_job *job, msw_store *store)
{
    uint64_t answered = 0;
    msw_table table = {0};
    msw_query query = {.sweep = job->called, .columns = "status"};
    if (msw_store_read(store, &query, &table, job->err))
        return -1;
    for (size_t r = 0; r < table.rows; r++)
        answered += is_answer(label_at(&table, 0, r));
    msw_table_free(&table);
    return check_whole(job, answered);
}

static int look(msw_pack_job *job, msw_store *store)
{
    msw_pack_made *made = job->made;
    job->called = msw_store_called(store, job->plan, job->err);
    made->points = job->plan->points;
    MSW_TRY(!job->called);
    MSW_TRY(count(job, store));
    MSW_TRY(find_date(job, store));
    MSW_TRY(msw_store_digest(store, job->called, &made->digest, &made->rows, job->err));
    return read_sql(job, store,
                    "SELECT version, build, revision, count(*) AS runs FROM msw_run GROUP "
                    "BY 1, 2, 3 ORDER BY 1, 2, 3",
                    &job->runs);
}

int msw_pack_database(msw_pack_job *job)
{
    msw_store *store = NULL;
    const char *word = job->ask->database ? job->ask->database : job->plan->name;
    if (check_there(job, word) || copy(job, word) ||
        msw_store_open(job->database, MSW_STORE_READ, false, NULL, &store, job->err))
        return -1;
    int rc = look(job, store);
    msw_store_close(store, NULL);
    if (rc)
        return -1;
    return msw_pack_add_file(job, job->database,
                             &(msw_pack_member){.name = MSW_PACKED_DATABASE,
                                                .type = "application/vnd.sqlite3",
                                                .role = "result"});
}
