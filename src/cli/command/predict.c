#include "cli/cases.h"

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
    CLI_CASES_OPTIONS(settings),
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
    const msw_cases *cases;
    const msw_slice *slice;
    const msw_named_points *points;
    const msw_pce *pce;
    double q2, confidence;
    unsigned degree;     /* 0: the best */
    const bool *between; /* per factor of the slice */
    double *x;
    msw_table_builder *builder;
} prediction;

static double coordinate(const msw_case_factor *f, bool between, double value)
{
    if (between)
        return msw_fit_between(f, value);
    return f->levels ? msw_case_factor_level(f, value) : msw_case_factor_position(f, value);
}

static void show_point(const prediction *p, size_t row)
{
    const msw_cases *s = p->cases;
    msw_fit_row(s, p->slice, p->builder);
    for (size_t f = 0; f < s->factor_count; f++) {
        double value = p->points->value[row * s->factor_count + f];
        if (s->factors[f].labels)
            msw_builder_text(p->builder, s->factors[f].name,
                             isnan(value) ? NULL : s->factors[f].labels[(size_t)value]);
        else
            msw_builder_number(p->builder, s->factors[f].name, value);
    }
}

static int predict_one(const prediction *p, size_t row)
{
    double value, half;
    const msw_cases *s = p->cases;
    for (size_t f = 0; f < p->slice->factor_count; f++) {
        const msw_case_factor *factor = p->slice->factors[f];
        p->x[f] =
            coordinate(factor, p->between[f],
                       p->points->value[row * s->factor_count + (size_t)(factor - s->factors)]);
    }
    if (msw_pce_predict(p->pce, p->x, p->confidence, &value, &half, s->err))
        return -1;
    show_point(p, row);
    msw_builder_number(p->builder, "predicted", value);
    msw_builder_number(p->builder, "low", value - half);
    msw_builder_number(p->builder, "high", value + half);
    msw_builder_number(p->builder, "q2", p->q2);
    return 0;
}

static int predict_group(void *context, const msw_slice *slice)
{
    prediction *p = context;
    const msw_cases *s = p->cases;
    bool between[MSW_PCE_FACTORS] = {false};
    double x[MSW_PCE_FACTORS];
    msw_pce_quality quality;
    for (size_t f = 0; f < slice->factor_count && f < MSW_PCE_FACTORS; f++)
        between[f] = p->points->between[slice->factors[f] - s->factors];
    msw_pce *pce = p->degree ? msw_fit(s, slice, p->degree, between, &quality)
                             : msw_fit_best(s, slice, between, &quality);
    p->slice = slice;
    p->pce = pce;
    p->q2 = quality.q2;
    p->between = between;
    p->x = x;
    int rc = pce ? 0 : -1;
    for (size_t row = 0; row < p->points->n && rc == 0; row++)
        rc = predict_one(p, row);
    msw_pce_free(pce);
    return rc;
}

static int work(const cli *c, const settings *s, msw_cases *cases, msw_table_builder *builder)
{
    msw_named_points points = {0};
    prediction p = {
        .cases = cases, .points = &points, .degree = (unsigned)s->degree, .builder = builder};
    int rc = cli_share("confidence", s->confidence, &p.confidence, cases->err) ||
                     msw_cases_open(&c->context, s->file, s->sweep, MSW_STORE_READ, cases) ||
                     msw_cases_read(cases) ||
                     msw_named_points_read(cases, s->at, s->points, &points) ||
                     msw_slice_each(cases, predict_group, &p)
                 ? -1
                 : 0;
    msw_named_points_free(&points);
    return rc || builder->failed ? -1 : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_table_builder builder = {.err = &err};
    msw_cases cases = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    int rc = work(c, s, &cases, &builder);
    msw_format_style style = {.note = "q2: share of the variance predicted for points left out of "
                                      "the fit; a guide only where it is near 1"};
    return cli_show_cases(&cases, &builder, rc, s->format, style);
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
