/* SPDX-License-Identifier: MIT */
/* Methods for rows from any design: regression on ranks and a polynomial's Sobol indices. */
#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>

typedef struct given {
    msw_regression_index *index;
    double r2;
    msw_used used;
    msw_pce *pce;
    msw_pce_quality quality;
} given;

int msw_effects_regress(msw_effects *job, const msw_slice *slice, bool ranks,
                        msw_regression_index *index, double *r2, msw_used *used)
{
    size_t d = slice->factor_count;
    const double **x = calloc(d + 1, sizeof *x);
    const char **names = calloc(d + 1, sizeof *names);
    bool *unordered = calloc(d + 1, sizeof *unordered);
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
                           .y = job->cases->y + slice->first};
    int rc = x && names && unordered ? msw_regression(&data, ranks, job->ask.confidence, index, r2,
                                                      used, job->cases->err)
                                     : msw_fail_memory(job->cases->err);
    free(x);
    free(names);
    free(unordered);
    return rc;
}

static int regress(msw_effects *job, const msw_slice *slice, given *g)
{
    g->index = calloc(slice->factor_count + 1, sizeof *g->index);
    return g->index ? msw_effects_regress(job, slice, true, g->index, &g->r2, &g->used)
                    : msw_fail_memory(job->cases->err);
}

static int fit(msw_effects *job, const msw_slice *slice, given *g)
{
    msw_fit_options ask = {.degree = (unsigned)job->ask.degree, .seed = (uint64_t)job->ask.seed};
    g->pce = msw_fit(job->cases, slice, &ask, &g->quality);
    if (!g->pce)
        return -1;
    if (!g->index)
        g->used = (msw_used){g->quality.used, g->quality.dropped};
    return 0;
}

static void show_factor(msw_effects *job, const given *g, unsigned f)
{
    if (g->index) {
        const msw_regression_index *index = &g->index[f];
        msw_builder_number(job->builder, "srrc", index->standardized);
        msw_builder_number(job->builder, "prcc", index->partial.value);
        msw_builder_number(job->builder, "prcc_low", index->partial.low);
        msw_builder_number(job->builder, "prcc_high", index->partial.high);
        msw_builder_number(job->builder, "r2", g->r2);
    }
    if (g->pce) {
        msw_builder_number(job->builder, "first", msw_pce_part(g->pce, (uint32_t)1 << f));
        msw_builder_number(job->builder, "total", msw_pce_total(g->pce, f));
        msw_builder_number(job->builder, "q2", g->quality.q2);
    }
}

static void show_pairs(msw_effects *job, const msw_slice *slice, const given *g)
{
    for (unsigned i = 0; i < slice->factor_count; i++)
        for (unsigned j = i + 1; j < slice->factor_count; j++) {
            uint32_t set = (uint32_t)1 << i | (uint32_t)1 << j;
            msw_text name = MSW_TEXT_EMPTY;
            msw_effects_factor_names(slice, set, &name);
            msw_effects_made_row(job, slice, &name);
            msw_builder_number(job->builder, "interaction", msw_pce_part(g->pce, set));
            msw_builder_number(job->builder, "q2", g->quality.q2);
            if (g->index)
                msw_builder_number(job->builder, "r2", g->r2);
            msw_effects_used(job, &g->used);
            msw_text_free(&name);
        }
}

static double closed(const void *context, uint32_t set)
{
    return msw_pce_closed(((const given *)context)->pce, set);
}

static void finish_group(msw_effects *job, const msw_shares *shares)
{
    const given *g = shares->context;
    msw_builder_number(job->builder, "q2", g->quality.q2);
    msw_effects_used(job, shares->used);
}

static void note(msw_effects *job, const msw_slice *slice, const given *g)
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
    if (g->pce && slice->n > MSW_FIT_ROWS)
        msw_text_add(job->note, "; ");
    if (g->pce)
        msw_fit_note(slice->n, (uint64_t)job->ask.seed, job->note);
    job->unit = "points";
}

int msw_effects_given(msw_effects *job, const msw_slice *slice, bool regression, bool pce)
{
    given g = {0};
    int rc = (regression && regress(job, slice, &g)) || (pce && fit(job, slice, &g)) ? -1 : 0;
    for (unsigned f = 0; rc == 0 && f < slice->factor_count; f++) {
        msw_effects_row(job, slice, slice->factors[f]->name);
        show_factor(job, &g, f);
        msw_effects_used(job, &g.used);
    }
    if (rc == 0 && g.pce && job->ask.interactions > 1)
        show_pairs(job, slice, &g);
    if (rc == 0 && g.pce)
        rc = msw_effects_groups(job, slice, &(msw_shares){&g, &g.used, closed, finish_group});
    if (rc == 0 && !job->unit)
        note(job, slice, &g);
    msw_pce_free(g.pce);
    free(g.index);
    return rc;
}
