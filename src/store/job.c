/* Records of jobs given to a scheduler. */
#include "store/internal.h"

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
    return result;
}

enum { JOB_COLUMNS = 4 };

static int add_row(sqlite3_stmt *row, msw_table *table, msw_err *err)
{
    if (msw_table_resize(table, table->rows + 1, err))
        return -1;
    for (int c = 0; c < JOB_COLUMNS; c++) {
        int label = msw_column_label(&table->columns[c], msw_sql_text(row, c), err);
        if (label < 0)
            return -1;
        table->columns[c].values[table->rows - 1] = label;
    }
    return 0;
}

int msw_store_jobs(msw_store *store, msw_table *table, msw_err *err)
{
    static const char *const NAMES[JOB_COLUMNS] = {"sweep", "job", "role", "submitted"};
    sqlite3_stmt *stmt = NULL;
    *table = (msw_table){0};
    int got = 0;
    for (int c = 0; c < JOB_COLUMNS && got >= 0; c++)
        got = msw_table_add_column(table, NAMES[c], "", MSW_GOAL_NONE, err);
    if (got >= 0)
        got = msw_sql_prepare(store,
                              "SELECT s.name, j.job, j.role, j.submitted FROM msw_job AS j JOIN "
                              "msw_sweep AS s ON s.id = j.sweep ORDER BY j.id DESC",
                              &stmt, err);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0)
        if (add_row(stmt, table, err))
            got = -1;
    sqlite3_finalize(stmt);
    if (got == 0)
        return 0;
    msw_table_free(table);
    return -1;
}
