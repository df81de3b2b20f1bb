#include "cli/cases.h"
#include "cli/save.h"

#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_sensitivity;

typedef struct settings {
    const char *file, *sweep, *metric, *method, *factors, *group_by, *filter, *confidence,
        *estimator, *centre, *baseline, *groups, *format;
    int64_t resamples, seed, interactions, degree;
    bool second, save;
} settings;

static const char *const METHODS[] = {"auto",  "oat",        "morris", "sobol",
                                      "anova", "regression", "pce",    NULL};
static const char *const ESTIMATORS[] = {"saltelli", "jansen", "janon", NULL};
static const char *const CENTRES[] = {"on", "off", NULL};

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_CASES_OPTIONS(settings),
    MSW_ROW(.name = "method", .kind = CLI_CHOICE, .arg = "METHOD", .def = "auto",
            .help = "auto takes sobol for the design saltelli, morris for morris, anova for a "
                    "complete grid, oat for a list that moves one factor at a time, else "
                    "regression and pce together",
            .offset = offsetof(settings, method), .choices = METHODS),
    MSW_ROW(.name = "second", .kind = CLI_FLAG, .help = "adds the interactions of two factors",
            .offset = offsetof(settings, second)),
    MSW_ROW(.name = "interactions", .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "anova: adds interactions of up to N factors; 2 is --second",
            .offset = offsetof(settings, interactions), .min = 1, .max = MSW_ANOVA_FACTORS),
    MSW_ROW(.name = "resamples", .kind = CLI_INTEGER, .arg = "N", .def = "1000",
            .help = "resamples behind the intervals of sobol and morris; 0: no intervals",
            .offset = offsetof(settings, resamples), .max = 1000000),
    MSW_ROW(.name = "confidence", .kind = CLI_TEXT, .arg = "SHARE", .def = "95%",
            .help = "of the intervals", .offset = offsetof(settings, confidence)),
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "1", .help = "of the resamples",
            .offset = offsetof(settings, seed), .max = INT64_MAX),
    MSW_ROW(.name = "estimator", .kind = CLI_CHOICE, .arg = "NAME", .def = "saltelli",
            .help = "of first-order indices by sobol", .offset = offsetof(settings, estimator),
            .choices = ESTIMATORS),
    MSW_ROW(.name = "centre", .kind = CLI_CHOICE, .arg = "on|off", .def = "on",
            .help = "sobol: centre and scale the outputs first",
            .offset = offsetof(settings, centre), .choices = CENTRES),
    MSW_ROW(.name = "degree", .kind = CLI_INTEGER, .arg = "N", .def = "3",
            .help = "total degree of the polynomial of pce", .offset = offsetof(settings, degree),
            .min = 1, .max = MSW_PCE_DEGREE),
    MSW_ROW(.name = "baseline", .kind = CLI_TEXT, .arg = "LIST",
            .help = "oat: where the others stand, e.g. 'ptw_count=8,page_size=4096'; else the most "
                    "frequent level, then the default, then the middle",
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

/* ---- rows of the result ---- */

/* ---- methods ---- */

static msw_effects_method choose(const msw_cases *s, const msw_slice *slice, const char *asked)
{
    static const msw_effects_method NAMED[] = {
        MSW_METHOD_GIVEN, MSW_METHOD_OAT,        MSW_METHOD_MORRIS, MSW_METHOD_SOBOL,
        MSW_METHOD_ANOVA, MSW_METHOD_REGRESSION, MSW_METHOD_PCE};
    size_t at = 0;
    while (strcmp(METHODS[at], asked) != 0)
        at++;
    if (at)
        return NAMED[at];
    if (!s->ask.factors && strcmp(s->outline.design->name, "saltelli") == 0)
        return MSW_METHOD_SOBOL;
    if (!s->ask.factors && strcmp(s->outline.design->name, "morris") == 0)
        return MSW_METHOD_MORRIS;
    if (msw_effects_anova_fits(s, slice))
        return MSW_METHOD_ANOVA;
    return msw_effects_oat_fits(s, slice) ? MSW_METHOD_OAT : MSW_METHOD_GIVEN;
}

static int apply(msw_effects *job, const msw_slice *slice, msw_effects_method method)
{
    bool any_set = method == MSW_METHOD_ANOVA || method == MSW_METHOD_PCE;
    if (job->ask.groups && !any_set && method != MSW_METHOD_GIVEN)
        return msw_fail(job->cases->err,
                        "--groups needs a method that knows the share of any set of factors: "
                        "anova of a complete grid, or --method pce (the designs morris and "
                        "saltelli take `groups` in the sweep file)");
    switch (method) {
    case MSW_METHOD_SOBOL:
        return msw_effects_sobol(job, slice);
    case MSW_METHOD_MORRIS:
        return msw_effects_morris(job, slice);
    case MSW_METHOD_ANOVA:
        return msw_effects_anova(job, slice);
    case MSW_METHOD_OAT:
        return msw_effects_oat(job, slice);
    default:
        return msw_effects_given(job, slice, method != MSW_METHOD_PCE,
                                 method != MSW_METHOD_REGRESSION);
    }
}

/* Where no index has a meaning, the rows say why. */
static void show_reason(msw_effects *job, const msw_slice *slice, msw_effects_method method,
                        const char *reason)
{
    const msw_outline *o = &job->cases->outline;
    bool design = method == MSW_METHOD_SOBOL || method == MSW_METHOD_MORRIS;
    size_t count = design ? o->group_count : slice->factor_count;
    for (size_t f = 0; f < count; f++) {
        msw_effects_row(job, slice, design ? o->group_names[f] : slice->factors[f]->name);
        msw_builder_text(job->builder, "reason", reason);
    }
    job->last = (msw_used){0};
    if (!job->unit)
        msw_text_add(job->note, "no indices where the output does not vary, is infinite or hardly "
                                "known: see the column 'reason'");
    job->unit = "points";
}

/* Points with a value below which a method says nothing; 0: it can also tell that nothing varies.
 */
static size_t points_needed(msw_effects_method method)
{
    switch (method) {
    case MSW_METHOD_OAT:
    case MSW_METHOD_MORRIS:
        return 0;
    case MSW_METHOD_SOBOL:
    case MSW_METHOD_ANOVA:
        return 2;
    default:
        return 3;
    }
}

static int group_effects(void *context, const msw_slice *slice)
{
    msw_effects *job = context;
    char reason[128];
    if (!slice->factor_count)
        return msw_fail(job->cases->err, "no factor varies in the rows of the sweep '%s' looked at",
                        job->cases->sweep.name);
    msw_effects_method method = choose(job->cases, slice, job->ask.method);
    if (msw_slice_reason(job->cases, slice, points_needed(method), reason)) {
        show_reason(job, slice, method, reason);
        return 0;
    }
    int rc = apply(job, slice, method);
    job->total.used += job->last.used;
    job->total.dropped += job->last.dropped;
    return rc;
}

/* ---- the command ---- */

static void add_note(const msw_effects *job, msw_text *note)
{
    msw_text all = MSW_TEXT_EMPTY;
    char used[32], dropped[32];
    msw_text_add(&all, "%s\n", msw_text_str(job->note));
    msw_cases_note(job->cases, &all);
    msw_text_add(&all, "\n%s %s used, %s dropped", msw_count_text(job->total.used, used), job->unit,
                 msw_count_text(job->total.dropped, dropped));
    if (job->absent + job->cut)
        msw_text_add(&all, ", %s not among the rows looked at",
                     msw_count_text(job->absent + job->cut, used));
    if (job->cut)
        msw_text_add(&all, " (%s of them in part)", msw_count_text(job->cut, used));
    msw_text_free(note);
    *note = all;
}

static void warn(const cli *c, const msw_effects *job)
{
    size_t all = job->total.used + job->total.dropped;
    double share = all ? (double)job->total.dropped / (double)all : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "%.3g %% of the %s are dropped for want of a value: failures seldom fall at "
                     "random, so these indices may be biased",
                     100 * share, job->unit);
    size_t looked_at = all + job->cut;
    share = looked_at ? (double)job->cut / (double)looked_at : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "%.3g %% of the %s are there in part only, because of the filter or because "
                     "points are not evaluated yet: the others need not be a fair sample",
                     100 * share, job->unit);
}

static int read_ask(const settings *s, msw_effects_options *ask, msw_err *err)
{
    *ask = (msw_effects_options){.resamples = s->resamples,
                                 .seed = s->seed,
                                 .interactions =
                                     s->second && s->interactions < 2 ? 2 : s->interactions,
                                 .degree = s->degree,
                                 .raw = strcmp(s->centre, "off") == 0,
                                 .baseline = s->baseline,
                                 .groups = s->groups,
                                 .method = s->method};
    while (strcmp(ESTIMATORS[ask->estimator], s->estimator) != 0)
        ask->estimator++;
    return cli_share("confidence", s->confidence, &ask->confidence, err);
}

static int work(const cli *c, const settings *s, msw_effects *job)
{
    msw_store_mode mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ;
    msw_cases *cases = job->cases;
    if (read_ask(s, &job->ask, cases->err) ||
        msw_cases_open(&c->context, s->file, s->sweep, mode, cases) || msw_cases_read(cases) ||
        msw_slice_each(cases, group_effects, job) || job->builder->failed)
        return -1;
    if (!s->save)
        return 0;
    return msw_grouping_join(&cases->grouping, s->group_by, job->builder) ||
                   cli_save_table(job->builder, cases->store, cases->sweep.id,
                                  &cli_command_sensitivity, s)
               ? -1
               : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text note = MSW_TEXT_EMPTY;
    msw_table_builder builder = {.err = &err};
    msw_cases cases = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    msw_effects job = {.cases = &cases, .builder = &builder, .note = &note};
    int rc = work(c, s, &job);
    if (msw_store_close(cases.store, rc ? NULL : &err))
        rc = -1;
    if (rc == 0) {
        add_note(&job, &note);
        warn(c, &job);
    }
    msw_format_style style = {
        .width = cli_terminal_width(), .hide_same = true, .note = msw_text_str(&note)};
    int code = rc ? cli_fail(&err) : cli_print_table(&builder.table, s->format, &style);
    msw_table_free(&builder.table);
    msw_cases_free(&cases);
    msw_text_free(&note);
    return code;
}

const cli_command cli_command_sensitivity = {
    .name = "sensitivity",
    .doc = "finds which factors a metric depends on, and how surely that is known",
    .about =
        "Indices are shares of the variance: first is what a factor does alone, total what would "
        "be left if all others were known. Where several workloads or replicates answer a point, "
        "their mean is looked at, or each apart with --group-by workload. A point without a value "
        "drops its whole base row or trajectory.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
