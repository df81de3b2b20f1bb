/* SPDX-License-Identifier: MIT */
/* Reading chosen rows of a sweep. In a view every row is looked for in every span, so that many
 * rows of a sweep with many spans would take their product: each chosen row is made a span of its
 * own instead, in a temporary table that replaces msw_span in the SELECT of the view. */
#include "store/read/over.h"
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/base/quote.h"

#include <stdlib.h>
#include <string.h>

static int insert_rows(msw_store *store, int64_t sweep, const msw_query *query, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_exec(store,
                     "DROP TABLE IF EXISTS temp.msw_chosen; CREATE TEMP TABLE msw_chosen(sweep, "
                     "first_point, first_row, point_count, PRIMARY KEY(sweep, first_point)) "
                     "WITHOUT ROWID",
                     err) ||
        msw_sql_prepare(store, "INSERT OR IGNORE INTO temp.msw_chosen VALUES(?1, ?2, ?3, 1)", &stmt,
                        err))
        return -1;
    int result = 0;
    sqlite3_bind_int64(stmt, 1, sweep);
    for (size_t i = 0; i < query->row_id_count && result == 0; i++) {
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)query->row_ids[i].point);
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)query->row_ids[i].row);
        result = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return result;
}

/* A view over workloads has one row per design, called by its first point. */
static int choose_designs(msw_view *view, msw_err *err)
{
    msw_text source = MSW_TEXT_EMPTY;
    char *name = msw_over_chosen_name(view->name);
    if (!name)
        return msw_fail_memory(err);
    msw_text_add(&source, "SELECT * FROM temp.");
    msw_text_add_sql_name(&source, name);
    free(name);
    msw_text_add(&source, " WHERE point IN (SELECT first_point FROM temp.msw_chosen)");
    view->source = source.failed ? NULL : msw_strdup(msw_text_str(&source));
    msw_text_free(&source);
    return view->source ? 0 : msw_fail_memory(err);
}

int msw_chosen_source(msw_store *store, const msw_query *query, msw_view *view, msw_err *err)
{
    msw_view_shape shape;
    msw_text source = MSW_TEXT_EMPTY;
    if (view->over)
        return insert_rows(store, view->sweep, query, err) ? -1 : choose_designs(view, err);
    if (msw_view_shape_load(store, "main", view->sweep, &shape, err))
        return -1;
    int result = insert_rows(store, view->sweep, query, err);
    if (result == 0) {
        msw_text_add(&source, "SELECT *");
        result = msw_view_add_said(&shape, &source, err);
        msw_text_add(&source, " FROM (");
        msw_view_print(&shape, "main.", "temp.msw_chosen", &source);
        msw_text_add(&source, ")");
    }
    if (result == 0) {
        view->source = source.failed ? NULL : msw_strdup(msw_text_str(&source));
        result = view->source ? 0 : msw_fail_memory(err);
    }
    msw_text_free(&source);
    msw_view_shape_free(&shape);
    return result;
}
