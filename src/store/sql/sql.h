/* SPDX-License-Identifier: MIT */
/* SQLite with this project's errors: connections and statements. */
#ifndef MSW_STORE_SQL_SQL_H
#define MSW_STORE_SQL_SQL_H

#include "memsweep/store/store.h"

#include <sqlite3.h>

enum {
    MSW_APPLICATION_ID = 0x4d535750, /* "MSWP" in bytes 68..71 of the file */
    MSW_SCHEMA_VERSION = 3,
    MSW_SCHEMA_READABLE = 2, /* from here on files are read as they are */
    MSW_BUSY_MS = 10000      /* how long rare writes and readers wait */
};

/* A commit counts when a power failure cannot undo it: EXTRA waits, beyond what FULL waits for,
 * until the removal of the journal is on the disk. */
#define MSW_SAFE_WRITES "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA"

/* Opens a connection to the file of this name, whatever the name looks like; ATTACH takes URIs
 * there. `locks` names a way of locking, NULL the usual one. Returns SQLite's code. */
int msw_open_path(const char *path, int flags, const char *locks, sqlite3 **db);

/* Switches off what our own statements do not need. */
void msw_harden(sqlite3 *db);

/* Connects to `file`. Returns 0, or -1. */
int msw_store_connect(msw_store *store, const char *file, int flags, msw_err *err);

int msw_sql_exec(msw_store *store, const char *sql, msw_err *err);
int msw_sql_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err);

/* Steps once. Returns 1 with a row, 0 at the end, or -1. */
int msw_sql_step(msw_store *store, sqlite3_stmt *stmt, msw_err *err);

/* Steps to the end, resets. Returns 0, or -1. */
int msw_sql_run(msw_store *store, sqlite3_stmt *stmt, msw_err *err);

/* Text of a result column. Returns it, "" for NULL. */
const char *msw_sql_text(sqlite3_stmt *row, int at);

/* Runs a query that gives one integer; NULL or no row leaves `*value`. Bound: `text` as ?1. */
int msw_sql_integer(msw_store *store, const char *sql, const char *text, int64_t *value,
                    msw_err *err);

/* Opens a writing transaction, waiting for readers. Returns 0, or -1. */
int msw_sql_begin(msw_store *store, msw_err *err);

/* Commits when `result` is 0, else (or when that fails) rolls back. Returns 0, or -1. */
int msw_sql_end(msw_store *store, int result, msw_err *err);

/* Records the connection's error in words. Returns -1. */
int msw_sql_fail(msw_store *store, msw_err *err);

/* Gives a connection the aggregate functions of weighed.c. Returns 0, or -1. */
int msw_sql_register_weighed(sqlite3 *db, msw_err *err);

/* Appends the name of a column, in quotes where SQL would take it for a word of its own. */
void msw_sql_add_column(msw_text *sql, const char *name);

/* The same where an expression of a user was being evaluated: what is no trouble of the file is a
 * usage error. Returns -1. */
int msw_sql_fail_query(msw_store *store, msw_err *err);

/* Executes the finished text, frees it. */
int msw_sql_exec_text(msw_store *store, msw_text *sql, msw_err *err);

#endif
