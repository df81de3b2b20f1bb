#include "memsweep/results/fit.h"

#include <math.h>

extern const cli_command cli_command_surrogate;

typedef struct settings {
    const char *file, *sweep, *metric, *factors, *group_by, *filter, *format;
    int64_t degree;
    bool save;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_STUDY_OPTIONS(settings),
    {"degree", 0, CLI_INTEGER, "N", "0",
     "the highest total degree to try; 0: 6, less with many factors", offsetof(settings, degree),
     NULL, 0, MSW_PCE_DEGREE},
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep surrogate zdt1 --metric f2",
    "memsweep surrogate quickstart --metric 'log(cycles)' --degree 4 --group-by workload", NULL};

static void show(const cli_slice *slice, const msw_pce *pce, const msw_pce_quality *quality,
                 cli_sheet *sheet)
{
    cli_sheet_count(sheet, "factors", slice->factor_count);
    cli_sheet_count(sheet, "candidates", quality->candidates);
    cli_sheet_count(sheet, "terms", quality->terms);
    cli_sheet_number(sheet, "r2", quality->r2);
    cli_sheet_number(sheet, "q2", quality->q2);
    cli_sheet_number(sheet, "mean", msw_pce_mean(pce));
    cli_sheet_number(sheet, "deviation", sqrt(msw_pce_variance(pce)));
    cli_sheet_count(sheet, "used", quality->used);
    cli_sheet_count(sheet, "dropped", slice->n - quality->used);
}

typedef struct trial {
    const cli_study *study;
    int64_t highest; /* degree; 0: nobody said one */
    cli_sheet *sheet;
} trial;

/* One row per degree: q2 rises as long as the terms are worth their points. */
static int try_degrees(void *context, const cli_slice *slice)
{
    const trial *t = context;
    int64_t highest = t->highest ? t->highest : cli_fit_highest(slice);
    for (int64_t degree = 1; degree <= highest; degree++) {
        msw_pce_quality quality;
        msw_pce *pce = cli_fit(t->study, slice, (unsigned)degree, NULL, &quality);
        if (!pce)
            return -1;
        cli_fit_row(t->study, slice, t->sheet);
        cli_sheet_count(t->sheet, "degree", (uint64_t)degree);
        show(slice, pce, &quality, t->sheet);
        msw_pce_free(pce);
    }
    return t->sheet->failed ? -1 : 0;
}

static int work(const cli *c, const settings *s, cli_study *study, cli_sheet *sheet)
{
    trial t = {study, s->degree, sheet};
    if (cli_study_open(c, s->file, s->sweep, s->save ? MSW_STORE_WRITE : MSW_STORE_READ, study) ||
        cli_study_read(study) || cli_slice_each(study, try_degrees, &t))
        return -1;
    return s->save ? cli_sheet_save(sheet, study->store, study->sweep.id, &cli_command_surrogate, s)
                   : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_sheet sheet = {.err = &err};
    cli_study study = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    int rc = work(c, s, &study, &sheet);
    msw_report_style style = {
        .hide_same = true,
        .note = "q2: share of the variance predicted for points left out of the fit"};
    return cli_fit_show(&study, &sheet, rc, s->format, style);
}

const cli_command cli_command_surrogate = {
    .name = "surrogate",
    .doc = "tells how well a polynomial in the factors stands for the model",
    .about = "One row per total degree, with the share of the variance that is explained at the "
             "points of the fit (r2) and, the one to trust, at points left out one by one (q2). "
             "`memsweep predict` uses such a polynomial.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
