/* Joining two files: the other one is attached, and everything happens in one transaction. */
#include "store/merge.h"

#include "memsweep/quote.h"

#include <stdlib.h>
#include <string.h>

int msw_merge_each(msw_merge *merge, const char *sql, const char *text,
                   int (*each)(msw_merge *, sqlite3_stmt *, msw_err *), msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(merge->store, sql, &stmt, err))
        return -1;
    if (text)
        sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(merge->store, stmt, err)) > 0)
        if (each(merge, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

void msw_merged_free(msw_merged *merged)
{
    free(merged->mechanism);
    msw_keyset_free(&merged->keys);
    *merged = (msw_merged){0};
}

/* Shards come one after the other: what is known of the rows here stays from one to the next. */
static void recall(msw_merge *merge)
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
    free(merge->rows);
    free(merge->replaced.list);
    free(merge->shared.list);
    msw_keyset_free(&merge->keys);
    merge->mechanism = merge->columns = NULL;
    merge->rows = NULL;
    merge->replaced = merge->shared = (msw_links){0};
}

static int merge_mechanism(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    merge->mechanism = msw_strdup(msw_sql_text(row, 0));
    if (!merge->mechanism)
        return msw_fail_memory(err);
    recall(merge);
    int result =
        msw_merge_tables(merge, err) || msw_merge_rows(merge, err) || msw_merge_spans(merge, err);
    if (result == 0)
        keep(merge);
    forget_mechanism(merge);
    return result ? -1 : 0;
}

static int merge_all(msw_merge *merge, msw_err *err)
{
    return msw_merge_catalogue(merge, err) ||
                   msw_merge_each(merge, "SELECT DISTINCT mechanism FROM other.msw_sweep", NULL,
                                  merge_mechanism, err) ||
                   msw_sql_exec(merge->store,
                                "DROP TABLE temp.merge_run; DROP TABLE IF EXISTS temp.merge_shared",
                                err)
               ? -1
               : 0;
}

static int attach(msw_store *store, const char *path, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "ATTACH ");
    msw_text_add_sql_string(&sql, path);
    msw_text_add(&sql, " AS other");
    return msw_sql_exec_text(store, &sql, err);
}

/* Opening it alone says in words what is wrong with it, and plays back a killed writer's journal.
 */
static int check_other(const char *path, msw_err *err)
{
    msw_store *other = NULL;
    if (msw_store_open_plain(path, MSW_STORE_READ, NULL, &other, err))
        return -1;
    return msw_store_close(other, err);
}

int msw_store_merge(msw_store *store, const char *path, msw_merge_rule rule, uint64_t *rows,
                    msw_err *err)
{
    msw_merge merge = {.store = store, .path = path, .rule = rule};
    *rows = 0;
    if (msw_store_commit(store, err) || check_other(path, err))
        return -1;
    /* What is remembered of rows and spans is no longer true afterwards. */
    msw_session_free(&store->session);
    msw_writer_close(&store->writer);
    store->plan = NULL;
    if (attach(store, path, err))
        return -1;
    int result = msw_sql_begin(store, err);
    if (result == 0)
        result = msw_sql_end(store, merge_all(&merge, err), err);
    sqlite3_exec(store->db, "DETACH other", NULL, NULL, NULL);
    if (result == 0)
        *rows = merge.added;
    else
        msw_merged_free(&store->merged);
    return result == 0 ? 0 : msw_fail_prefix(err, "merging %s: ", path);
}
