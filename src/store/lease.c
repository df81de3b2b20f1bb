/* SPDX-License-Identifier: MIT */
#include "memsweep/store/lease.h"

#include "memsweep/base/vec.h"
#include "store/state.h"

#include <stdlib.h>

static int is_there(msw_store *store, int64_t *there, msw_err *err)
{
    return msw_sql_integer(
        store,
        "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = 'msw_lease'", NULL,
        there, err);
}

static int take_lease(sqlite3_stmt *stmt, msw_lease **leases, size_t *count, size_t *room,
                      msw_err *err)
{
    if (sqlite3_column_bytes(stmt, 1) != 16)
        return 0; /* damaged: it names no point */
    MSW_TRY(msw_vec_reserve(leases, room, *count + 1, sizeof **leases, err));
    (*leases)[(*count)++] = (msw_lease){.point = (uint64_t)sqlite3_column_int64(stmt, 0),
                                        .key = msw_digest_load(sqlite3_column_blob(stmt, 1)),
                                        .until = sqlite3_column_double(stmt, 2)};
    return 0;
}

int msw_store_leases(msw_store *store, int64_t sweep, msw_lease **leases, size_t *count,
                     msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int64_t there = 0;
    size_t room = 0;
    *leases = NULL;
    *count = 0;
    MSW_TRY(is_there(store, &there, err));
    if (!there)
        return 0;
    int got = msw_sql_prepare(
        store, "SELECT point, key, until FROM main.msw_lease WHERE sweep = ?1 ORDER BY point",
        &stmt, err);
    if (got == 0)
        sqlite3_bind_int64(stmt, 1, sweep);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        got = take_lease(stmt, leases, count, &room, err) ? -1 : got;
    sqlite3_finalize(stmt);
    return got;
}

static int put(msw_store *store, int64_t sweep, const msw_lease *leases, size_t count, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int64_t there = 0;
    uint8_t key[16];
    MSW_TRY(is_there(store, &there, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_lease_table, err));
    int rc =
        msw_sql_prepare(store, "REPLACE INTO main.msw_lease VALUES(?1, ?2, ?3, ?4)", &stmt, err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        msw_digest_store(leases[i].key, key);
        sqlite3_bind_int64(stmt, 1, sweep);
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)leases[i].point);
        sqlite3_bind_blob(stmt, 3, key, sizeof key, SQLITE_STATIC);
        sqlite3_bind_double(stmt, 4, leases[i].until);
        rc = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return rc;
}

int msw_store_lease(msw_store *store, int64_t sweep, const msw_lease *leases, size_t count,
                    msw_err *err)
{
    if (msw_store_commit(store, err) || msw_sql_begin(store, err))
        return -1;
    return msw_sql_end(store, put(store, sweep, leases, count, err), err);
}
