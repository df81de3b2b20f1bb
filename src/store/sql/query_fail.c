/* SPDX-License-Identifier: MIT */
/* Why SQLite will not take a statement, in terms of what the user wrote. */
#include "store/read/view.h"
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 4096, SHOWN = 12 };

/* Names to choose from, ended by NULL. */
typedef struct names {
    size_t count;
    char *list[NAMES_MAX + 1];
} names;

static void add_name(names *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i], name) == 0)
            return;
    if (all->count < NAMES_MAX && (all->list[all->count] = msw_strdup(name)) != NULL)
        all->count++;
}

static void collect(msw_store *store, const char *sql, names *all)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) == SQLITE_OK)
        while (sqlite3_step(stmt) == SQLITE_ROW)
            add_name(all, msw_sql_text(stmt, 0));
    sqlite3_finalize(stmt);
}

static int fail_name(const char *what, const char *name, const names *all, msw_err *err)
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
    names *all = calloc(1, sizeof *all);
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

int msw_query_fail(msw_store *store, const char *sql, msw_err *err)
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
    if (rc != SQLITE_ERROR)
        return msw_sql_fail_query(store, err);
    return msw_fail(err, "%s, in '%.300s%s'", message, sql, strlen(sql) > 300 ? "..." : "");
}
