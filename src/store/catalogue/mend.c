/* SPDX-License-Identifier: MIT */
/* Mends what a file says about itself: a run writes it again from the plan. */
#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Removes the records of a table that are damaged, `and` so. */
static int drop_damaged(msw_store *store, const char *table, const char *and, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DELETE FROM main.%s WHERE ", table);
    if (msw_sum_damaged(store, "main", table, &sql, err)) {
        msw_text_free(&sql);
        return -1;
    }
    msw_text_add(&sql, "%s", and);
    return msw_sql_exec_text(store, &sql, err);
}

static int bind_neutral(msw_store *store, sqlite3_stmt *stmt, const msw_param *param, msw_err *err)
{
    double neutral = msw_param_neutral(param);
    sqlite3_bind_text(stmt, 2, param->name, -1, SQLITE_STATIC);
    if (isnan(neutral))
        return 0;
    if (param->kind == MSW_CHOICE)
        sqlite3_bind_text(stmt, 3, param->choices[(size_t)neutral].name, -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(stmt, 3, neutral);
    return msw_sql_run(store, stmt, err);
}

/* A table from before there were checksums: none of its rows has left anything out. */
static int note_neutral(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "UPDATE main.msw_column SET neutral = ?3, checksum = "
                        "msw_sum_swap(checksum, 'neutral', neutral, ?3) WHERE table_name = ?1 AND "
                        "name = ?2 AND neutral IS NULL",
                        &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, layout->table, -1, SQLITE_STATIC);
    int rc = 0;
    for (size_t i = 0; i < layout->count && rc == 0; i++)
        if (layout->columns[i].role == MSW_ROLE_PARAM)
            rc = bind_neutral(store, stmt, layout->columns[i].param, err);
    sqlite3_finalize(stmt);
    return rc;
}

static int has_covered(msw_store *store, const char *table, int64_t *covered, msw_err *err)
{
    char *sql = msw_strfmt(
        "SELECT EXISTS(SELECT 1 FROM main.%s WHERE " MSW_SUM_COLUMN " IS NOT NULL)", table);
    int rc = sql ? msw_sql_integer(store, sql, NULL, covered, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

int msw_catalogue_mend(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    int64_t old = 0, covered = 0;
    if (drop_damaged(store, "msw_column", "", err) ||
        msw_sql_integer(store,
                        "SELECT EXISTS(SELECT 1 FROM main.msw_column WHERE table_name = ?1 AND "
                        "role = 'parameter' AND checksum IS NULL)",
                        layout->table, &old, err))
        return -1;
    if (!old)
        return 0;
    if (has_covered(store, layout->table, &covered, err))
        return -1;
    return covered ? 0 : note_neutral(store, layout, err);
}

int msw_catalogue_drop_damaged(msw_store *store, int64_t sweep, bool *damaged, msw_err *err)
{
    char *and = msw_strfmt(" AND id = %" PRId64, sweep);
    int rc = and? drop_damaged(store, "msw_sweep", and, err) : msw_fail_memory(err);
    free(and);
    *damaged = rc == 0 && sqlite3_changes(store->db) > 0;
    if (*damaged)
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s: the record of the sweep is damaged: it is made again", store->path);
    return rc;
}
