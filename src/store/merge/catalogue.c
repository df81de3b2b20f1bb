/* Merging what a file says about itself: columns, sweeps, runs. */
#include "store/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                    \
    "table_name, name, role, type, unit, kind, goal, minimum, maximum, default_value, doc, "       \
    "source, reference"

#define ADD_COLUMNS                                                                                \
    "INSERT OR IGNORE INTO main.msw_column(" COLUMNS ") SELECT " COLUMNS " FROM other.msw_column"

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

/* What is whole here stays; what an unfinished build saved gives way to what is whole there. */
#define ADD_KEPT                                                                                   \
    "DELETE FROM main.msw_artifact WHERE whole = 0 AND key IN (SELECT key FROM "                   \
    "other.msw_artifact WHERE whole <> 0);"                                                        \
    "INSERT OR IGNORE INTO main.msw_artifact(key, mechanism, name, version, whole, bytes, digest," \
    " created) SELECT key, mechanism, name, version, whole, bytes, digest, created FROM "          \
    "other.msw_artifact ORDER BY id"

static int add_kept(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    int64_t there = 0, here = 0;
    if (msw_sql_integer(store, MSW_KEPT_THERE("other"), NULL, &there, err) ||
        msw_sql_integer(store, MSW_KEPT_THERE("main"), NULL, &here, err))
        return -1;
    if (!there)
        return 0;
    if (!here && msw_sql_exec(store, msw_schema_artifact_table, err))
        return -1;
    return msw_sql_exec(store, ADD_KEPT, err);
}

static int check_name(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_view_check_name(merge->store, msw_sql_text(row, 0), err);
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
                   add_kept(merge, err) || msw_sql_exec(store, ADD_COLUMNS, err) ||
                   msw_merge_sweeps(merge, err) ||
                   msw_sql_exec(store, ADD_ALL_RUNS ";" MAP_RUNS, err) ||
                   msw_merge_each(merge,
                                  "SELECT min(here - there), max(here - there) FROM "
                                  "temp.merge_run",
                                  NULL, find_shift, err)
               ? -1
               : 0;
}
