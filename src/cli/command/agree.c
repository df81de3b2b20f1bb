/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/results/fidelity.h"

extern const cli_command cli_command_agree;

typedef struct settings {
    const char *file, *other, *sweep, *other_sweep, *metric, *group_by, *filter, *confidence,
        *format;
    int64_t worst;
    bool save, doubtful;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
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
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep run quickstart -o all.db --fidelity analytic",
    "memsweep run quickstart -o all.db --fidelity full",
    "memsweep agree all.db --metric cycles,slowdown --group-by workload",
    "memsweep agree analytic.db full.db --worst 5", NULL};

static const char ABOUT_COLUMNS[] =
    "errors are relative to the reference; covered: its share inside the candidate's "
    "intervals; same: share of points with the same bottleneck; stated: error that "
    "the mechanism promises for the share `of` its points";

static int work(const settings *s, msw_agree *j)
{
    if (cli_share("confidence", s->confidence, &j->confidence, j->err) || msw_agree_all(j))
        return -1;
    return s->save ? cli_save_table(j->builder, j->store, j->sweep.id, &cli_command_agree, s) : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_table_builder builder = {.err = &err};
    msw_agree j = {.context = &c->context,
                   .file = s->file,
                   .other_file = s->other,
                   .name = s->sweep,
                   .other_name = s->other_sweep,
                   .metrics = s->metric,
                   .mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ,
                   .worst = (size_t)s->worst,
                   .ask = {.group_by = s->group_by, .filter = s->filter, .doubtful = s->doubtful},
                   .builder = &builder,
                   .err = &err};
    int rc = work(s, &j);
    if (msw_store_close(j.store, rc ? NULL : &err))
        rc = -1;
    msw_text note = MSW_TEXT_EMPTY;
    msw_text_add(&note, "%s", ABOUT_COLUMNS);
    msw_doubtful_note(j.candidates.doubtful + j.references.doubtful, &note);
    msw_format_style style = {
        .width = cli_terminal_width(), .hide_same = true, .note = msw_text_str(&note)};
    int code = rc ? cli_fail(&err) : cli_print_table(&builder.table, s->format, &style);
    msw_agree_close(&j);
    msw_text_free(&note);
    msw_table_free(&builder.table);
    return code;
}

const cli_command cli_command_agree = {
    .name = "agree",
    .doc = "shows how well two fidelities agree on the same points",
    .about =
        "Rows of all fidelities of a sweep are matched by parameters, workload, replicate and "
        "seed. bias is the mean relative error, median, p95 and worst are of its size, tau says "
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
