/* SPDX-License-Identifier: MIT */
#include "analysis/surrogate/surrogate.h"

#include <string.h>

/* More candidate terms than this are a mistake in the settings. */
enum { MOST_TERMS = 20000 };

typedef struct listing {
    msw_pce *pce;
    uint16_t current[MSW_PCE_FACTORS];
    size_t count;
    bool count_only;
} listing;

/* Extends the current term from factor `j` on with what is left of degree and interaction. */
static void extend(listing *job, unsigned j, unsigned degree, unsigned interaction)
{
    msw_pce *pce = job->pce;
    if (job->count > MOST_TERMS)
        return;
    if (j == pce->factors) {
        if (!job->count_only)
            memcpy(pce->function + job->count * pce->factors, job->current,
                   pce->factors * sizeof *job->current);
        job->count++;
        return;
    }
    job->current[j] = 0;
    extend(job, j + 1, degree, interaction);
    for (unsigned f = 1; f < pce->bases[j].functions && interaction > 0; f++) {
        unsigned own = basis_degree(&pce->bases[j], f);
        if (own > degree)
            break;
        job->current[j] = (uint16_t)f;
        extend(job, j + 1, degree - own, interaction - 1);
    }
    job->current[j] = 0;
}

static unsigned degree_of(const msw_pce *pce, size_t term)
{
    unsigned degree = 0;
    for (unsigned j = 0; j < pce->factors; j++)
        degree += basis_degree(&pce->bases[j], pce->function[term * pce->factors + j]);
    return degree;
}

static void allow(msw_pce *pce)
{
    for (unsigned d = 1; d <= pce->settings.degree; d++)
        for (size_t t = 0; t < pce->terms; t++)
            pce->allowed[(d - 1) * pce->terms + t] = degree_of(pce, t) <= d;
}

int surrogate_terms(msw_pce *pce, msw_err *err)
{
    unsigned degree = pce->settings.degree;
    unsigned interaction = pce->settings.interaction ? pce->settings.interaction : pce->factors;
    listing job = {.pce = pce, .count_only = true};
    extend(&job, 0, degree, interaction);
    if (job.count > MOST_TERMS)
        return msw_fail(err,
                        "degree %u in %u factors makes more than %d terms: lower the degree or "
                        "limit interactions",
                        degree, pce->factors, MOST_TERMS);
    pce->function = msw_arena_take(&pce->arena, job.count * pce->factors * sizeof *pce->function);
    pce->allowed = msw_arena_take(&pce->arena, job.count * degree * sizeof *pce->allowed);
    if (!pce->function || !pce->allowed)
        return msw_fail_memory(err);
    job.count = 0;
    job.count_only = false;
    extend(&job, 0, degree, interaction);
    pce->terms = job.count;
    allow(pce);
    return 0;
}

double surrogate_term(const msw_pce *pce, size_t term, const double *value, unsigned stride)
{
    const uint16_t *function = pce->function + term * pce->factors;
    double product = 1;
    for (unsigned j = 0; j < pce->factors; j++)
        if (function[j])
            product *= value[j * stride + function[j]];
    return product;
}

unsigned surrogate_stride(const msw_pce *pce)
{
    unsigned most = 1;
    for (unsigned j = 0; j < pce->factors; j++)
        most = pce->bases[j].functions > most ? pce->bases[j].functions : most;
    return most;
}

int surrogate_evaluate(const msw_pce *pce, const uint32_t *row, tiles *x, msw_arena *arena,
                       msw_err *err)
{
    unsigned stride = surrogate_stride(pce);
    double *value = msw_arena_take(arena, (size_t)stride * pce->factors * sizeof *value);
    char name[80];
    if (!value)
        return msw_fail_memory(err);
    for (size_t i = 0; i < x->rows; i++) {
        for (unsigned j = 0; j < pce->factors; j++)
            if (basis_at(&pce->bases[j], pce->rows.x[j][row[i]], value + j * stride))
                return msw_fail(err, "%g is not a level of %s", pce->rows.x[j][row[i]],
                                surrogate_name(pce, j, name));
        for (unsigned t = 0; t < x->columns; t++)
            *tiles_at(x, i, t) = surrogate_term(pce, t, value, stride);
    }
    return 0;
}
