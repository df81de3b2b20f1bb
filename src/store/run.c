/* SPDX-License-Identifier: MIT */
/* Records runs and analyses, and finds why all points of a sweep are infeasible. */
#include "store/file/file.h"

#include "store/sql/sql.h"
#include "store/state.h"
#include "store/sum/sum.h"
#include "store/write/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

/* The next number of a run: of shard I of K it is I + 1 plus a multiple of K. */
static int next_run(msw_store *store, int64_t *run, msw_err *err)
{
    int64_t last = 0, step = store->shard_count ? (int64_t)store->shard_count : 1;
    if (msw_sql_integer(store, "SELECT max(id) FROM msw_run", NULL, &last, err))
        return -1;
    *run = (int64_t)store->shard_number + 1;
    if (last >= *run)
        *run += ((last - *run) / step + 1) * step;
    return 0;
}

static int insert_run(msw_store *store, int64_t sweep_id, const msw_run_info *info, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int64_t run;
    if (next_run(store, &run, err) ||
        msw_sql_prepare(store,
                        "INSERT INTO msw_run(sweep, started, host, pid, command_line, version, "
                        "build, ranks, threads, id, revision) "
                        "VALUES(?1, " NOW ", ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep_id);
    sqlite3_bind_text(stmt, 2, info->host, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 3, getpid());
    sqlite3_bind_text(stmt, 4, info->command_line, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 5, info->version, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 6, info->build, -1, SQLITE_STATIC);
    sqlite3_bind_int(stmt, 7, info->ranks);
    sqlite3_bind_int(stmt, 8, info->threads);
    sqlite3_bind_int64(stmt, 9, run);
    sqlite3_bind_text(stmt, 10, info->revision, -1, SQLITE_STATIC);
    int result = msw_sql_run(store, stmt, err);
    sqlite3_finalize(stmt);
    return result ? -1 : msw_sum_seal(store, "msw_run", run, err);
}

/* Who holds the file knows that nobody else is at work on it. */
#define NOTE_LOST                                                                                  \
    "UPDATE msw_run SET reason = 'lost: ended without a word', checksum = "                        \
    "msw_sum_swap(checksum, 'reason', NULL, 'lost: ended without a word') WHERE ended IS NULL "    \
    "AND reason IS NULL"

int msw_store_begin_run(msw_store *store, int64_t sweep_id, const msw_run_info *info,
                        int64_t *run_id, msw_err *err)
{
    if (msw_sql_begin(store, err))
        return -1;
    int result = msw_sql_exec(store, NOTE_LOST, err);
    if (result == 0)
        result = insert_run(store, sweep_id, info, err);
    if (msw_sql_end(store, result, err))
        return -1;
    *run_id = sqlite3_last_insert_rowid(store->db);
    return 0;
}

static int update_run(msw_store *store, int64_t run_id, const char *reason, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "UPDATE msw_run SET ended = " NOW ", reason = ?1, checksum = "
                        "msw_sum_swap(msw_sum_swap(checksum, 'ended', ended, " NOW
                        "), 'reason', reason, ?1) WHERE id = ?2",
                        &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, reason, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, run_id);
    int result = msw_sql_run(store, stmt, err);
    sqlite3_finalize(stmt);
    return result;
}

/* The sweep may be complete now, so its name may mean another one than before. */
static int end_run(msw_store *store, int64_t run_id, const char *reason, msw_err *err)
{
    MSW_TRY(update_run(store, run_id, reason, err));
    MSW_TRY(msw_view_renew(store, run_id, err));
    return 0;
}

int msw_store_end_run(msw_store *store, int64_t run_id, const char *reason, msw_err *err)
{
    if (msw_store_commit(store, err))
        return -1;
    store->rc = SQLITE_OK;
    if (msw_sql_begin(store, err) == 0 &&
        msw_sql_end(store, end_run(store, run_id, reason, err), err) == 0)
        return 0;
    if (store->moved && msw_store_rescue(store, err) == 0) {
        update_run(store, run_id, reason, NULL);
        return msw_store_fail_moved(store, err);
    }
    if (store->rc != SQLITE_BUSY)
        return -1;
    /* All rows are safe; a reader that never lets go may only cost the note of how it ended. */
    msw_log_line(&store->log, MSW_LOG_WARN, "%s is being read: the end of the run is not noted",
                 store->path);
    return 0;
}

static int insert_analysis(msw_store *store, int64_t sweep_id, const char *const *texts,
                           msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "INSERT INTO msw_analysis(sweep, kind, settings, result, created) "
                        "VALUES(?1, ?2, ?3, ?4, " NOW ")",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep_id);
    for (int i = 0; i < 3; i++)
        sqlite3_bind_text(stmt, i + 2, texts[i], -1, SQLITE_STATIC);
    int result = msw_sql_run(store, stmt, err);
    sqlite3_finalize(stmt);
    return result ? -1
                  : msw_sum_seal(store, "msw_analysis", sqlite3_last_insert_rowid(store->db), err);
}

int msw_store_save_analysis(msw_store *store, int64_t sweep_id, const char *kind,
                            const char *settings, const char *result, msw_err *err)
{
    const char *const texts[] = {kind, settings, result};
    if (msw_sql_begin(store, err))
        return -1;
    return msw_sql_end(store, insert_analysis(store, sweep_id, texts, err), err);
}

#define ROWS                                                                                       \
    " FROM msw_span AS s CROSS JOIN points_%s AS p ON p.id BETWEEN s.first_row AND s.first_row"    \
    " + s.point_count - 1 WHERE s.sweep = %" PRId64

static int ask(msw_store *store, const char *sql, const msw_plan *plan, int64_t sweep,
               sqlite3_stmt **stmt, msw_err *err)
{
    char *text = msw_strfmt(sql, plan->mech->name, sweep);
    int got = text ? msw_sql_prepare(store, text, stmt, err) : msw_fail_memory(err);
    free(text);
    return got ? -1 : msw_sql_step(store, *stmt, err);
}

static int count_reasons(msw_store *store, const msw_plan *plan, int64_t sweep,
                         msw_infeasible *found, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = ask(store,
                  "SELECT p.reason, count(*)" ROWS " AND p.status = 'infeasible' GROUP BY p.reason "
                  "ORDER BY 2 DESC, 1",
                  plan, sweep, &stmt, err);
    for (; got > 0; got = msw_sql_step(store, stmt, err)) {
        uint64_t rows = (uint64_t)sqlite3_column_int64(stmt, 1);
        if (!found->count) {
            found->most = rows;
            msw_text_fit(found->reason, sizeof found->reason, msw_sql_text(stmt, 0));
        }
        found->count += rows;
    }
    sqlite3_finalize(stmt);
    found->all = got == 0 && found->count > 0;
    return got;
}

int msw_store_infeasible(msw_store *store, const msw_plan *plan, int64_t sweep_id,
                         msw_infeasible *found, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    *found = (msw_infeasible){0};
    if (msw_store_commit(store, err))
        return -1;
    /* Nearly always the first row ends this. */
    int got = ask(store, "SELECT 1" ROWS " AND p.status <> 'infeasible' LIMIT 1", plan, sweep_id,
                  &stmt, err);
    sqlite3_finalize(stmt);
    return got ? (got > 0 ? 0 : -1) : count_reasons(store, plan, sweep_id, found, err);
}
