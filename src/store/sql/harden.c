/* SPDX-License-Identifier: MIT */
/* A connection to a file that somebody else may have made: nothing in it is trusted, and nothing of
 * SQLite that our own statements do not need is left on. */
#include "store/sql/sql.h"

#include <stdlib.h>

#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
enum { TEMPORARY_VIEWS_STAY = 3035000 }; /* before, switching views off took ours with them */
#endif

int msw_open_path(const char *path, int flags, const char *locks, sqlite3 **db)
{
    /* With URIs on, a file called "file:x" or ":memory:" has to be named by its folder. */
    char *named = msw_strfmt("%s%s", *path == '/' ? "" : "./", path);
    if (!named)
        return SQLITE_NOMEM;
    int rc = sqlite3_open_v2(named, db, flags | SQLITE_OPEN_URI, locks);
    free(named);
    return rc;
}

void msw_harden(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
    if (sqlite3_libversion_number() >= TEMPORARY_VIEWS_STAY)
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
}
