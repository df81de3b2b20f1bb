/* SPDX-License-Identifier: MIT */
/* fail: what went wrong with the machinery of expressions. */
#ifndef MSW_EXPR_FAIL_H
#define MSW_EXPR_FAIL_H

#include "memsweep/base/err.h"

#include <sqlite3.h>

/* Records what SQLite says: memory ran out, or a bug. Returns -1. */
int msw_expr_fail(sqlite3 *db, const char *what, msw_err *err);

#endif
