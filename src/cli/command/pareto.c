#include "cli/save.h"
#include "cli/shared_options.h"

#include "memsweep/results/front.h"
#include "memsweep/results/reading.h"

#include <stdlib.h>

extern const cli_command cli_command_pareto;

typedef struct settings {
    const char *file, *sweep, *fidelity, *minimize, *maximize, *group_by, *filter, *columns,
        *reference, *against, *against_sweep, *confidence, *format;
    int64_t ranks, draws, seed;
    bool crowding, knee, exclusive, hypervolume, uncertain, save, all;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_SWEEP_OPTION(settings),
    CLI_FIDELITY_OPTION(settings),
    MSW_ROW(.name = "minimize", .kind = CLI_TEXT, .arg = "LIST",
            .help = "what should be low, e.g. slowdown,sram_bytes; without --minimize and "
                    "--maximize: the objectives of the sweep file",
            .offset = offsetof(settings, minimize)),
    MSW_ROW(.name = "maximize", .kind = CLI_TEXT, .arg = "LIST", .help = "what should be high",
            .offset = offsetof(settings, maximize)),
    MSW_ROW(.name = "group-by", .letter = 'g', .kind = CLI_TEXT, .arg = "LIST",
            .help = "one front per value of a column or several, e.g. workload,page_size; none: "
                    "one of all rows (workload)",
            .offset = offsetof(settings, group_by)),
    CLI_FILTER_OPTION(settings),
    CLI_COLUMNS(settings,
                "columns or expressions to show beside the objectives; all: every column (what "
                "varies in the sweep)"),
    MSW_ROW(.name = "ranks", .letter = 'r', .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "how many fronts to show: 1 is the front, 2 adds the front without it, ...",
            .offset = offsetof(settings, ranks), .min = 1, .max = INT32_MAX),
    MSW_ROW(.name = "crowding", .kind = CLI_FLAG,
            .help = "adds how lonely a point is on its front (infinite at the ends)",
            .offset = offsetof(settings, crowding)),
    MSW_ROW(.name = "knee", .kind = CLI_FLAG,
            .help = "marks, per group, the point farthest below the plane through the ends",
            .offset = offsetof(settings, knee)),
    MSW_ROW(.name = "hypervolume", .kind = CLI_FLAG,
            .help = "prints, instead of points, one row per group: counts, the volume the front "
                    "dominates, and its reference point",
            .offset = offsetof(settings, hypervolume)),
    MSW_ROW(.name = "exclusive", .kind = CLI_FLAG,
            .help = "adds what the hypervolume would lose without a point",
            .offset = offsetof(settings, exclusive)),
    MSW_ROW(.name = "reference", .kind = CLI_TEXT, .arg = "LIST",
            .help = "reference point of the hypervolume, e.g. slowdown=3,sram_bytes=1e6; else the "
                    "worst of the front and a tenth of its range beyond",
            .offset = offsetof(settings, reference)),
    MSW_ROW(.name = "against", .kind = CLI_DATABASE, .arg = "FILE",
            .help = "like --hypervolume, and how far this front is from that of another file: the "
                    "least amount (epsilon) or factor by which this one must improve to match it, "
                    "and back",
            .offset = offsetof(settings, against)),
    MSW_ROW(.name = "against-sweep", .kind = CLI_TEXT, .arg = "NAME",
            .help = "the other sweep; without --against one of the same file",
            .offset = offsetof(settings, against_sweep)),
    MSW_ROW(.name = "uncertain", .letter = 'u', .kind = CLI_FLAG,
            .help = "shows every point that may be on the front as far as the half-widths tell, "
                    "with its probability, and which points need more samples",
            .offset = offsetof(settings, uncertain)),
    CLI_CONFIDENCE(settings, "with which --uncertain excludes a point"),
    MSW_ROW(.name = "draws", .kind = CLI_INTEGER, .arg = "N", .def = "2000",
            .help = "draws behind the probabilities of --uncertain",
            .offset = offsetof(settings, draws), .min = 10, .max = 1000000),
    CLI_DRAW_SEED(settings, "of the draws"),
    CLI_SAVE(settings),
    CLI_ALL(settings, "shows all columns, also those equal in all rows"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep pareto quickstart",
    "memsweep pareto zdt1 --minimize f1,f2 --knee",
    "memsweep pareto zdt1 --hypervolume --reference f1=1.1,f2=1.1",
    "memsweep pareto zdt1 --minimize slowdown,x1 --uncertain",
    "memsweep pareto all.db -s quickstart --group-by workload --ranks 3 --format json",
    NULL};

/* ---- the command ---- */

static int print(const settings *s, msw_table *table, const msw_text *note)
{
    bool whole = s->all || s->columns;
    msw_format_style style = {.width = s->all ? 0 : cli_terminal_width(),
                              .hide_same = !whole,
                              .note = msw_text_str(note)};
    if (!whole && msw_format_find(s->format) == MSW_FORMAT_TEXT)
        msw_drop_bookkeeping(table);
    return cli_print_table(table, s->format, &style);
}

static int open_front(const cli *c, const settings *s, msw_front *j)
{
    msw_store_mode mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ;
    cli_sweep sweep;
    if (cli_share("confidence", s->confidence, &j->ask.confidence, j->err) ||
        cli_sweep_word(s->sweep, s->fidelity, &sweep, j->err) ||
        msw_open_database(&c->context, s->file, mode, &j->store, j->err) ||
        msw_store_sweep(j->store, sweep.word, &j->sweep, j->err) ||
        msw_objectives_read(s->minimize, s->maximize, &j->sweep, &j->objectives, j->err))
        return -1;
    msw_front_choose_groups(j);
    return 0;
}

static bool measures(const settings *s)
{
    return s->hypervolume || s->against || s->against_sweep;
}

static int fail_several(const msw_front *j)
{
    return msw_fail(j->err, "pareto: --against compares one front with one: choose one by --filter "
                            "\"workload = '...'\", or mix them by --group-by none");
}

/* The front of the other sweep in the objectives of this one. */
static int find_other(const cli *c, const settings *s, const msw_front *j, msw_front *other)
{
    if (!s->against && !s->against_sweep)
        return 0;
    if (j->group_count > 1 || (j->grouping.count && !msw_front_by_default(j)))
        return fail_several(j);
    other->ask = j->ask;
    other->ask.group_by = s->group_by;
    other->ask.crowding = other->ask.knee = other->ask.exclusive = other->ask.uncertain = false;
    other->err = j->err;
    if (msw_open_database(&c->context, s->against ? s->against : s->file, MSW_STORE_READ,
                          &other->store, j->err) ||
        msw_store_sweep(other->store, s->against_sweep, &other->sweep, j->err) ||
        msw_objectives_read(s->minimize, s->maximize, &j->sweep, &other->objectives, j->err))
        return -1;
    msw_front_choose_groups(other);
    if (msw_front_find(other))
        return -1;
    return other->group_count > 1 ? fail_several(j) : 0;
}

static int measure(const cli *c, const settings *s, msw_front *j, msw_text *note)
{
    msw_front other = {0};
    msw_table_builder builder = {.err = j->err};
    bool compared = s->against || s->against_sweep;
    int rc =
        find_other(c, s, j, &other) || msw_front_measure(j, compared ? &other : NULL, &builder) ||
                msw_front_note(j, note) ||
                (s->save && msw_grouping_join(&j->grouping, j->ask.group_by, &builder)) ||
                (s->save && cli_save_table(&builder, j->store, j->sweep.id, &cli_command_pareto, s))
            ? -1
            : 0;
    j->shown = builder.table;
    msw_store_close(other.store, NULL);
    msw_front_free(&other);
    return rc;
}

static int list_points(const settings *s, msw_front *j, msw_text *note)
{
    return msw_front_show(j) || msw_front_note(j, note) || (s->save && msw_front_save(j)) ? -1 : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text note = MSW_TEXT_EMPTY;
    msw_front front = {.ask = {.group_by = s->group_by,
                               .filter = s->filter,
                               .columns = s->columns,
                               .ranks = s->ranks,
                               .crowding = s->crowding,
                               .knee = s->knee,
                               .exclusive = s->exclusive,
                               .uncertain = s->uncertain,
                               .reference = s->reference,
                               .draws = s->draws,
                               .seed = s->seed},
                       .err = &err};
    int rc = open_front(c, s, &front) || msw_front_find(&front) ||
                     (measures(s) ? measure(c, s, &front, &note) : list_points(s, &front, &note))
                 ? -1
                 : 0;
    if (msw_store_close(front.store, rc ? NULL : &err))
        rc = -1;
    int code = rc ? cli_fail(&err) : print(s, &front.shown, &note);
    msw_front_free(&front);
    msw_text_free(&note);
    return code;
}

const cli_command cli_command_pareto = {
    .name = "pareto",
    .doc = "finds the points that no other point beats in all objectives",
    .about =
        "Rows without a value for an objective (infeasible, failed, not defined) are left out "
        "and counted. Rows are sorted by group, rank and first objective. --uncertain takes errors "
        "as normal and independent; points that measured the same units know their "
        "differences better than that, so its probabilities lean towards 1/2.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
