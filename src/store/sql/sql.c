/* SPDX-License-Identifier: MIT */
/* Connections and statements of SQLite with this project's errors. A connection to a file that
 * somebody else may have made is hardened: nothing in it is trusted, and nothing of SQLite that
 * our own statements do not need is left on. */
#include "store/sql/sql.h"

#include "store/sql/term.h"
#include "store/state.h"

#include "memsweep/base/file.h"
#include "memsweep/base/quote.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a user can do about it. */
static const char *advice(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_FULL:
        return "the disk is full: what was committed is safe; make room and run again";
    case SQLITE_CORRUPT:
        return "the file is damaged or cut short: take a copy from before, or rescue rows with "
               "'sqlite3 FILE .recover'";
    case SQLITE_NOTADB:
        return "this is not a database: name another file";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program holds the file: try again when it has finished";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "the file or its folder is read-only: allow writing or choose another place";
    case SQLITE_CANTOPEN:
        return "it or its journal cannot be opened: is the folder there, and may you write to it?";
    case SQLITE_IOERR:
        return "reading or writing failed: check the disk, its quota and limits on file sizes";
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return "its content breaks its own rules: damaged, or changed by another program";
    case SQLITE_INTERRUPT:
        return "interrupted";
    default:
        return NULL;
    }
}

/* SQLite's own limit, which it tells from nothing else that keeps it from opening a file: on the
 * name from the root on, that of its journal included. */
enum { SQLITES_PATH_MAX = 512 };

static bool is_too_long(const char *path)
{
    char *real = msw_file_real(path, NULL);
    bool too_long = strlen(real ? real : path) + strlen("-journal") >= SQLITES_PATH_MAX;
    free(real);
    return too_long;
}

int msw_sql_fail(msw_store *store, msw_err *err)
{
    int rc = sqlite3_extended_errcode(store->db);
    const char *help = rc == SQLITE_READONLY_DBMOVED
                           ? "it was moved or replaced during the run: put it back, or name it"
                           : advice(rc);
    store->rc = rc & 0xff;
    store->moved = store->moved || rc == SQLITE_READONLY_DBMOVED;
    if (rc == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM)
        return msw_fail_memory(err);
    if (!help)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "%s: %s", store->path,
                             sqlite3_errmsg(store->db));
    if (store->rc == SQLITE_CANTOPEN && is_too_long(store->path))
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: its name from the root on is too long for SQLite (at most %d "
                             "characters): choose a shorter place",
                             store->path, SQLITES_PATH_MAX - 9);
    int reason = sqlite3_system_errno(store->db);
    bool told = (store->rc == SQLITE_IOERR || store->rc == SQLITE_CANTOPEN) && reason;
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s (%s%s%s)", store->path, help,
                         sqlite3_errmsg(store->db), told ? ": " : "", told ? strerror(reason) : "");
}

int msw_sql_fail_query(msw_store *store, msw_err *err)
{
    int rc = sqlite3_extended_errcode(store->db);
    bool users = (rc & 0xff) == SQLITE_TOOBIG || (rc & 0xff) == SQLITE_MISMATCH;
    if ((advice(rc) && !users) || rc == SQLITE_NOMEM)
        return msw_sql_fail(store, err);
    store->rc = rc & 0xff;
    return msw_fail(err, "the query, or a derived column it reads, has no value: %s",
                    sqlite3_errmsg(store->db));
}

int msw_sql_exec(msw_store *store, const char *sql, msw_err *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
                                                                       : msw_sql_fail(store, err);
}

void msw_sql_add_column(msw_text *sql, const char *name)
{
    /* `key` is a keyword and a column of every table: SQL takes it as it is. */
    if (msw_expr_is_keyword(name) && strcmp(name, "key") != 0)
        msw_text_add_sql_name(sql, name);
    else
        msw_text_add(sql, "%s", name);
}

int msw_sql_exec_text(msw_store *store, msw_text *sql, msw_err *err)
{
    int result = sql->failed ? msw_fail_memory(err) : msw_sql_exec(store, msw_text_str(sql), err);
    msw_text_free(sql);
    return result;
}

int msw_sql_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err)
{
    int rc = sqlite3_prepare_v2(store->db, sql, -1, stmt, NULL);
    return rc == SQLITE_OK ? 0 : msw_sql_fail(store, err);
}

int msw_sql_step(msw_store *store, sqlite3_stmt *stmt, msw_err *err)
{
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : msw_sql_fail(store, err);
}

int msw_sql_run(msw_store *store, sqlite3_stmt *stmt, msw_err *err)
{
    int got;
    do
        got = msw_sql_step(store, stmt, err);
    while (got > 0);
    sqlite3_reset(stmt);
    return got;
}

const char *msw_sql_text(sqlite3_stmt *row, int at)
{
    const char *text = (const char *)sqlite3_column_text(row, at);
    return text ? text : "";
}

int msw_sql_integer(msw_store *store, const char *sql, const char *text, int64_t *value,
                    msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store, sql, &stmt, err))
        return -1;
    if (text)
        sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0 && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return got < 0 ? -1 : 0;
}

int msw_sql_begin(msw_store *store, msw_err *err)
{
    return msw_sql_exec(store, "BEGIN IMMEDIATE", err);
}

int msw_sql_end(msw_store *store, int result, msw_err *err)
{
    if (result == 0 && msw_sql_exec(store, "COMMIT", err) == 0)
        return 0;
    /* A full disk or a failed write may have rolled back already. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
enum { TEMPORARY_VIEWS_STAY = 3035000 }; /* before, switching views off took ours with them */
#endif

int msw_open_path(const char *path, int flags, const char *locks, sqlite3 **db)
{
    /* With URIs on, a file called "file:x" or ":memory:" has to be named by its folder. */
    char *named = msw_strfmt("%s%s", *path == '/' ? "" : "./", path);
    if (!named)
        return SQLITE_NOMEM;
    int rc = sqlite3_open_v2(named, db, flags | SQLITE_OPEN_URI, locks);
    free(named);
    return rc;
}

void msw_harden(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
    if (sqlite3_libversion_number() >= TEMPORARY_VIEWS_STAY)
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
}

/* "ptw_cuont" in double quotes must be an error and not a string. */
static void forbid_double_quoted_strings(sqlite3 *db)
{
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
#else
    (void)db;
#endif
}

int msw_store_connect(msw_store *store, const char *file, int flags, msw_err *err)
{
    /* One thread at a time uses a store: a mutex around each value would cost a tenth. */
    const char *locks = store->unlocked ? "unix-none" : NULL;
    if (msw_open_path(file, flags | SQLITE_OPEN_NOMUTEX, locks, &store->db) != SQLITE_OK)
        return store->db ? msw_sql_fail(store, err) : msw_fail_memory(err);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, MSW_BUSY_MS);
    forbid_double_quoted_strings(store->db);
    msw_harden(store->db);
    MSW_TRY(msw_expr_register(store->db, err));
    MSW_TRY(msw_sql_register_weighed(store->db, err));
    return msw_sum_register(store->db, err);
}
