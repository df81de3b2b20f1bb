/* SPDX-License-Identifier: MIT */
/* Private to the commands that read a database: rows as they are, cases with their options,
 * results stored beside the rows. */
#ifndef MSW_CLI_READING_H
#define MSW_CLI_READING_H

#include "cli/cli.h"
#include "cli/shared_options.h"

#include "memsweep/base/table_builder.h"
#include "memsweep/format/format.h"
#include "memsweep/results/cases.h"
#include "memsweep/results/grouping.h"
#include "memsweep/results/reading.h"
#include "memsweep/store/store.h"

/* Reads what the query asks of the sweep that --sweep and --fidelity name. Returns 0, or -1. */
int cli_read_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                  msw_table *table, msw_err *err);

/* Writes them to `out`, in a format that streams, without holding more than a block of
 * them. Returns 0, or -1. */
int cli_write_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                   msw_format_stream *out, msw_err *err);

/* Appends how many of the rows that the query shows have errors that nobody knows, unless none.
 * Returns 0, or -1. */
int cli_note_unknown(const cli *c, const char *file, const cli_which *which, msw_query query,
                     msw_text *out, msw_err *err);

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

/* The options all of them have; the settings need these fields. */
#define CLI_CASES_OPTIONS(type)                                                                    \
    CLI_SWEEP_OPTION(type), CLI_FIDELITY_OPTION(type), CLI_OVER_OPTIONS(type),                     \
        CLI_LIMITS_OPTION(type), CLI_DOUBTFUL_OPTION(type),                                        \
        MSW_ROW(.name = "metric", .letter = 'm', .kind = CLI_TEXT, .arg = "EXPRESSION",            \
                .help = "the output: a metric, a derived column or an expression of them; else "   \
                        "the only objective of the sweep, or the mechanism's primary metric",      \
                .offset = offsetof(type, metric)),                                                 \
        MSW_ROW(.name = "factors", .kind = CLI_TEXT, .arg = "LIST",                                \
                .help =                                                                            \
                    "columns to take for factors, e.g. gain,workload; else what the sweep varies", \
                .offset = offsetof(type, factors)),                                                \
        MSW_ROW(.name = "group-by", .letter = 'g', .kind = CLI_TEXT, .arg = "LIST",                \
                .help = "one result per value of a column or several, e.g. workload,page_size",    \
                .offset = offsetof(type, group_by)),                                               \
        CLI_FILTER_OPTION(type)

/* Opens the file, for writing when a result is to be kept there, and reads the cases. Returns 0, or
 * -1. */
int cli_open_cases(const cli *c, const char *file, const cli_which *which, bool save,
                   msw_cases *cases);

/* The same without reading the rows. Returns 0, or -1. */
int cli_find_cases(const cli *c, const char *file, const cli_which *which, bool save,
                   msw_cases *cases);

/* Keeps the result in the file, which was opened for that. Returns 0, or -1. */
int cli_save_cases(const msw_cases *cases, msw_table_builder *builder, const cli_command *command,
                   const void *settings);

/* Closes the file. Returns 0, or -1 also when `rc` is not 0. */
int cli_close_cases(msw_cases *cases, int rc);

/* Prints the table and the note below it, or what went wrong (`rc` is not 0); frees all three.
 * Returns an exit code. */
int cli_show_cases(msw_cases *cases, msw_table_builder *builder, msw_text *note, int rc,
                   const char *format);

#endif
