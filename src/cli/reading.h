/* Private to the commands that read a database. */
#ifndef MEMSWEEP_CLI_READING_H
#define MEMSWEEP_CLI_READING_H

#include "cli.h"

#include "memsweep/store.h"

/* Opens the database a word means. Returns 0, or -1. */
int cli_open_database(const cli *c, const char *word, msw_store_mode mode, msw_store **store,
                      msw_err *err);

/* Says that there is no database of that name: where it was looked for, what is there. Returns -1.
 */
int cli_fail_database(const char *word, msw_err *err);

/* Reads the rows of a query from it. Returns 0, or -1. */
int cli_read_rows(const cli *c, const char *word, const msw_query *query, msw_table *table,
                  msw_err *err);

/* Reads a share such as 95% or 0.95, more than 0 and less than 1, for the option `name`. Returns 0,
 * or -1. */
int cli_share(const char *name, const char *text, double *share, msw_err *err);

/* Takes the engine's own bookkeeping (run, key, cost, ...) out of a table. Returns the names of
 * what was taken out, for a note. */
const char *cli_drop_bookkeeping(msw_table *table);

/* Takes out columns without a value in any row, unless there are no rows. Returns how many. */
size_t cli_drop_empty(msw_table *table);

/* Keeps `count` rows in the order given. Returns 0, or -1. */
int cli_keep_rows(msw_table *table, const size_t *rows, size_t count, msw_err *err);

/* Moves column `from` to position `to`. */
void cli_move_column(msw_table *table, size_t from, size_t to);

#endif
