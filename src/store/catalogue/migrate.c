/* Schema changes, oldest first: step i brings a file from version i to i + 1. A step is never
 * edited once released. */
#include "store/state.h"

static const char *const STEPS[MSW_SCHEMA_VERSION] = {
    /* Files from before the first release do not say which build computed a run. */
    "ALTER TABLE msw_run ADD COLUMN build TEXT NOT NULL DEFAULT ''",
    msw_schema_job_table,
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
