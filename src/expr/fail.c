/* SPDX-License-Identifier: MIT */
#include "expr/fail.h"

int msw_expr_fail(sqlite3 *db, const char *what, msw_err *err)
{
    return sqlite3_errcode(db) == SQLITE_NOMEM
               ? msw_fail_memory(err)
               : msw_fail_kind(err, MSW_ERR_INTERNAL, "%s: %s", what, sqlite3_errmsg(db));
}
