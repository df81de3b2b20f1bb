#include "cli/cases.h"
#include "cli/save.h"
#include "cli/shared_options.h"
#include "memsweep/results/fit.h"
#include "memsweep/results/fit_points.h"

#include <math.h>

extern const cli_command cli_command_surrogate;

typedef struct settings {
    const char *file, *sweep, *fidelity, *metric, *factors, *group_by, *filter, *at, *points,
        *confidence, *format;
    int64_t degree, seed;
    bool save;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_CASES_OPTIONS(settings),
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

typedef struct trial {
    const msw_cases *cases;
    const settings *asked;
    msw_table_builder *builder;
    size_t largest; /* group, in cases */
} trial;

/* ---- how good it is ---- */

static int show(const trial *t, const msw_slice *slice, const msw_fit_options *ask)
{
    msw_pce_quality quality;
    msw_pce *pce = msw_fit(t->cases, slice, ask, &quality);
    if (!pce)
        return -1;
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_count(t->builder, "degree", quality.degree);
    msw_builder_text(t->builder, "choice", ask->best ? "best" : "given");
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_count(t->builder, "candidates", quality.candidates);
    msw_builder_count(t->builder, "terms", quality.terms);
    msw_builder_number(t->builder, "r2", quality.r2);
    msw_builder_number(t->builder, "q2", quality.q2);
    msw_builder_number(t->builder, "mean", msw_pce_mean(pce));
    msw_builder_number(t->builder, "deviation", sqrt(msw_pce_variance(pce)));
    msw_builder_count(t->builder, "used", quality.used);
    msw_builder_count(t->builder, "dropped", quality.dropped);
    msw_pce_free(pce);
    return 0;
}

static void show_reason(const trial *t, const msw_slice *slice, const char *reason)
{
    msw_fit_row(t->cases, slice, t->builder);
    msw_builder_count(t->builder, "factors", slice->factor_count);
    msw_builder_text(t->builder, "reason", reason);
}

/* One row per degree, then the one whose degree was chosen too: that one predicts. */
static int try_degrees(void *context, const msw_slice *slice)
{
    trial *t = context;
    char reason[128];
    unsigned highest = t->asked->degree ? (unsigned)t->asked->degree : msw_fit_highest(slice);
    msw_fit_options ask = {.degree = 1, .seed = (uint64_t)t->asked->seed};
    if (msw_slice_reason(t->cases, slice, 3, reason)) {
        show_reason(t, slice, reason);
        return 0;
    }
    t->largest = slice->n > t->largest ? slice->n : t->largest;
    for (; ask.degree <= highest; ask.degree++)
        if (show(t, slice, &ask))
            return -1;
    ask.degree = highest;
    ask.best = true;
    return show(t, slice, &ask);
}

static int try_all(const msw_cases *cases, trial *t, msw_text *note)
{
    if (msw_slice_each(cases, try_degrees, t))
        return -1;
    bool drawn = msw_fit_note(t->largest, (uint64_t)t->asked->seed, note);
    msw_text_add(note,
                 "%sq2: share of the variance predicted for points that took no part in "
                 "choosing and fitting; 'best' has chosen its degree too and is what --at "
                 "and --points use\n",
                 drawn ? "\n" : "");
    return 0;
}

/* ---- the command ---- */

static int predict(const settings *s, const msw_cases *cases, msw_table_builder *builder,
                   msw_text *note)
{
    msw_named_points points = {0};
    msw_predictions p = {
        .cases = cases,
        .points = &points,
        .ask = {.degree = (unsigned)s->degree, .best = true, .seed = (uint64_t)s->seed},
        .builder = builder};
    int rc = cli_share("confidence", s->confidence, &p.confidence, cases->err) ||
                     msw_named_points_read(cases, s->at, s->points, &points) ||
                     msw_slice_each(cases, msw_predict, &p)
                 ? -1
                 : 0;
    msw_predictions_note(&p, note);
    msw_named_points_free(&points);
    return rc;
}

static int work(const cli *c, const settings *s, msw_cases *cases, msw_table_builder *builder,
                msw_text *note)
{
    trial t = {cases, s, builder, 0};
    cli_sweep sweep;
    if (cli_sweep_word(s->sweep, s->fidelity, &sweep, cases->err) ||
        msw_cases_open(&c->context, s->file, sweep.word, s->save ? MSW_STORE_WRITE : MSW_STORE_READ,
                       cases) ||
        msw_cases_read(cases))
        return -1;
    int rc = s->at || s->points ? predict(s, cases, builder, note) : try_all(cases, &t, note);
    if (rc || builder->failed)
        return -1;
    if (!s->save)
        return 0;
    return msw_grouping_join(&cases->grouping, s->group_by, builder) ||
                   cli_save_table(builder, cases->store, cases->sweep.id, &cli_command_surrogate, s)
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
    int rc = work(c, s, &cases, &builder, &note);
    msw_format_style style = {.hide_same = true, .note = msw_text_str(&note)};
    int code = cli_show_cases(&cases, &builder, rc, s->format, style);
    msw_text_free(&note);
    return code;
}

const cli_command cli_command_surrogate = {
    .name = "surrogate",
    .doc = "fits a polynomial that stands for the model, and predicts points with it",
    .about =
        "Without points: one row per total degree, with the share of the variance explained at "
        "the points of the fit (r2) and, the one to trust, at points that took no part in choosing "
        "terms and fitting (q2). With --at or --points: what it predicts there. At a point that "
        "was "
        "evaluated its row is the answer. Between listed values the interval comes from leaving "
        "whole values out, which needs four of them. Nothing is predicted outside the rows.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
