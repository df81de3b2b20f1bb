/* SPDX-License-Identifier: MIT */
/* Merging tables and sweeps. Declarations of the other file are read, never run: tables and columns
 * are made afresh from their names, types and defaults. */
#include "store/merge/merge.h"

#include "memsweep/base/quote.h"
#include "store/catalogue/declared.h"

#include <stdlib.h>
#include <string.h>

/* ---- sweeps ---- */

#define NEW_SWEEPS                                                                                 \
    "SELECT id FROM temp.merge_sweep WHERE digest NOT IN (SELECT digest FROM main.msw_sweep) "     \
    "ORDER BY id"

#define ADD_SWEEP                                                                                  \
    "INSERT INTO main.msw_sweep(name, digest, is_current, mechanism, mechanism_version, fidelity," \
    " design, points, replicates, seed, objectives, versions, canonical, view_sql, created)"       \
    " SELECT name, digest, 0, mechanism, mechanism_version, fidelity, design, points,"             \
    " replicates, seed, objectives, versions, canonical, ?2, created FROM other.msw_sweep"         \
    " WHERE id = ?1"

static int add_sweep(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    int64_t id = sqlite3_column_int64(row, 0);
    sqlite3_stmt *insert = NULL;
    msw_view_shape shape;
    msw_text view = MSW_TEXT_EMPTY;
    if (msw_view_shape_load(merge->store, "other", id, &shape, err))
        return -1;
    msw_view_print(&shape, "", "msw_span", &view);
    msw_view_shape_free(&shape);
    int result =
        view.failed ? msw_fail_memory(err) : msw_sql_prepare(merge->store, ADD_SWEEP, &insert, err);
    if (result == 0) {
        sqlite3_bind_int64(insert, 1, id);
        sqlite3_bind_text(insert, 2, msw_text_str(&view), -1, SQLITE_STATIC);
        result = msw_sql_run(merge->store, insert, err);
    }
    if (result == 0 && merge->sums)
        result = msw_sum_seal(merge->store, "msw_sweep",
                              sqlite3_last_insert_rowid(merge->store->db), err);
    sqlite3_finalize(insert);
    msw_text_free(&view);
    return result;
}

int msw_merge_sweeps(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge, NEW_SWEEPS, NULL, add_sweep, err);
}

/* ---- tables ---- */

static int refuse_column(const msw_merge *merge, const char *table, const char *column,
                         const char *why, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "column %s of table %s %s in %s: merge both into a new file, or run the "
                         "sweep again",
                         column, table, why, merge->store->path);
}

static int widen(msw_merge *merge, const msw_declared *there, const msw_declared_column *column,
                 msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    bool sum = strcmp(column->name, MSW_SUM_COLUMN) == 0;
    if (there->without_rowid && !sum) /* a table of details */
        return refuse_column(merge, there->table, column->name, "is missing", err);
    msw_text_add(&sql, "ALTER TABLE main.%s ADD COLUMN ", there->table);
    msw_sql_add_column(&sql, column->name);
    msw_text_add(&sql, " %s", column->type);
    if (column->value)
        msw_text_add(&sql, " DEFAULT %s", column->value);
    if (msw_sql_exec_text(merge->store, &sql, err))
        return -1;
    return column->value && !sum ? msw_sum_widened(merge->store, there->table, column->name, err)
                                 : 0;
}

/* The column of checksums comes first: what is added after it counts in them. */
static int fit_columns(msw_merge *merge, const msw_declared *there, const msw_declared *here,
                       msw_err *err)
{
    const msw_declared_column *sums = msw_declared_find(there, MSW_SUM_COLUMN);
    if (sums && !msw_declared_find(here, MSW_SUM_COLUMN) && widen(merge, there, sums, err))
        return -1;
    for (size_t i = 0; i < there->count; i++) {
        const msw_declared_column *column = &there->columns[i];
        const msw_declared_column *known = msw_declared_find(here, column->name);
        if (known && strcmp(known->type, column->type) != 0)
            return refuse_column(merge, there->table, column->name, "has another type", err);
        if (!known && column != sums && widen(merge, there, column, err))
            return -1;
    }
    return 0;
}

static int create(msw_merge *merge, const msw_declared *there, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_declared_print(there, &sql);
    return msw_sql_exec_text(merge->store, &sql, err);
}

/* A table of the mechanism: its declaration there and, or NULL, here. */
static int fit_table(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    msw_declared there = {0}, here = {0};
    const char *known = (const char *)sqlite3_column_text(row, 1);
    int result = msw_declared_read(msw_sql_text(row, 0), &there, err) ||
                 (known && msw_declared_read(known, &here, err));
    if (result == 0)
        result = known ? fit_columns(merge, &there, &here, err) : create(merge, &there, err);
    msw_declared_free(&there);
    msw_declared_free(&here);
    return result ? -1 : 0;
}

/* Columns that only the table here has, with a value that is not neutral: the rows that come get
 * it, and it counts in their checksums. */
#define FILLED                                                                                     \
    "SELECT p.name, p.dflt_value FROM pragma_table_info('points_' || ?1, 'main') AS p WHERE "      \
    "p.dflt_value IS NOT NULL AND NOT EXISTS(SELECT 1 FROM pragma_table_info('points_' || ?1, "    \
    "'other') AS o WHERE o.name = p.name) AND NOT EXISTS(SELECT 1 FROM main.msw_column AS c "      \
    "WHERE c.table_name = 'points_' || ?1 AND c.name = p.name AND c.neutral IS NOT NULL)"

static int fill_sum(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "msw_sum_swap(%s, ", merge->filled);
    msw_text_add_sql_string(&sql, msw_sql_text(row, 0));
    msw_text_add(&sql, ", NULL, %s)", msw_sql_text(row, 1));
    char *value = sql.failed ? NULL : msw_strdup(msw_text_str(&sql));
    msw_text_free(&sql);
    free(merge->filled);
    merge->filled = value;
    return value ? 0 : msw_fail_memory(err);
}

static int append_column(char **list, const char *name, const char *value, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "%s, ", *list ? *list : "");
    if (value)
        msw_text_add(&text, "%s", value);
    else
        msw_sql_add_column(&text, name);
    free(*list);
    *list = text.failed ? NULL : msw_strdup(msw_text_str(&text));
    msw_text_free(&text);
    return *list ? 0 : msw_fail_memory(err);
}

static int list_column(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    const char *name = msw_sql_text(row, 0);
    const char *value = strcmp(name, MSW_SUM_COLUMN) == 0 ? merge->filled : NULL;
    MSW_TRY(append_column(&merge->columns, name, NULL, err));
    return append_column(&merge->values, name, value, err);
}

static int point_view(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_view_point(merge->store, sqlite3_column_int64(row, 0), err);
}

#define TABLES                                                                                     \
    "SELECT m.sql, (SELECT h.sql FROM main.sqlite_master AS h WHERE h.type = 'table' AND h.name "  \
    "= m.name) FROM other.sqlite_master AS m WHERE m.type = 'table' AND (m.name = 'points_' || "   \
    "?1 OR (" MSW_DETAIL_OF("other") "))"

#define COLUMNS                                                                                    \
    "SELECT name FROM pragma_table_info('points_' || ?1, 'other') WHERE name NOT IN ('id', 'run')"

#define CURRENT                                                                                    \
    "SELECT id FROM main.msw_sweep AS s WHERE mechanism = ?1 AND id = (SELECT max(id) FROM "       \
    "main.msw_sweep WHERE name = s.name AND (is_current OR NOT EXISTS(SELECT 1 FROM "              \
    "main.msw_sweep WHERE name = s.name AND is_current)))"

int msw_merge_tables(msw_merge *merge, msw_err *err)
{
    const char *name = merge->mechanism;
    merge->filled = msw_strdup(MSW_SUM_COLUMN);
    if (!merge->filled)
        return msw_fail_memory(err);
    MSW_TRY(msw_merge_each(merge, TABLES, name, fit_table, err));
    MSW_TRY(msw_merge_each(merge, FILLED, name, fill_sum, err));
    MSW_TRY(msw_merge_each(merge, COLUMNS, name, list_column, err));
    return 0;
}

int msw_merge_views(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge, CURRENT, merge->mechanism, point_view, err);
}
