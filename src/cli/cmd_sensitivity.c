#include "sensitivity.h"

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
    CLI_STUDY_OPTIONS(settings),
    {"method", 0, CLI_CHOICE, "METHOD", "auto",
     "auto takes sobol for the design saltelli, morris for morris, anova for a complete grid, oat "
     "for a list that moves one factor at a time, else regression and pce together",
     offsetof(settings, method), METHODS, 0, 0},
    {"second", 0, CLI_FLAG, NULL, NULL, "adds the interactions of two factors",
     offsetof(settings, second), NULL, 0, 0},
    {"interactions", 0, CLI_INTEGER, "N", "1",
     "anova: adds interactions of up to N factors; 2 is --second", offsetof(settings, interactions),
     NULL, 1, MSW_ANOVA_FACTORS},
    {"resamples", 0, CLI_INTEGER, "N", "1000",
     "resamples behind the intervals of sobol and morris; 0: no intervals",
     offsetof(settings, resamples), NULL, 0, 1000000},
    {"confidence", 0, CLI_TEXT, "SHARE", "95%", "of the intervals", offsetof(settings, confidence),
     NULL, 0, 0},
    {"seed", 0, CLI_INTEGER, "N", "1", "of the resamples", offsetof(settings, seed), NULL, 0,
     INT64_MAX},
    {"estimator", 0, CLI_CHOICE, "NAME", "saltelli", "of first-order indices by sobol",
     offsetof(settings, estimator), ESTIMATORS, 0, 0},
    {"centre", 0, CLI_CHOICE, "on|off", "on", "sobol: centre and scale the outputs first",
     offsetof(settings, centre), CENTRES, 0, 0},
    {"degree", 0, CLI_INTEGER, "N", "3", "total degree of the polynomial of pce",
     offsetof(settings, degree), NULL, 1, MSW_PCE_DEGREE},
    {"baseline", 0, CLI_TEXT, "LIST", NULL,
     "oat: where the others stand, e.g. 'ptw_count=8,page_size=4096'; else the most frequent "
     "level, then the default, then the middle",
     offsetof(settings, baseline), NULL, 0, 0},
    {"groups", 0, CLI_TEXT, "LIST", NULL,
     "anova and pce: adds rows for factors taken as one, e.g. 'walkers = ptw_count + prmb_slots, "
     "tlb_entries + page_size'",
     offsetof(settings, groups), NULL, 0, 0},
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep sensitivity zdt1 --metric f2 --second",
    "memsweep sensitivity all.db -s quickstart -m slowdown --group-by workload",
    "memsweep sensitivity quickstart -m 'log(cycles)' --method pce --degree 4", NULL};

/* ---- rows of the result ---- */

void cli_sensitivity_row(cli_sensitivity *job, const cli_slice *slice, const char *name)
{
    cli_fit_row(job->study, slice, job->sheet);
    cli_sheet_text(job->sheet, "factor", name);
}

void cli_sensitivity_used(cli_sensitivity *job, const msw_used *used)
{
    cli_sheet_count(job->sheet, "used", used->used);
    cli_sheet_count(job->sheet, "dropped", used->dropped);
    job->last = *used;
}

void cli_factor_names(const cli_slice *slice, uint32_t set, msw_text *out)
{
    const char *before = "";
    for (unsigned f = 0; f < slice->factor_count; f++)
        if (set >> f & 1) {
            msw_text_add(out, "%s%s", before, slice->factors[f]->name);
            before = " * ";
        }
}

/* ---- methods ---- */

static cli_method choose(const cli_study *s, const cli_slice *slice, const char *asked)
{
    static const cli_method NAMED[] = {CLI_METHOD_GIVEN, CLI_METHOD_OAT,   CLI_METHOD_MORRIS,
                                       CLI_METHOD_SOBOL, CLI_METHOD_ANOVA, CLI_METHOD_REGRESSION,
                                       CLI_METHOD_PCE};
    size_t at = 0;
    while (strcmp(METHODS[at], asked) != 0)
        at++;
    if (at)
        return NAMED[at];
    if (!s->ask.factors && strcmp(s->outline.design->name, "saltelli") == 0)
        return CLI_METHOD_SOBOL;
    if (!s->ask.factors && strcmp(s->outline.design->name, "morris") == 0)
        return CLI_METHOD_MORRIS;
    if (cli_anova_fits(s, slice))
        return CLI_METHOD_ANOVA;
    return cli_oat_fits(s, slice) ? CLI_METHOD_OAT : CLI_METHOD_GIVEN;
}

static int apply(cli_sensitivity *job, const cli_slice *slice, cli_method method)
{
    bool any_set = method == CLI_METHOD_ANOVA || method == CLI_METHOD_PCE;
    if (job->ask.groups && !any_set && method != CLI_METHOD_GIVEN)
        return msw_fail(job->study->err,
                        "--groups needs a method that knows the share of any set of factors: "
                        "anova of a complete grid, or --method pce (the designs morris and "
                        "saltelli take `groups` in the sweep file)");
    switch (method) {
    case CLI_METHOD_SOBOL:
        return cli_sobol(job, slice);
    case CLI_METHOD_MORRIS:
        return cli_morris(job, slice);
    case CLI_METHOD_ANOVA:
        return cli_anova(job, slice);
    case CLI_METHOD_OAT:
        return cli_oat(job, slice);
    default:
        return cli_given(job, slice, method != CLI_METHOD_PCE, method != CLI_METHOD_REGRESSION);
    }
}

/* Where no index has a meaning, the rows say why. */
static void show_reason(cli_sensitivity *job, const cli_slice *slice, cli_method method,
                        const char *reason)
{
    const msw_outline *o = &job->study->outline;
    bool design = method == CLI_METHOD_SOBOL || method == CLI_METHOD_MORRIS;
    size_t count = design ? o->group_count : slice->factor_count;
    for (size_t f = 0; f < count; f++) {
        cli_sensitivity_row(job, slice, design ? o->group_names[f] : slice->factors[f]->name);
        cli_sheet_text(job->sheet, "reason", reason);
    }
    job->last = (msw_used){0};
    if (!job->unit)
        msw_text_add(job->note, "no indices where the output does not vary, is infinite or hardly "
                                "known: see the column 'reason'");
    job->unit = "points";
}

/* Points with a value below which a method says nothing; 0: it can also tell that nothing varies.
 */
static size_t points_needed(cli_method method)
{
    switch (method) {
    case CLI_METHOD_OAT:
    case CLI_METHOD_MORRIS:
        return 0;
    case CLI_METHOD_SOBOL:
    case CLI_METHOD_ANOVA:
        return 2;
    default:
        return 3;
    }
}

static int study_group(void *context, const cli_slice *slice)
{
    cli_sensitivity *job = context;
    char reason[128];
    if (!slice->factor_count)
        return msw_fail(job->study->err, "no factor varies in the rows of the sweep '%s' looked at",
                        job->study->sweep.name);
    cli_method method = choose(job->study, slice, job->ask.method);
    if (cli_slice_reason(job->study, slice, points_needed(method), reason)) {
        show_reason(job, slice, method, reason);
        return 0;
    }
    int rc = apply(job, slice, method);
    job->total.used += job->last.used;
    job->total.dropped += job->last.dropped;
    return rc;
}

/* ---- the command ---- */

static void add_note(const cli_sensitivity *job, msw_text *note)
{
    msw_text all = MSW_TEXT_EMPTY;
    char used[32], dropped[32];
    msw_text_add(&all, "%s\n", msw_text_str(job->note));
    cli_study_note(job->study, &all);
    msw_text_add(&all, "\n%s %s used, %s dropped", cli_count_text(job->total.used, used), job->unit,
                 cli_count_text(job->total.dropped, dropped));
    if (job->absent + job->cut)
        msw_text_add(&all, ", %s not among the rows looked at",
                     cli_count_text(job->absent + job->cut, used));
    if (job->cut)
        msw_text_add(&all, " (%s of them in part)", cli_count_text(job->cut, used));
    msw_text_free(note);
    *note = all;
}

static void warn(const cli *c, const cli_sensitivity *job)
{
    size_t all = job->total.used + job->total.dropped;
    double share = all ? (double)job->total.dropped / (double)all : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(&c->log, MSW_LOG_WARN,
                     "%.3g %% of the %s are dropped for want of a value: failures seldom fall at "
                     "random, so these indices may be biased",
                     100 * share, job->unit);
    size_t looked_at = all + job->cut;
    share = looked_at ? (double)job->cut / (double)looked_at : 0;
    if (share > MSW_DROPPED_WARN)
        msw_log_line(&c->log, MSW_LOG_WARN,
                     "%.3g %% of the %s are there in part only, because of the filter or because "
                     "points are not evaluated yet: the others need not be a fair sample",
                     100 * share, job->unit);
}

static int read_ask(const settings *s, cli_sensitivity_ask *ask, msw_err *err)
{
    *ask = (cli_sensitivity_ask){.resamples = s->resamples,
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

static int work(const cli *c, const settings *s, cli_sensitivity *job)
{
    msw_store_mode mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ;
    cli_study *study = job->study;
    if (read_ask(s, &job->ask, study->err) || cli_study_open(c, s->file, s->sweep, mode, study) ||
        cli_study_read(study) || cli_slice_each(study, study_group, job) || job->sheet->failed)
        return -1;
    if (!s->save)
        return 0;
    return cli_grouping_join(&study->grouping, s->group_by, job->sheet) ||
                   cli_sheet_save(job->sheet, study->store, study->sweep.id,
                                  &cli_command_sensitivity, s)
               ? -1
               : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text note = MSW_TEXT_EMPTY;
    cli_sheet sheet = {.err = &err};
    cli_study study = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    cli_sensitivity job = {.study = &study, .sheet = &sheet, .note = &note};
    int rc = work(c, s, &job);
    if (msw_store_close(study.store, rc ? NULL : &err))
        rc = -1;
    if (rc == 0) {
        add_note(&job, &note);
        warn(c, &job);
    }
    msw_report_style style = {
        .width = cli_terminal_width(), .hide_same = true, .note = msw_text_str(&note)};
    int code = rc ? cli_fail(&err) : cli_print_table(&sheet.table, s->format, &style);
    msw_table_free(&sheet.table);
    cli_study_free(&study);
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
