/* Finding the view a command means, and what its columns are. */
#include "store/read/view.h"
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

/* Returns the only (or latest) sweep's name in `*name`, or -1 with the choice listed. */
static int default_name(msw_store *store, bool latest, char **name, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    msw_text list = MSW_TEXT_EMPTY;
    int count = 0,
        got = msw_sql_prepare(store,
                              "SELECT name FROM main.msw_sweep AS s WHERE is_current ORDER BY "
                              "(SELECT max(id) FROM main.msw_run WHERE sweep = s.id) DESC, id DESC",
                              &stmt, err);
    *name = NULL;
    while (got == 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        const char *found = msw_sql_text(stmt, 0);
        if (count++ == 0)
            *name = msw_strdup(found);
        msw_text_add(&list, "%s%s", count > 1 ? ", " : "", found);
        got = 0;
    }
    sqlite3_finalize(stmt);
    if (got == 0 && count == 0)
        got = msw_fail(err, "%s: no sweep in this file yet", store->path);
    else if (got == 0 && count > 1 && !latest)
        got = msw_fail(err, "%s holds several sweeps: name one of %s", store->path,
                       msw_text_str(&list));
    msw_text_free(&list);
    return got;
}

static int unknown(msw_store *store, const char *sweep, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    msw_text list = MSW_TEXT_EMPTY;
    if (msw_sql_prepare(store,
                        "SELECT CASE WHEN is_current THEN name ELSE name || '@' || substr(digest, "
                        "1, 8) END FROM main.msw_sweep ORDER BY 1",
                        &stmt, err))
        return -1;
    while (sqlite3_step(stmt) == SQLITE_ROW)
        msw_text_add(&list, "%s%s", list.size ? ", " : "", msw_sql_text(stmt, 0));
    sqlite3_finalize(stmt);
    msw_fail(err, "%s: no sweep '%s': there is %s", store->path, sweep,
             list.size ? msw_text_str(&list) : "none yet");
    msw_text_free(&list);
    return -1;
}

static int find_name(msw_store *store, const char *sweep, bool latest, char **name, msw_err *err)
{
    bool found = false;
    if (!sweep && default_name(store, latest, name, err))
        return -1;
    if (!sweep)
        return msw_view_make(store, *name, &found, err);
    if (msw_view_make(store, sweep, &found, err))
        return -1;
    if (!found)
        return unknown(store, sweep, err);
    *name = msw_strdup(sweep);
    return *name ? 0 : msw_fail_memory(err);
}

#define FAMILY_DIGEST                                                                              \
    "(SELECT digest FROM main.msw_sweep WHERE (name = ?1 AND is_current)"                          \
    " OR name || '@' || substr(digest, 1, 8) = ?1)"
#define FAMILY_TABLE                                                                               \
    "(SELECT 'points_' || mechanism FROM main.msw_sweep WHERE (name = ?1 AND is_current)"          \
    " OR name || '@' || substr(digest, 1, 8) = ?1)"

static msw_goal goal_of(const char *text)
{
    if (!text || !*text)
        return MSW_GOAL_NONE;
    return *text == 'l' ? MSW_GOAL_LOWER : MSW_GOAL_HIGHER;
}

static msw_expr_type type_of(const char *text)
{
    if (text && strcmp(text, "INTEGER") == 0)
        return MSW_EXPR_INTEGER;
    if (text && (strcmp(text, "TEXT") == 0 || strcmp(text, "BLOB") == 0))
        return MSW_EXPR_TEXT;
    return MSW_EXPR_REAL;
}

static int add_column(msw_view *view, sqlite3_stmt *row, msw_err *err)
{
    msw_view_column *columns = realloc(view->columns, (view->count + 1) * sizeof *columns);
    if (!columns)
        return msw_fail_memory(err);
    view->columns = columns;
    const char *texts[5];
    for (int i = 0; i < 5; i++)
        texts[i] = (const char *)sqlite3_column_text(row, i);
    msw_view_column column = {.name = msw_strdup(texts[0] ? texts[0] : ""),
                              .unit = msw_strdup(texts[2] ? texts[2] : ""),
                              .role = msw_strdup(texts[4] ? texts[4] : "derived"),
                              .goal = goal_of(texts[3]),
                              .type = type_of(texts[1])};
    columns[view->count++] = column;
    return column.name && column.unit && column.role ? 0 : msw_fail_memory(err);
}

static int load_columns(msw_store *store, msw_view *view, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(
            store,
            "SELECT i.name, c.type, c.unit, c.goal, c.role FROM pragma_table_info(?1, 'temp') AS i "
            "LEFT JOIN main.msw_column AS c ON c.name = i.name AND c.table_name = CASE WHEN i.name "
            "IN "
            "('point', 'design_index', 'row_id') THEN 'view' WHEN EXISTS(SELECT 1 FROM "
            "main.msw_column "
            "WHERE table_name = " FAMILY_DIGEST " AND name = i.name) THEN " FAMILY_DIGEST
            " ELSE " FAMILY_TABLE " END ORDER BY i.cid",
            &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, view->name, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        if (add_column(view, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

int msw_view_load(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err)
{
    *view = (msw_view){0};
    if (find_name(store, sweep, latest, &view->name, err) == 0 &&
        load_columns(store, view, err) == 0)
        return 0;
    msw_view_free(view);
    return -1;
}

void msw_view_free(msw_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        free(view->columns[i].name);
        free(view->columns[i].unit);
        free(view->columns[i].role);
    }
    free(view->columns);
    free(view->name);
    free(view->source);
    *view = (msw_view){0};
}
