/* SPDX-License-Identifier: MIT */
/* Indices of an expensive model with a cheap one as control, for the designs random (the rows of
 * the model are the first of those of the control) and grid (they are cells drawn from it). */
#include "results/effects/control.h"

#include "memsweep/analysis/given.h"
#include "memsweep/base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows {
    msw_control_rows known;
    double *control, *model, *x;
    size_t *row; /* of each case of the control */
    size_t both; /* rows of the model */
    msw_given_classes *far, *near;
    uint32_t *of;
} rows;

static int take_memory(const msw_cases *c, rows *r)
{
    size_t d = c->factor_count, n = c->n + 1;
    r->control = malloc(n * sizeof *r->control);
    r->model = malloc(n * sizeof *r->model);
    r->x = malloc(n * sizeof *r->x);
    r->row = malloc(n * sizeof *r->row);
    r->far = calloc(2 * d + 1, sizeof *r->far);
    r->of = malloc((2 * d * n + 1) * sizeof *r->of);
    if (!r->control || !r->model || !r->x || !r->row || !r->far || !r->of)
        return msw_fail_memory(c->err);
    r->near = r->far + d;
    for (size_t f = 0; f < 2 * d; f++)
        r->far[f].of = r->of + f * n;
    return 0;
}

static void free_rows(rows *r)
{
    free(r->control);
    free(r->model);
    free(r->x);
    free(r->row);
    free(r->far);
    free(r->of);
}

/* ---- the order of rows ---- */

/* Cells in row-major order, whatever the order of the levels in the sweep file. Returns 0, or -1
 * where cells are missing. */
static int order_cells(const msw_cases *s, const msw_cases *c, rows *r)
{
    size_t cells = 1;
    for (size_t f = 0; f < c->factor_count; f++)
        cells *= c->factors[f].levels ? c->factors[f].levels : 1;
    if (cells != c->n)
        return msw_fail(s->err,
                        "--control needs the closed form in all %zu cells of the grid; '%s' has "
                        "%zu: run it over the whole grid, without 'sample' and 'where'",
                        cells, c->sweep.name, c->n);
    for (size_t i = 0; i < c->n; i++) {
        size_t cell = 0;
        for (size_t f = 0; f < c->factor_count; f++)
            cell = cell * c->factors[f].levels + c->factors[f].level[i];
        r->row[i] = cell;
        for (size_t f = 0; f < c->factor_count; f++)
            r->far[f].of[cell] = c->factors[f].level[i];
    }
    for (size_t f = 0; f < c->factor_count; f++)
        r->far[f].count = (uint32_t)c->factors[f].levels;
    return 0;
}

/* ---- which case of the control is which of the model ---- */

typedef struct named {
    msw_digest key;
    size_t at;
} named;

static int compare(const void *a, const void *b)
{
    return memcmp(&((const named *)a)->key, &((const named *)b)->key, sizeof(msw_digest));
}

/* A case by the values of its factors: labels have one number in one file only. */
static msw_digest name_case(const msw_cases *s, size_t i)
{
    msw_digest all = {0};
    for (size_t f = 0; f < s->factor_count; f++)
        for (size_t k = 0; k < s->factors[f].column_count; k++) {
            const msw_column *column = &s->table.columns[s->factors[f].columns[k]];
            double value = column->values[s->row[i]] + 0.0; /* one zero */
            bool label = column->labels && !isnan(value);
            all = msw_hash_pair(all, label ? msw_hash_string(column->labels[(size_t)value])
                                           : msw_hash_bytes(&value, sizeof value));
        }
    return all;
}

static void fill_model(const msw_cases *s, const msw_slice *slice, const msw_cases *c, named *list,
                       rows *r)
{
    for (size_t j = 0; j < c->n; j++)
        list[j] = (named){name_case(c, j), j};
    qsort(list, c->n, sizeof *list, compare);
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        named wanted = {name_case(s, i), 0};
        const named *found = bsearch(&wanted, list, c->n, sizeof *list, compare);
        if (found) {
            r->model[r->row[found->at]] = s->y[i];
            r->both += !isnan(s->y[i]);
        }
    }
}

static int match_cells(const msw_cases *s, const msw_slice *slice, const msw_cases *c, rows *r)
{
    named *list = malloc((c->n + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(s->err);
    fill_model(s, slice, c, list, r);
    free(list);
    return r->both ? 0 : effects_control_fail(s, c, "they have no point in common");
}

/* The rows of the model are the first: both are drawn from one stream. */
static int match_draws(const msw_cases *s, const msw_slice *slice, const msw_cases *c, rows *r)
{
    if (effects_control_points(s, c))
        return -1;
    size_t j = 0;
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        while (j < c->n && c->design[j] < s->design[i])
            j++;
        if (j < c->n && c->design[j] == s->design[i]) {
            r->model[r->row[j]] = s->y[i];
            r->both += !isnan(s->y[i]);
        }
    }
    return 0;
}

/* ---- classes ---- */

/* Of the control as many as its rows bear, of the model fewer; of a grid its levels as long as the
 * rows of the model fill them. */
static int cut(const msw_cases *s, const msw_cases *c, bool grid, rows *r)
{
    size_t quarter = r->both / 4 > 4 ? r->both / 4 : 4;
    uint32_t most = grid ? (uint32_t)quarter : msw_given_classes_most(r->both);
    for (size_t f = 0; f < c->factor_count; f++) {
        for (size_t i = 0; i < c->n; i++)
            r->x[r->row[i]] = grid ? c->factors[f].level[i] : c->factors[f].x[i];
        if ((!grid &&
             msw_given_cut(r->x, c->n, msw_given_classes_most(c->n), &r->far[f], s->err)) ||
            msw_given_cut(r->x, c->n, most, &r->near[f], s->err))
            return -1;
    }
    return 0;
}

static int prepare(msw_effects *job, const msw_slice *slice, bool grid, rows *r)
{
    const msw_cases *s = job->cases, *c = job->control;
    if (take_memory(c, r))
        return -1;
    for (size_t i = 0; i < c->n; i++) {
        r->model[i] = NAN;
        r->row[i] = i;
    }
    if (grid ? order_cells(s, c, r) || match_cells(s, slice, c, r) : match_draws(s, slice, c, r))
        return -1;
    for (size_t i = 0; i < c->n; i++)
        r->control[r->row[i]] = c->y[i];
    r->known = (msw_control_rows){.n = c->n,
                                  .factors = (unsigned)c->factor_count,
                                  .control = r->control,
                                  .model = r->model,
                                  .far = r->far,
                                  .near = r->near,
                                  .whole = grid,
                                  .seed = (uint64_t)job->ask.seed};
    return cut(s, c, grid, r);
}

/* ---- the method ---- */

static int compute(msw_effects *job, const msw_slice *slice, const rows *r)
{
    const msw_cases *c = job->control;
    size_t d = c->factor_count;
    msw_resampling how = effects_resampling(job);
    msw_estimate *list = calloc(2 * d + 1, sizeof *list);
    char **names = calloc(d + 1, sizeof *names);
    msw_sobol_indices indices = {.first = list, .total = list + d};
    msw_controlled did;
    msw_used used = {0};
    for (size_t f = 0; names && f < d; f++)
        names[f] = c->factors[f].name;
    int rc = !list || !names
                 ? msw_fail_memory(job->cases->err)
                 : msw_given_controlled(&r->known, &how, &indices, &did, &used, job->cases->err);
    if (rc == 0) {
        effects_control_show(job, slice, names, d, &indices, &used);
        effects_control_note(job, &did, &used, "points");
        msw_text_add(job->note,
                     "\nfirst from the variance of class means%s; intervals by leaving out 32 "
                     "groups of points",
                     r->known.whole ? ", total from pairs of cells that differ in one factor"
                                    : " (total needs the design saltelli or grid)");
    }
    free(list);
    free(names);
    return rc;
}

int effects_control_rows(msw_effects *job, const msw_slice *slice)
{
    rows r = {0};
    bool grid = strcmp(job->cases->outline.design->name, "grid") == 0;
    if (job->cases->ask.factors)
        return msw_fail(job->cases->err,
                        "--control looks at the factors of the design: leave --factors out");
    int rc = -1;
    if (prepare(job, slice, grid, &r) || compute(job, slice, &r))
        goto done;
    rc = 0;
done:
    free_rows(&r);
    return rc;
}
