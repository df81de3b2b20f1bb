/* SPDX-License-Identifier: MIT */
/* Private to cli: what commands share that read databases, describe, complete words or look at
 * shards. */
#ifndef MSW_CLI_READING_H
#define MSW_CLI_READING_H

#include "cli/cli.h"
#include "cli/shared_options.h"
#include "memsweep/base/table_builder.h"
#include "memsweep/format/format.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/results/cases.h"
#include "memsweep/results/grouping.h"
#include "memsweep/results/reading.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"
#include "memsweep/workload/workload.h"

/* Reads what the query asks of the sweep that --sweep and --fidelity name. Returns 0, or -1. */
int cli_read_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                  msw_table *table, msw_err *err);

/* Writes them to `out`, in a format that streams, without holding more than a block of
 * them. Returns 0, or -1. */
int cli_write_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                   msw_format_stream *out, msw_err *err);

/* Appends what is kept of a sweep that does not keep all rows. What cannot be found is for the
 * reading itself to say. */
void cli_note_kept(msw_store *store, const char *sweep, msw_text *out);

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

/* Completion of command lines: the shells' scripts ask the program, which knows its tables and
 * opens no file. */

/* Appends the script that a shell reads. */
void cli_completion_bash(msw_text *out);
void cli_completion_zsh(msw_text *out);

/* Prints what the last of `words` ("memsweep", command, ...) can become. */
void cli_complete(const cli *c, char *const *words, size_t count, msw_text *out);

/* How each kind of thing is described. */

/* Appends the line that says what a thing is. */
void cli_describe_head(const cli_named *named, msw_text *out);

/* Options of the description of a workload. */
typedef struct cli_describe_more {
    bool mapping;
    const char *values; /* an array of a program; NULL: none */
    cli_words settings; /* NAME=VALUE of the front end's parameters */
} cli_describe_more;

/* Appends a workload as its name sets it, and what its front end says about its content. `named`
 * is one of the list, or a name with settings or a user's file. Returns 0, or -1. */
int cli_describe_workload(const cli *c, const cli_named *named, cli_describe_more more,
                          msw_text *out, msw_err *err);

/* Appends what is known about one thing but a workload, for people: of a mechanism what fits one
 * screen, or `all`. */
void cli_describe_one(const cli_named *named, bool all, msw_text *out);

/* Appends which parameters a preset switches off: they act by default, and not behind it. */
void cli_add_switched_off(const msw_mech *mech, const msw_preset *preset, msw_text *out);

/* Shards of an array of jobs before they are merged, and what runs write just now. */

/* Shards found beside a database. */
typedef struct cli_shards {
    size_t lacking;    /* shards with answers that the database lacks */
    size_t unread;     /* that are just being made, or broken */
    bool several;      /* arrays of different sizes have left shards: the fullest counts */
    double *rates;     /* per line of the table of sweeps: rows per second of what runs now */
    msw_table running; /* runs that go on: those of the database, then those of its shards */
} cli_shards;

/* Counts the answers in the shards beside a database into its table of sweeps, without touching
 * them. Returns 0, or -1. */
int cli_count_shards(const cli *c, msw_store *store, const char *path, msw_table *status,
                     cli_shards *shards, msw_err *err);
void cli_shards_free(cli_shards *shards);

/* A cell of a table whose columns are known. */
const char *cli_label(const msw_table *table, const char *column, size_t row);
double cli_number(const msw_table *table, const char *column, size_t row);

/* Whether a line of the table of sweeps is that of a plan. */
bool cli_same_sweep(const msw_table *status, size_t row, const msw_plan *plan);

#endif
