/* SPDX-License-Identifier: MIT */
/* Joining two files: the other one is attached for reading only, and everything happens in one
 * transaction. */
#include "store/merge/merge.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Shards come one after the other: what is known of the rows here stays from one to the next. */
static void resume_known(msw_merge *merge)
{
    msw_merged *known = &merge->store->merged;
    merge->first_new = 1;
    if (!known->mechanism || strcmp(known->mechanism, merge->mechanism) != 0)
        return;
    merge->keys = known->keys;
    merge->first_new = known->next_row;
    known->keys = (msw_keyset){0};
}

static void keep(msw_merge *merge)
{
    msw_merged *known = &merge->store->merged;
    msw_merged_free(known);
    *known = (msw_merged){merge->mechanism, merge->keys, merge->next_new};
    merge->mechanism = NULL;
    merge->keys = (msw_keyset){0};
}

static void forget_mechanism(msw_merge *merge)
{
    free(merge->mechanism);
    free(merge->columns);
    free(merge->values);
    free(merge->filled);
    free(merge->rows);
    free(merge->wanted);
    free(merge->replaced.list);
    free(merge->shared.list);
    msw_keyset_free(&merge->keys);
    merge->mechanism = merge->columns = merge->values = merge->filled = NULL;
    merge->rows = NULL;
    merge->wanted = NULL;
    merge->replaced = merge->shared = (msw_links){0};
}

static int merge_mechanism(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    merge->mechanism = msw_strdup(msw_sql_text(row, 0));
    if (!merge->mechanism)
        return msw_fail_memory(err);
    resume_known(merge);
    int result = msw_merge_tables(merge, err) || msw_merge_rows(merge, err) ||
                 msw_merge_spans(merge, err) || msw_merge_views(merge, err);
    if (result == 0)
        keep(merge);
    forget_mechanism(merge);
    return result ? -1 : 0;
}

static int merge_all(msw_merge *merge, msw_err *err)
{
    MSW_TRY(msw_merge_choose(merge, err));
    MSW_TRY(msw_merge_catalogue(merge, err));
    MSW_TRY(msw_merge_each(merge, "SELECT DISTINCT mechanism FROM temp.merge_sweep", NULL,
                           merge_mechanism, err));
    MSW_TRY(msw_sql_exec(merge->store,
                         "DROP TABLE temp.merge_sweep; DROP TABLE temp.merge_run; DROP "
                         "TABLE IF EXISTS temp.merge_ran; DROP TABLE IF EXISTS "
                         "temp.merge_shared",
                         err));
    return 0;
}

/* Every sweep has to be one whose view can be made. */
static int check_sweeps(msw_store *other, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = msw_sql_prepare(other, "SELECT id FROM main.msw_sweep", &stmt, err);
    while (got >= 0 && (got = msw_sql_step(other, stmt, err)) > 0) {
        msw_view_shape shape;
        if (msw_view_shape_load(other, "main", sqlite3_column_int64(stmt, 0), &shape, err))
            got = -1;
        else
            msw_view_shape_free(&shape);
    }
    sqlite3_finalize(stmt);
    return got;
}

/* Opening it alone says in words what is wrong with it. What is ours may be changed: a killed
 * writer's journal is then played back here. */
static int check_other(const msw_merge_source *source, bool own, msw_err *err)
{
    msw_store *other = NULL;
    int result = own ? msw_store_open_plain(source->read, MSW_STORE_READ, NULL, &other, err)
                     : msw_store_open_source(source->read, &other, err);
    if (result == 0)
        result = check_sweeps(other, err);
    msw_store_close_plain(other);
    return result ? source->folder ? msw_fail_prefix(err, "a copy of %s: ", source->path) : -1 : 0;
}

int msw_store_check_source(const char *path, const char *into, msw_err *err)
{
    msw_merge_source source;
    if (msw_merge_source_open(&source, path, into, false, err))
        return -1;
    int result = check_other(&source, false, err);
    msw_merge_source_close(&source);
    return result;
}

/* BEGIN IMMEDIATE would want to write to both files: only this one is written to. */
static int begin_merge(msw_store *store, msw_err *err)
{
    return msw_sql_exec(store, "BEGIN; DELETE FROM main.msw_span WHERE 0", err);
}

/* The other file is looked at again in the transaction: it could have changed since. */
static int merge_checked(msw_merge *merge, msw_err *err)
{
    int64_t version = 0;
    if (msw_sql_integer(merge->store, "PRAGMA other.user_version", NULL, &version, err) ||
        msw_trust_check(merge->store, "other", false, version < MSW_SCHEMA_VERSION, err) ||
        msw_sums_there(merge->store, "other", &merge->sums, err))
        return -1;
    return merge_all(merge, err);
}

static int merge_attached(msw_merge *merge, const msw_merge_source *source, msw_err *err)
{
    msw_store *store = merge->store;
    if (msw_merge_source_attach(store, source, err))
        return -1;
    int result = begin_merge(store, err);
    result = msw_sql_end(store, result ? -1 : merge_checked(merge, err), err);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    return result;
}

int msw_merge_asked(msw_merge *merge, bool own, uint64_t *rows, msw_err *err)
{
    msw_store *store = merge->store;
    const char *path = merge->path;
    msw_merge_source source;
    *rows = 0;
    if (msw_merge_source_open(&source, path, store->path, own, err))
        return -1;
    int result = check_other(&source, own, err);
    if (result == 0) {
        /* Everything remembered of rows and spans is out of date afterwards. */
        msw_session_free(&store->session);
        msw_writer_close(&store->writer);
        store->commits.plan = NULL;
        result = merge_attached(merge, &source, err);
        if (result == 0)
            *rows = merge->added;
        else
            msw_merged_free(&store->merged);
        if (result == 0 && merge->damaged)
            msw_log_line(&store->log, MSW_LOG_WARN,
                         "%s: %" PRIu64 " rows are damaged and left out: 'memsweep run' of the "
                         "sweep computes them again",
                         path, merge->damaged);
        result = result ? msw_fail_prefix(err, "merging %s: ", path) : 0;
    }
    msw_merge_source_close(&source);
    return result;
}

int msw_merge_file(msw_store *store, const char *path, msw_merge_rule rule, bool own,
                   uint64_t *rows, msw_err *err)
{
    msw_merge merge = {.store = store, .path = path, .rule = rule};
    return msw_merge_asked(&merge, own, rows, err);
}
