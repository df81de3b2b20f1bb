/* SPDX-License-Identifier: MIT */
/* Which runs of a file were written before there were checksums. */
#include "store/state.h"
#include "store/sum/sum.h"

#include <stdlib.h>

int msw_sums_there(msw_store *store, const char *schema, bool *there, msw_err *err)
{
    int64_t count = 0;
    int rc = msw_sql_integer(store,
                             "SELECT count(*) FROM pragma_table_info('msw_column', ?1) WHERE name "
                             "= '" MSW_SUM_COLUMN "'",
                             schema, &count, err);
    *there = count > 0;
    return rc;
}

static int add_run(msw_old_runs *runs, sqlite3_stmt *row, msw_err *err)
{
    int64_t id = sqlite3_column_int64(row, 0);
    bool old = sqlite3_column_int(row, 1) != 0;
    runs->newer = runs->newer || !old;
    if (!old)
        return 0;
    int64_t *list = realloc(runs->list, (runs->count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    runs->list = list;
    list[runs->count++] = id;
    return 0;
}

int msw_old_runs_load(msw_store *store, const char *schema, msw_old_runs *runs, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    *runs = (msw_old_runs){0};
    if (msw_sums_there(store, schema, &there, err))
        return -1;
    /* Who gives checksums names its commit, too: a record that has lost its end has something
     * there.
     */
    char *sql = msw_strfmt("SELECT id, %s FROM %s.msw_run ORDER BY id",
                           there ? "checksum IS NULL AND revision IS NULL" : "1", schema);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        if (add_run(runs, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    if (got < 0)
        msw_old_runs_free(runs);
    return got;
}

void msw_old_runs_free(msw_old_runs *runs)
{
    free(runs->list);
    *runs = (msw_old_runs){0};
}
