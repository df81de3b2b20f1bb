/* SPDX-License-Identifier: MIT */
/* Merging what a file says about itself: columns, sweeps, runs. */
#include "store/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                    \
    "table_name, name, role, type, unit, kind, goal, minimum, maximum, default_value, doc, "       \
    "source, reference"

#define SUMS ", neutral, checksum"

/* Of a file without checksums nothing is left out, and nothing is covered. */
#define ADD_COLUMNS(sums)                                                                          \
    "INSERT OR IGNORE INTO main.msw_column(" COLUMNS sums ") SELECT " COLUMNS sums                 \
    " FROM other.msw_column AS c"

/* Those of one sweep alone: of its mechanism and its view, and those it derives. */
#define OF_ONE                                                                                     \
    " WHERE EXISTS(SELECT 1 FROM temp.merge_sweep AS w WHERE c.table_name IN ('view', w.digest, "  \
    "'points_' || w.mechanism) OR (substr(c.table_name, 1, length(w.mechanism) + 8) = 'detail_' "  \
    "|| w.mechanism || '_' AND EXISTS(SELECT 1 FROM other.sqlite_master AS t WHERE t.type = "      \
    "'table' AND t.name = c.table_name)))"

/* A table here without a checksum in any row takes over what the rows that come leave out. */
#define TAKE_NEUTRAL                                                                               \
    "UPDATE main.msw_column SET neutral = (SELECT o.neutral FROM other.msw_column AS o WHERE "     \
    "o.table_name = msw_column.table_name AND o.name = msw_column.name) WHERE neutral IS NULL "    \
    "AND "                                                                                         \
    "checksum IS NULL"

#define OTHER_NEUTRAL                                                                              \
    "SELECT c.name, c.table_name FROM main.msw_column AS c JOIN other.msw_column AS o ON "         \
    "o.table_name = c.table_name AND o.name = c.name WHERE o.neutral IS NOT c.neutral "            \
    "AND (o.neutral IS NOT NULL OR o.checksum IS NOT NULL)"

#define DAMAGED_SWEEP  "SELECT name FROM other.msw_sweep WHERE "
#define DAMAGED_COLUMN "SELECT name FROM other.msw_column WHERE "

/* The sweep here that is the same as sweep `o.sweep` there. */
#define SWEEP_HERE                                                                                 \
    "(SELECT m.id FROM main.msw_sweep AS m JOIN other.msw_sweep AS x ON m.digest = x.digest"       \
    " WHERE x.id = o.sweep)"

/* Where one sweep is added alone, its rows may be of the runs of others. */
#define ONE_HERE "(SELECT max(m.id) FROM main.msw_sweep AS m)"

#define ADD_RUNS(number, condition, here, names, sums)                                             \
    "INSERT INTO main.msw_run(id, sweep, started, ended, reason, host, pid, command_line, "        \
    "version,"                                                                                     \
    " build, ranks, threads, row_count" names ") SELECT " number ", " here                         \
    ", started, ended, reason, host, pid, command_line, version, build, ranks, threads, "          \
    "row_count" sums " FROM other.msw_run AS o"                                                    \
    " WHERE " condition " NOT EXISTS(SELECT 1 FROM main.msw_run AS m WHERE m.host = o.host AND"    \
    " m.pid = o.pid AND m.started = o.started)"

/* Runs keep their number where it is free. */
#define ADD_ALL_RUNS(here, names, sums)                                                            \
    ADD_RUNS("id", "id NOT IN (SELECT id FROM main.msw_run) AND", here, names, sums)               \
    ";" ADD_RUNS("NULL", "", here, names, sums) ";"
#define ADD_RAN(names, sums)                                                                       \
    ADD_RUNS("NULL", "id IN (SELECT run FROM temp.merge_ran) AND", ONE_HERE, names, sums) ";"

#define RUN_NAMES      ", revision, checksum"
#define RUN_SUMS(here) ", revision, msw_sum_swap(checksum, 'sweep', o.sweep, " here ")"

#define MAP_RUNS                                                                                   \
    "CREATE TEMP TABLE merge_run(there INTEGER PRIMARY KEY, here INTEGER);"                        \
    "INSERT INTO temp.merge_run SELECT o.id, min(m.id) FROM other.msw_run"                         \
    " AS o JOIN main.msw_run AS m ON m.host = o.host AND m.pid = o.pid AND m.started = o.started"  \
    " GROUP BY o.id"

/* A whole artifact stays; one that an unfinished build saved is replaced by a whole one from the
 * other file. */
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

/* Choices of one plan are the same wherever they were made; the state of a point is worked out
 * again at the end of a run. */
#define ADD_CHOICES                                                                                \
    "INSERT OR IGNORE INTO main.msw_choice(sweep, chosen, round, role, state, margin) SELECT "     \
    "m.id, o.chosen, o.round, o.role, o.state, o.margin FROM other.msw_choice AS o JOIN "          \
    "other.msw_sweep AS x ON x.id = o.sweep JOIN main.msw_sweep AS m ON m.digest = x.digest"

static int add_choices(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    int64_t there = 0, here = 0;
    if (msw_sql_integer(store, MSW_CHOICES_THERE("other"), NULL, &there, err) ||
        msw_sql_integer(store, MSW_CHOICES_THERE("main"), NULL, &here, err))
        return -1;
    if (!there)
        return 0;
    if (!here && msw_sql_exec(store, msw_schema_choice_table, err))
        return -1;
    return msw_sql_exec(store, ADD_CHOICES, err);
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

static int refuse_damaged(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    (void)merge;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "the record of sweep or column %s is damaged: run the sweep into that "
                         "file, which makes it again",
                         msw_sql_text(row, 0));
}

static int refuse_neutral(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    (void)merge;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "the checksums of the two files leave out different values of column %s "
                         "of %s: run the sweep again",
                         msw_sql_text(row, 0), msw_sql_text(row, 1));
}

static int find_damaged(msw_merge *merge, const char *ask, const char *table, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "%s", ask);
    int rc = msw_sum_damaged(merge->store, "other", table, &sql, err) ||
             msw_merge_each(merge, msw_text_str(&sql), NULL, refuse_damaged, err);
    msw_text_free(&sql);
    return rc ? -1 : 0;
}

/* What rows and columns are called and mean decides over all rows: it has to be sound. */
static int add_columns(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    const char *add = merge->sums   ? merge->only ? ADD_COLUMNS(SUMS) OF_ONE : ADD_COLUMNS(SUMS)
                        : merge->only ? ADD_COLUMNS("") OF_ONE
                                    : ADD_COLUMNS("");
    if (!merge->sums)
        return msw_sql_exec(store, add, err);
    MSW_TRY(find_damaged(merge, DAMAGED_SWEEP, "msw_sweep", err));
    MSW_TRY(find_damaged(merge, DAMAGED_COLUMN, "msw_column", err));
    MSW_TRY(msw_sql_exec(store, add, err));
    MSW_TRY(msw_sql_exec(store, TAKE_NEUTRAL, err));
    MSW_TRY(msw_merge_each(merge, OTHER_NEUTRAL, NULL, refuse_neutral, err));
    return 0;
}

static int add_runs(msw_merge *merge, msw_err *err)
{
    const char *all = merge->sums ? ADD_ALL_RUNS(SWEEP_HERE, RUN_NAMES, RUN_SUMS(SWEEP_HERE))
                                  : ADD_ALL_RUNS(SWEEP_HERE, "", "");
    const char *ran = merge->sums ? ADD_RAN(RUN_NAMES, RUN_SUMS(ONE_HERE)) : ADD_RAN("", "");
    MSW_TRY(msw_sql_exec(merge->store, merge->only ? ran : all, err));
    MSW_TRY(msw_sql_exec(merge->store, MAP_RUNS, err));
    return 0;
}

int msw_merge_catalogue(msw_merge *merge, msw_err *err)
{
    MSW_TRY(msw_merge_each(merge,
                           "SELECT name FROM other.msw_sweep WHERE id IN (SELECT id FROM "
                           "temp.merge_sweep) AND name NOT IN (SELECT name FROM main.msw_sweep)",
                           NULL, check_name, err));
    MSW_TRY(!merge->only && add_kept(merge, err));
    MSW_TRY(add_columns(merge, err));
    MSW_TRY(msw_merge_sweeps(merge, err));
    MSW_TRY(add_choices(merge, err));
    MSW_TRY(add_runs(merge, err));
    MSW_TRY(msw_merge_each(merge,
                           "SELECT min(here - there), max(here - there) FROM "
                           "temp.merge_run",
                           NULL, find_shift, err));
    return 0;
}
