#include "cli/cases.h"
#include "cli/save.h"

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
    CLI_CASES_OPTIONS(settings),
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

static void show(const msw_slice *slice, const msw_pce *pce, const msw_pce_quality *quality,
                 msw_table_builder *builder)
{
    msw_builder_count(builder, "factors", slice->factor_count);
    msw_builder_count(builder, "candidates", quality->candidates);
    msw_builder_count(builder, "terms", quality->terms);
    msw_builder_number(builder, "r2", quality->r2);
    msw_builder_number(builder, "q2", quality->q2);
    msw_builder_number(builder, "mean", msw_pce_mean(pce));
    msw_builder_number(builder, "deviation", sqrt(msw_pce_variance(pce)));
    msw_builder_count(builder, "used", quality->used);
    msw_builder_count(builder, "dropped", slice->n - quality->used);
}

typedef struct trial {
    const msw_cases *cases;
    int64_t highest; /* degree; 0: nobody said one */
    msw_table_builder *builder;
} trial;

/* One row per degree: q2 rises as long as the terms are worth their points. */
static int try_degrees(void *context, const msw_slice *slice)
{
    const trial *t = context;
    int64_t highest = t->highest ? t->highest : msw_fit_highest(slice);
    for (int64_t degree = 1; degree <= highest; degree++) {
        msw_pce_quality quality;
        msw_pce *pce = msw_fit(t->cases, slice, (unsigned)degree, NULL, &quality);
        if (!pce)
            return -1;
        msw_fit_row(t->cases, slice, t->builder);
        msw_builder_count(t->builder, "degree", (uint64_t)degree);
        show(slice, pce, &quality, t->builder);
        msw_pce_free(pce);
    }
    return t->builder->failed ? -1 : 0;
}

static int work(const cli *c, const settings *s, msw_cases *cases, msw_table_builder *builder)
{
    trial t = {cases, s->degree, builder};
    if (msw_cases_open(&c->context, s->file, s->sweep, s->save ? MSW_STORE_WRITE : MSW_STORE_READ,
                       cases) ||
        msw_cases_read(cases) || msw_slice_each(cases, try_degrees, &t))
        return -1;
    return s->save
               ? cli_save_table(builder, cases->store, cases->sweep.id, &cli_command_surrogate, s)
               : 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_table_builder builder = {.err = &err};
    msw_cases cases = {.ask = {s->metric, s->group_by, s->filter, s->factors}, .err = &err};
    int rc = work(c, s, &cases, &builder);
    msw_format_style style = {
        .hide_same = true,
        .note = "q2: share of the variance predicted for points left out of the fit"};
    return cli_show_cases(&cases, &builder, rc, s->format, style);
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
