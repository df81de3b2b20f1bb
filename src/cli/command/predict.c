#include "memsweep/results/fit.h"
#include "memsweep/results/named_points.h"

#include <math.h>
#include <stdlib.h>

typedef struct settings {
    const char *file, *sweep, *metric, *factors, *group_by, *filter, *at, *points, *confidence,
        *format;
    int64_t degree;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_STUDY_OPTIONS(settings),
    {"at", 0, CLI_TEXT, "POINT", NULL, "one point, e.g. 'ptw_count=96,page_size=4KiB'",
     offsetof(settings, at), NULL, 0, 0},
    {"points", 0, CLI_FILE, "FILE", NULL,
     "points as comma-separated values whose first line names the factors",
     offsetof(settings, points), NULL, 0, 0},
    {"degree", 0, CLI_INTEGER, "N", "0",
     "total degree of the polynomial; 0: the one up to 6 with the largest q2",
     offsetof(settings, degree), NULL, 0, MSW_PCE_DEGREE},
    {"confidence", 0, CLI_TEXT, "SHARE", "95%", "of the interval in which a new row lies",
     offsetof(settings, confidence), NULL, 0, 0},
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep predict zdt1 --metric f2 --at 'x1=0.3,x2=0.125,x3=0.5'",
    "memsweep predict zdt1 --metric f2 --points points.csv --degree 5 -f tsv", NULL};

typedef struct prediction {
    const cli_study *study;
    const cli_slice *slice;
    const cli_places *places;
    const msw_pce *pce;
    double q2, confidence;
    unsigned degree;     /* 0: the best */
    const bool *between; /* per factor of the slice */
    double *x;
    cli_sheet *sheet;
} prediction;

static double coordinate(const cli_factor *f, bool between, double value)
{
    if (between)
        return cli_fit_between(f, value);
    return f->levels ? cli_factor_level(f, value) : cli_factor_position(f, value);
}

static void show_place(const prediction *p, size_t row)
{
    const cli_study *s = p->study;
    cli_fit_row(s, p->slice, p->sheet);
    for (size_t f = 0; f < s->factor_count; f++) {
        double value = p->places->value[row * s->factor_count + f];
        if (s->factors[f].labels)
            cli_sheet_text(p->sheet, s->factors[f].name,
                           isnan(value) ? NULL : s->factors[f].labels[(size_t)value]);
        else
            cli_sheet_number(p->sheet, s->factors[f].name, value);
    }
}

static int predict_one(const prediction *p, size_t row)
{
    double value, half;
    const cli_study *s = p->study;
    for (size_t f = 0; f < p->slice->factor_count; f++) {
        const cli_factor *factor = p->slice->factors[f];
        p->x[f] =
            coordinate(factor, p->between[f],
                       p->places->value[row * s->factor_count + (size_t)(factor - s->factors)]);
    }
    if (msw_pce_predict(p->pce, p->x, p->confidence, &value, &half, s->err))
        return -1;
    show_place(p, row);
    cli_sheet_number(p->sheet, "predicted", value);
    cli_sheet_number(p->sheet, "low", value - half);
    cli_sheet_number(p->sheet, "high", value + half);
    cli_sheet_number(p->sheet, "q2", p->q2);
    return 0;
}

static int predict_group(void *context, const cli_slice *slice)
{
    prediction *p = context;
    const cli_study *s = p->study;
    bool between[MSW_PCE_FACTORS] = {false};
    double x[MSW_PCE_FACTORS];
    msw_pce_quality quality;
    for (size_t f = 0; f < slice->factor_count && f < MSW_PCE_FACTORS; f++)
        between[f] = p->places->between[slice->factors[f] - s->factors];
    msw_pce *pce = p->degree ? cli_fit(s, slice, p->degree, between, &quality)
                             : cli_fit_best(s, slice, between, &quality);
    p->slice = slice;
    p->pce = pce;
    p->q2 = quality.q2;
    p->between = between;
    p->x = x;
    int rc = pce ? 0 : -1;
    for (size_t row = 0; row < p->places->n && rc == 0; row++)
        rc = predict_one(p, row);
    msw_pce_free(pce);
    return rc;
}

static int work(const cli *c, const settings *s, cli_study *study, cli_sheet *sheet)
{
    cli_places places = {0};
    prediction p = {
        .study = study, .places = &places, .degree = (unsigned)s->degree, .sheet = sheet};
    int rc = cli_share("confidence", s->confidence, &p.confidence, study->err) ||
                     cli_study_open(c, s->file, s->sweep, MSW_STORE_READ, study) ||
                     cli_study_read(study) || cli_places_read(study, s->at, s->points, &places) ||
                     cli_slice_each(study, predict_group, &p)
                 ? -1
                 : 0;
    cli_places_free(&places);
    return rc || sheet->failed ? -1 : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_sheet sheet = {.err = &err};
    cli_study study = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    int rc = work(c, s, &study, &sheet);
    msw_report_style style = {.note = "q2: share of the variance predicted for points left out of "
                                      "the fit; a guide only where it is near 1"};
    return cli_fit_show(&study, &sheet, rc, s->format, style);
}

const cli_command cli_command_predict = {
    .name = "predict",
    .doc = "predicts a metric at points that were not evaluated",
    .about = "A polynomial is fitted to the rows. A factor with listed values is taken for a range "
             "when a point lies between them. The interval counts what the polynomial misses as "
             "noise; nothing is predicted outside the rows.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
