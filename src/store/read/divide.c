/* SPDX-License-Identifier: MIT */
/* Rows of a sweep by parts of its design. */
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>

static int copy_rows(msw_store *store, const char *sweep, const char *table, uint64_t points,
                     msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "CREATE TEMP TABLE ");
    msw_text_add_sql_name(&sql, table);
    msw_text_add(&sql, " AS SELECT design_index / %" PRIu64 " AS part, * FROM temp.", points);
    msw_text_add_sql_name(&sql, sweep);
    msw_text_add(&sql, "; CREATE INDEX temp.");
    msw_text_add_sql_name(&sql, table);
    sql.size--; /* the index is called like its table, and a bit more */
    msw_text_add(&sql, " by part\" ON ");
    msw_text_add_sql_name(&sql, table);
    msw_text_add(&sql, "(part)");
    /* Derived columns are computed on the way. */
    int rc = sql.failed ? msw_fail_memory(err) : 0;
    if (rc == 0 && sqlite3_exec(store->db, msw_text_str(&sql), NULL, NULL, NULL) != SQLITE_OK)
        rc = msw_sql_fail_query(store, err);
    msw_text_free(&sql);
    return rc;
}

int msw_store_divide(msw_store *store, const char *sweep, const char *name, uint64_t points,
                     msw_err *err)
{
    msw_view view = {0};
    if (msw_view_find(store, sweep, false, &view, err))
        return -1;
    char *table = msw_strfmt("@%s", name);
    int result = table ? copy_rows(store, view.name, table, points, err) : msw_fail_memory(err);
    free(table);
    msw_view_free(&view);
    return result;
}
