/* SPDX-License-Identifier: MIT */
/* Sobol indices of an expensive model from few rows of it and many of a cheap one, as control.
 * The two sweeps are rows of one design at two fidelities, and rows are found by their place in
 * it: in random designs the rows of the model are the first of those of the control, in grids
 * cells drawn from it. */
#include "results/effects/design.h"

#include "memsweep/analysis/given.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Says why two sweeps are not rows of one design. Returns -1. */
static int effects_control_fail(const msw_cases *s, const msw_cases *c, const char *why)
{
    return msw_fail(s->err, "--control: '%s' and '%s' are not rows of one design: %s",
                    s->sweep.name, c->sweep.name, why);
}

/* Whether both vary the same things by the same design. */
static int effects_control_plans(const msw_cases *s, const msw_cases *c)
{
    const msw_outline *a = &s->outline, *b = &c->outline;
    if (a->factor_count != b->factor_count || a->group_count != b->group_count)
        return effects_control_fail(s, c, "they do not vary the same");
    if (a->scrambles != b->scrambles || a->second_order != b->second_order)
        return effects_control_fail(s, c, "'scrambles' or 'second_order' differ");
    if (strcmp(a->design->name, b->design->name) != 0)
        return effects_control_fail(s, c, "they have different designs");
    if (s->group_count != 1 || c->group_count != 1)
        return msw_fail(s->err, "--control looks at one group: leave --group-by out and choose "
                                "by --filter");
    for (size_t f = 0; f < s->factor_count; f++)
        if (strcmp(s->factors[f].name, c->factors[f].name) != 0)
            return effects_control_fail(s, c, "their factors differ");
    return 0;
}

/* Whether a factor has one value in case i and in case j of the control. */
static bool effects_control_same(const msw_cases *s, const msw_cases *c, const msw_case_factor *f,
                                 size_t i, size_t j)
{
    for (size_t k = 0; k < f->column_count; k++) {
        const msw_column *a = &s->table.columns[f->columns[k]];
        const msw_column *b = &c->table.columns[f->columns[k]];
        double x = a->values[s->row[i]], y = b->values[c->row[j]];
        if (isnan(x) || isnan(y) || !a->labels != !b->labels) {
            if (!(isnan(x) && isnan(y)))
                return false;
        } else if (a->labels ? strcmp(a->labels[(size_t)x], b->labels[(size_t)y]) != 0 : x != y) {
            return false;
        }
    }
    return true;
}

/* Points of one number must be one point: a range or a seed may be another. */
static int effects_control_points(const msw_cases *s, const msw_cases *c)
{
    size_t j = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (j < c->n && c->design[j] < s->design[i])
            j++;
        if (j == c->n || c->design[j] != s->design[i])
            continue;
        for (size_t f = 0; f < s->factor_count; f++)
            if (!effects_control_same(s, c, &s->factors[f], i, j))
                return effects_control_fail(s, c,
                                            "their points differ (ranges, seed or constraint)");
    }
    return 0;
}

/* One row per name. */
static void effects_control_show(msw_effects *job, const msw_slice *slice, char *const *names,
                                 size_t count, const msw_sobol_indices *indices,
                                 const msw_used *used)
{
    for (size_t f = 0; f < count; f++) {
        msw_effects_row(job, slice, names[f]);
        effects_set_estimate(job->builder, "first", &indices->first[f]);
        effects_set_estimate(job->builder, "total", &indices->total[f]);
        msw_builder_number(job->builder, "mean", indices->mean);
        msw_builder_number(job->builder, "variance", indices->variance);
        msw_effects_used(job, used);
    }
}

typedef struct control_rows {
    msw_control_rows known;
    double *control, *model, *x;
    size_t *row; /* of each case of the control */
    size_t both; /* rows of the model */
    msw_given_classes *far, *near;
    uint32_t *of;
} control_rows;

/* How many rows there were, and whether the control pays. */
static void effects_control_note(msw_effects *job, const msw_controlled *did, const msw_used *used,
                                 const char *unit)
{
    bool rows = used->used >= MSW_CONTROL_ROWS, alike = did->correlation >= MSW_CONTROL_CORRELATION;
    job->unit = unit;
    msw_text_add(job->note,
                 "%zu %s of %s, corrected by %zu of %s on the same design (correlation %.4f)\n"
                 "mean %.6g +-%.2g\n",
                 used->used, unit, msw_fidelity_name(job->cases->outline.fidelity),
                 did->control_rows, msw_fidelity_name(job->control->outline.fidelity),
                 did->correlation, did->mean.value, did->mean.half);
    if (rows && alike && did->saving >= 1)
        msw_text_add(job->note,
                     "squared errors are %.3g times smaller than without the control: up to %.3g "
                     "times fewer rows",
                     did->saving,
                     fmin(did->saving, (double)did->control_rows / (double)used->used));
    else
        msw_text_add(job->note,
                     "the control does not pay: %s%s (squared errors are %.2g times smaller)",
                     !rows    ? "fewer than 64 "
                     : !alike ? "a correlation below 0.9"
                              : "its differences vary more than the model",
                     !rows ? unit : "", did->saving);
}

static int allocate_rows(const msw_cases *c, control_rows *r)
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

static void free_rows(control_rows *r)
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
static int order_cells(const msw_cases *s, const msw_cases *c, control_rows *r)
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

static int compare_cases(const void *a, const void *b)
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
                       control_rows *r)
{
    for (size_t j = 0; j < c->n; j++)
        list[j] = (named){name_case(c, j), j};
    msw_sort(list, c->n, sizeof *list, compare_cases);
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        named wanted = {name_case(s, i), 0};
        size_t at;
        MSW_SEARCH(at, 0, c->n, compare_cases(&list[at], &wanted) < 0);
        if (at < c->n && compare_cases(&list[at], &wanted) == 0) {
            r->model[r->row[list[at].at]] = s->y[i];
            r->both += !isnan(s->y[i]);
        }
    }
}

static int match_cells(const msw_cases *s, const msw_slice *slice, const msw_cases *c,
                       control_rows *r)
{
    named *list = malloc((c->n + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(s->err);
    fill_model(s, slice, c, list, r);
    free(list);
    return r->both ? 0 : effects_control_fail(s, c, "they have no point in common");
}

/* The rows of the model are the first: both are drawn from one stream. */
static int match_draws(const msw_cases *s, const msw_slice *slice, const msw_cases *c,
                       control_rows *r)
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
static int cut_classes(const msw_cases *s, const msw_cases *c, bool grid, control_rows *r)
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

static int prepare_rows(msw_effects *job, const msw_slice *slice, bool grid, control_rows *r)
{
    const msw_cases *s = job->cases, *c = job->control;
    if (allocate_rows(c, r))
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
    return cut_classes(s, c, grid, r);
}

/* ---- the method ---- */

static int compute_from_rows(msw_effects *job, const msw_slice *slice, const control_rows *r)
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

/* The designs random and grid. */
static int effects_control_rows(msw_effects *job, const msw_slice *slice)
{
    control_rows r = {0};
    bool grid = strcmp(job->cases->outline.design->name, "grid") == 0;
    if (job->cases->ask.factors)
        return msw_fail(job->cases->err,
                        "--control looks at the factors of the design: leave --factors out");
    int rc = -1;
    if (prepare_rows(job, slice, grid, &r) || compute_from_rows(job, slice, &r))
        goto done;
    rc = 0;
done:
    free_rows(&r);
    return rc;
}

/* Rows of the model are a prefix: up to the last one that was answered, whole rounds of scrambles.
 */
static size_t prefix_rows(const msw_cases *s)
{
    uint64_t length = msw_outline_group(&s->outline), last = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->y[i]) && s->design[i] / length + 1 > last)
            last = s->design[i] / length + 1;
    return (size_t)(last - last % s->outline.scrambles);
}

/* ---- the method ---- */

static int compute(msw_effects *job, const msw_slice *slice, double *y, double *other)
{
    msw_cases *s = job->cases;
    size_t d = s->outline.group_count;
    msw_resampling how = effects_resampling(job);
    msw_sobol_design design = {.base_rows = prefix_rows(s),
                               .factors = (unsigned)d,
                               .second_order = s->outline.second_order,
                               .estimator = job->ask.estimator,
                               .both = true,
                               .scrambles = s->outline.scrambles,
                               .y = y};
    size_t rows = effects_points(job->control) / msw_outline_group(&s->outline);
    msw_estimate *list = calloc(2 * d + 1, sizeof *list);
    msw_sobol_indices indices = {.first = list, .total = list + d};
    msw_controlled did;
    msw_used used = {0};
    int rc = !list
                 ? msw_fail_memory(s->err)
                 : msw_sobol_controlled(&design, other, rows, &how, &indices, &did, &used, s->err);
    if (rc == 0) {
        effects_control_show(job, slice, s->outline.group_names, d, &indices, &used);
        effects_control_note(job, &did, &used, "base rows");
        msw_text_add(job->note, "\nintervals from %llu scrambles (Student's t)",
                     (unsigned long long)s->outline.scrambles);
    }
    free(list);
    return rc;
}

static int control_base_rows(msw_effects *job, const msw_slice *slice)
{
    msw_cases *s = job->cases;
    const msw_cases *c = job->control;
    if (effects_check_design(s, "saltelli", "--control") || effects_control_points(s, c))
        return -1;
    msw_slice all = {.first = 0, .n = c->n};
    uint64_t points = effects_points(s) > effects_points(c) ? effects_points(s) : effects_points(c);
    double *y = effects_spread(s, slice, points), *other = effects_spread(c, &all, points);
    int rc = y && other ? compute(job, slice, y, other) : msw_fail_memory(s->err);
    free(y);
    free(other);
    return rc;
}

int msw_effects_control(msw_effects *job, const msw_slice *slice)
{
    msw_cases *s = job->cases;
    const char *design = s->outline.design->name;
    bool base_rows = strcmp(design, "saltelli") == 0;
    if (!base_rows && strcmp(design, "random") != 0 && strcmp(design, "grid") != 0)
        return msw_fail(s->err,
                        "--control needs the design saltelli (with 'scrambles: 8' or more), random "
                        "or grid; sweep '%s' has %s",
                        s->sweep.name, design);
    if (job->ask.interactions > 1)
        return msw_fail(s->err, "--control gives first-order and total indices: leave --second "
                                "out");
    if (effects_control_plans(s, job->control))
        return -1;
    return base_rows ? control_base_rows(job, slice) : effects_control_rows(job, slice);
}
