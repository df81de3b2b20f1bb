/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

#include "memsweep/results/fidelity.h"
#include "memsweep/sweep/errors.h"

#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_agree;

typedef struct settings {
    const char *file, *other, *sweep, *other_sweep, *metric, *group_by, *filter, *confidence,
        *format;
    const char *learn, *workloads, *output, *check;
    int64_t worst, points, seed;
    double point_seconds;
    bool save, doubtful, intervals;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "file", .kind = CLI_DATABASE, .count = CLI_OPTIONAL,
            .help = "a database, or the name of a sweep in the results folder",
            .offset = offsetof(settings, file)),
    MSW_ROW(.name = "other", .kind = CLI_DATABASE, .count = CLI_OPTIONAL,
            .help = "the database with the references; default: the same file",
            .offset = offsetof(settings, other)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_SWEEP_OPTION(settings),
    MSW_ROW(.name = "other-sweep", .kind = CLI_TEXT, .arg = "NAME",
            .help = "the sweep with the references; else the one of the same name, or the only one "
                    "of the other file",
            .offset = offsetof(settings, other_sweep)),
    CLI_METRICS(settings, "metrics to compare; else all of the mechanism"),
    MSW_ROW(.name = "group-by", .letter = 'g', .kind = CLI_TEXT, .arg = "LIST",
            .help = "one result per value of a column or several, e.g. workload or bound_by",
            .offset = offsetof(settings, group_by)),
    MSW_ROW(.name = "filter", .letter = 'w', .kind = CLI_TEXT, .arg = "EXPRESSION",
            .help = "only rows for which it holds take part: a region of the parameters",
            .offset = offsetof(settings, filter)),
    CLI_DOUBTFUL_OPTION(settings),
    CLI_CONFIDENCE(settings, "of the intervals of the shares"),
    MSW_ROW(.name = "worst", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "instead lists, for each two fidelities, the N pairs with the largest relative "
                    "error of the first metric (default: the primary one), with their parameters",
            .offset = offsetof(settings, worst), .max = INT32_MAX),
    MSW_ROW(.name = "intervals", .kind = CLI_FLAG,
            .help = "makes intervals for the file's rows by the closed form of the errors found, "
                    "workload by workload, and keeps them in the file",
            .offset = offsetof(settings, intervals)),
    MSW_ROW(.name = "learn", .kind = CLI_TEXT, .arg = "MECHANISM",
            .help = "instead of reading a file: draws configs over the whole space, has both "
                    "models answer them, and writes the table of errors that intervals are from",
            .offset = offsetof(settings, learn)),
    MSW_ROW(.name = "points", .kind = CLI_INTEGER, .arg = "N", .def = "2000",
            .help = "points to learn from or to check with", .offset = offsetof(settings, points),
            .min = 1, .max = 1000000),
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "seed of the draws", .offset = offsetof(settings, seed), .max = INT64_MAX),
    MSW_ROW(.name = "workloads", .kind = CLI_TEXT, .arg = "LIST",
            .help = "workloads to learn from; else those that the mechanism names",
            .offset = offsetof(settings, workloads)),
    MSW_ROW(.name = "point-timeout", .kind = CLI_SECONDS, .arg = "SECONDS", .def = "2s",
            .help = "draws that take longer in full are left out",
            .offset = offsetof(settings, point_seconds)),
    MSW_ROW(.name = "check", .kind = CLI_FILE, .arg = "TABLE",
            .help = "with --learn: says how often the intervals of this table hold on the points",
            .offset = offsetof(settings, check)),
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FILE",
            .help = "with --learn: the table; else it is printed",
            .offset = offsetof(settings, output)),
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep run quickstart -o all.db --fidelity analytic",
    "memsweep run quickstart -o all.db --fidelity full",
    "memsweep agree all.db --metric cycles,slowdown --group-by workload",
    "memsweep agree analytic.db full.db --worst 5",
    "memsweep agree --learn htmmu -o errors/htmmu.tsv",
    NULL};

/* Columns of a page: what is read by eyes, also in a file or a pipe, is no wider. */
enum { PAGE = 100 };

static const char ABOUT_COLUMNS[] =
    "errors are relative, both ways alike: 10 times too low is 9, as 10 times too high\n"
    "covered: share of references inside the candidate's intervals\n"
    "same: share of points with the same bottleneck, or on the same side of the limits\n"
    "stated: error that the mechanism promises for the share `of` its points\n"
    "constant: share that one number for all would keep to it";

/* Of rows of earlier models nothing is said about today's. */
static int keep_own(const msw_agree *j, const msw_text *own)
{
    if (!j->own_pairs)
        return msw_fail(j->err, "--intervals: no point is answered by the closed form and in full");
    if (!j->own_made)
        return msw_fail(j->err,
                        "at least %d points of a workload have to be answered by the closed form "
                        "as it is today (version %d) and in full",
                        MSW_AGREE_OWN_FEWEST, j->ask.mech->version_closed);
    if (own->failed)
        return msw_fail_memory(j->err);
    return msw_store_save_analysis(j->store, j->sweep.id, MSW_ERRORS_OWN, "{}", msw_text_str(own),
                                   j->err);
}

static int work(const settings *s, msw_agree *j)
{
    if (cli_share("confidence", s->confidence, &j->confidence, j->err) || msw_agree_all(j))
        return -1;
    MSW_TRY(s->intervals && keep_own(j, j->own));
    return s->save ? cli_save_table(j->builder, j->store, j->sweep.id, &cli_command_agree, s) : 0;
}

static int learn(const cli *c, const settings *s)
{
    cli_learn_ask ask = {.mechanism = s->learn,
                         .workloads = s->workloads,
                         .output = s->output,
                         .check = s->check,
                         .format = s->format,
                         .points = s->points,
                         .seed = s->seed,
                         .seconds = s->point_seconds};
    return cli_learn(c, &ask);
}

/* Verdicts stand before what they are from: a page is not wide enough for all. */
static void put_verdicts_first(msw_table *table)
{
    static const char *const VERDICTS[] = {"covered", "same", "verdict", "within"};
    for (size_t i = 0; i < sizeof VERDICTS / sizeof *VERDICTS; i++) {
        int to = msw_table_find(table, "bias"), from = msw_table_find(table, VERDICTS[i]);
        if (to >= 0 && from > to)
            msw_table_move_column(table, (size_t)from, (size_t)to);
    }
}

/* Rows near a front are not those of all points: whoever reads their errors has to know. */
static void add_kept(const msw_agree *j, msw_text *note)
{
    const char *sweep = j->sweep.name ? j->sweep.name : "";
    char *name = msw_strfmt("%.*s@analytic", (int)strcspn(sweep, "@"), sweep);
    if (name)
        cli_note_kept(j->store, name, note);
    if (note->size)
        msw_text_add(note, "\n");
    free(name);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    if (s->learn)
        return learn(c, s);
    msw_err err = {0};
    if (!s->file) {
        msw_fail(&err, "found no file: a database, or --learn MECHANISM");
        return cli_fail(&err);
    }
    msw_table_builder builder = {.err = &err};
    msw_text own = MSW_TEXT_EMPTY;
    msw_agree j = {.context = &c->context,
                   .file = s->file,
                   .other_file = s->other,
                   .name = s->sweep,
                   .other_name = s->other_sweep,
                   .metrics = s->metric,
                   .mode = s->save || s->intervals ? MSW_STORE_WRITE : MSW_STORE_READ,
                   .worst = (size_t)s->worst,
                   .ask = {.group_by = s->group_by,
                           .filter = s->filter,
                           .doubtful = s->doubtful,
                           .today = s->intervals},
                   .own = s->intervals ? &own : NULL,
                   .builder = &builder,
                   .err = &err};
    int rc = work(s, &j);
    msw_text note = MSW_TEXT_EMPTY;
    if (rc == 0)
        add_kept(&j, &note);
    if (msw_store_close(j.store, rc ? NULL : &err))
        rc = -1;
    msw_text_add(&note, "%s", ABOUT_COLUMNS);
    msw_doubtful_note(j.candidates.doubtful + j.references.doubtful, &note);
    int width = cli_terminal_width();
    if (cli_for_eyes(s->format))
        put_verdicts_first(&builder.table);
    msw_format_style style = {
        .width = width ? width : PAGE, .hide_same = true, .note = msw_text_str(&note)};
    int code = rc ? cli_fail(&err) : cli_print_table(&builder.table, s->format, &style);
    msw_agree_close(&j);
    msw_text_free(&note);
    msw_text_free(&own);
    msw_table_free(&builder.table);
    return code;
}

const cli_command cli_command_agree = {
    .name = "agree",
    .doc = "shows how well two fidelities agree on the same points",
    .about =
        "Rows of all fidelities of a sweep are matched by parameters, workload, replicate and "
        "seed. bias is that of the geometric mean of the ratios, median, p95 and worst are of the "
        "relative error. A ratio to a reference has a second row, for its distance from 1: the "
        "loss "
        "behind a slowdown, with the 95 % point of the difference in points. tau says "
        "whether both order the points alike (Kendall). Where the mechanism states how far its "
        "closed form may be from the full model, within is the share of points that keep to that "
        "limit, and the verdict is 'broken' when one does not. Intervals of points that share a "
        "random stream fail together, so coverage needs many seeds or workloads.",
    .first = "metric group-by filter worst format",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
