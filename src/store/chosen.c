/* Reading chosen rows of a sweep. In a view every row is looked for in every span, so that many
 * rows of a sweep with many spans would take their product: each chosen row is made a span of its
 * own instead, in a temporary table that stands for msw_span in the view's SELECT. */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

#define SPANS  " FROM msw_span AS s CROSS JOIN "
#define CHOSEN " FROM temp.msw_chosen AS s CROSS JOIN "

static int load_select(msw_store *store, const char *name, char **select, int64_t *sweep,
                       msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT id, view_sql FROM msw_sweep WHERE (name = ?1 AND is_current) OR "
                        "name || '@' || substr(digest, 1, 8) = ?1",
                        &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0) {
        *sweep = sqlite3_column_int64(stmt, 0);
        *select = msw_strdup(msw_sql_text(stmt, 1));
    }
    sqlite3_finalize(stmt);
    return got > 0 && !*select ? msw_fail_memory(err) : got < 0 ? -1 : 0;
}

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
    for (size_t i = 0; i < query->place_count && result == 0; i++) {
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)query->places[i].point);
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)query->places[i].row);
        result = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return result;
}

int msw_chosen_source(msw_store *store, const msw_query *query, msw_view *view, msw_err *err)
{
    char *select = NULL;
    int64_t sweep = 0;
    if (load_select(store, view->name, &select, &sweep, err))
        return -1;
    char *at = select ? strstr(select, SPANS) : NULL;
    int result = at ? insert_rows(store, sweep, query, err)
                    : msw_fail_kind(err, MSW_ERR_INTERNAL, "a view without spans");
    if (result == 0) {
        *at = '\0';
        view->source = msw_strfmt("%s" CHOSEN "%s", select, at + strlen(SPANS));
        result = view->source ? 0 : msw_fail_memory(err);
    }
    free(select);
    return result;
}
