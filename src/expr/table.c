/* SPDX-License-Identifier: MIT */
/* The table of names. It has the declared columns, so SQLite applies its own rules of type and
 * comparison, and it never ends: one statement stays open and every step is one evaluation, which
 * is faster than binding values and resetting the statement (memsweep-bench --only expr). */
#include "expr/fail.h"
#include "expr/host.h"

#include "memsweep/base/quote.h"

typedef struct name_table {
    sqlite3_vtab base;
    msw_expr_host *host;
} name_table;

typedef struct name_cursor {
    sqlite3_vtab_cursor base;
    const msw_expr_slot *slots;
} name_cursor;

static void declare(const msw_expr_host *host, msw_text *sql)
{
    static const char *const TYPES[] = {"", " INTEGER", " REAL", " TEXT"};
    msw_text_add(sql, "CREATE TABLE x(");
    for (size_t i = 0; i < host->count; i++) {
        msw_text_add(sql, i ? ", " : "");
        msw_text_add_sql_name(sql, host->names[i].name);
        msw_text_add(sql, "%s", TYPES[host->names[i].type]);
    }
    /* SQL knows no table without columns. */
    msw_text_add(sql, "%s)", host->count ? "" : "\"no name\"");
}

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
                   char **message)
{
    (void)argc, (void)argv, (void)message;
    msw_text sql = MSW_TEXT_EMPTY;
    declare(aux, &sql);
    int rc = sql.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, msw_text_str(&sql));
    if (rc != SQLITE_OK && message)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
    msw_text_free(&sql);
    if (rc != SQLITE_OK)
        return rc;
    name_table *table = sqlite3_malloc(sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    *table = (name_table){.host = aux};
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 1;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    name_cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    *cursor = (name_cursor){.slots = ((name_table *)table)->host->current};
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *string, int argc,
                  sqlite3_value **argv)
{
    (void)cursor, (void)number, (void)string, (void)argc, (void)argv;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
    (void)cursor;
    return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *cursor)
{
    (void)cursor;
    return 0;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
    const msw_expr_slot *slot = &((name_cursor *)cursor)->slots[index];
    if (slot->type == MSW_EXPR_INTEGER)
        sqlite3_result_int64(context, slot->integer);
    else if (slot->type == MSW_EXPR_REAL)
        sqlite3_result_double(context, slot->real);
    else if (slot->type == MSW_EXPR_TEXT)
        sqlite3_result_text(context, slot->text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_null(context);
    return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
    (void)cursor;
    *id = 1;
    return SQLITE_OK;
}

/* No xCreate: the table exists by itself and nothing can make a second one. */
static const sqlite3_module MODULE = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
};

int msw_expr_table_register(msw_expr_host *host, msw_err *err)
{
    if (sqlite3_create_module_v2(host->db, MSW_EXPR_TABLE, &MODULE, host, NULL) != SQLITE_OK)
        return msw_expr_fail(host->db, "expressions", err);
    return 0;
}
