/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_sensitivity;

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *control, *metric, *method, *factors,
        *group_by, *filter, *confidence, *estimator, *baseline, *groups, *format;
    int64_t resamples, degree;
    bool second, convergence, save, doubtful;
} settings;

static const char *const ESTIMATORS[] = {"saltelli", "jansen", "janon", "salib", NULL};

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_CASES_OPTIONS(settings),
    MSW_ROW(.name = "control", .kind = CLI_CHOICE, .arg = "NAME",
            .help = "the same sweep's rows at a cheaper fidelity sharpen the Sobol indices of few "
                    "expensive rows, e.g. --fidelity full --control analytic",
            .offset = offsetof(settings, control), .choices = cli_fidelities),
    MSW_ROW(.name = "method", .kind = CLI_CHOICE, .arg = "METHOD", .def = "auto",
            .help = "auto takes sobol for the design saltelli, morris for morris, anova for a "
                    "complete grid, oat for a list that moves one factor at a time, else "
                    "regression and pce together; of any rows: correlation, classes (first order, "
                    "PAWN, "
                    "delta) and shapley",
            .offset = offsetof(settings, method), .choices = msw_effects_methods),
    MSW_ROW(.name = "second", .kind = CLI_FLAG, .help = "adds the interactions of two factors",
            .offset = offsetof(settings, second)),
    MSW_ROW(.name = "resamples", .kind = CLI_INTEGER, .arg = "N", .def = "1000",
            .help = "number of resamples for the intervals of sobol and morris; 0: no intervals",
            .offset = offsetof(settings, resamples), .max = 1000000),
    CLI_CONFIDENCE(settings, "of the intervals"),
    MSW_ROW(.name = "estimator", .kind = CLI_CHOICE, .arg = "NAME", .def = "saltelli",
            .help = "the estimator of first-order indices by sobol; salib: saltelli, and BA rows "
                    "serve pairs alone, as in SALib",
            .offset = offsetof(settings, estimator), .choices = ESTIMATORS),
    MSW_ROW(.name = "convergence", .kind = CLI_FLAG,
            .help = "sobol: also the indices of the first quarter and half of the base rows",
            .offset = offsetof(settings, convergence)),
    MSW_ROW(.name = "degree", .kind = CLI_INTEGER, .arg = "N", .def = "3",
            .help = "total degree of the polynomial of pce", .offset = offsetof(settings, degree),
            .min = 1, .max = MSW_PCE_DEGREE),
    MSW_ROW(.name = "baseline", .kind = CLI_TEXT, .arg = "LIST",
            .help = "oat: the values of the other factors, e.g. 'ptw_count=8,page_size=4096'; "
                    "default: the most frequent level, then the default, then the middle",
            .offset = offsetof(settings, baseline)),
    MSW_ROW(.name = "groups", .kind = CLI_TEXT, .arg = "LIST",
            .help = "anova and pce: adds rows for factors taken as one, e.g. 'walkers = ptw_count "
                    "+ prmb_slots, tlb_entries + page_size'",
            .offset = offsetof(settings, groups)),
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep sensitivity zdt1 --metric f2 --second",
    "memsweep sensitivity all.db -s quickstart -m slowdown --group-by workload",
    "memsweep sensitivity quickstart -m 'log(cycles)' --method pce --degree 4", NULL};

/* ---- the command ---- */

static int read_ask(const settings *s, msw_effects_options *ask, msw_err *err)
{
    *ask = (msw_effects_options){.resamples = s->resamples,
                                 .seed = 1,
                                 .interactions = s->second ? 2 : 1,
                                 .degree = s->degree,
                                 .convergence = s->convergence,
                                 .baseline = s->baseline,
                                 .groups = s->groups,
                                 .method = s->method};
    ask->one_way = strcmp(s->estimator, "salib") == 0;
    while (!ask->one_way && strcmp(ESTIMATORS[ask->estimator], s->estimator) != 0)
        ask->estimator++;
    return cli_share("confidence", s->confidence, &ask->confidence, err);
}

/* The same question to the rows of a cheaper fidelity. */
static int read_control(const cli *c, const settings *s, msw_effects *job, msw_cases *control)
{
    if (!s->control)
        return 0;
    int rc = cli_open_cases(c, s->file, &(cli_which){s->sweep, s->control, s->over, s->by, false},
                            false, control);
    msw_store_close(control->store, NULL);
    job->control = control;
    return rc;
}

static int work(const cli *c, const settings *s, msw_effects *job, msw_cases *control)
{
    msw_cases *cases = job->cases;
    if (read_ask(s, &job->ask, cases->err) || read_control(c, s, job, control) ||
        cli_find_cases(c, s->file, &(cli_which){s->sweep, s->fidelity, s->over, s->by, false},
                       s->save, cases))
        return -1;
    int summarised = msw_effects_from_summary(job);
    if (summarised < 0 || (!summarised && (msw_cases_read(cases) || msw_effects_find(job))))
        return -1;
    return s->save ? cli_save_cases(cases, job->builder, &cli_command_sensitivity, s) : 0;
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
    msw_cases control = {.ask = cases.ask, .err = &err};
    msw_effects job = {.cases = &cases, .builder = &builder, .note = &note};
    int rc = cli_close_cases(&cases, work(c, s, &job, &control));
    msw_cases_free(&control);
    if (rc == 0) {
        msw_effects_note(&job, &note);
        msw_effects_warn(&job, &c->context.log);
    }
    return cli_show_cases(&cases, &builder, &note, rc, s->format);
}

const cli_command cli_command_sensitivity = {
    .name = "sensitivity",
    .doc = "finds which factors a metric depends on, and how certain that is",
    .about = "Indices are shares of the variance: first is what a factor does alone, total what "
             "would be left if all others were known. Where a point has several workloads or "
             "replicates, their mean is analysed, or each workload separately with --group-by "
             "workload. A point without a value drops its whole base row or trajectory.",
    .first = "metric method factors filter format",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
