/* SPDX-License-Identifier: MIT */
/* Lists the sweeps of a file, a line each, and finds the sweep that a command means. */
#include "store/catalogue/catalogue.h"
#include "store/catalogue/names.h"
#include "store/file/file.h"
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/sweep/keep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME, MECHANISM, FIDELITY, POINTS, ANSWERED, FAILED, LAST_RUN, STATE, STATUS_COLUMNS };

static int add_status_columns(msw_table *table, msw_err *err)
{
    static const char *const NAMES[] = {"sweep",    "mechanism", "fidelity", "points",
                                        "answered", "failed",    "last_run", "state"};
    for (int c = 0; c < STATUS_COLUMNS; c++) {
        int at = msw_table_add_column(table, NAMES[c], "", MSW_GOAL_NONE, err);
        if (at < 0)
            return -1;
        table->columns[at].integer = c == POINTS || c == ANSWERED || c == FAILED;
    }
    return 0;
}

static int set_text(msw_table *table, int column, const char *text, msw_err *err)
{
    int label = msw_column_label(&table->columns[column], text, err);
    if (label < 0)
        return -1;
    table->columns[column].values[table->rows - 1] = label;
    return 0;
}

static void set_number(msw_table *table, int column, int64_t value)
{
    table->columns[column].values[table->rows - 1] = (double)value;
}

static const char *state_of(const msw_store *store, const char *fidelity, int64_t points,
                            int64_t rows, int64_t answered, bool open_run, bool stated, bool kept)
{
    if (strcmp(fidelity, "auto-full") == 0 && !open_run && rows != points)
        return "chosen points";
    if (strcmp(fidelity, "auto") == 0 && answered == points && !stated)
        return open_run && msw_file_lock_held(store->path) ? "running" : "rounds to come";
    if (answered == points || kept)
        return "complete";
    if (open_run && msw_file_lock_held(store->path))
        return "running";
    return rows == points ? "finished, some failed" : "incomplete";
}

static int add_texts(const msw_sweep_name *sweep, const char *last, const char *state,
                     msw_table *table, msw_err *err)
{
    MSW_TRY(set_text(table, NAME, sweep->called, err));
    MSW_TRY(set_text(table, MECHANISM, sweep->mechanism, err));
    MSW_TRY(set_text(table, FIDELITY, sweep->fidelity, err));
    MSW_TRY(set_text(table, LAST_RUN, last ? last : "never", err));
    return set_text(table, STATE, state, err);
}

/* Rows that are not to be trusted; tables from before there were doubts have none. */
static int count_doubtful(msw_store *store, const msw_sweep_name *sweep, int64_t *count,
                          msw_err *err)
{
    char *sql = msw_strfmt("SELECT count(*) FROM main.msw_span AS s CROSS JOIN main.points_%s AS p "
                           "ON p.id BETWEEN s.first_row AND s.first_row + s.point_count - 1 WHERE "
                           "s.sweep = %" PRId64 " AND p." MSW_DOUBT_NAME " IS NOT NULL",
                           sweep->mechanism, sweep->id);
    int64_t has = 0;
    *count = 0;
    int rc = sql ? msw_sql_integer(store,
                                   "SELECT count(*) FROM pragma_table_info('points_' || ?1) WHERE "
                                   "name = '" MSW_DOUBT_NAME "'",
                                   sweep->mechanism, &has, err)
                 : msw_fail_memory(err);
    if (rc == 0 && has)
        rc = msw_sql_integer(store, sql, NULL, count, err);
    free(sql);
    return rc;
}

/* Points that a search spared, as its statement says. */
static int count_spared(msw_store *store, const msw_sweep_name *sweep, int64_t *count, msw_err *err)
{
    char *sql = msw_strfmt("SELECT coalesce(max(json_extract(result, '$.spared')), 0) FROM (SELECT "
                           "result FROM main.msw_analysis WHERE sweep = %" PRId64
                           " AND kind = 'search' ORDER BY id DESC LIMIT 1)",
                           sweep->id);
    int rc = sql ? msw_sql_integer(store, sql, NULL, count, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

/* A column that is there where some sweep counts above 0. */
static int add_counts(msw_store *store, const msw_names *names, const char *called,
                      int (*counter)(msw_store *, const msw_sweep_name *, int64_t *, msw_err *),
                      msw_table *table, msw_err *err)
{
    int column = -1;
    for (size_t i = 0; i < names->count; i++) {
        int64_t count;
        MSW_TRY(counter(store, &names->list[i], &count, err));
        if (count && column < 0) {
            column = msw_table_add_column(table, called, "", MSW_GOAL_NONE, err);
            MSW_TRY(column < 0);
            table->columns[column].integer = true;
            for (size_t r = 0; r < table->rows; r++)
                table->columns[column].values[r] = 0;
        }
        if (count)
            table->columns[column].values[i] = (double)count;
    }
    return 0;
}

/* `runs`: when the last one started, whether one is open. */
static int add_sweep(msw_store *store, const msw_sweep_name *sweep, sqlite3_stmt *runs,
                     msw_table *table, msw_err *err)
{
    int64_t rows = 0, answered = 0, points = 0;
    sqlite3_reset(runs);
    sqlite3_bind_int64(runs, 1, sweep->id);
    if (msw_sql_step(store, runs, err) < 0 ||
        msw_sweep_answered(store, sweep->id, sweep->mechanism, &rows, &answered, err) ||
        msw_table_resize(table, table->rows + 1, err) ||
        msw_sql_integer(store,
                        "SELECT " MSW_TARGET_SQL " FROM main.msw_sweep AS s WHERE digest = ?1",
                        sweep->digest, &points, err) ||
        add_texts(sweep, (const char *)sqlite3_column_text(runs, 0),
                  state_of(store, sweep->fidelity, points, rows, answered,
                           sqlite3_column_int(runs, 1), sqlite3_column_int(runs, 2),
                           sqlite3_column_int(runs, 3)),
                  table, err))
        return -1;
    set_number(table, POINTS, points);
    set_number(table, ANSWERED, answered);
    set_number(table, FAILED, rows - answered);
    return 0;
}

static int add_sweeps(msw_store *store, msw_table *table, msw_err *err)
{
    sqlite3_stmt *runs = NULL;
    msw_names names;
    if (msw_names_load(store, NULL, &names, err))
        return -1;
    int result = msw_sql_prepare(store,
                                 "SELECT (SELECT max(started) FROM main.msw_run WHERE sweep = ?1), "
                                 "EXISTS(SELECT 1 FROM main.msw_run WHERE sweep = ?1 AND ended IS "
                                 "NULL), EXISTS(SELECT 1 FROM main.msw_analysis WHERE sweep = ?1 "
                                 "AND kind = 'auto'), EXISTS(SELECT 1 FROM main.msw_analysis WHERE "
                                 "sweep = ?1 AND kind = '" MSW_KEPT_RECORD "')",
                                 &runs, err);
    for (size_t i = 0; result == 0 && i < names.count; i++)
        result = add_sweep(store, &names.list[i], runs, table, err);
    sqlite3_finalize(runs);
    if (result == 0)
        result = add_counts(store, &names, "doubtful", count_doubtful, table, err);
    if (result == 0)
        result = add_counts(store, &names, "spared", count_spared, table, err);
    msw_names_free(&names);
    return result;
}

int msw_store_status(msw_store *store, msw_table *table, msw_err *err)
{
    *table = (msw_table){0};
    if (add_status_columns(table, err) == 0 && add_sweeps(store, table, err) == 0)
        return 0;
    msw_table_free(table);
    return -1;
}

int msw_store_sweep(msw_store *store, const char *name, msw_sweep_info *info, msw_err *err)
{
    msw_view view;
    *info = (msw_sweep_info){0};
    if (msw_view_load(store, name, false, &view, err))
        return -1;
    int64_t sweep = view.sweep;
    info->name = view.name;
    info->over = view.over;
    view.name = NULL;
    msw_view_free(&view);
    if (msw_sweep_info_read(store, sweep, info, err) == 0)
        return 0;
    msw_sweep_info_free(info);
    return -1;
}
