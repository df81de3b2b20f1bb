/* SPDX-License-Identifier: MIT */
/* Connections: one way to open a file, with what our own statements need and nothing else. */
#include "store/sql/term.h"
#include "store/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double msw_store_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
