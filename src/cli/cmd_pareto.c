#include "front.h"
#include "reading.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct settings {
    const char *file, *sweep, *minimize, *maximize, *group_by, *filter, *columns, *format;
    int64_t ranks;
    bool crowding, knee, save, all;
} settings;

static const cli_operand OPERANDS[] = {
    {"file", CLI_DATABASE, CLI_ONE, "a database, or the name of a sweep in the results folder",
     offsetof(settings, file), NULL},
    {0},
};

static const cli_option OPTIONS[] = {
    {"sweep", 's', CLI_TEXT, "NAME", NULL, "the sweep to read, when the file holds several",
     offsetof(settings, sweep), NULL, 0, 0},
    {"minimize", 0, CLI_TEXT, "LIST", NULL,
     "what should be low, e.g. slowdown,sram_bytes; without --minimize and --maximize: the "
     "objectives of the sweep file",
     offsetof(settings, minimize), NULL, 0, 0},
    {"maximize", 0, CLI_TEXT, "LIST", NULL, "what should be high", offsetof(settings, maximize),
     NULL, 0, 0},
    {"group-by", 'g', CLI_TEXT, "COLUMN", NULL, "one front per value of a column, e.g. workload",
     offsetof(settings, group_by), NULL, 0, 0},
    {"filter", 'w', CLI_TEXT, "EXPRESSION", NULL, "only rows for which it holds take part",
     offsetof(settings, filter), NULL, 0, 0},
    {"columns", 'c', CLI_TEXT, "LIST", NULL, "columns or expressions to show beside the objectives",
     offsetof(settings, columns), NULL, 0, 0},
    {"ranks", 'r', CLI_INTEGER, "N", "1",
     "how many fronts to show: 1 is the front, 2 adds the front without it, ...",
     offsetof(settings, ranks), NULL, 1, INT32_MAX},
    {"crowding", 0, CLI_FLAG, NULL, NULL,
     "adds how lonely a point is on its front (infinite at the ends)", offsetof(settings, crowding),
     NULL, 0, 0},
    {"knee", 0, CLI_FLAG, NULL, NULL,
     "marks, per group, the point farthest below the plane through the ends",
     offsetof(settings, knee), NULL, 0, 0},
    {"save", 0, CLI_FLAG, NULL, NULL,
     "keeps the front in the file's msw_analysis table; without it the file is only read",
     offsetof(settings, save), NULL, 0, 0},
    {"all", 'a', CLI_FLAG, NULL, NULL, "shows all columns, also those equal in all rows",
     offsetof(settings, all), NULL, 0, 0},
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep pareto quickstart", "memsweep pareto quickstart --minimize f1,f2 --knee",
    "memsweep pareto all.db -s quickstart --group-by workload --ranks 3 --format json", NULL};

/* ---- what is kept in the file ---- */

static void add_objectives(const cli_front *j, msw_text *out)
{
    for (size_t i = 0; i < j->objectives.count; i++) {
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, j->objectives.names[i]);
        msw_text_add(out, ", \"goal\": \"%s\"}",
                     j->objectives.goals[i] == MSW_GOAL_HIGHER ? "higher" : "lower");
    }
}

static void add_setting(const char *name, const char *value, msw_text *out)
{
    if (!value)
        return;
    msw_text_add(out, ", \"%s\": ", name);
    msw_text_add_json(out, value);
}

static int save(const cli_front *j)
{
    msw_text asked = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    msw_text_add(&asked, "{\"objectives\": [");
    add_objectives(j, &asked);
    msw_text_add(&asked, "], \"ranks\": %" PRId64, j->ask.ranks);
    add_setting("group_by", j->ask.group_by, &asked);
    add_setting("filter", j->ask.filter, &asked);
    msw_text_add(&asked, "}");
    msw_text_add(&result, "{\"ranked\": %zu, \"left_out\": %zu, \"points\": [", j->count.ranked,
                 j->count.left_out);
    for (size_t i = 0; i < j->chosen_count; i++)
        msw_text_add(&result, "%s%.0f", i ? ", " : "",
                     j->values.columns[CLI_FRONT_POINT].values[j->chosen[i]]);
    msw_text_add(&result, "]}");
    int rc = asked.failed || result.failed
                 ? msw_fail_memory(j->err)
                 : msw_store_save_analysis(j->store, j->sweep.id, "pareto", asked.data, result.data,
                                           j->err);
    msw_text_free(&asked);
    msw_text_free(&result);
    return rc;
}

/* ---- the command ---- */

static int print(const cli_front *j, const settings *s, msw_table *table)
{
    char front[32], ranked[32], left[64] = "", out[32], note[160];
    if (j->count.left_out)
        snprintf(left, sizeof left, ", %s left out for want of a value",
                 cli_count_text(j->count.left_out, out));
    snprintf(note, sizeof note, "front: %s of %s points%s", cli_count_text(j->count.front, front),
             cli_count_text(j->count.ranked, ranked), left);
    bool whole = s->all || s->columns;
    msw_report_style style = {
        .width = s->all ? 0 : cli_terminal_width(), .hide_same = !whole, .note = note};
    if (!whole && msw_format_find(s->format) == MSW_FORMAT_TEXT)
        cli_drop_bookkeeping(table);
    return cli_print_table(table, s->format, &style);
}

static int open_front(const cli *c, const settings *s, cli_front *j)
{
    msw_store_mode mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ;
    return cli_open_database(c, s->file, mode, &j->store, j->err) ||
                   msw_store_sweep(j->store, s->sweep, &j->sweep, j->err) ||
                   cli_objectives_read(s->minimize, s->maximize, &j->sweep, &j->objectives, j->err)
               ? -1
               : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_front front = {.ask = {.group_by = s->group_by,
                               .filter = s->filter,
                               .columns = s->columns,
                               .ranks = s->ranks,
                               .crowding = s->crowding,
                               .knee = s->knee},
                       .err = &err};
    int rc = open_front(c, s, &front) || cli_front_find(&front) || cli_front_show(&front) ||
                     (s->save && save(&front))
                 ? -1
                 : 0;
    if (msw_store_close(front.store, rc ? NULL : &err))
        rc = -1;
    int code = rc ? cli_fail(&err) : print(&front, s, &front.shown);
    cli_front_free(&front);
    return code;
}

const cli_command cli_command_pareto = {
    .name = "pareto",
    .doc = "finds the points that no other point beats in all objectives",
    .about = "Rows without a value for an objective (infeasible, failed, not defined) are left out "
             "and counted. Rows are sorted by group, rank and first objective.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
