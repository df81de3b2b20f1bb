/* Methods for rows from any design: regression on ranks and a polynomial's Sobol indices. */
#include "sensitivity.h"

#include <math.h>
#include <stdlib.h>

typedef struct given {
    msw_regression_index *index;
    double r2;
    msw_used used;
    msw_pce *pce;
    msw_pce_quality quality;
} given;

static int regress(cli_sensitivity *job, const cli_slice *slice, given *g)
{
    size_t d = slice->factor_count;
    const double **x = calloc(d + 1, sizeof *x);
    const char **names = calloc(d + 1, sizeof *names);
    bool *unordered = calloc(d + 1, sizeof *unordered);
    g->index = calloc(d + 1, sizeof *g->index);
    for (size_t f = 0; x && names && unordered && f < d; f++) {
        names[f] = slice->factors[f]->name;
        x[f] = slice->factors[f]->x + slice->first;
        unordered[f] = slice->factors[f]->unordered;
    }
    msw_given_data data = {.n = slice->n,
                           .factors = (unsigned)d,
                           .names = names,
                           .x = x,
                           .unordered = unordered,
                           .y = job->study->y + slice->first};
    int rc = x && names && unordered && g->index
                 ? msw_regression(&data, true, job->ask.confidence, g->index, &g->r2, &g->used,
                                  job->study->err)
                 : msw_fail_memory(job->study->err);
    free(x);
    free(names);
    free(unordered);
    return rc;
}

static int fit(cli_sensitivity *job, const cli_slice *slice, given *g)
{
    cli_fit_ask ask = {.degree = (unsigned)job->ask.degree, .seed = (uint64_t)job->ask.seed};
    g->pce = cli_fit(job->study, slice, &ask, &g->quality);
    if (!g->pce)
        return -1;
    if (!g->index)
        g->used = (msw_used){g->quality.used, g->quality.dropped};
    return 0;
}

static void show_factor(cli_sensitivity *job, const given *g, unsigned f)
{
    if (g->index) {
        const msw_regression_index *index = &g->index[f];
        cli_sheet_number(job->sheet, "srrc", index->standardized);
        cli_sheet_number(job->sheet, "prcc", index->partial.value);
        cli_sheet_number(job->sheet, "prcc_low", index->partial.low);
        cli_sheet_number(job->sheet, "prcc_high", index->partial.high);
        cli_sheet_number(job->sheet, "r2", g->r2);
    }
    if (g->pce) {
        cli_sheet_number(job->sheet, "first", msw_pce_part(g->pce, (uint32_t)1 << f));
        cli_sheet_number(job->sheet, "total", msw_pce_total(g->pce, f));
        cli_sheet_number(job->sheet, "q2", g->quality.q2);
    }
}

static void show_pairs(cli_sensitivity *job, const cli_slice *slice, const given *g)
{
    for (unsigned i = 0; i < slice->factor_count; i++)
        for (unsigned j = i + 1; j < slice->factor_count; j++) {
            uint32_t set = (uint32_t)1 << i | (uint32_t)1 << j;
            msw_text name = MSW_TEXT_EMPTY;
            cli_factor_names(slice, set, &name);
            cli_sensitivity_row(job, slice, msw_text_str(&name));
            cli_sheet_number(job->sheet, "interaction", msw_pce_part(g->pce, set));
            cli_sheet_number(job->sheet, "q2", g->quality.q2);
            if (g->index)
                cli_sheet_number(job->sheet, "r2", g->r2);
            cli_sensitivity_used(job, &g->used);
            msw_text_free(&name);
        }
}

static double closed(const void *context, uint32_t set)
{
    return msw_pce_closed(((const given *)context)->pce, set);
}

static void finish_group(cli_sensitivity *job, const cli_shares *shares)
{
    const given *g = shares->context;
    cli_sheet_number(job->sheet, "q2", g->quality.q2);
    cli_sensitivity_used(job, shares->used);
}

static void note(cli_sensitivity *job, const cli_slice *slice, const given *g)
{
    if (g->index)
        msw_text_add(job->note,
                     "regression on ranks: read r2 first, below 0.7 srrc and prcc mean little%s",
                     g->pce ? "\n" : "");
    if (g->pce)
        msw_text_add(job->note,
                     "first and total from a polynomial of degree %d: read q2 first, 1 - q2 is "
                     "what it cannot predict",
                     (int)job->ask.degree);
    if (g->pce && slice->n > CLI_FIT_ROWS)
        msw_text_add(job->note, "; ");
    if (g->pce)
        cli_fit_note(slice->n, (uint64_t)job->ask.seed, job->note);
    job->unit = "points";
}

int cli_given(cli_sensitivity *job, const cli_slice *slice, bool regression, bool pce)
{
    given g = {0};
    int rc = (regression && regress(job, slice, &g)) || (pce && fit(job, slice, &g)) ? -1 : 0;
    for (unsigned f = 0; rc == 0 && f < slice->factor_count; f++) {
        cli_sensitivity_row(job, slice, slice->factors[f]->name);
        show_factor(job, &g, f);
        cli_sensitivity_used(job, &g.used);
    }
    if (rc == 0 && g.pce && job->ask.interactions > 1)
        show_pairs(job, slice, &g);
    if (rc == 0 && g.pce)
        rc = cli_sensitivity_groups(job, slice, &(cli_shares){&g, &g.used, closed, finish_group});
    if (rc == 0 && !job->unit)
        note(job, slice, &g);
    msw_pce_free(g.pce);
    free(g.index);
    return rc;
}
