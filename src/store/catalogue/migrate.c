/* SPDX-License-Identifier: MIT */
/* Schema changes, oldest first: step i brings a file from version i to i + 1. A step is never
 * edited once released. */
#include "store/state.h"

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
