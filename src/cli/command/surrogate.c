/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"
#include "memsweep/results/fit_points.h"
#include "memsweep/results/fit_trials.h"

#include <string.h>

extern const cli_command cli_command_surrogate;

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *metric, *factors, *group_by, *filter,
        *at, *points, *confidence, *model, *format;
    int64_t degree, seed;
    bool save, doubtful;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_CASES_OPTIONS(settings),
    MSW_ROW(.name = "model", .kind = CLI_CHOICE, .arg = "NAME", .def = "auto",
            .help = "polynomial, process (Gaussian, of at most 10,000 points), or auto: with at "
                    "most 3,000 points, the one that predicts left-out points better",
            .offset = offsetof(settings, model), .choices = msw_fit_models),
    MSW_ROW(.name = "degree", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "the highest total degree to try; 0: 6, less with many factors or rows",
            .offset = offsetof(settings, degree), .max = MSW_PCE_DEGREE),
    MSW_ROW(.name = "at", .kind = CLI_TEXT, .arg = "POINT",
            .help = "predicts one point, e.g. 'ptw_count=96,page_size=4KiB'",
            .offset = offsetof(settings, at)),
    MSW_ROW(.name = "points", .kind = CLI_FILE, .arg = "FILE",
            .help = "predicts points: comma-separated values whose first line names the factors",
            .offset = offsetof(settings, points)),
    CLI_CONFIDENCE(settings, "of the interval in which a new row lies"),
    CLI_DRAW_SEED(settings, "of the order in which rows are left out"),
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep surrogate zdt1 --metric f2",
    "memsweep surrogate zdt1 --metric f2 --at 'x1=0.3,x2=0.125,x3=0.5'",
    "memsweep surrogate quickstart --metric 'log(cycles)' --degree 4 --group-by workload", NULL};

static int predict(const settings *s, const msw_fit_options *ask, msw_cases *cases,
                   msw_table_builder *builder, msw_text *note)
{
    double confidence;
    MSW_TRY(cli_share("confidence", s->confidence, &confidence, cases->err));
    return msw_predict_named(cases, s->at, s->points, ask, confidence, builder, note);
}

static int work(const cli *c, const settings *s, msw_cases *cases, msw_table_builder *builder,
                msw_text *note)
{
    msw_fit_options ask = {.degree = (unsigned)s->degree, .best = true, .seed = (uint64_t)s->seed};
    while (strcmp(msw_fit_models[ask.model], s->model) != 0)
        ask.model++;
    if (cli_open_cases(c, s->file, &(cli_which){s->sweep, s->fidelity, s->over, s->by, false},
                       s->save, cases))
        return -1;
    int rc = s->at || s->points ? predict(s, &ask, cases, builder, note)
                                : msw_fit_trials(cases, &ask, builder, note);
    if (rc || builder->failed)
        return -1;
    return s->save ? cli_save_cases(cases, builder, &cli_command_surrogate, s) : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text note = MSW_TEXT_EMPTY;
    msw_table_builder builder = {.err = &err};
    msw_cases cases = {.ask = {s->metric, s->group_by, s->filter, s->factors,
                               strcmp(s->limits, "off") == 0, s->doubtful},
                       .err = &err};
    int rc = cli_close_cases(&cases, work(c, s, &cases, &builder, &note));
    if (rc == 0)
        msw_cases_note(&cases, &note);
    return cli_show_cases(&cases, &builder, &note, rc, s->format);
}

const cli_command cli_command_surrogate = {
    .name = "surrogate",
    .doc = "fits models to the rows, and predicts points with them",
    .about = "Without points: one row per total degree, with the share of the variance explained "
             "at the points of the fit (r2) and at points that took no part in choosing terms and "
             "fitting (q2), which is the one to trust; one row for a Gaussian process. With --at "
             "or --points: what it predicts there. At a point that was evaluated, its row is the "
             "answer. Between listed values the interval comes from leaving whole values out, "
             "which needs four of them. Nothing is predicted outside the levels; a prediction "
             "below or above all rows is marked (beyond).",
    .first = "metric factors at points format",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
