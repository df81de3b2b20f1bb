/* SPDX-License-Identifier: MIT */
/* Opens the locked-down connection behind expressions, and gives it the table of names. The table
 * has the declared columns, so SQLite applies its own rules of type and comparison, and it never
 * ends: one statement stays open and every step is one evaluation, which is faster than binding
 * values and resetting the statement (memsweep-bench --only expr). */
#include "expr/language.h"

#include "memsweep/base/quote.h"

#include <stdlib.h>
#include <string.h>

/* ---- table of names ---- */

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

static int register_table(msw_expr_host *host, msw_err *err)
{
    if (sqlite3_create_module_v2(host->db, MSW_EXPR_TABLE, &MODULE, host, NULL) != SQLITE_OK)
        return msw_expr_fail(host->db, "expressions", err);
    return 0;
}

/* ---- connection ---- */

/* The second wall, behind msw_expr_rewrite: one SELECT, the columns of one table, listed functions.
 */
static int authorize(void *data, int action, const char *a, const char *b, const char *schema,
                     const char *trigger)
{
    (void)schema, (void)trigger;
    msw_expr_host *host = data;
    bool allowed = false;
    if (action == SQLITE_SELECT)
        allowed = host->selects++ == 0;
    else if (action == SQLITE_READ)
        allowed = strcmp(a, MSW_EXPR_TABLE) == 0;
    else if (action == SQLITE_FUNCTION)
        allowed = msw_function_find(b, strlen(b)) != NULL;
    return allowed ? SQLITE_OK : SQLITE_DENY;
}

static void lower_limits(sqlite3 *db)
{
    static const struct {
        int limit, value;
    } LIMITS[] = {
        {SQLITE_LIMIT_LENGTH, 1 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 1 << 18},
        {SQLITE_LIMIT_EXPR_DEPTH, 200},    {SQLITE_LIMIT_COMPOUND_SELECT, 1},
        {SQLITE_LIMIT_FUNCTION_ARG, 64},   {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 0}, {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
        {SQLITE_LIMIT_WORKER_THREADS, 0},  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
    };
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
        sqlite3_limit(db, LIMITS[i].limit, LIMITS[i].value);
}

static void lock_down(msw_expr_host *host)
{
    sqlite3_db_config(host->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(host->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
    sqlite3_db_config(host->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(host->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(host->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
#endif
    lower_limits(host->db);
    sqlite3_set_authorizer(host->db, authorize, host);
}

/* The first use of the table declares its columns; it must come before the authorizer. */
static int first_use(msw_expr_host *host, msw_err *err)
{
    static const char SQL[] = "SELECT 1 FROM \"" MSW_EXPR_TABLE "\"";
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(host->db, SQL, -1, &stmt, NULL) != SQLITE_OK)
        return msw_expr_fail(host->db, "expressions", err);
    sqlite3_finalize(stmt);
    return 0;
}

static int open_connection(msw_expr_host *host, msw_err *err)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(":memory:", &host->db, flags, NULL) != SQLITE_OK)
        return msw_fail_memory(err);
    if (msw_expr_register(host->db, err) != 0 || register_table(host, err) != 0 ||
        first_use(host, err) != 0)
        return -1;
    lock_down(host);
    return 0;
}

static int copy_names(msw_expr_host *host, const msw_expr_name *names, size_t count, msw_err *err)
{
    host->names = calloc(count + 1, sizeof *host->names);
    if (!host->names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        if (msw_expr_is_word(names[i].name))
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "'%s' has a meaning in expressions and cannot be a name",
                                 names[i].name);
        host->names[i] = names[i];
        host->names[i].name = msw_strdup(names[i].name);
        if (!host->names[i].name)
            return msw_fail_memory(err);
        host->count++;
    }
    return 0;
}

int msw_expr_host_new(const msw_expr_name *names, size_t count, msw_expr_host **host, msw_err *err)
{
    msw_expr_host *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return msw_fail_memory(err);
    if (copy_names(fresh, names, count, err) != 0 || open_connection(fresh, err) != 0) {
        msw_expr_host_free(fresh);
        return -1;
    }
    *host = fresh;
    return 0;
}

void msw_expr_host_free(msw_expr_host *host)
{
    if (!host)
        return;
    sqlite3_close(host->db);
    for (size_t i = 0; host->names && host->names[i].name; i++)
        free((char *)host->names[i].name);
    free(host->names);
    free(host);
}
