/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/results/reading.h"

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
    CLI_SWEEP_OPTION(settings),
    CLI_FIDELITY_OPTION(settings),
    CLI_OVER_OPTIONS(settings),
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

static int write_out(const cli *c, const settings *s, const msw_table *table, msw_format format,
                     msw_err *err)
{
    char rows[32];
    if (!s->output)
        return cli_print_table(table, msw_format_names[format], NULL);
    char *input = msw_context_database(&c->context, s->file);
    int rc = msw_format_save(table, format, s->output, input, err);
    free(input);
    if (rc)
        return cli_fail(err);
    cli_printf("%s: %s rows, %zu columns\n", s->output, msw_count_text(table->rows, rows),
               table->column_count);
    return EXIT_OK;
}

static void leave_out(msw_table *table)
{
    size_t left_out = msw_drop_empty(table);
    if (left_out)
        fprintf(stderr,
                "memsweep: left out %zu columns that are empty in all rows (--all keeps "
                "them)\n",
                left_out);
}

/* Also the store's own columns: numbers and keys of rows, which differ and say nothing. */
static void keep_varying(msw_table *table)
{
    msw_text same = MSW_TEXT_EMPTY;
    msw_drop_bookkeeping(table);
    for (size_t c = table->column_count; c-- > 0 && table->rows > 1;) {
        msw_column *column = &table->columns[c];
        size_t r = 1;
        while (r < table->rows && memcmp(&column->values[r], &column->values[0], 8) == 0)
            r++;
        if (r < table->rows)
            continue;
        msw_text_add(&same, "%s%s ", same.size ? ", " : "", column->name);
        msw_format_cell(column, 0, false, &same);
        msw_table_drop_column(table, c);
    }
    if (same.size)
        fprintf(stderr, "memsweep: the same in all rows: %s\n", msw_text_str(&same));
    msw_text_free(&same);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_table table = {0};
    msw_format format = MSW_FORMAT_TSV;
    msw_query query = {.columns = s->columns,
                       .filter = s->filter,
                       .order = s->order,
                       .limit = -1,
                       .within_limits = strcmp(s->limits, "on") == 0};
    int rc = choose_format(s, &format, &err);
    if (rc == 0)
        rc = cli_read_rows(c, s->file,
                           &(cli_which){s->sweep, s->fidelity, s->over, s->by, s->distinct}, query,
                           &table, &err);
    if (rc == 0 && !s->all && !s->columns)
        leave_out(&table);
    if (rc == 0 && s->varying)
        keep_varying(&table);
    int code = rc ? cli_fail(&err) : write_out(c, s, &table, format, &err);
    msw_table_free(&table);
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
