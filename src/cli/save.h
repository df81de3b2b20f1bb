/* SPDX-License-Identifier: MIT */
/* Private to cli: results kept in the database. */
#ifndef MSW_CLI_SAVE_H
#define MSW_CLI_SAVE_H

#include "cli/cli.h"

#include "memsweep/base/table_builder.h"
#include "memsweep/results/grouping.h"
#include "memsweep/store/store.h"

/* Keeps the table beside the rows of a sweep: kind is the command's name, the settings are the
 * options given. Returns 0, or -1. */
int cli_save_table(const msw_table_builder *builder, msw_store *store, int64_t sweep,
                   const cli_command *command, const void *settings);

/* The same for a table whose first columns name a group: they are joined to one first. */
int cli_save_groups(msw_table_builder *builder, const msw_grouping *grouping, const char *group_by,
                    msw_store *store, int64_t sweep, const cli_command *command,
                    const void *settings);

#define CLI_SAVE(type)                                                                             \
    MSW_ROW(.name = "save", .kind = CLI_FLAG,                                                      \
            .help = "keeps the result in the file's msw_analysis table; without it the file is "   \
                    "only read",                                                                   \
            .offset = offsetof(type, save))

#endif
