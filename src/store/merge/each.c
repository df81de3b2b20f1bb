/* SPDX-License-Identifier: MIT */
/* Each row of a query over the two files. */
#include "memsweep/base/quote.h"
#include "store/merge/merge.h"

#include <stdlib.h>
#include <string.h>

int msw_merge_each(msw_merge *merge, const char *sql, const char *text,
                   int (*each)(msw_merge *, sqlite3_stmt *, msw_err *), msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(merge->store, sql, &stmt, err))
        return -1;
    if (text)
        sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(merge->store, stmt, err)) > 0)
        if (each(merge, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}
