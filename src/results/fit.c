#include "memsweep/results/fit.h"

#include <math.h>
#include <stdlib.h>

/* A polynomial of more terms takes seconds to choose from. */
enum { DEGREE_MOST = 6, TERMS_MOST = 2000 };

/* ---- slices ---- */

static bool varies(const msw_case_factor *f, const msw_slice *slice)
{
    for (size_t i = slice->first + 1; i < slice->first + slice->n; i++)
        if (f->x[i] != f->x[slice->first])
            return true;
    return false;
}

static int take_slice(const msw_cases *s, uint32_t group, msw_slice *slice)
{
    *slice = (msw_slice){.group = group,
                         .first = s->group_first[group],
                         .n = s->group_first[group + 1] - s->group_first[group],
                         .factors = calloc(s->factor_count + 1, sizeof *slice->factors)};
    if (!slice->factors)
        return msw_fail_memory(s->err);
    for (size_t f = 0; f < s->factor_count; f++)
        if (varies(&s->factors[f], slice))
            slice->factors[slice->factor_count++] = &s->factors[f];
    return 0;
}

int msw_slice_each(const msw_cases *s, int (*each)(void *context, const msw_slice *slice),
                   void *context)
{
    int rc = 0;
    for (uint32_t group = 0; group < s->group_count && rc == 0; group++) {
        msw_slice slice;
        rc = take_slice(s, group, &slice) || each(context, &slice) ? -1 : 0;
        free(slice.factors);
    }
    return rc;
}

/* ---- fitting ---- */

/* Whether the middle level lies nearer to the geometric than to the arithmetic mean of the ends. */
static bool is_geometric(const msw_case_factor *f)
{
    double middle = f->values[f->levels / 2];
    return f->low > 0 &&
           fabs(middle - sqrt(f->low * f->high)) < fabs(middle - (f->low + f->high) / 2);
}

double msw_fit_between(const msw_case_factor *f, double value)
{
    msw_case_factor range = *f;
    range.log = is_geometric(f);
    return msw_case_factor_position(&range, value);
}

/* Columns of the cases that are used, every `stride`-th of the slice. */
typedef struct sample {
    size_t n, stride;
    double *values; /* factors + 1 columns of n */
    const double **x;
    msw_pce_factor *factor;
} sample;

static void fill(const msw_cases *s, const msw_slice *slice, const bool *between, sample *p)
{
    for (size_t f = 0; f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        bool range = !factor->levels || (between && between[f]);
        p->x[f] = p->values + f * p->n;
        p->factor[f] = (msw_pce_factor){
            .high = 1, .levels = range ? 0 : factor->levels, .unordered = factor->unordered};
        for (size_t i = 0; i < p->n; i++) {
            double x = factor->x[slice->first + i * p->stride];
            p->values[f * p->n + i] =
                factor->levels && range ? msw_fit_between(factor, factor->values[(size_t)x]) : x;
        }
    }
    double *y = p->values + slice->factor_count * p->n;
    for (size_t i = 0; i < p->n; i++)
        y[i] = s->y[slice->first + i * p->stride];
}

/* Terms of at most that total degree, before levels limit them: C(factors + degree, degree). */
static double all_terms(size_t factors, unsigned degree)
{
    double count = 1;
    for (unsigned i = 1; i <= degree; i++)
        count *= (double)(factors + i) / i;
    return count;
}

static msw_pce *fit(const msw_cases *s, const msw_slice *slice, unsigned degree, const sample *p,
                    msw_pce_quality *quality)
{
    msw_pce_data data = {.n = p->n,
                         .factors = (unsigned)slice->factor_count,
                         .factor = p->factor,
                         .x = p->x,
                         .y = p->values + slice->factor_count * p->n};
    msw_pce_settings settings = {.degree = degree};
    settings.sparse = 2 * all_terms(slice->factor_count, degree) > (double)p->n;
    msw_pce *pce = msw_pce_fit(&data, &settings, quality, settings.sparse ? s->err : NULL);
    if (pce || settings.sparse)
        return pce;
    settings.sparse = true; /* the points cannot tell some terms apart: choose among them */
    return msw_pce_fit(&data, &settings, quality, s->err);
}

msw_pce *msw_fit(const msw_cases *s, const msw_slice *slice, unsigned degree, const bool *between,
                 msw_pce_quality *quality)
{
    if (!slice->factor_count || slice->factor_count > MSW_PCE_FACTORS) {
        msw_fail(s->err, "a surrogate needs 1 to %d factors that vary; there are %zu",
                 MSW_PCE_FACTORS, slice->factor_count);
        return NULL;
    }
    size_t stride = (slice->n + MSW_FIT_ROWS - 1) / MSW_FIT_ROWS, d = slice->factor_count;
    sample p = {.n = (slice->n + stride - 1) / stride, .stride = stride};
    p.values = malloc((p.n + 1) * (d + 1) * sizeof *p.values);
    p.x = calloc(d + 1, sizeof *p.x);
    p.factor = calloc(d + 1, sizeof *p.factor);
    msw_pce *pce = NULL;
    if (p.values && p.x && p.factor) {
        fill(s, slice, between, &p);
        pce = fit(s, slice, degree, &p, quality);
    } else {
        msw_fail_memory(s->err);
    }
    free(p.values);
    free(p.x);
    free(p.factor);
    return pce;
}

unsigned msw_fit_highest(const msw_slice *slice)
{
    unsigned degree = 1;
    while (degree < DEGREE_MOST && all_terms(slice->factor_count, degree + 1) <= TERMS_MOST)
        degree++;
    return degree;
}

msw_pce *msw_fit_best(const msw_cases *s, const msw_slice *slice, const bool *between,
                      msw_pce_quality *quality)
{
    unsigned highest = msw_fit_highest(slice);
    msw_pce *best = msw_fit(s, slice, 1, between, quality);
    for (unsigned degree = 2; best && degree <= highest; degree++) {
        msw_pce_quality other;
        msw_pce *next = msw_fit(s, slice, degree, between, &other);
        bool better = next && other.q2 > quality->q2;
        msw_pce_free(better ? best : next);
        if (better) {
            best = next;
            *quality = other;
        }
    }
    return best;
}

/* ---- rows ---- */

void msw_fit_row(const msw_cases *s, const msw_slice *slice, msw_table_builder *builder)
{
    msw_text group = MSW_TEXT_EMPTY;
    msw_builder_row(builder);
    msw_cases_group_name(s, slice->group, &group);
    if (s->ask.group_by)
        msw_builder_text(builder, s->ask.group_by, msw_text_str(&group));
    msw_text_free(&group);
}
