/* SPDX-License-Identifier: MIT */
/* Makes, widens and mends the tables of a mechanism: a run writes again, from the plan, what a
 * file says about itself. */
#include "store/state.h"

#include "store/sum/sum.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Removes the records of a table that are damaged, `and` so. */
static int drop_damaged(msw_store *store, const char *table, const char *and, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DELETE FROM main.%s WHERE ", table);
    if (msw_sum_damaged(store, "main", table, &sql, err)) {
        msw_text_free(&sql);
        return -1;
    }
    msw_text_add(&sql, "%s", and);
    return msw_sql_exec_text(store, &sql, err);
}

static int bind_neutral(msw_store *store, sqlite3_stmt *stmt, const msw_param *param, msw_err *err)
{
    double neutral = msw_param_neutral(param);
    sqlite3_bind_text(stmt, 2, param->name, -1, SQLITE_STATIC);
    if (isnan(neutral))
        return 0;
    if (param->kind == MSW_CHOICE)
        sqlite3_bind_text(stmt, 3, param->choices[(size_t)neutral].name, -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(stmt, 3, neutral);
    return msw_sql_run(store, stmt, err);
}

/* A table from before there were checksums: none of its rows has left anything out. */
static int note_neutral(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "UPDATE main.msw_column SET neutral = ?3, checksum = "
                        "msw_sum_swap(checksum, 'neutral', neutral, ?3) WHERE table_name = ?1 AND "
                        "name = ?2 AND neutral IS NULL",
                        &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, layout->table, -1, SQLITE_STATIC);
    int rc = 0;
    for (size_t i = 0; i < layout->count && rc == 0; i++)
        if (layout->columns[i].role == MSW_ROLE_PARAM)
            rc = bind_neutral(store, stmt, layout->columns[i].param, err);
    sqlite3_finalize(stmt);
    return rc;
}

static int has_covered(msw_store *store, const char *table, int64_t *covered, msw_err *err)
{
    char *sql = msw_strfmt(
        "SELECT EXISTS(SELECT 1 FROM main.%s WHERE " MSW_SUM_COLUMN " IS NOT NULL)", table);
    int rc = sql ? msw_sql_integer(store, sql, NULL, covered, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

int msw_catalogue_mend(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    int64_t old = 0, covered = 0;
    if (drop_damaged(store, "msw_column", "", err) ||
        msw_sql_integer(store,
                        "SELECT EXISTS(SELECT 1 FROM main.msw_column WHERE table_name = ?1 AND "
                        "role = 'parameter' AND checksum IS NULL)",
                        layout->table, &old, err))
        return -1;
    if (!old)
        return 0;
    if (has_covered(store, layout->table, &covered, err))
        return -1;
    return covered ? 0 : note_neutral(store, layout, err);
}

int msw_catalogue_drop_damaged(msw_store *store, int64_t sweep, bool *damaged, msw_err *err)
{
    char *and = msw_strfmt(" AND id = %" PRId64, sweep);
    int rc = and? drop_damaged(store, "msw_sweep", and, err) : msw_fail_memory(err);
    free(and);
    *damaged = rc == 0 && sqlite3_changes(store->db) > 0;
    if (*damaged)
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s: the record of the sweep is damaged: it is made again", store->path);
    return rc;
}

static int create_points(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "CREATE TABLE %s(id INTEGER PRIMARY KEY", layout->table);
    for (size_t i = 0; i < layout->count; i++)
        msw_text_add(&sql, ", %s %s", layout->columns[i].name, layout->columns[i].type);
    msw_text_add(&sql, ", " MSW_SUM_COLUMN " INTEGER)");
    return msw_sql_exec_text(store, &sql, err);
}

/* The value old rows had in effect: the model behaved as if the parameter were neutral. */
static void add_literal(msw_text *sql, const msw_param *param)
{
    double neutral = msw_param_neutral(param);
    double value = isnan(neutral) ? param->def : neutral;
    char text[MSW_PARAM_TEXT];
    if (msw_param_type(param) == MSW_EXPR_TEXT)
        msw_text_add_sql_string(sql, msw_param_print(param, value, text));
    else
        msw_text_add_double(sql, value);
}

/* Only rows of its own front end have a value of a front end's parameter: those are found by
 * another parameter of the same table that was there before. */
static void fill_front(msw_text *sql, const msw_store_columns *layout,
                       const msw_store_column *column, const char *sibling)
{
    msw_text_add(sql, "UPDATE %s SET %s = ", layout->table, column->name);
    add_literal(sql, column->param);
    msw_text_add(sql, " WHERE %s IS NOT NULL;", sibling);
}

static int add_column(msw_store *store, const msw_store_columns *layout,
                      const msw_store_column *column, const char *sibling, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "ALTER TABLE %s ADD COLUMN %s %s", layout->table, column->name,
                 column->type);
    if (column->role == MSW_ROLE_PARAM && column->part == 0) {
        msw_text_add(&sql, " DEFAULT ");
        add_literal(&sql, column->param);
    }
    msw_text_add(&sql, ";");
    if (column->role == MSW_ROLE_PARAM && column->part > 0 && sibling)
        fill_front(&sql, layout, column, sibling);
    if (msw_sql_exec_text(store, &sql, err))
        return -1;
    /* A neutral value changes no checksum; any other does. */
    return column->role == MSW_ROLE_PARAM && isnan(msw_param_neutral(column->param))
               ? msw_sum_widened(store, layout->table, column->name, err)
               : 0;
}

/* Adds a column that a table of an older file does not have. Nothing in it changes no checksum. */
static int add_missing(msw_store *store, const char *table, const char *column, const char *type,
                       msw_err *err)
{
    int64_t there = 0;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ");
    msw_text_add_sql_string(&sql, column);
    int rc = sql.failed ? msw_fail_memory(err)
                        : msw_sql_integer(store, msw_text_str(&sql), table, &there, err);
    msw_text_free(&sql);
    if (rc || there)
        return rc;
    msw_text_add(&sql, "ALTER TABLE %s ADD COLUMN %s %s", table, column, type);
    return msw_sql_exec_text(store, &sql, err);
}

/* Tables of files that are older than checksums. */
static int add_checksums(msw_store *store, const char *table, msw_err *err)
{
    return add_missing(store, table, MSW_SUM_COLUMN, "INTEGER", err);
}

/* Looks for a column in the table. Returns 1 when it is there, 0, or -1 also when its type is
 * another. */
static int has_column(msw_store *store, sqlite3_stmt *find, const msw_store_columns *layout,
                      const msw_store_column *column, msw_err *err)
{
    sqlite3_reset(find);
    sqlite3_bind_text(find, 2, column->name, -1, SQLITE_STATIC);
    int got = msw_sql_step(store, find, err);
    if (got <= 0)
        return got;
    const char *type = msw_sql_text(find, 0);
    if (strcmp(type, column->type) == 0)
        return 1;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: column %s of %s is %s in this file and %s in this version of the "
                         "mechanism: use a new file",
                         store->path, column->name, layout->table, type, column->type);
}

static const char *find_sibling(const msw_store_columns *layout, size_t part, const bool *known)
{
    for (size_t i = 0; i < layout->count; i++)
        if (known[i] && layout->columns[i].role == MSW_ROLE_PARAM &&
            layout->columns[i].part == part)
            return layout->columns[i].name;
    return NULL;
}

enum { COLUMNS_MAX = 2000 }; /* SQLite's own limit */

static int widen(msw_store *store, const msw_store_columns *layout, sqlite3_stmt *find,
                 msw_err *err)
{
    bool known[COLUMNS_MAX];
    for (size_t i = 0; i < layout->count; i++) {
        int has = has_column(store, find, layout, &layout->columns[i], err);
        if (has < 0)
            return -1;
        known[i] = has;
    }
    sqlite3_reset(find); /* a pending read would lock the table against ALTER */
    for (size_t i = 0; i < layout->count; i++)
        if (!known[i] && add_column(store, layout, &layout->columns[i],
                                    find_sibling(layout, layout->columns[i].part, known), err))
            return -1;
    return 0;
}

static int widen_points(msw_store *store, const msw_store_columns *layout, msw_err *err)
{
    sqlite3_stmt *find = NULL;
    if (layout->count >= COLUMNS_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "%s: too many columns", layout->table);
    if (msw_sql_prepare(store, "SELECT type FROM pragma_table_info(?1) WHERE name = ?2", &find,
                        err))
        return -1;
    sqlite3_bind_text(find, 1, layout->table, -1, SQLITE_STATIC);
    int result = widen(store, layout, find, err);
    sqlite3_finalize(find);
    return result;
}

static int create_detail(msw_store *store, const msw_mech *mech, const msw_detail *detail,
                         msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "CREATE TABLE IF NOT EXISTS detail_%s_%s(row_id INTEGER NOT NULL, item INTEGER "
                 "NOT NULL",
                 mech->name, detail->name);
    for (const char *const *column = detail->columns; *column; column++)
        msw_text_add(&sql, ", %s REAL", *column);
    msw_text_add(&sql, ", " MSW_SUM_COLUMN " INTEGER, PRIMARY KEY(row_id, item)) WITHOUT ROWID");
    if (msw_sql_exec_text(store, &sql, err))
        return -1;
    char *table = msw_strfmt("detail_%s_%s", mech->name, detail->name);
    int rc = table ? add_checksums(store, table, err) : msw_fail_memory(err);
    for (const char *const *column = detail->columns; rc == 0 && *column; column++)
        rc = add_missing(store, table, *column, "REAL", err);
    free(table);
    return rc;
}

int msw_tables_ensure(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                      msw_err *err)
{
    int64_t there = 0;
    if (msw_sql_integer(store, "SELECT count(*) FROM sqlite_master WHERE type='table' AND name=?1",
                        layout->table, &there, err))
        return -1;
    /* A column that is added may change checksums: the column of these is there before. */
    if (there ? add_checksums(store, layout->table, err) || widen_points(store, layout, err)
              : create_points(store, layout, err))
        return -1;
    for (const msw_detail *detail = plan->mech->details; detail && detail->name; detail++)
        if (create_detail(store, plan->mech, detail, err))
            return -1;
    return 0;
}
