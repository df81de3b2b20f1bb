/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/results/front.h"
#include "memsweep/results/reading.h"

#include <string.h>

extern const cli_command cli_command_pareto;

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *minimize, *maximize, *group_by,
        *filter, *columns, *reference, *goals, *weights, *against, *against_sweep, *confidence,
        *format;
    int64_t ranks, thin;
    struct {
        bool knee, exclusive;
    } show;
    bool hypervolume, seeds, uncertain, distinct, save, all, doubtful;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_WHICH_OPTIONS(settings),
    CLI_LIMITS_OPTION(settings),
    CLI_DOUBTFUL_OPTION(settings),
    MSW_ROW(.name = "minimize", .kind = CLI_TEXT, .arg = "LIST",
            .help = "what should be low, e.g. slowdown,sram_bytes; without --minimize and "
                    "--maximize: the objectives of the sweep file",
            .offset = offsetof(settings, minimize)),
    MSW_ROW(.name = "maximize", .kind = CLI_TEXT, .arg = "LIST", .help = "what should be high",
            .offset = offsetof(settings, maximize)),
    MSW_ROW(.name = "group-by", .letter = 'g', .kind = CLI_TEXT, .arg = "LIST",
            .help = "one front per value of a column or several, e.g. workload,page_size; none: "
                    "one front of all rows (default: workload)",
            .offset = offsetof(settings, group_by)),
    CLI_FILTER_OPTION(settings),
    CLI_COLUMNS(
        settings,
        "columns or expressions to show in addition to the objectives; all: every column (what "
        "varies in the sweep)"),
    MSW_ROW(.name = "ranks", .letter = 'r', .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "how many fronts to show: 1 is the front, 2 adds the front without it, ...",
            .offset = offsetof(settings, ranks), .min = 1, .max = INT32_MAX),
    MSW_ROW(.name = "knee", .kind = CLI_FLAG,
            .help = "marks, per group, the point farthest below the plane through the ends",
            .offset = offsetof(settings, show.knee)),
    MSW_ROW(.name = "thin", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help =
                "shows at most N points of a front, chosen so that each point left out is as close "
                "as possible, in parts of the objectives' ranges, to one that is shown; 0: all",
            .offset = offsetof(settings, thin), .max = INT32_MAX),
    MSW_ROW(.name = "goals", .kind = CLI_TEXT, .arg = "LIST",
            .help = "target values, e.g. slowdown=1.1,sram_bytes=8192: sorts the front by how far "
                    "the worst objective misses its goal; objectives not named are free",
            .offset = offsetof(settings, goals)),
    MSW_ROW(.name = "weights", .kind = CLI_TEXT, .arg = "LIST",
            .help = "weights of the objectives in that sort, e.g. slowdown=2; without --goals the "
                    "distance from the best of each objective counts (Tchebycheff)",
            .offset = offsetof(settings, weights)),
    MSW_ROW(.name = "hypervolume", .kind = CLI_FLAG,
            .help = "prints, instead of points, one row per group: counts, the volume the front "
                    "dominates, and its reference point",
            .offset = offsetof(settings, hypervolume)),
    MSW_ROW(.name = "exclusive", .kind = CLI_FLAG,
            .help = "adds what the hypervolume would lose without a point",
            .offset = offsetof(settings, show.exclusive)),
    MSW_ROW(.name = "reference", .kind = CLI_TEXT, .arg = "LIST",
            .help = "reference point of the hypervolume, e.g. slowdown=3,sram_bytes=1e6; default: "
                    "a tenth of the front's range beyond its worst values",
            .offset = offsetof(settings, reference)),
    MSW_ROW(.name = "against", .kind = CLI_DATABASE, .arg = "FILE",
            .help =
                "like --hypervolume, and shows how far this front is from that of another file: "
                "the least amount (epsilon) or factor by which this one must improve to match it, "
                "and back; the share of the other front that this one covers, and back; mean "
                "distances gd and igd_plus in ranges of the other, and r2 of both",
            .offset = offsetof(settings, against)),
    MSW_ROW(.name = "against-sweep", .kind = CLI_TEXT, .arg = "NAME",
            .help = "the other sweep; without --against, one of the same file",
            .offset = offsetof(settings, against_sweep)),
    MSW_ROW(.name = "seeds", .kind = CLI_FLAG,
            .help = "takes every sweep of the file that differs in its seed alone as a run: their "
                    "hypervolumes, and with two objectives the surfaces that the best run, half of "
                    "the runs and all of them attain; --against compares with the runs of another",
            .offset = offsetof(settings, seeds)),
    MSW_ROW(.name = "uncertain", .letter = 'u', .kind = CLI_FLAG,
            .help = "shows every point that may be on the front given the half-widths, "
                    "with its probability, and which points need more samples",
            .offset = offsetof(settings, uncertain)),
    CLI_DISTINCT(settings),
    CLI_CONFIDENCE(settings, "with which --uncertain excludes a point"),
    CLI_SAVE(settings),
    CLI_ALL(settings, "shows all columns, also those equal in all rows"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep pareto quickstart",
    "memsweep pareto zdt1 --minimize f1,f2 --knee",
    "memsweep pareto zdt1 --hypervolume --reference f1=1.1,f2=1.1",
    "memsweep pareto zdt1 --minimize f1,f2 --thin 5 --goals f1=0.4,f2=0.4",
    "memsweep pareto zdt1 --minimize f1,f2 --seeds",
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
    if (!whole && cli_for_eyes(s->format))
        msw_drop_bookkeeping(table);
    return cli_print_table(table, s->format, &style);
}

static int open_front(const cli *c, const settings *s, msw_front *front)
{
    cli_sweep sweep;
    if (cli_share("confidence", s->confidence, &front->options.confidence, front->err) ||
        cli_sweep_word(&(cli_which){s->sweep, s->fidelity, s->over, s->by, false}, &sweep,
                       front->err))
        return -1;
    msw_front_source source = {s->file, sweep.word, s->minimize, s->maximize};
    return msw_front_open(front, &c->context, &source, s->save ? MSW_STORE_WRITE : MSW_STORE_READ);
}

/* The other front: its workloads are taken together as its sweep says itself, or as asked. */
static int find_against(const settings *s, cli_sweep *sweep, msw_front_source *other, msw_err *err)
{
    bool said = s->against_sweep && strchr(s->against_sweep, '@');
    MSW_TRY(cli_sweep_word(
        &(cli_which){s->against_sweep, NULL, said ? NULL : s->over, said ? NULL : s->by, false},
        sweep, err));
    *other = (msw_front_source){s->against ? s->against : s->file, sweep->word, s->minimize,
                                s->maximize};
    return 0;
}

static int measure_all(const cli *c, const settings *s, msw_front *front,
                       msw_table_builder *builder, msw_text *note)
{
    cli_sweep sweep;
    msw_front_source other, own = {s->file, NULL, s->minimize, s->maximize};
    bool against = s->against || s->against_sweep;
    if (against && find_against(s, &sweep, &other, front->err))
        return -1;
    if (s->seeds)
        return msw_front_attain(front, &c->context, &own, against ? &other : NULL, builder, note);
    MSW_TRY(against ? msw_front_compare(front, &c->context, &other, builder)
                    : msw_front_measure(front, NULL, builder));
    return msw_front_note(front, note);
}

/* One row per group. */
static int measure(const cli *c, const settings *s, msw_front *front, msw_text *note)
{
    msw_table_builder builder = {.err = front->err};
    int rc = measure_all(c, s, front, &builder, note);
    if (rc == 0 && s->save)
        rc = cli_save_groups(&builder, &front->input.grouping, front->options.group_by,
                             front->input.store, front->input.sweep.id, &cli_command_pareto, s);
    front->shown.table = builder.table;
    return rc;
}

static int list_points(const settings *s, msw_front *front, msw_text *note)
{
    MSW_TRY(msw_front_show(front));
    MSW_TRY(msw_front_note(front, note));
    MSW_TRY(s->save && msw_front_save(front));
    return 0;
}

static int work(const cli *c, const settings *s, msw_front *front, msw_text *note)
{
    bool measured = s->hypervolume || s->seeds || s->against || s->against_sweep;
    front->options.sieved = !measured;
    if (open_front(c, s, front) || msw_front_find(front))
        return -1;
    return measured ? measure(c, s, front, note) : list_points(s, front, note);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text note = MSW_TEXT_EMPTY;
    msw_front front = {.options = {.group_by = s->group_by,
                                   .filter = s->filter,
                                   .columns = s->columns,
                                   .ranks = s->ranks,
                                   .knee = s->show.knee,
                                   .exclusive = s->show.exclusive,
                                   .uncertain = s->uncertain,
                                   .distinct = s->distinct,
                                   .beyond = strcmp(s->limits, "off") == 0,
                                   .doubtful = s->doubtful,
                                   .reference = s->reference,
                                   .thin = s->thin,
                                   .goals = s->goals,
                                   .weights = s->weights},
                       .err = &err};
    int rc = work(c, s, &front, &note);
    if (msw_store_close(front.input.store, rc ? NULL : &err))
        rc = -1;
    int code = rc ? cli_fail(&err) : print(s, &front.shown.table, &note);
    msw_front_free(&front);
    msw_text_free(&note);
    return code;
}

const cli_command cli_command_pareto = {
    .name = "pareto",
    .doc = "finds the points that no other point beats in all objectives",
    .about = "Rows without a value for an objective (infeasible, failed, not defined) are left out "
             "and counted. Rows are sorted by group, rank and first objective. --uncertain assumes "
             "that errors are normal and independent. Differences between points that measured the "
             "same units are known better than that, so its probabilities lean towards 1/2.",
    .first = "minimize maximize filter sweep uncertain",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
