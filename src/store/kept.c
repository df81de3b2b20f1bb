/* SPDX-License-Identifier: MIT */
/* Kept artifacts: a table that is made when the first is kept, so that files of any age without one
 * stay as they are. */
#include "memsweep/store/kept.h"

#include "store/state.h"

#include <string.h>

/* Covers what a row says of itself: bytes under another key are wrong, too. */
static msw_digest digest_of(msw_digest key, bool whole, const char *bytes, size_t size)
{
    uint8_t words[17];
    msw_digest_store(key, words);
    words[16] = whole;
    return msw_hash_pair(msw_hash_bytes(words, sizeof words), msw_hash_bytes(bytes, size));
}

static int make_table(msw_store *store, msw_err *err)
{
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_KEPT_THERE("main"), NULL, &there, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_artifact_table, err));
    return 0;
}

static int insert(msw_store *store, const msw_kept *kept, const char *bytes, size_t size,
                  msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    uint8_t key[16], digest[16];
    if (make_table(store, err) ||
        msw_sql_prepare(store,
                        "INSERT OR REPLACE INTO main.msw_artifact(key, mechanism, name, version, "
                        "whole, bytes, digest, created) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
                        &stmt, err))
        return -1;
    msw_digest_store(kept->key, key);
    msw_digest_store(digest_of(kept->key, kept->whole, bytes, size), digest);
    sqlite3_bind_blob(stmt, 1, key, sizeof key, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, kept->mechanism, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, kept->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 4, kept->version);
    sqlite3_bind_int(stmt, 5, kept->whole);
    sqlite3_bind_blob(stmt, 7, digest, sizeof digest, SQLITE_STATIC);
    /* SQLite has a limit for one value. */
    int taken = sqlite3_bind_blob64(stmt, 6, size ? bytes : "", size, SQLITE_STATIC);
    int result = taken == SQLITE_OK ? msw_sql_run(store, stmt, err) : msw_sql_fail(store, err);
    sqlite3_finalize(stmt);
    return result;
}

int msw_store_keep(msw_store *store, const msw_kept *kept, const char *bytes, size_t size,
                   msw_err *err)
{
    if (msw_sql_begin(store, err))
        return -1;
    return msw_sql_end(store, insert(store, kept, bytes, size, err), err);
}

static int take_row(sqlite3_stmt *row, msw_digest key, bool *whole, msw_text *bytes, msw_err *err)
{
    uint8_t wanted[16];
    const char *blob = sqlite3_column_blob(row, 0);
    size_t size = (size_t)sqlite3_column_bytes(row, 0);
    const void *found = sqlite3_column_blob(row, 1);
    *whole = sqlite3_column_int(row, 2) != 0;
    msw_digest_store(digest_of(key, *whole, blob ? blob : "", size), wanted);
    if (sqlite3_column_bytes(row, 1) != sizeof wanted || memcmp(found, wanted, sizeof wanted) != 0)
        return 0;
    msw_text_add_bytes(bytes, blob ? blob : "", size);
    return bytes->failed ? msw_fail_memory(err) : 1;
}

/* The digest does not cover whose artifact it is. Of mechanisms of other programs nothing is known.
 */
static bool is_known(const char *mechanism, const char *name)
{
    const msw_mech *mech = msw_mech_find(mechanism);
    for (const msw_artifact *a = mech ? mech->artifacts : NULL; a && a->name; a++)
        if (strcmp(a->name, name) == 0)
            return true;
    return !mech;
}

int msw_kept_count_damaged(msw_store *store, uint64_t *all, uint64_t *damaged, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int64_t there = 0;
    if (msw_sql_integer(store, MSW_KEPT_THERE("main"), NULL, &there, err))
        return -1;
    if (!there)
        return 0;
    int got = msw_sql_prepare(store,
                              "SELECT bytes, digest, whole, key, mechanism, name FROM "
                              "main.msw_artifact",
                              &stmt, err);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        msw_text bytes = MSW_TEXT_EMPTY;
        bool whole, keyed = sqlite3_column_bytes(stmt, 3) == 16;
        got = keyed ? take_row(stmt, msw_digest_load(sqlite3_column_blob(stmt, 3)), &whole, &bytes,
                               err)
                    : 0;
        *all += 1;
        *damaged += got == 0 || !is_known(msw_sql_text(stmt, 4), msw_sql_text(stmt, 5));
        msw_text_free(&bytes);
    }
    sqlite3_finalize(stmt);
    return got;
}

int msw_store_kept(msw_store *store, msw_digest key, bool *whole, msw_text *bytes, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    uint8_t wanted[16];
    int64_t there = 0;
    if (msw_sql_integer(store, MSW_KEPT_THERE("main"), NULL, &there, err))
        return -1;
    if (!there)
        return 0;
    if (msw_sql_prepare(store, "SELECT bytes, digest, whole FROM main.msw_artifact WHERE key = ?1",
                        &stmt, err))
        return -1;
    msw_digest_store(key, wanted);
    sqlite3_bind_blob(stmt, 1, wanted, sizeof wanted, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0)
        got = take_row(stmt, key, whole, bytes, err);
    sqlite3_finalize(stmt);
    return got;
}
