/* SPDX-License-Identifier: MIT */
/* Reads chosen rows of a sweep. In a view every row is looked for in every span, so that many rows
 * of a sweep with many spans would take their product: each chosen row is made a span of its own
 * instead, in a temporary table that replaces msw_span in the SELECT of the view. */
#include "store/read/over.h"
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/base/quote.h"

#include <stdlib.h>

int msw_chosen_insert(msw_store *store, int64_t sweep, const msw_row_id *rows, size_t count,
                      msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_exec(store, "DELETE FROM temp.msw_chosen", err) ||
        msw_sql_prepare(store, "INSERT OR IGNORE INTO temp.msw_chosen VALUES(?1, ?2, ?3, 1)", &stmt,
                        err))
        return -1;
    int result = 0;
    sqlite3_bind_int64(stmt, 1, sweep);
    for (size_t i = 0; i < count && result == 0; i++) {
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)rows[i].point);
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)rows[i].row);
        result = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return result;
}

/* A view over workloads has one row per design, called by its first point. */
static void choose_designs(const msw_view *view, msw_text *source)
{
    char *name = msw_over_chosen_name(view->name);
    msw_text_add(source, "SELECT * FROM temp.");
    if (name)
        msw_text_add_sql_name(source, name);
    else
        source->failed = true;
    free(name);
    msw_text_add(source, " WHERE point IN (SELECT first_point FROM temp.msw_chosen)");
}

static int choose_rows(msw_store *store, const msw_view *view, msw_text *source, msw_err *err)
{
    msw_view_shape shape;
    MSW_TRY(msw_view_shape_load(store, "main", view->sweep, &shape, err));
    msw_text_add(source, "SELECT *");
    int result = msw_view_add_said(store, &shape, source, err);
    msw_text_add(source, " FROM (");
    msw_view_print(&shape, "main.", "temp.msw_chosen", source);
    msw_text_add(source, ")");
    msw_view_shape_free(&shape);
    return result;
}

int msw_chosen_source(msw_store *store, msw_view *view, msw_err *err)
{
    msw_text source = MSW_TEXT_EMPTY;
    int result = msw_sql_exec(store,
                              "CREATE TEMP TABLE IF NOT EXISTS msw_chosen(sweep, first_point, "
                              "first_row, point_count, PRIMARY KEY(sweep, first_point)) WITHOUT "
                              "ROWID",
                              err);
    if (result == 0 && view->over)
        choose_designs(view, &source);
    else if (result == 0)
        result = choose_rows(store, view, &source, err);
    if (result == 0) {
        view->source = source.failed ? NULL : msw_strdup(msw_text_str(&source));
        result = view->source ? 0 : msw_fail_memory(err);
    }
    msw_text_free(&source);
    return result;
}
