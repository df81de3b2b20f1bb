/* SPDX-License-Identifier: MIT */
#include "memsweep/results/fit.h"

#include "memsweep/analysis/subset.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A polynomial of more terms, or products of more terms and cases, take seconds to choose from. */
enum { DEGREE_MOST = 6, TERMS_MOST = 1000 };
#define PRODUCTS_MOST 4e9

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
        rc = take_slice(s, group, &slice);
        if (rc == 0)
            rc = each(context, &slice);
        free(slice.factors);
    }
    return rc;
}

const char *msw_slice_reason(const msw_cases *s, const msw_slice *slice, size_t least,
                             char text[128])
{
    const double *y = s->y + slice->first;
    double low = INFINITY, high = -INFINITY;
    size_t infinite = 0, values = 0;
    for (size_t i = 0; i < slice->n; i++) {
        infinite += isinf(y[i]) != 0;
        values += !isnan(y[i]);
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    bool few = values > 0 && values < least;
    if (!infinite && !few && (low < high || (low == high && !least)))
        return NULL;
    if (infinite)
        snprintf(text, 128, "infinite in %zu of %zu points", infinite, slice->n);
    else if (few)
        snprintf(text, 128, "known in %zu points only", values);
    else
        snprintf(text, 128, low > high ? "not there in any point" : "%.6g in all points", low);
    return text;
}

/* ---- fitting ---- */

/* Columns of the cases that are used. */
typedef struct sample {
    size_t n;
    uint32_t *row;   /* in the slice */
    uint64_t *block; /* of the rows used: base row or trajectory */
    double *values;  /* factors + 1 columns of n */
    const double **x;
    msw_pce_factor *factor;
    double *positions; /* of the levels of all factors */
    size_t position_count;
} sample;

/* Base rows and trajectories are drawn, and left out, as a whole; of other designs single points.
 */
static int draw_rows(const msw_cases *s, const msw_slice *slice, uint64_t seed, sample *p)
{
    uint64_t size = msw_outline_group(&s->outline);
    uint64_t *block = malloc((slice->n + 1) * sizeof *block);
    p->row = malloc((slice->n + 1) * sizeof *p->row);
    p->block = block;
    if (!block || !p->row)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < slice->n; i++)
        block[i] = s->design[slice->first + i] / size;
    if (msw_subset(slice->n, block, MSW_FIT_ROWS, seed, p->row, &p->n, s->err))
        return -1;
    for (size_t i = 0; i < p->n; i++)
        block[i] = block[p->row[i]];
    return 0;
}

/* Positions of the levels that the slice has. Numbers of which hardly any occurs twice are no
 * levels: there is nothing between which one could be, and none to leave out as a whole. */
static int take_levels(const msw_slice *slice, const msw_case_factor *f, sample *p,
                       msw_pce_factor *out)
{
    double *positions = p->positions + p->position_count;
    bool *there = calloc(f->levels + 1, sizeof *there);
    size_t count = 0;
    if (!there)
        return -1;
    for (size_t i = 0; i < slice->n; i++)
        there[f->level[slice->first + i]] = true;
    for (size_t l = 0; l < f->levels; l++)
        if (there[l])
            positions[count++] = f->positions[l];
    free(there);
    out->levels = 2 * count > slice->n ? 0 : count;
    out->values = positions;
    p->position_count += count;
    return 0;
}

static int describe(const msw_slice *slice, sample *p)
{
    size_t room = 1;
    for (size_t f = 0; f < slice->factor_count; f++)
        room += slice->factors[f]->levels;
    p->positions = malloc(room * sizeof *p->positions);
    if (!p->positions)
        return -1;
    for (size_t f = 0; f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        p->factor[f] = (msw_pce_factor){.name = factor->name,
                                        .high = 1,
                                        .levels = factor->levels,
                                        .unordered = factor->unordered};
        if (factor->positions && take_levels(slice, factor, p, &p->factor[f]))
            return -1;
    }
    return 0;
}

static int fill(const msw_cases *s, const msw_slice *slice, sample *p)
{
    size_t d = slice->factor_count;
    p->values = malloc((p->n + 1) * (d + 1) * sizeof *p->values);
    p->x = calloc(d + 1, sizeof *p->x);
    p->factor = calloc(d + 1, sizeof *p->factor);
    if (!p->values || !p->x || !p->factor || describe(slice, p))
        return msw_fail_memory(s->err);
    for (size_t f = 0; f < d; f++) {
        const msw_case_factor *factor = slice->factors[f];
        p->x[f] = p->values + f * p->n;
        for (size_t i = 0; i < p->n; i++)
            p->values[f * p->n + i] = factor->x[slice->first + p->row[i]];
    }
    for (size_t i = 0; i < p->n; i++)
        p->values[d * p->n + i] = s->y[slice->first + p->row[i]];
    return 0;
}

static void free_sample(sample *p)
{
    free(p->row);
    free(p->block);
    free(p->values);
    free(p->x);
    free(p->factor);
    free(p->positions);
}

static int prepare(const msw_cases *s, const msw_slice *slice, uint64_t seed, sample *p,
                   msw_pce_data *data)
{
    if (!slice->factor_count || slice->factor_count > MSW_PCE_FACTORS)
        return msw_fail(s->err, "a surrogate needs 1 to %d factors that vary; there are %zu",
                        MSW_PCE_FACTORS, slice->factor_count);
    if (draw_rows(s, slice, seed, p) || fill(s, slice, p))
        return -1;
    *data = (msw_pce_data){.n = p->n,
                           .factors = (unsigned)slice->factor_count,
                           .factor = p->factor,
                           .x = p->x,
                           .y = p->values + slice->factor_count * p->n,
                           .block = p->block};
    return 0;
}

msw_pce *msw_fit(const msw_cases *s, const msw_slice *slice, const msw_fit_options *ask,
                 msw_pce_quality *quality)
{
    sample p = {0};
    msw_pce *pce = NULL;
    msw_pce_data data;
    msw_pce_settings settings = {.degree = ask->degree, .best = ask->best, .seed = ask->seed};
    if (prepare(s, slice, ask->seed, &p, &data) == 0)
        pce = msw_pce_fit(&data, &settings, quality, s->err);
    free_sample(&p);
    return pce;
}

/* ---- processes ---- */

const char *const msw_fit_models[] = {"auto", "polynomial", "process", NULL};

bool msw_fit_takes_process(msw_fit_model model, const msw_slice *slice)
{
    enum { LEAST = 10, MOST = 3000 }; /* some 10 s of one core */
    return model == MSW_MODEL_PROCESS ||
           (model == MSW_MODEL_AUTO && slice->n >= LEAST && slice->n <= MOST);
}

/* Rows of one workload are measured at the same units: where workloads are a factor their errors
 * are connected, else those of all cases do. */
static const msw_case_factor *find_workloads(const msw_slice *slice)
{
    for (size_t f = 0; f < slice->factor_count; f++)
        if (strcmp(slice->factors[f]->name, "workload") == 0)
            return slice->factors[f];
    return NULL;
}

static int take_noise(const msw_cases *s, const msw_slice *slice, const sample *p,
                      double *deviation, uint32_t *shared)
{
    const msw_case_factor *workloads = find_workloads(slice);
    if (!deviation || !shared)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < p->n; i++) {
        size_t at = slice->first + p->row[i];
        deviation[i] = s->noise ? s->noise[at] : 0;
        shared[i] = workloads && workloads->level ? workloads->level[at] : 0;
    }
    return 0;
}

msw_process *msw_fit_process(const msw_cases *s, const msw_slice *slice, uint64_t seed,
                             msw_process_quality *quality)
{
    sample p = {0};
    msw_process *process = NULL;
    msw_pce_data data;
    double *deviation = malloc((slice->n + 1) * sizeof *deviation);
    uint32_t *shared = malloc((slice->n + 1) * sizeof *shared);
    msw_process_noise noise = {s->noise ? deviation : NULL, shared};
    if (prepare(s, slice, seed, &p, &data) == 0 && take_noise(s, slice, &p, deviation, shared) == 0)
        process = msw_process_fit(&data, &noise, seed, quality, s->err);
    free_sample(&p);
    free(deviation);
    free(shared);
    return process;
}

/* ---- how high ---- */

/* Terms of at most that total degree, before levels limit them: C(factors + degree, degree). */
static double all_terms(size_t factors, unsigned degree)
{
    double count = 1;
    for (unsigned i = 1; i <= degree; i++)
        count *= (double)(factors + i) / i;
    return count;
}

unsigned msw_fit_highest(const msw_slice *slice)
{
    double rows = slice->n < MSW_FIT_ROWS ? (double)slice->n : MSW_FIT_ROWS;
    unsigned degree = 1;
    while (degree < DEGREE_MOST) {
        double terms = all_terms(slice->factor_count, degree + 1);
        if (terms > TERMS_MOST || rows * terms * fmin(terms, 400) > PRODUCTS_MOST)
            break;
        degree++;
    }
    return degree;
}

bool msw_fit_note(size_t cases, uint64_t seed, msw_text *out)
{
    char used[32], all[32];
    if (cases <= MSW_FIT_ROWS)
        return false;
    msw_text_add(out, "fitted to %s of %s points, drawn at random (seed %" PRIu64 ")",
                 msw_count_text(MSW_FIT_ROWS, used), msw_count_text(cases, all), seed);
    return true;
}

/* ---- rows ---- */

void msw_fit_row(const msw_cases *s, const msw_slice *slice, msw_table_builder *builder)
{
    msw_builder_row(builder);
    msw_grouping_show(&s->grouping, &s->table, s->row[slice->first], builder);
}
