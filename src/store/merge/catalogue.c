/* SPDX-License-Identifier: MIT */
/* Merges what files say about themselves: tables, columns, sweeps, runs. Declarations of the
 * other file are read, never run: tables and columns are made afresh from their names, types and
 * defaults. */
#include "store/merge/merge.h"

#include "store/catalogue/catalogue.h"

#include "memsweep/base/quote.h"
#include "memsweep/sweep/errors.h"
#include "memsweep/sweep/keep.h"

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

/* Adds the sweeps that are new here, with views made afresh. */
static int msw_merge_sweeps(msw_merge *merge, msw_err *err)
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

#define TABLE_COLUMNS                                                                              \
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
    MSW_TRY(msw_merge_each(merge, TABLE_COLUMNS, name, list_column, err));
    return 0;
}

int msw_merge_views(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge, CURRENT, merge->mechanism, point_view, err);
}

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

/* Parts of a summary that are here stay; what others cover is left out when they are read. */
#define ADD_SUMMARIES                                                                              \
    "INSERT OR IGNORE INTO main.msw_summary(sweep, workload, level, position, bytes, digest) "     \
    "SELECT m.id, o.workload, o.level, o.position, o.bytes, o.digest FROM other.msw_summary AS o " \
    "JOIN other.msw_sweep AS x ON x.id = o.sweep JOIN main.msw_sweep AS m ON m.digest = x.digest"

static int add_summaries(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    int64_t there = 0, here = 0;
    if (msw_sql_integer(store, MSW_SUMMARIES_THERE("other"), NULL, &there, err) ||
        msw_sql_integer(store, MSW_SUMMARIES_THERE("main"), NULL, &here, err))
        return -1;
    if (!there)
        return 0;
    if (!here && msw_sql_exec(store, msw_schema_summary_table, err))
        return -1;
    return msw_sql_exec(store, ADD_SUMMARIES, err);
}

/* Files are the same where their digests are; a plan that has inputs here keeps them. */
#define ADD_INPUTS                                                                                 \
    "INSERT INTO main.msw_source(sweep, position, role, path, input) SELECT sweep, position, "     \
    "role, path, input FROM other.msw_source WHERE sweep IN (SELECT digest FROM "                  \
    "temp.merge_sweep) AND sweep NOT IN (SELECT sweep FROM main.msw_source);"                      \
    "INSERT OR IGNORE INTO main.msw_input(digest, size, bytes) SELECT digest, size, bytes FROM "   \
    "other.msw_input WHERE digest IN (SELECT input FROM main.msw_source)"

static int add_inputs(msw_merge *merge, msw_err *err)
{
    msw_store *store = merge->store;
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_INPUTS_THERE("other"), NULL, &there, err));
    if (!there)
        return 0;
    MSW_TRY(msw_inputs_make(store, err));
    return msw_sql_exec(store, ADD_INPUTS, err);
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

static int add_attempts(msw_merge *merge, msw_err *err)
{
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(merge->store, MSW_ATTEMPTS_THERE("other"), NULL, &there, err));
    if (!there)
        return 0;
    MSW_TRY(msw_attempts_make(merge->store, err));
    return msw_sql_exec(merge->store,
                        "INSERT OR IGNORE INTO main.msw_attempt SELECT * FROM other.msw_attempt",
                        err);
}

/* Rows keep their strata, so the tables come with them. */
#define ADD_ERRORS                                                                                 \
    "INSERT INTO main.msw_analysis(sweep, kind, settings, result, created, checksum) SELECT "      \
    "m.id, "                                                                                       \
    "o.kind, o.settings, o.result, o.created, msw_sum_swap(o.checksum, 'sweep', o.sweep, m.id) "   \
    "FROM other.msw_analysis AS o JOIN other.msw_sweep AS x ON x.id = o.sweep JOIN "               \
    "main.msw_sweep AS m ON m.digest = x.digest WHERE o.kind IN ('" MSW_ERRORS_KIND                \
    "', '" MSW_ERRORS_OWN "', '" MSW_KEPT_RECORD                                                   \
    "') AND NOT EXISTS(SELECT 1 FROM main.msw_analysis AS a WHERE a.kind = "                       \
    "o.kind AND a.result = o.result)"

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
    MSW_TRY(add_summaries(merge, err));
    MSW_TRY(add_columns(merge, err));
    MSW_TRY(msw_merge_sweeps(merge, err));
    MSW_TRY(add_choices(merge, err));
    MSW_TRY(add_attempts(merge, err));
    MSW_TRY(merge->sums && msw_sql_exec(merge->store, ADD_ERRORS, err));
    MSW_TRY(add_inputs(merge, err));
    MSW_TRY(add_runs(merge, err));
    MSW_TRY(msw_merge_each(merge,
                           "SELECT min(here - there), max(here - there) FROM "
                           "temp.merge_run",
                           NULL, find_shift, err));
    return 0;
}
