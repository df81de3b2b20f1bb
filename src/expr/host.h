/* SPDX-License-Identifier: MIT */
/* host: the locked-down SQLite connection behind expressions, and the one table they can see. */
#ifndef MSW_EXPR_HOST_H
#define MSW_EXPR_HOST_H

#include "memsweep/base/err.h"
#include "memsweep/expr/expr.h"

#include <sqlite3.h>

/* No declared name can be this: it has a space. */
#define MSW_EXPR_TABLE "msw names"

/* The value a name has now, already converted to the type of its column. */
typedef struct msw_expr_slot {
    msw_expr_type type;
    int64_t integer;
    double real;
    const char *text;
    char buffer[32]; /* a number bound to a TEXT name is printed here */
} msw_expr_slot;

struct msw_expr_host {
    sqlite3 *db;
    msw_expr_name *names; /* ends with a NULL name */
    size_t count;
    int selects;                  /* seen by the authorizer in the statement being compiled */
    const msw_expr_slot *current; /* values of the expression being evaluated */
};

struct msw_expr {
    msw_expr_host *host;
    sqlite3_stmt *stmt;
    msw_expr_slot *slots; /* one per name of the host */
    int *used;
    size_t used_count;
};

/* Records the error of SQLite: memory ran out, or a bug. Returns -1. */
int msw_expr_fail(sqlite3 *db, const char *what, msw_err *err);

#endif
