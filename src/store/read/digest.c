/* SPDX-License-Identifier: MIT */
/* Digests the rows of a sweep: from what is stored, in the order of the plan, without anything
 * that differs between two runs of the same sweep (row and run ids, times). Counts them by parts
 * of its design. */
#include "store/read/view.h"

#include "store/sql/sql.h"
#include "store/state.h"

#include "memsweep/sweep/keep.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool counts(const msw_view_column *column)
{
    static const char *const ENGINE[] = {"point",          "status",      "bound_by", "reason",
                                         "units_measured", "units_total", "events",   "key",
                                         MSW_DOUBT_NAME};
    if (strcmp(column->role, "engine") != 0)
        return strcmp(column->role, "derived") != 0;
    for (size_t i = 0; i < sizeof ENGINE / sizeof *ENGINE; i++)
        if (strcmp(column->name, ENGINE[i]) == 0)
            return true;
    return false;
}

/* Returns which of the selected columns is the doubt, or -1. */
static int add_select(const msw_view *view, msw_text *sql)
{
    const char *separator = "SELECT ";
    int doubt = -1, next = 0;
    for (size_t i = 0; i < view->count; i++)
        if (counts(&view->columns[i])) {
            if (msw_view_is_doubt(&view->columns[i]))
                doubt = next;
            next++;
            msw_text_add(sql, "%s", separator);
            msw_text_add_sql_name(sql, view->columns[i].name);
            separator = ", ";
        }
    msw_text_add(sql, " FROM temp.");
    msw_text_add_sql_name(sql, view->name);
    return doubt;
}

/* Numbers by their eight bytes, texts by length and bytes; the type in front keeps 1 and '1' and
 * neighbouring columns apart. */
static void fold_value(msw_text *bytes, sqlite3_stmt *row, int at)
{
    char head[9] = {(char)sqlite3_column_type(row, at)};
    if (*head == SQLITE_INTEGER) {
        sqlite3_int64 integer = sqlite3_column_int64(row, at);
        memcpy(head + 1, &integer, 8);
    } else if (*head == SQLITE_FLOAT) {
        double real = sqlite3_column_double(row, at);
        memcpy(head + 1, &real, 8);
    } else if (*head != SQLITE_NULL) {
        const char *blob = sqlite3_column_blob(row, at);
        uint64_t size = (uint64_t)sqlite3_column_bytes(row, at);
        memcpy(head + 1, &size, 8);
        msw_text_add_bytes(bytes, head, sizeof head);
        msw_text_add_bytes(bytes, blob, size);
        return;
    }
    msw_text_add_bytes(bytes, head, sizeof head);
}

/* Rows without a doubt have the digest that they had before there were any: column `doubt`. */
static int fold_rows(msw_store *store, sqlite3_stmt *stmt, int doubt, msw_digest *digest,
                     uint64_t *rows, msw_err *err)
{
    int got, columns = sqlite3_column_count(stmt);
    msw_text bytes = MSW_TEXT_EMPTY;
    *rows = 0;
    while ((got = msw_sql_step(store, stmt, err)) > 0) {
        msw_text_clear(&bytes);
        for (int at = 0; at < columns; at++)
            if (at != doubt)
                fold_value(&bytes, stmt, at);
        if (doubt >= 0 && sqlite3_column_type(stmt, doubt) != SQLITE_NULL)
            fold_value(&bytes, stmt, doubt);
        *digest = msw_hash_pair(*digest, msw_hash_bytes(msw_text_str(&bytes), bytes.size));
        ++*rows;
    }
    if (got == 0 && bytes.failed)
        got = msw_fail_memory(err);
    msw_text_free(&bytes);
    return got;
}

static int digest_view(msw_store *store, const msw_view *view, msw_digest *digest, uint64_t *rows,
                       msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    msw_text sql = MSW_TEXT_EMPTY;
    int doubt = add_select(view, &sql);
    int result =
        sql.failed ? msw_fail_memory(err) : msw_sql_prepare(store, msw_text_str(&sql), &stmt, err);
    if (result == 0)
        result = fold_rows(store, stmt, doubt, digest, rows, err);
    sqlite3_finalize(stmt);
    msw_text_free(&sql);
    return result;
}

/* The record of what is kept has the digest of the summary of all points. */
static int fold_kept(msw_store *store, int64_t sweep, msw_digest *digest, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    MSW_TRY(msw_sql_prepare(store,
                            "SELECT result FROM main.msw_analysis WHERE sweep = ?1 AND kind = "
                            "'" MSW_KEPT_RECORD "' ORDER BY id DESC LIMIT 1",
                            &stmt, err));
    sqlite3_bind_int64(stmt, 1, sweep);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0)
        *digest = msw_hash_pair(*digest, msw_hash_string(msw_sql_text(stmt, 0)));
    sqlite3_finalize(stmt);
    return got < 0 ? -1 : 0;
}

int msw_store_digest(msw_store *store, const char *sweep, msw_digest *digest, uint64_t *rows,
                     msw_err *err)
{
    msw_view view;
    if (msw_view_load(store, sweep, true, &view, err))
        return -1;
    *digest = (msw_digest){0};
    int result = digest_view(store, &view, digest, rows, err);
    if (result == 0)
        result = fold_kept(store, view.sweep, digest, err);
    msw_view_free(&view);
    return result;
}

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
