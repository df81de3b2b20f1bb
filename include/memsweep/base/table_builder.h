/* Private to cli: a table of results made cell by cell.
 *
 * Columns appear when they are first set, in that order; trouble is remembered until the end. */
#ifndef MEMSWEEP_BASE_TABLE_BUILDER_H
#define MEMSWEEP_BASE_TABLE_BUILDER_H

#include "cli/cli.h"

#include "memsweep/store/store.h"

/* Start from a zeroed struct. */
typedef struct cli_sheet {
    msw_table table;
    msw_err *err;
    bool failed;
} cli_sheet;

/* Starts a row; cells are empty until set. */
void cli_sheet_row(cli_sheet *sheet);

/* Sets a cell of the last row. NaN and NULL leave it empty. */
void cli_sheet_number(cli_sheet *sheet, const char *column, double value);
void cli_sheet_count(cli_sheet *sheet, const char *column, uint64_t count);
void cli_sheet_text(cli_sheet *sheet, const char *column, const char *text);

/* Keeps the table beside the rows of a sweep: kind is the command's name, the settings are the
 * options given. Returns 0, or -1. */
int cli_sheet_save(const cli_sheet *sheet, msw_store *store, int64_t sweep,
                   const cli_command *command, const void *settings);

#define CLI_SAVE(type)                                                                             \
    {                                                                                              \
        "save", 0, CLI_FLAG, NULL, NULL,                                                           \
            "keeps the result in the file's msw_analysis table; without it the file is only read", \
            offsetof(type, save), NULL, 0, 0                                                       \
    }

#endif
