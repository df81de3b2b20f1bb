/* Private to cli: a table of results made cell by cell.
 *
 * Columns appear when they are first set, in that order; trouble is remembered until the end. */
#ifndef MEMSWEEP_BASE_TABLE_BUILDER_H
#define MEMSWEEP_BASE_TABLE_BUILDER_H

#include "cli/cli.h"

#include "memsweep/store/store.h"

/* Start from a zeroed struct. */
typedef struct msw_table_builder {
    msw_table table;
    msw_err *err;
    bool failed;
} msw_table_builder;

/* Starts a row; cells are empty until set. */
void msw_builder_row(msw_table_builder *builder);

/* Sets a cell of the last row. NaN and NULL leave it empty. */
void msw_builder_number(msw_table_builder *builder, const char *column, double value);
void msw_builder_count(msw_table_builder *builder, const char *column, uint64_t count);
void msw_builder_text(msw_table_builder *builder, const char *column, const char *text);

/* Keeps the table beside the rows of a sweep: kind is the command's name, the settings are the
 * options given. Returns 0, or -1. */
int cli_save_table(const msw_table_builder *builder, msw_store *store, int64_t sweep,
                   const cli_command *command, const void *settings);

#define CLI_SAVE(type)                                                                             \
    {                                                                                              \
        "save", 0, CLI_FLAG, NULL, NULL,                                                           \
            "keeps the result in the file's msw_analysis table; without it the file is only read", \
            offsetof(type, save), NULL, 0, 0                                                       \
    }

#endif
