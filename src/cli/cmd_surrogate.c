#include "fit_points.h"

#include <math.h>

extern const cli_command cli_command_surrogate;

typedef struct settings {
    const char *file, *sweep, *metric, *factors, *group_by, *filter, *at, *points, *confidence,
        *format;
    int64_t degree, seed;
    bool save;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_STUDY_OPTIONS(settings),
    {"degree", 0, CLI_INTEGER, "N", "0",
     "the highest total degree to try; 0: 6, less with many factors or rows",
     offsetof(settings, degree), NULL, 0, MSW_PCE_DEGREE},
    {"at", 0, CLI_TEXT, "POINT", NULL, "predicts one point, e.g. 'ptw_count=96,page_size=4KiB'",
     offsetof(settings, at), NULL, 0, 0},
    {"points", 0, CLI_FILE, "FILE", NULL,
     "predicts points: comma-separated values whose first line names the factors",
     offsetof(settings, points), NULL, 0, 0},
    {"confidence", 0, CLI_TEXT, "SHARE", "95%", "of the interval in which a new row lies",
     offsetof(settings, confidence), NULL, 0, 0},
    {"seed", 0, CLI_INTEGER, "N", "1", "of the order in which rows are left out",
     offsetof(settings, seed), NULL, 0, INT64_MAX},
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep surrogate zdt1 --metric f2",
    "memsweep surrogate zdt1 --metric f2 --at 'x1=0.3,x2=0.125,x3=0.5'",
    "memsweep surrogate quickstart --metric 'log(cycles)' --degree 4 --group-by workload", NULL};

typedef struct trial {
    const cli_study *study;
    const settings *asked;
    cli_sheet *sheet;
    size_t cases; /* of the largest group */
} trial;

/* ---- how good it is ---- */

static int show(const trial *t, const cli_slice *slice, const cli_fit_ask *ask)
{
    msw_pce_quality quality;
    msw_pce *pce = cli_fit(t->study, slice, ask, &quality);
    if (!pce)
        return -1;
    cli_fit_row(t->study, slice, t->sheet);
    cli_sheet_count(t->sheet, "degree", quality.degree);
    cli_sheet_text(t->sheet, "choice", ask->best ? "best" : "given");
    cli_sheet_count(t->sheet, "factors", slice->factor_count);
    cli_sheet_count(t->sheet, "candidates", quality.candidates);
    cli_sheet_count(t->sheet, "terms", quality.terms);
    cli_sheet_number(t->sheet, "r2", quality.r2);
    cli_sheet_number(t->sheet, "q2", quality.q2);
    cli_sheet_number(t->sheet, "mean", msw_pce_mean(pce));
    cli_sheet_number(t->sheet, "deviation", sqrt(msw_pce_variance(pce)));
    cli_sheet_count(t->sheet, "used", quality.used);
    cli_sheet_count(t->sheet, "dropped", quality.dropped);
    msw_pce_free(pce);
    return 0;
}

static void show_reason(const trial *t, const cli_slice *slice, const char *reason)
{
    cli_fit_row(t->study, slice, t->sheet);
    cli_sheet_count(t->sheet, "factors", slice->factor_count);
    cli_sheet_text(t->sheet, "reason", reason);
}

/* One row per degree, then the one whose degree was chosen too: that one predicts. */
static int try_degrees(void *context, const cli_slice *slice)
{
    trial *t = context;
    char reason[128];
    unsigned highest = t->asked->degree ? (unsigned)t->asked->degree : cli_fit_highest(slice);
    cli_fit_ask ask = {.degree = 1, .seed = (uint64_t)t->asked->seed};
    if (cli_slice_reason(t->study, slice, 3, reason)) {
        show_reason(t, slice, reason);
        return 0;
    }
    t->cases = slice->n > t->cases ? slice->n : t->cases;
    for (; ask.degree <= highest; ask.degree++)
        if (show(t, slice, &ask))
            return -1;
    ask.degree = highest;
    ask.best = true;
    return show(t, slice, &ask);
}

static int try_all(const cli_study *study, trial *t, msw_text *note)
{
    if (cli_slice_each(study, try_degrees, t))
        return -1;
    bool drawn = cli_fit_note(t->cases, (uint64_t)t->asked->seed, note);
    msw_text_add(note,
                 "%sq2: share of the variance predicted for points that took no part in "
                 "choosing and fitting; 'best' has chosen its degree too and is what --at "
                 "and --points use\n",
                 drawn ? "\n" : "");
    return 0;
}

/* ---- the command ---- */

static int predict(const settings *s, const cli_study *study, cli_sheet *sheet, msw_text *note)
{
    cli_places places = {0};
    cli_predictions p = {
        .study = study,
        .places = &places,
        .ask = {.degree = (unsigned)s->degree, .best = true, .seed = (uint64_t)s->seed},
        .sheet = sheet};
    int rc = cli_share("confidence", s->confidence, &p.confidence, study->err) ||
                     cli_places_read(study, s->at, s->points, &places) ||
                     cli_slice_each(study, cli_predict, &p)
                 ? -1
                 : 0;
    cli_predictions_note(&p, note);
    cli_places_free(&places);
    return rc;
}

static int work(const cli *c, const settings *s, cli_study *study, cli_sheet *sheet, msw_text *note)
{
    trial t = {study, s, sheet, 0};
    if (cli_study_open(c, s->file, s->sweep, s->save ? MSW_STORE_WRITE : MSW_STORE_READ, study) ||
        cli_study_read(study))
        return -1;
    int rc = s->at || s->points ? predict(s, study, sheet, note) : try_all(study, &t, note);
    if (rc || sheet->failed)
        return -1;
    if (!s->save)
        return 0;
    return cli_grouping_join(&study->grouping, s->group_by, sheet) ||
                   cli_sheet_save(sheet, study->store, study->sweep.id, &cli_command_surrogate, s)
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
    int rc = work(c, s, &study, &sheet, &note);
    msw_report_style style = {.hide_same = true, .note = msw_text_str(&note)};
    int code = cli_fit_show(&study, &sheet, rc, s->format, style);
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
