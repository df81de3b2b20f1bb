/* SPDX-License-Identifier: MIT */
/* Sums rows: the columns of a table as checksums see them, the sum over a row, and the runs that
 * were written before there were checksums. */
#include "store/sum/sum.h"

#include "store/state.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int msw_sums_there(msw_store *store, const char *schema, bool *there, msw_err *err)
{
    int64_t count = 0;
    int rc = msw_sql_integer(store,
                             "SELECT count(*) FROM pragma_table_info('msw_column', ?1) WHERE name "
                             "= '" MSW_SUM_COLUMN "'",
                             schema, &count, err);
    *there = count > 0;
    return rc;
}

static int add_run(msw_old_runs *runs, sqlite3_stmt *row, msw_err *err)
{
    int64_t id = sqlite3_column_int64(row, 0);
    bool old = sqlite3_column_int(row, 1) != 0;
    runs->newer = runs->newer || !old;
    if (!old)
        return 0;
    MSW_TRY(msw_vec_extend(&runs->list, runs->count, sizeof *runs->list, err));
    runs->list[runs->count++] = id;
    return 0;
}

int msw_old_runs_load(msw_store *store, const char *schema, msw_old_runs *runs, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool there = false;
    *runs = (msw_old_runs){0};
    if (msw_sums_there(store, schema, &there, err))
        return -1;
    /* Who gives checksums names its commit, too: a record that has lost its end has something
     * there.
     */
    char *sql = msw_strfmt("SELECT id, %s FROM %s.msw_run ORDER BY id",
                           there ? "checksum IS NULL AND revision IS NULL" : "1", schema);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        if (add_run(runs, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    if (got < 0)
        msw_old_runs_free(runs);
    return got;
}

void msw_old_runs_free(msw_old_runs *runs)
{
    free(runs->list);
    *runs = (msw_old_runs){0};
}

static bool starts_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Numbers of rows and runs are assigned again where rows are copied. */
static bool is_skipped(const char *table, const char *column)
{
    if (strcmp(column, MSW_SUM_COLUMN) == 0 || strcmp(column, "id") == 0)
        return true;
    return starts_with(table, "points_")   ? strcmp(column, "run") == 0
           : starts_with(table, "detail_") ? strcmp(column, "row_id") == 0
                                           : false;
}

/* A column at its neutral value adds 0 to a row's checksum. So a file can get new columns without
 * changing the checksums of the rows it has. */
static int add_column(msw_sums *sums, sqlite3_stmt *row, msw_err *err)
{
    MSW_TRY(msw_vec_extend(&sums->columns, sums->count, sizeof *sums->columns, err));
    msw_sum_column *c = &sums->columns[sums->count];
    *c = (msw_sum_column){.name = msw_strdup(msw_sql_text(row, 0)), .neutral_number = NAN};
    if (!c->name)
        return msw_fail_memory(err);
    c->seed = msw_sum_seed(c->name);
    c->skip = is_skipped(sums->table, c->name);
    if (strcmp(c->name, "id") == 0)
        sums->id = (int)sums->count;
    if (strcmp(c->name, MSW_SUM_COLUMN) == 0)
        sums->sum = (int)sums->count;
    sums->count++;
    if (sqlite3_column_type(row, 1) == SQLITE_NULL)
        return 0;
    c->neutral = sqlite3_value_dup(sqlite3_column_value(row, 1));
    if (!c->neutral)
        return msw_fail_memory(err);
    int type = sqlite3_value_type(c->neutral);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        c->neutral_number = sqlite3_value_double(c->neutral);
    return 0;
}

static int prepare_columns(msw_store *store, const char *schema, sqlite3_stmt **stmt, msw_err *err)
{
    bool there = false;
    if (msw_sums_there(store, schema, &there, err))
        return -1;
    char *sql =
        there ? msw_strfmt("SELECT p.name, (SELECT c.neutral FROM %s.msw_column AS c WHERE "
                           "c.table_name = ?1 AND c.name = p.name) FROM pragma_table_info(?1, ?2) "
                           "AS p ORDER BY p.cid",
                           schema)
              : msw_strdup("SELECT name, NULL FROM pragma_table_info(?1, ?2) ORDER BY cid");
    int rc = sql ? msw_sql_prepare(store, sql, stmt, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

int msw_sums_load(msw_store *store, const char *schema, const char *table, msw_sums *sums,
                  msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    *sums = (msw_sums){.table = msw_strdup(table), .id = -1, .sum = -1};
    if (!sums->table)
        return msw_fail_memory(err);
    sums->seed = msw_sum_seed(table);
    int got = prepare_columns(store, schema, &stmt, err);
    if (got == 0) {
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, schema, -1, SQLITE_STATIC);
    }
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        if (add_column(sums, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    if (got < 0)
        msw_sums_free(sums);
    return got;
}

void msw_sums_free(msw_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        free(sums->columns[i].name);
        sqlite3_value_free(sums->columns[i].neutral);
    }
    free(sums->columns);
    free(sums->table);
    *sums = (msw_sums){0};
}

uint64_t msw_sums_row(const msw_sums *sums, sqlite3_stmt *row, int first)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < sums->count; i++) {
        const msw_sum_column *c = &sums->columns[i];
        if (c->skip)
            continue;
        sum += msw_sum_term(c, sqlite3_column_value(row, first + (int)i));
    }
    return sum;
}

msw_soundness msw_sums_verdict(sqlite3_stmt *row, int at, uint64_t sum)
{
    int type = at < 0 ? SQLITE_NULL : sqlite3_column_type(row, at);
    if (type == SQLITE_NULL)
        return MSW_ROW_UNCOVERED;
    return type == SQLITE_INTEGER && (uint64_t)sqlite3_column_int64(row, at) == sum
               ? MSW_ROW_SOUND
               : MSW_ROW_DAMAGED;
}

/* ---- SQL ---- */

enum { PART = 90 /* columns; SQLite's functions take a hundred arguments */ };

int msw_sums_sql(const msw_sums *sums, const char *parameter, msw_text *sql)
{
    for (size_t i = 0; i < sums->count; i++) {
        if (i % PART == 0)
            msw_text_add(sql, "%smsw_sum_part(%s, %zu", i ? "), " : "", parameter, i);
        msw_text_add(sql, ", ");
        if (sums->columns[i].skip)
            msw_text_add(sql, "NULL");
        else
            msw_sql_add_column(sql, sums->columns[i].name);
    }
    msw_text_add(sql, ")");
    return (int)msw_div_up(sums->count, PART);
}

/* SQL that gives the checksum of a row of `schema`.`table` from its columns; "NULL" in a file that
 * has none. `alias` comes before them. */
static int msw_sum_sql(msw_store *store, const char *schema, const char *table, const char *alias,
                       msw_text *sql, msw_err *err)
{
    msw_sums sums;
    if (msw_sums_load(store, schema, table, &sums, err))
        return -1;
    const char *separator = "";
    msw_text_add(sql, sums.sum < 0 ? "NULL" : "msw_sum_of(");
    for (size_t i = 0; i < sums.count && sums.sum >= 0; i++) {
        if (sums.columns[i].skip)
            continue;
        msw_text_add(sql, "%s", separator);
        msw_text_add_sql_string(sql, sums.columns[i].name);
        msw_text_add(sql, ", %s", alias);
        msw_sql_add_column(sql, sums.columns[i].name);
        separator = ", ";
    }
    if (sums.sum >= 0)
        msw_text_add(sql, ")");
    msw_sums_free(&sums);
    return sql->failed ? msw_fail_memory(err) : 0;
}

int msw_sum_damaged(msw_store *store, const char *schema, const char *table, msw_text *sql,
                    msw_err *err)
{
    msw_old_runs old;
    if (msw_old_runs_load(store, schema, &old, err))
        return -1;
    bool all = old.newer && !old.count;
    msw_old_runs_free(&old);
    msw_text_add(sql, "%s" MSW_SUM_COLUMN " IS NOT ",
                 all ? "" : MSW_SUM_COLUMN " IS NOT NULL AND ");
    return msw_sum_sql(store, schema, table, "", sql, err);
}

int msw_sum_seal(msw_store *store, const char *table, int64_t id, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "UPDATE main.%s SET " MSW_SUM_COLUMN " = ", table);
    if (msw_sum_sql(store, "main", table, "", &sql, err)) {
        msw_text_free(&sql);
        return -1;
    }
    msw_text_add(&sql, " WHERE id = %" PRId64, id);
    return msw_sql_exec_text(store, &sql, err);
}

int msw_sum_widened(msw_store *store, const char *table, const char *column, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "UPDATE main.%s SET " MSW_SUM_COLUMN " = msw_sum_swap(" MSW_SUM_COLUMN ", ",
                 table);
    msw_text_add_sql_string(&sql, column);
    msw_text_add(&sql, ", NULL, ");
    msw_sql_add_column(&sql, column);
    msw_text_add(&sql, ") WHERE " MSW_SUM_COLUMN " IS NOT NULL AND ");
    msw_sql_add_column(&sql, column);
    msw_text_add(&sql, " IS NOT (SELECT neutral FROM main.msw_column WHERE table_name = ");
    msw_text_add_sql_string(&sql, table);
    msw_text_add(&sql, " AND name = ");
    msw_text_add_sql_string(&sql, column);
    msw_text_add(&sql, ")");
    return msw_sql_exec_text(store, &sql, err);
}
