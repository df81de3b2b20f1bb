/* SPDX-License-Identifier: MIT */
/* Reads rows and cases of a database for commands, and stores the table of a result in the file
 * that its rows came from. */
#include "cli/reading.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"
#include "memsweep/store/keeping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void cli_note_kept(msw_store *store, const char *sweep, msw_text *out)
{
    msw_sweep_info info = {0};
    msw_kept_rows kept = {0};
    if (msw_store_sweep(store, sweep, &info, NULL) == 0 &&
        msw_kept_rows_read(store, &info, &kept, NULL) == 0 && kept.chosen) {
        msw_text_add(out, "%s: ", info.name);
        msw_kept_rows_note(&kept, out);
    }
    msw_sweep_info_free(&info);
}

/* Whoever reads rows of a sweep that does not keep all has to know. */
static void warn_of_kept(const cli *c, const char *file, const char *sweep)
{
    msw_store *store = NULL;
    msw_text note = MSW_TEXT_EMPTY;
    if (msw_open_database(&c->context, file, MSW_STORE_READ, &store, NULL) == 0)
        cli_note_kept(store, sweep, &note);
    if (note.size)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "%s; those of column " MSW_SAMPLED_COLUMN " speak for all points",
                     msw_text_str(&note));
    msw_text_free(&note);
    msw_store_close(store, NULL);
}

int cli_read_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                  msw_table *table, msw_err *err)
{
    cli_sweep found;
    if (cli_sweep_word(which, &found, err))
        return -1;
    query.sweep = found.word;
    warn_of_kept(c, file, found.word);
    return (which->distinct ? msw_read_distinct : msw_read_rows)(&c->context, file, &query, table,
                                                                 err);
}

/* Columns of no rows are written, too. */
int cli_write_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                   msw_format_stream *out, msw_err *err)
{
    cli_sweep found;
    msw_table table = {0};
    MSW_TRY(cli_sweep_word(which, &found, err));
    query.sweep = found.word;
    warn_of_kept(c, file, found.word);
    int rc = msw_read_blocks(&c->context, file, &query, msw_format_block, out, err);
    if (rc == 0 && !out->heads)
        rc = msw_read_rows(&c->context, file, &query, &table, err) ||
             msw_format_block(out, &table, err);
    msw_table_free(&table);
    return rc ? -1 : msw_format_end(out, err);
}

int cli_note_unknown(const cli *c, const char *file, const cli_which *which, msw_query query,
                     msw_text *out, msw_err *err)
{
    cli_sweep found;
    msw_store *store = NULL;
    msw_left_out count = {0};
    if (query.sql || query.no_rows)
        return 0;
    MSW_TRY(cli_sweep_word(which, &found, err));
    query.sweep = found.word;
    MSW_TRY(msw_open_database(&c->context, file, MSW_STORE_READ, &store, err));
    int rc = msw_store_errors_unknown(store, &query, &count, err);
    msw_unknown_note(&count, out);
    MSW_TRY(msw_store_close(store, rc ? NULL : err));
    MSW_TRY(rc);
    return 0;
}

static int print_json(const msw_table *table, char **json, msw_err *err)
{
    size_t size = 0;
    FILE *out = open_memstream(json, &size);
    if (!out)
        return msw_fail_memory(err);
    int rc = msw_format_write(table, MSW_FORMAT_JSON, NULL, out, err);
    return fclose(out) && rc == 0 ? msw_fail_memory(err) : rc;
}

static void add_value(const cli_option *o, const void *field, msw_text *out)
{
    if (o->kind == CLI_FLAG)
        msw_text_add(out, *(const bool *)field ? "true" : "false");
    else if (o->kind == CLI_INTEGER)
        msw_text_add(out, "%" PRId64, *(const int64_t *)field);
    else if (o->kind == CLI_SECONDS)
        msw_text_add_double(out, *(const double *)field);
    else if (*(const char *const *)field)
        msw_text_add_json(out, *(const char *const *)field);
    else
        msw_text_add(out, "null");
}

/* How a result is shown and kept does not change it. */
static bool is_about_output(const cli_option *o)
{
    static const char *const NAMES[] = {"format", "save", "all", NULL};
    for (const char *const *name = NAMES; *name; name++)
        if (strcmp(o->name, *name) == 0)
            return true;
    return false;
}

static void print_settings(const cli_command *command, const void *settings, msw_text *out)
{
    const char *before = "{";
    for (const cli_option *o = command->options; o->name; o++) {
        if (is_about_output(o))
            continue;
        msw_text_add(out, "%s", before);
        msw_text_add_json(out, o->name);
        msw_text_add(out, ": ");
        add_value(o, (const char *)settings + o->offset, out);
        before = ", ";
    }
    msw_text_add(out, "}");
}

int cli_save_table(const msw_table_builder *builder, msw_store *store, int64_t sweep,
                   const cli_command *command, const void *settings)
{
    char *json = NULL;
    msw_text asked = MSW_TEXT_EMPTY;
    print_settings(command, settings, &asked);
    int rc = asked.failed ? msw_fail_memory(builder->err)
                          : print_json(&builder->table, &json, builder->err);
    if (rc == 0)
        rc = msw_store_save_analysis(store, sweep, command->name, msw_text_str(&asked), json,
                                     builder->err);
    msw_text_free(&asked);
    free(json);
    return rc;
}

int cli_save_groups(msw_table_builder *builder, const msw_grouping *grouping, const char *group_by,
                    msw_store *store, int64_t sweep, const cli_command *command,
                    const void *settings)
{
    MSW_TRY(msw_grouping_join(grouping, group_by, builder));
    return cli_save_table(builder, store, sweep, command, settings);
}

int cli_find_cases(const cli *c, const char *file, const cli_which *which, bool save,
                   msw_cases *cases)
{
    cli_sweep found;
    MSW_TRY(cli_sweep_word(which, &found, cases->err));
    return msw_cases_open(&c->context, file, found.word, save ? MSW_STORE_WRITE : MSW_STORE_READ,
                          cases);
}

int cli_open_cases(const cli *c, const char *file, const cli_which *which, bool save,
                   msw_cases *cases)
{
    MSW_TRY(cli_find_cases(c, file, which, save, cases));
    MSW_TRY(msw_cases_read(cases));
    return 0;
}

int cli_save_cases(const msw_cases *cases, msw_table_builder *builder, const cli_command *command,
                   const void *settings)
{
    return cli_save_groups(builder, &cases->grouping, cases->ask.group_by, cases->store,
                           cases->sweep.id, command, settings);
}

int cli_close_cases(msw_cases *cases, int rc)
{
    MSW_TRY(msw_store_close(cases->store, rc ? NULL : cases->err));
    MSW_TRY(rc);
    return 0;
}

int cli_show_cases(msw_cases *cases, msw_table_builder *builder, msw_text *note, int rc,
                   const char *format)
{
    msw_format_style style = {
        .width = cli_terminal_width(), .hide_same = true, .note = msw_text_str(note)};
    int code = rc ? cli_fail(cases->err) : cli_print_table(&builder->table, format, &style);
    msw_text_free(note);
    msw_table_free(&builder->table);
    msw_cases_free(cases);
    return code;
}
