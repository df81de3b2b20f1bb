/* SPDX-License-Identifier: MIT */
/* The catalogue: tables every file has, whatever mechanisms are in it. Plain enough for the
 * SQLite 3.26 that clusters still run. Changes of the schema stand oldest first: step i brings a
 * file from version i to i + 1. A step is never edited once released. */
#include "store/catalogue/catalogue.h"

#include "store/sql/sql.h"
#include "store/state.h"
#include "store/write/rows.h"

#define SWEEP_TABLE                                                                                \
    "CREATE TABLE msw_sweep("                                                                      \
    " id INTEGER PRIMARY KEY,"                                                                     \
    " name TEXT NOT NULL,"                                                                         \
    " digest TEXT NOT NULL UNIQUE,"                                                                \
    " is_current INTEGER NOT NULL,"                                                                \
    " mechanism TEXT NOT NULL,"                                                                    \
    " mechanism_version INTEGER NOT NULL,"                                                         \
    " fidelity TEXT NOT NULL,"                                                                     \
    " design TEXT NOT NULL,"                                                                       \
    " points INTEGER NOT NULL,"                                                                    \
    " replicates INTEGER NOT NULL,"                                                                \
    " seed INTEGER NOT NULL,"                                                                      \
    " objectives TEXT NOT NULL,"                                                                   \
    " versions TEXT NOT NULL,"                                                                     \
    " canonical TEXT NOT NULL,"                                                                    \
    " view_sql TEXT NOT NULL,"                                                                     \
    " created TEXT NOT NULL,"                                                                      \
    " checksum INTEGER)"

#define RUN_TABLE                                                                                  \
    "CREATE TABLE msw_run("                                                                        \
    " id INTEGER PRIMARY KEY,"                                                                     \
    " sweep INTEGER NOT NULL,"                                                                     \
    " started TEXT NOT NULL,"                                                                      \
    " ended TEXT,"                                                                                 \
    " reason TEXT,"                                                                                \
    " host TEXT NOT NULL,"                                                                         \
    " pid INTEGER NOT NULL,"                                                                       \
    " command_line TEXT NOT NULL,"                                                                 \
    " version TEXT NOT NULL,"                                                                      \
    " build TEXT NOT NULL DEFAULT '',"                                                             \
    " ranks INTEGER NOT NULL,"                                                                     \
    " threads INTEGER NOT NULL,"                                                                   \
    " row_count INTEGER NOT NULL DEFAULT 0,"                                                       \
    " revision TEXT,"                                                                              \
    " checksum INTEGER)"

#define COLUMN_TABLE                                                                               \
    "CREATE TABLE msw_column("                                                                     \
    " table_name TEXT NOT NULL,"                                                                   \
    " name TEXT NOT NULL,"                                                                         \
    " role TEXT NOT NULL,"                                                                         \
    " type TEXT NOT NULL,"                                                                         \
    " unit TEXT NOT NULL,"                                                                         \
    " kind TEXT,"                                                                                  \
    " goal TEXT,"                                                                                  \
    " minimum REAL,"                                                                               \
    " maximum REAL,"                                                                               \
    " default_value TEXT,"                                                                         \
    " doc TEXT NOT NULL,"                                                                          \
    " source TEXT,"                                                                                \
    " reference TEXT,"                                                                             \
    " neutral BLOB,"                                                                               \
    " checksum INTEGER,"                                                                           \
    " PRIMARY KEY(table_name, name)) WITHOUT ROWID"

#define SPAN_TABLE                                                                                 \
    "CREATE TABLE msw_span("                                                                       \
    " sweep INTEGER NOT NULL,"                                                                     \
    " first_point INTEGER NOT NULL,"                                                               \
    " first_row INTEGER NOT NULL,"                                                                 \
    " point_count INTEGER NOT NULL,"                                                               \
    " checksum INTEGER,"                                                                           \
    " PRIMARY KEY(sweep, first_point)) WITHOUT ROWID"

#define ANALYSIS_TABLE                                                                             \
    "CREATE TABLE msw_analysis("                                                                   \
    " id INTEGER PRIMARY KEY,"                                                                     \
    " sweep INTEGER NOT NULL,"                                                                     \
    " kind TEXT NOT NULL,"                                                                         \
    " settings TEXT NOT NULL,"                                                                     \
    " result TEXT NOT NULL,"                                                                       \
    " created TEXT NOT NULL,"                                                                      \
    " checksum INTEGER)"

const char msw_schema_job_table[] = "CREATE TABLE msw_job("
                                    " id INTEGER PRIMARY KEY,"
                                    " sweep INTEGER NOT NULL,"
                                    " job TEXT NOT NULL,"
                                    " role TEXT NOT NULL,"
                                    " submitted TEXT NOT NULL,"
                                    " command_line TEXT NOT NULL,"
                                    " checksum INTEGER)";

const char msw_schema_artifact_table[] = "CREATE TABLE msw_artifact("
                                         " id INTEGER PRIMARY KEY,"
                                         " key BLOB NOT NULL UNIQUE,"
                                         " mechanism TEXT NOT NULL,"
                                         " name TEXT NOT NULL,"
                                         " version INTEGER NOT NULL,"
                                         " whole INTEGER NOT NULL,"
                                         " bytes BLOB NOT NULL,"
                                         " digest BLOB NOT NULL,"
                                         " created TEXT NOT NULL)";

const char msw_schema_summary_table[] = "CREATE TABLE msw_summary("
                                        " sweep INTEGER NOT NULL,"
                                        " workload INTEGER NOT NULL,"
                                        " level INTEGER NOT NULL,"
                                        " position INTEGER NOT NULL,"
                                        " bytes BLOB NOT NULL,"
                                        " digest BLOB NOT NULL,"
                                        " PRIMARY KEY(sweep, workload, level, position))";

const char msw_schema_choice_table[] = "CREATE TABLE msw_choice("
                                       " sweep INTEGER NOT NULL,"
                                       " chosen INTEGER NOT NULL,"
                                       " round INTEGER NOT NULL,"
                                       " role TEXT NOT NULL,"
                                       " state TEXT,"
                                       " margin REAL,"
                                       " PRIMARY KEY(sweep, chosen)) WITHOUT ROWID";

const char msw_schema_attempt_table[] = "CREATE TABLE msw_attempt("
                                        " key BLOB NOT NULL,"
                                        " ended TEXT NOT NULL,"
                                        " host TEXT NOT NULL,"
                                        " how TEXT NOT NULL,"
                                        " wall_s REAL,"
                                        " cpu_s REAL,"
                                        " memory_bytes REAL,"
                                        " folder TEXT,"
                                        " said TEXT,"
                                        " PRIMARY KEY(key, ended, host)) WITHOUT ROWID";

const char msw_schema_lease_table[] = "CREATE TABLE msw_lease("
                                      " sweep INTEGER NOT NULL,"
                                      " point INTEGER NOT NULL,"
                                      " key BLOB NOT NULL,"
                                      " until REAL NOT NULL,"
                                      " PRIMARY KEY(sweep, point)) WITHOUT ROWID";

const char msw_schema_input_table[] = "CREATE TABLE msw_input("
                                      " id INTEGER PRIMARY KEY,"
                                      " digest BLOB NOT NULL UNIQUE,"
                                      " size INTEGER NOT NULL,"
                                      " bytes BLOB NOT NULL)";

const char msw_schema_source_table[] = "CREATE TABLE msw_source("
                                       " sweep TEXT NOT NULL,"
                                       " position INTEGER NOT NULL,"
                                       " role TEXT NOT NULL,"
                                       " path TEXT NOT NULL,"
                                       " input BLOB,"
                                       " PRIMARY KEY(sweep, position)) WITHOUT ROWID";

const char *const msw_schema_tables[] = {
    SWEEP_TABLE, RUN_TABLE, COLUMN_TABLE, SPAN_TABLE, ANALYSIS_TABLE, msw_schema_job_table, NULL};

int msw_schema_create(msw_store *store, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "PRAGMA page_size = 8192; BEGIN IMMEDIATE;");
    for (const char *const *table = msw_schema_tables; *table; table++)
        msw_text_add(&sql, "%s;", *table);
    msw_text_add(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
                 MSW_APPLICATION_ID, MSW_SCHEMA_VERSION);
    return msw_sql_exec_text(store, &sql, err);
}

static const char *const STEPS[MSW_SCHEMA_VERSION] = {
    /* Files from before the first release do not say which build computed a run. */
    "ALTER TABLE msw_run ADD COLUMN build TEXT NOT NULL DEFAULT ''",
    "CREATE TABLE msw_job( id INTEGER PRIMARY KEY, sweep INTEGER NOT NULL, job TEXT NOT NULL, role "
    "TEXT NOT NULL, submitted TEXT NOT NULL, command_line TEXT NOT NULL)",
    /* Checksums, what they leave out, and which program computed a run. Rows that are there are not
     * covered: nobody knows whether they are sound. */
    "ALTER TABLE msw_run ADD COLUMN revision TEXT;"
    "ALTER TABLE msw_column ADD COLUMN neutral BLOB;"
    "ALTER TABLE msw_sweep ADD COLUMN checksum INTEGER;"
    "ALTER TABLE msw_run ADD COLUMN checksum INTEGER;"
    "ALTER TABLE msw_column ADD COLUMN checksum INTEGER;"
    "ALTER TABLE msw_span ADD COLUMN checksum INTEGER;"
    "ALTER TABLE msw_analysis ADD COLUMN checksum INTEGER;"
    "ALTER TABLE msw_job ADD COLUMN checksum INTEGER",
};

int msw_migrate(msw_store *store, int64_t from, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "BEGIN IMMEDIATE;");
    for (int64_t version = from; version < MSW_SCHEMA_VERSION; version++)
        msw_text_add(&sql, "%s;", STEPS[version]);
    msw_text_add(&sql, "PRAGMA user_version = %d; COMMIT;", MSW_SCHEMA_VERSION);
    if (msw_sql_exec_text(store, &sql, err) == 0)
        return 0;
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return msw_fail_prefix(err, "bringing the file from schema %d to %d: ", (int)from,
                           MSW_SCHEMA_VERSION);
}
