/* SPDX-License-Identifier: MIT */
/* A sweep whose points are all infeasible: why? */
#include "store/sql/sql.h"
#include "store/write/rows.h"

#include <inttypes.h>
#include <stdlib.h>

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
