/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/base/text_check.h"
#include "memsweep/format/outfile.h"
#include "memsweep/results/columns.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *columns, *filter, *order, *output,
        *format;
    bool all, varying, distinct;
} settings;

static const char *const FORMATS[] = {"tsv", "csv", "json", NULL};

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FILE",
            .help = "file to write; its ending (.tsv, .csv, .json) sets the format; default: "
                    "standard output",
            .offset = offsetof(settings, output)),
    MSW_ROW(.name = "format", .letter = 'f', .kind = CLI_CHOICE, .arg = "FORMAT",
            .help = "tsv, csv or json, whatever the file is called",
            .offset = offsetof(settings, format), .choices = FORMATS),
    CLI_WHICH_OPTIONS(settings),
    CLI_LIMITS_ROWS(settings),
    CLI_COLUMNS(settings, "columns or expressions; else all columns that have a value in some row"),
    CLI_ALL(settings, "keeps columns that are empty in all rows"),
    MSW_ROW(.name = "varying", .letter = 'v', .kind = CLI_FLAG,
            .help = "only columns that differ between rows, without the store's own columns; "
                    "values that are the same in all rows are printed on standard error",
            .offset = offsetof(settings, varying)),
    CLI_DISTINCT(settings),
    CLI_FILTER_OPTION(settings),
    CLI_ORDER_OPTION(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep export quickstart -o quickstart.tsv",
                                       "memsweep export quickstart --varying -o quickstart.csv",
                                       "memsweep export zdt1 --columns 'x1, x2, y' --format json",
                                       NULL};

static int choose_format(const settings *s, msw_format *format, msw_err *err)
{
    int found = MSW_FORMAT_TSV;
    if (s->format)
        found = msw_format_find(s->format);
    else if (s->output)
        found = msw_format_of_file(s->output);
    if (found <= MSW_FORMAT_TEXT)
        return msw_fail(err, "export: '%s' ends in none of .tsv, .csv, .json (or say --format)",
                        s->output);
    *format = (msw_format)found;
    return 0;
}

static void say_left_out(const msw_columns *columns)
{
    msw_text same = MSW_TEXT_EMPTY;
    size_t empty = msw_columns_silent(columns, &same);
    if (empty)
        fprintf(stderr,
                "memsweep: left out %zu columns that are empty in all rows (--all keeps "
                "them)\n",
                empty);
    if (same.size)
        fprintf(stderr, "memsweep: the same in all rows: %s\n", msw_text_str(&same));
    msw_text_free(&same);
}

/* ---- lines for designs that are alike: all rows are at hand ---- */

static int write_distinct(const cli *c, const settings *s, const cli_which *which,
                          const msw_query *query, msw_format_stream *out, msw_err *err)
{
    msw_table table = {0};
    msw_columns columns = {.varying = s->varying};
    int rc = -1;
    if (cli_read_rows(c, s->file, which, *query, &table, err))
        goto done;
    if (s->varying || (!s->all && !s->columns)) {
        if (msw_columns_note(&columns, &table, err))
            goto done;
        say_left_out(&columns);
        for (size_t i = columns.count; i-- > 0;)
            if (!msw_columns_tells(&columns, i))
                msw_table_drop_column(&table, i);
    }
    if (msw_format_block(out, &table, err) || msw_format_end(out, err))
        goto done;
    rc = 0;
done:
    msw_columns_free(&columns);
    msw_table_free(&table);
    return rc;
}

/* ---- rows pass by in blocks ---- */

/* Chooses the columns that say something. Returns 0, or -1. */
static int choose_columns(const cli *c, const settings *s, const cli_which *which,
                          const msw_query *query, msw_text *list, msw_err *err)
{
    cli_sweep found;
    msw_query asked = *query;
    msw_columns columns = {.varying = s->varying};
    MSW_TRY(cli_sweep_word(which, &found, err));
    asked.sweep = found.word;
    int rc = msw_columns_read(&c->context, s->file, &asked, &columns, err);
    if (rc == 0) {
        say_left_out(&columns);
        msw_columns_list(&columns, list);
        rc = msw_text_check(list, err);
    }
    msw_columns_free(&columns);
    return rc;
}

static int write_rows(const cli *c, const settings *s, const cli_which *which,
                      const msw_query *query, msw_format_stream *out, msw_err *err)
{
    msw_text list = MSW_TEXT_EMPTY;
    msw_query asked = *query;
    bool choose = s->varying || (!s->all && !s->columns);
    int rc = choose ? choose_columns(c, s, which, query, &list, err) : 0;
    if (choose && list.size)
        asked.columns = msw_text_str(&list);
    if (rc == 0)
        rc = cli_write_rows(c, s->file, which, asked, out, err);
    msw_text_free(&list);
    return rc;
}

static int say_unknown(const cli *c, const settings *s, const cli_which *which,
                       const msw_query *query, msw_err *err)
{
    msw_text note = MSW_TEXT_EMPTY;
    int rc = cli_note_unknown(c, s->file, which, *query, &note, err);
    if (rc == 0 && note.size)
        fprintf(stderr, "memsweep: %s\n", msw_text_str(&note) + strlen("; "));
    msw_text_free(&note);
    return rc;
}

static int write_all(const cli *c, const settings *s, const msw_query *query,
                     msw_format_stream *out, msw_err *err)
{
    cli_which which = {s->sweep, s->fidelity, s->over, s->by, s->distinct};
    MSW_TRY((s->distinct ? write_distinct : write_rows)(c, s, &which, query, out, err));
    return say_unknown(c, s, &which, query, err);
}

/* A file takes its place when all rows have arrived. */
static int save(const cli *c, const settings *s, const msw_query *query, msw_format_stream *out,
                msw_err *err)
{
    msw_outfile file = {0};
    char *input = msw_context_database(&c->context, s->file);
    int rc = msw_outfile_open(&file, s->output, MSW_OUTPUT_TABLE, input, err);
    out->out = file.file;
    if (rc == 0)
        rc = write_all(c, s, query, out, err);
    if (rc == 0)
        rc = msw_outfile_keep(&file, err);
    msw_outfile_drop(&file);
    free(input);
    return rc;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    char rows[32];
    msw_format_stream out = {.out = stdout};
    msw_query query = {.columns = s->columns,
                       .filter = s->filter,
                       .order = s->order,
                       .limit = -1,
                       .within_limits = strcmp(s->limits, "on") == 0};
    int rc = choose_format(s, &out.format, &err);
    if (rc == 0)
        rc = s->output ? save(c, s, &query, &out, &err) : write_all(c, s, &query, &out, &err);
    int code = rc == 0 ? EXIT_OK : s->output ? cli_fail(&err) : cli_fail_output(&err);
    if (rc == 0 && s->output)
        cli_printf("%s: %s rows, %zu columns\n", s->output, msw_count_text(out.rows, rows),
                   out.count);
    msw_format_stream_free(&out);
    return code;
}

const cli_command cli_command_export = {
    .name = "export",
    .doc = "writes the rows of a sweep to a file",
    .about = "Every number reads back as the same double; a missing value is empty (null in "
             "JSON).",
    .first = "output format columns filter all",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
