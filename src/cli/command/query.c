/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include <string.h>

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *columns, *filter, *order, *sql,
        *format;
    int64_t limit;
    bool all, distinct;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_WHICH_OPTIONS(settings),
    CLI_LIMITS_ROWS(settings),
    CLI_COLUMNS(settings, "columns or expressions, e.g. 'ptw_count, cycles / 1e6 AS mcycles'"),
    CLI_FILTER_OPTION(settings),
    CLI_ORDER_OPTION(settings),
    MSW_ROW(.name = "limit", .letter = 'n', .kind = CLI_INTEGER, .arg = "N", .def = "-1",
            .help = "at most this many rows; -1: all", .offset = offsetof(settings, limit),
            .min = -1, .max = INT64_MAX),
    CLI_DISTINCT(settings),
    MSW_ROW(.name = "sql", .kind = CLI_EXPRESSION, .arg = "SELECT",
            .help = "your own SELECT instead of all the above; - reads it from standard input",
            .offset = offsetof(settings, sql)),
    CLI_ALL(settings,
            "shows all columns; else the text form names those with one value in all rows "
            "below the table, and leaves out bookkeeping"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep query quickstart --order slowdown --limit 10",
    "memsweep query all.db -s zdt1 -w \"x1 < 0.5 AND status = 'ok'\" -c 'x1, x2, y' -f tsv",
    "memsweep query quickstart --limit 2 --format record",
    "memsweep query quickstart --sql 'SELECT status, count(*) AS n FROM quickstart GROUP BY "
    "status'",
    NULL};

static int check_settings(const settings *s, msw_err *err)
{
    if (s->sql && (s->fidelity || s->over || s->by || s->distinct || s->columns || s->filter ||
                   s->order || s->limit >= 0 || strcmp(s->limits, "on") == 0))
        return msw_fail(
            err,
            "query: --sql goes with no other option: write columns, conditions, order and limit "
            "into the SELECT, and the fidelity behind the name, \"name@full\"");
    return 0;
}

static int print(const settings *s, msw_table *table, msw_text *unknown)
{
    bool whole = s->columns || s->sql || s->all;
    msw_format_style style = {
        .width = s->all ? 0 : cli_terminal_width(), .hide_same = !whole, .upright = true};
    msw_text note = MSW_TEXT_EMPTY;
    if (!whole && cli_for_eyes(s->format))
        msw_text_add(&note, "; %s", msw_drop_bookkeeping(table));
    if (note.size && unknown->size)
        msw_text_add(&note, "\n%s", msw_text_str(unknown) + strlen("; "));
    else
        msw_text_add(&note, "%s", msw_text_str(unknown));
    if (note.size)
        style.note = msw_text_str(&note) + strlen("; ");
    int code = cli_print_table(table, s->format, &style);
    msw_text_free(&note);
    return code;
}

/* Rows for programs may be many: they pass by in blocks. */
static int stream(const cli *c, const settings *s, const cli_which *which, const msw_query *query)
{
    msw_err err = {0};
    msw_format_stream out = {.format = (msw_format)msw_format_find(s->format), .out = stdout};
    int rc = cli_write_rows(c, s->file, which, *query, &out, &err);
    msw_format_stream_free(&out);
    return rc ? cli_fail_output(&err) : EXIT_OK;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_table table = {0};
    msw_text unknown = MSW_TEXT_EMPTY;
    msw_query query = {.columns = s->columns,
                       .filter = s->filter,
                       .order = s->order,
                       .limit = s->limit,
                       .no_rows = s->limit == 0,
                       .within_limits = strcmp(s->limits, "on") == 0,
                       .sql = s->sql};
    cli_which which = {s->sweep, s->fidelity, s->over, s->by, s->distinct};
    int rc = check_settings(s, &err);
    if (rc == 0 && !s->distinct && msw_format_streams((msw_format)msw_format_find(s->format)))
        return stream(c, s, &which, &query);
    if (rc == 0)
        rc = cli_read_rows(c, s->file, &which, query, &table, &err);
    if (rc == 0 && cli_for_eyes(s->format))
        rc = cli_note_unknown(c, s->file, &which, query, &unknown, &err);
    int code = rc ? cli_fail(&err) : print(s, &table, &unknown);
    msw_text_free(&unknown);
    msw_table_free(&table);
    return code;
}

const cli_command cli_command_query = {
    .name = "query",
    .doc = "prints rows of a database",
    .about = "Expressions are SQLite's, over the names of parameters, metrics and the row's own "
             "columns (point, workload, fidelity, status, ...); KiB, MiB and GiB are constants.",
    .first = "columns filter order limit sql",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
