/* SPDX-License-Identifier: MIT */
/* Reads what the catalogue knows about a sweep, and the records of jobs given to a scheduler. */
#include "store/catalogue/names.h"
#include "store/read/view.h"

#include "store/catalogue/catalogue.h"
#include "store/file/file.h"
#include "store/state.h"
#include "store/sum/sum.h"

#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Reads the next string of the JSON that catalogue.c wrote (names and goals need no escapes).
 * Returns it on the heap, or NULL at the end. */
static char *next_string(const char **json)
{
    const char *open = strchr(*json, '"');
    const char *close = open ? strchr(open + 1, '"') : NULL;
    if (!close)
        return NULL;
    *json = close + 1;
    return msw_strfmt("%.*s", (int)(close - open - 1), open + 1);
}

static int add_objective(msw_sweep_info *info, char *name, const char *goal, msw_err *err)
{
    if (msw_vec_extend(&info->objectives, info->objective_count, sizeof *info->objectives, err)) {
        free(name);
        return -1;
    }
    info->objectives[info->objective_count++] =
        (msw_objective){name, strcmp(goal, "lower") == 0 ? MSW_GOAL_LOWER : MSW_GOAL_HIGHER};
    return 0;
}

static int parse_objectives(msw_sweep_info *info, const char *json, msw_err *err)
{
    while (strchr(json, '"')) {
        free(next_string(&json)); /* "name" */
        char *name = next_string(&json);
        free(next_string(&json)); /* "goal" */
        char *goal = next_string(&json);
        if (!name || !goal) {
            free(name);
            free(goal);
            return msw_fail_memory(err);
        }
        int result = add_objective(info, name, goal, err);
        free(goal);
        if (result)
            return -1;
    }
    return 0;
}

int msw_sweep_info_read(msw_store *store, int64_t sweep, msw_sweep_info *info, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT id, mechanism, objectives, canonical, points, digest FROM "
                        "main.msw_sweep "
                        "WHERE id = ?1",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0) {
        info->id = sqlite3_column_int64(stmt, 0);
        info->mechanism = msw_strdup(msw_sql_text(stmt, 1));
        info->canonical = msw_strdup(msw_sql_text(stmt, 3));
        info->points = (uint64_t)sqlite3_column_int64(stmt, 4);
        if (!msw_digest_parse(msw_sql_text(stmt, 5), &info->plan))
            info->plan = (msw_digest){0};
        got = parse_objectives(info, msw_sql_text(stmt, 2), err);
    }
    sqlite3_finalize(stmt);
    return got == 0 && (!info->mechanism || !info->canonical) ? msw_fail_memory(err) : got;
}

char *msw_store_called(msw_store *store, const msw_plan *plan, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char digest[MSW_DIGEST_TEXT], *called = NULL;
    if (msw_sql_prepare(store, "SELECT name FROM main.msw_sweep WHERE digest = ?1", &stmt, err))
        return NULL;
    sqlite3_bind_text(stmt, 1, msw_digest_text(plan->digest, digest), -1, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0 && !(called = msw_strfmt("%s@%.8s", msw_sql_text(stmt, 0), digest)))
        msw_fail_memory(err);
    else if (got == 0)
        msw_fail_kind(err, MSW_ERR_IO, "%s: no rows of sweep '%s' as it is now", store->path,
                      plan->name);
    sqlite3_finalize(stmt);
    return called;
}

/* Workloads in the brackets may have an '@' in their names. */
const char *msw_sweep_over_word(const msw_sweep_info *info)
{
    size_t at = strcspn(info->name, "(");
    while (at && info->name[at - 1] != '@')
        at--;
    return info->name + at;
}

void msw_sweep_info_free(msw_sweep_info *info)
{
    for (size_t i = 0; i < info->objective_count; i++)
        free(info->objectives[i].name);
    free(info->objectives);
    free(info->name);
    free(info->mechanism);
    free(info->canonical);
    *info = (msw_sweep_info){0};
}

int msw_store_add_job(msw_store *store, int64_t sweep_id, const char *job, const char *role,
                      const char *command_line, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "INSERT INTO msw_job(sweep, job, role, submitted, command_line) VALUES(?1, "
                        "?2, ?3, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?4)",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep_id);
    sqlite3_bind_text(stmt, 2, job, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, role, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, command_line, -1, SQLITE_STATIC);
    int result = msw_sql_run(store, stmt, err);
    sqlite3_finalize(stmt);
    return result ? -1 : msw_sum_seal(store, "msw_job", sqlite3_last_insert_rowid(store->db), err);
}

static int add_row(sqlite3_stmt *row, msw_table *table, msw_err *err)
{
    if (msw_table_resize(table, table->rows + 1, err))
        return -1;
    for (size_t c = 0; c < table->column_count; c++) {
        msw_column *column = &table->columns[c];
        double *value = &column->values[table->rows - 1];
        if (sqlite3_column_type(row, (int)c) == SQLITE_TEXT) {
            int label = msw_column_label(column, msw_sql_text(row, (int)c), err);
            if (label < 0)
                return -1;
            *value = label;
        } else {
            column->integer = sqlite3_column_type(row, (int)c) == SQLITE_INTEGER;
            *value = sqlite3_column_double(row, (int)c);
        }
    }
    return 0;
}

/* Fills a table from a query whose columns are named and of one type each. */
static int fill(msw_store *store, const char *sql, msw_table *table, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    *table = (msw_table){0};
    int got = msw_sql_prepare(store, sql, &stmt, err);
    for (int c = 0; got >= 0 && c < sqlite3_column_count(stmt); c++)
        got = msw_table_add_column(table, sqlite3_column_name(stmt, c), "", MSW_GOAL_NONE, err);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        if (add_row(stmt, table, err))
            got = -1;
    sqlite3_finalize(stmt);
    if (got == 0)
        return 0;
    msw_table_free(table);
    return -1;
}

int msw_store_jobs(msw_store *store, msw_table *table, msw_err *err)
{
    return fill(store,
                "SELECT s.name AS sweep, j.job, j.role, j.submitted FROM msw_job AS j JOIN "
                "msw_sweep AS s ON s.id = j.sweep ORDER BY j.id DESC",
                table, err);
}

#define RUNNING                                                                                    \
    "SELECT s.name AS sweep, r.host, r.ranks, r.threads, r.row_count AS rows, r.row_count / "      \
    "max(0.001, (julianday('now') - julianday(r.started)) * 86400.0) AS rows_per_s, "              \
    "max(0, " MSW_TARGET_SQL                                                                       \
    " - ifnull((SELECT sum(point_count) FROM msw_span WHERE sweep = s.id), 0)) * "                 \
    "(julianday('now') - julianday(r.started)) * 86400.0 / max(1, r.row_count) AS seconds_left "   \
    "FROM msw_run AS r JOIN msw_sweep AS s ON s.id = r.sweep WHERE r.ended IS NULL AND r.reason "  \
    "IS NULL"

int msw_store_running(msw_store *store, msw_table *table, msw_err *err)
{
    return fill(store, msw_file_lock_held(store->path) ? RUNNING : RUNNING " AND 0", table, err);
}
