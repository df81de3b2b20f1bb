/* SPDX-License-Identifier: MIT */
/* Checks SQL that a user, a recipe or a list of claims brings: one SELECT over the views of the
 * sweeps and the tables of the file. Text of the file itself is never run: no stored view, no
 * generated column, no virtual table. Why SQLite will not take a statement is said in terms of
 * what the user wrote. */
#include "store/read/view.h"

#include "store/state.h"

#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAMES_MAX = 4096, SHOWN = 12 };

/* Names to choose from, ended by NULL. */
typedef struct near_names {
    size_t count;
    char *list[NAMES_MAX + 1];
} near_names;

static void add_name(near_names *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i], name) == 0)
            return;
    if (all->count < NAMES_MAX && (all->list[all->count] = msw_strdup(name)) != NULL)
        all->count++;
}

static void collect(msw_store *store, const char *sql, near_names *all)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK)
        while (sqlite3_step(stmt) == SQLITE_ROW)
            add_name(all, msw_sql_text(stmt, 0));
    sqlite3_finalize(stmt);
}

static int fail_name(const char *what, const char *name, const near_names *all, msw_err *err)
{
    const char *dot = strrchr(name, '.');
    const char *best =
        msw_nearest(dot ? dot + 1 : name, (const char *const *)all->list, sizeof *all->list);
    msw_text text = MSW_TEXT_EMPTY;
    if (best)
        msw_text_add(&text, ", did you mean '%s'?", best);
    for (size_t i = 0; !best && i < all->count && i < SHOWN; i++)
        msw_text_add(&text, "%s%s", i ? ", " : "; there is ", all->list[i]);
    if (!best && all->count > SHOWN)
        msw_text_add(&text, ", ...");
    msw_fail(err, "no %s '%s'%s", what, name, msw_text_str(&text));
    msw_text_free(&text);
    return -1;
}

/* Tables a user may name: sweeps first, then those of the file. */
#define ALL                                                                                        \
    "(SELECT type, name FROM sqlite_temp_master WHERE type = 'view' UNION ALL"                     \
    " SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table'))"
#define TABLES "SELECT name FROM " ALL " ORDER BY type <> 'view', name"
#define COLUMNS                                                                                    \
    "SELECT c.name FROM " ALL " AS t, pragma_table_info(t.name) AS c"                              \
    " ORDER BY t.type <> 'view', t.name, c.cid"

static int fail_missing(msw_store *store, const char *what, const char *name, const char *sql,
                        msw_err *err)
{
    near_names *all = calloc(1, sizeof *all);
    char *copy = msw_strdup(name); /* the connection's message: the next statement replaces it */
    if (all && copy) {
        collect(store, sql, all);
        fail_name(what, copy, all, err);
    } else {
        msw_fail_memory(err);
    }
    for (size_t i = 0; all && i < all->count; i++)
        free(all->list[i]);
    free(all);
    free(copy);
    return -1;
}

static const char *behind(const char *text, const char *start)
{
    size_t size = strlen(start);
    return strncmp(text, start, size) == 0 ? text + size : NULL;
}

/* Says why a user's statement cannot be prepared: in the user's words, with the nearest name.
 * Returns -1. */
static int msw_query_fail(msw_store *store, const char *sql, msw_err *err)
{
    int rc = sqlite3_errcode(store->db);
    const char *message = sqlite3_errmsg(store->db), *name;
    if (rc == SQLITE_AUTH || strstr(message, "not authorized") || behind(message, "cannot modify "))
        return msw_fail(err, "only SELECT is possible here, not '%.60s%s'", sql,
                        strlen(sql) > 60 ? "..." : "");
    if ((name = behind(message, "no such table: ")) != NULL)
        return fail_missing(store, "table or sweep", name, TABLES, err);
    if ((name = behind(message, "no such column: ")) != NULL)
        return fail_missing(store, "column", name, COLUMNS, err);
    if ((name = behind(message, "circular reference: ")) != NULL)
        return msw_fail(err, "WITH %s reads '%s', which is itself: give it another name", name,
                        name);
    if (rc != SQLITE_ERROR)
        return msw_sql_fail_query(store, err);
    return msw_fail(err, "%s, in '%.300s%s'", message, sql, strlen(sql) > 300 ? "..." : "");
}

/* What one statement may not touch, and the first thing of it that it did touch. */
typedef struct guard {
    char **names; /* stored views, virtual tables, tables with computed columns */
    size_t count;
    const msw_made_views *made;
    msw_text reason;
} guard;

static bool starts_with(const char *name, const char *prefix)
{
    return strncasecmp(name, prefix, strlen(prefix)) == 0;
}

static int deny(guard *g, const char *format, const char *name)
{
    if (!g->reason.size) {
        char *text = sqlite3_mprintf(format, name);
        msw_text_add(&g->reason, "%s", text ? text : "not allowed");
        sqlite3_free(text);
    }
    return SQLITE_DENY;
}

static bool is_made(const guard *g, const char *name)
{
    for (size_t i = 0; i < g->made->count; i++)
        if (strcasecmp(g->made->list[i].name, name) == 0)
            return true;
    return false;
}

static bool is_runnable(const guard *g, const char *name)
{
    for (size_t i = 0; name && i < g->count; i++)
        if (strcasecmp(g->names[i], name) == 0)
            return true;
    return false;
}

/* `view`: the view it is read for, or a name that the statement itself defines (WITH); or NULL.
 * Where a view of ours has the name of one of the file, that one can only be named with its schema,
 * which is a read of `table` and refused as such: so what is read for such a name is ours. */
static int may_read(guard *g, const char *table, const char *schema, const char *view)
{
    static const char WHY[] = "'%s' holds SQL text of the file, which memsweep does not run: name "
                              "sweeps as 'memsweep status' shows them, without a schema, and "
                              "what WITH defines otherwise";
    if (starts_with(table, "pragma_"))
        return deny(g, "'%s': PRAGMAs are not possible here, not even those that only read", table);
    if (starts_with(table, "sqlite_dbpage"))
        return deny(g, "'%s' cannot be read here", table);
    if (schema && strcasecmp(schema, "temp") == 0)
        return SQLITE_OK;
    if (is_runnable(g, table) && (schema || !is_made(g, table)))
        return deny(g, WHY, table);
    return view && is_runnable(g, view) && !is_made(g, view) ? deny(g, WHY, view) : SQLITE_OK;
}

static int may_call(guard *g, const char *function)
{
    static const char *const BAD[] = {"load_extension", "readfile", "writefile", "edit",
                                      "fsdir",          "lsmode",   "fts",       "rtree",
                                      "geopoly_debug",  "sqlar_",   "sqlite_",   "shell_"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        if (starts_with(function, BAD[i]) && !starts_with(function, "sqlite_version"))
            return deny(g, "the function %s() is not possible here", function);
    return SQLITE_OK;
}

static int authorize(void *context, int action, const char *a, const char *b, const char *c,
                     const char *d)
{
    guard *g = context;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        return may_read(g, a ? a : "", c, d);
    case SQLITE_FUNCTION:
        return may_call(g, b ? b : "");
    case SQLITE_PRAGMA:
        return deny(g, "PRAGMA %s: PRAGMAs are not possible here, not even those that only read",
                    a ? a : "");
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
        return deny(g, "other files are not possible here: 'memsweep merge' joins them%s", "");
    default:
        return deny(g, "not authorized%s", "");
    }
}

/* The names in the file that stand for SQL text of the file. */
#define RUNNABLE                                                                                   \
    "SELECT m.name FROM main.sqlite_master AS m WHERE m.type = 'view' OR (m.type = 'table' AND "   \
    "(m.sql NOT LIKE 'CREATE TABLE %' OR EXISTS(SELECT 1 FROM pragma_table_xinfo(m.name, 'main') " \
    "WHERE hidden <> 0)))"

static int load_guard(msw_store *store, guard *g, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = msw_sql_prepare(store, RUNNABLE, &stmt, err);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        char *name = NULL;
        if (!msw_vec_extend(&g->names, g->count, sizeof *g->names, NULL))
            name = msw_strdup(msw_sql_text(stmt, 0));
        if (name)
            g->names[g->count++] = name;
        else
            got = msw_fail_memory(err);
    }
    sqlite3_finalize(stmt);
    return got;
}

static void free_guard(guard *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->names[i]);
    free(g->names);
    msw_text_free(&g->reason);
}

static int check_statement(sqlite3_stmt *stmt, const char *rest, msw_err *err)
{
    if (!stmt)
        return msw_fail(err, "an empty query");
    if (rest[strspn(rest, " \t\r\n;")])
        return msw_fail(err, "one statement at a time, not '%s'", rest);
    /* VACUUM INTO counts as reading, but gives no columns. */
    if (!sqlite3_stmt_readonly(stmt) || !sqlite3_column_count(stmt))
        return msw_fail(err, "only SELECT is possible here: this statement reads no rows");
    return 0;
}

static int explain(msw_store *store, const char *sql, int rc, const guard *g, msw_err *err)
{
    if (g->reason.size)
        return msw_fail(err, "only SELECT is possible here: %s", msw_text_str(&g->reason));
    if (rc == SQLITE_AUTH)
        return msw_fail(err, "only SELECT is possible here: %s", sqlite3_errmsg(store->db));
    if (rc == SQLITE_ERROR && strstr(sqlite3_errmsg(store->db), "access to view"))
        return msw_fail(err,
                        "only SELECT is possible here: %s: memsweep does not run what a file "
                        "stores: name sweeps as 'memsweep status' shows them, without a schema",
                        sqlite3_errmsg(store->db));
    return msw_query_fail(store, sql, err);
}

static int prepare(msw_store *store, const char *sql, guard *g, sqlite3_stmt **stmt, msw_err *err)
{
    const char *rest = NULL;
    /* At their first use they declare themselves as tables, which the authorizer would take for a
     * CREATE. Where they are missing, the query says so. */
    sqlite3_exec(store->db, "SELECT 1 FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
    sqlite3_set_authorizer(store->db, authorize, g);
    int rc = sqlite3_prepare_v2(store->db, sql, -1, stmt, &rest);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (rc != SQLITE_OK)
        return explain(store, sql, rc, g, err);
    if (check_statement(*stmt, rest, err) == 0)
        return 0;
    sqlite3_finalize(*stmt);
    *stmt = NULL;
    return -1;
}

int msw_users_prepare(msw_store *store, const char *sql, sqlite3_stmt **stmt, msw_err *err)
{
    guard g = {.made = &store->views};
    *stmt = NULL;
    int result = load_guard(store, &g, err);
    if (result == 0)
        result = prepare(store, sql, &g, stmt, err);
    free_guard(&g);
    return result;
}
