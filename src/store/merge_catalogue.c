/* Merging what a file says about itself: columns, sweeps, runs. */
#include "store/merge.h"

#include <stdlib.h>
#include <string.h>

#define ADD_COLUMNS "INSERT OR IGNORE INTO main.msw_column SELECT * FROM other.msw_column"

#define ADD_SWEEPS                                                                                 \
    "INSERT INTO main.msw_sweep(name, digest, is_current, mechanism, mechanism_version, fidelity," \
    " design, points, replicates, seed, objectives, versions, canonical, view_sql, created)"       \
    " SELECT name, digest, 0, mechanism, mechanism_version, fidelity, design, points,"             \
    " replicates, seed, objectives, versions, canonical, view_sql, created FROM other.msw_sweep"   \
    " WHERE digest NOT IN (SELECT digest FROM main.msw_sweep) ORDER BY id"

/* The sweep here that is the same as sweep `o.sweep` there. */
#define SWEEP_HERE                                                                                 \
    "(SELECT m.id FROM main.msw_sweep AS m JOIN other.msw_sweep AS x ON m.digest = x.digest"       \
    " WHERE x.id = o.sweep)"

#define ADD_RUNS(number, condition)                                                                \
    "INSERT INTO main.msw_run(id, sweep, started, ended, reason, host, pid, command_line, "        \
    "version,"                                                                                     \
    " build, ranks, threads, row_count) SELECT " number ", " SWEEP_HERE                            \
    ", started, ended, reason,"                                                                    \
    " host, pid, command_line, version, build, ranks, threads, row_count FROM other.msw_run AS o"  \
    " WHERE " condition " NOT EXISTS(SELECT 1 FROM main.msw_run AS m WHERE m.host = o.host AND"    \
    " m.pid = o.pid AND m.started = o.started)"

/* Runs keep their number where it is free. */
#define ADD_ALL_RUNS                                                                               \
    ADD_RUNS("id", "id NOT IN (SELECT id FROM main.msw_run) AND") ";" ADD_RUNS("NULL", "")

#define MAP_RUNS                                                                                   \
    "CREATE TEMP TABLE merge_run(there INTEGER PRIMARY KEY, here INTEGER);"                        \
    "INSERT INTO temp.merge_run SELECT o.id, min(m.id) FROM other.msw_run"                         \
    " AS o JOIN main.msw_run AS m ON m.host = o.host AND m.pid = o.pid AND m.started = o.started"  \
    " GROUP BY o.id"

static int check_name(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_view_check_name(merge->store, msw_sql_text(row, 0), err);
}

static int point_view(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_view_point(merge->store, sqlite3_column_int64(row, 0), msw_sql_text(row, 1), err);
}

static int find_shift(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    (void)err;
    merge->run_shift = sqlite3_column_int64(row, 0);
    merge->runs_shift = sqlite3_column_type(row, 0) != SQLITE_NULL &&
                        merge->run_shift == sqlite3_column_int64(row, 1);
    return 0;
}

int msw_merge_catalogue(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    return msw_merge_each(merge,
                          "SELECT name FROM other.msw_sweep WHERE name NOT IN (SELECT name FROM "
                          "main.msw_sweep)",
                          NULL, check_name, err) ||
                   msw_sql_exec(store, ADD_COLUMNS ";" ADD_SWEEPS ";" ADD_ALL_RUNS ";" MAP_RUNS,
                                err) ||
                   msw_merge_each(merge,
                                  "SELECT min(here - there), max(here - there) FROM "
                                  "temp.merge_run",
                                  NULL, find_shift, err)
               ? -1
               : 0;
}

static int add_column(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    const char *name = msw_sql_text(row, 0);
    const char *value = (const char *)sqlite3_column_text(row, 2);
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "ALTER TABLE main.points_%s ADD COLUMN %s %s", merge->mechanism, name,
                 msw_sql_text(row, 1));
    if (value)
        msw_text_add(&sql, " DEFAULT %s", value);
    return msw_sql_exec_text(merge->store, &sql, err);
}

static int create_table(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_sql_exec(merge->store, msw_sql_text(row, 0), err);
}

static int list_column(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    char *longer = msw_strfmt("%s, %s", merge->columns ? merge->columns : "", msw_sql_text(row, 0));
    free(merge->columns);
    merge->columns = longer;
    return longer ? 0 : msw_fail_memory(err);
}

int msw_merge_tables(msw_merge *merge, msw_err *err)
{
    const char *name = merge->mechanism;
    return msw_merge_each(merge,
                          "SELECT sql FROM other.sqlite_master WHERE type = 'table' AND (name = "
                          "'points_' || ?1 OR substr(name, 1, length(?1) + 8) = 'detail_' || ?1 "
                          "|| '_') AND name NOT IN (SELECT name FROM main.sqlite_master)",
                          name, create_table, err) ||
                   msw_merge_each(merge,
                                  "SELECT name, type, dflt_value FROM pragma_table_info('points_' "
                                  "|| ?1, 'other') WHERE name NOT IN (SELECT name FROM "
                                  "pragma_table_info('points_' || ?1, 'main'))",
                                  name, add_column, err) ||
                   msw_merge_each(merge,
                                  "SELECT name FROM pragma_table_info('points_' || ?1, 'other') "
                                  "WHERE name NOT IN ('id', 'run')",
                                  name, list_column, err) ||
                   msw_merge_each(
                       merge,
                       "SELECT id, name FROM main.msw_sweep AS s WHERE mechanism = ?1 "
                       "AND id = (SELECT max(id) FROM main.msw_sweep WHERE name = s.name "
                       "AND (is_current OR NOT EXISTS(SELECT 1 FROM main.msw_sweep "
                       "WHERE name = s.name AND is_current)))",
                       name, point_view, err)
               ? -1
               : 0;
}
