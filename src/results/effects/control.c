/* Sobol indices of a dear model from few rows of it and many of a cheap one: the rows of both are
 * found by their place in one design. */
#include "results/effects/design.h"

#include "memsweep/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two sweeps ---- */

static int fail_pair(const msw_cases *s, const msw_cases *c, const char *why)
{
    return msw_fail(s->err, "--control: '%s' and '%s' are not rows of one design: %s",
                    s->sweep.name, c->sweep.name, why);
}

static int check_plans(const msw_cases *s, const msw_cases *c)
{
    const msw_outline *a = &s->outline, *b = &c->outline;
    if (a->factor_count != b->factor_count || a->group_count != b->group_count)
        return fail_pair(s, c, "they do not vary the same");
    if (a->scrambles != b->scrambles || a->second_order != b->second_order)
        return fail_pair(s, c, "'scrambles' or 'second_order' differ");
    if (s->group_count != 1 || c->group_count != 1)
        return msw_fail(s->err, "--control looks at one group: leave --group-by out and choose "
                                "by --filter");
    for (size_t f = 0; f < s->factor_count; f++)
        if (strcmp(s->factors[f].name, c->factors[f].name) != 0)
            return fail_pair(s, c, "their factors differ");
    return 0;
}

static bool same_value(const msw_cases *s, const msw_cases *c, const msw_case_factor *f, size_t i,
                       size_t j)
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
static int check_points(const msw_cases *s, const msw_cases *c)
{
    size_t j = 0;
    for (size_t i = 0; i < s->n; i++) {
        while (j < c->n && c->design[j] < s->design[i])
            j++;
        if (j == c->n || c->design[j] != s->design[i])
            continue;
        for (size_t f = 0; f < s->factor_count; f++)
            if (!same_value(s, c, &s->factors[f], i, j))
                return fail_pair(s, c, "their points differ (ranges, seed or constraint)");
    }
    return 0;
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

/* ---- showing ---- */

static void show(msw_effects *job, const msw_slice *slice, const msw_sobol_indices *indices,
                 const msw_used *used)
{
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        msw_effects_row(job, slice, job->cases->outline.group_names[f]);
        effects_set_estimate(job->builder, "first", &indices->first[f]);
        effects_set_estimate(job->builder, "total", &indices->total[f]);
        msw_builder_number(job->builder, "mean", indices->mean);
        msw_builder_number(job->builder, "variance", indices->variance);
        msw_effects_used(job, used);
    }
}

static void note(msw_effects *job, const msw_controlled *did, const msw_used *used)
{
    const char *control = msw_fidelity_name(job->control->outline.fidelity);
    job->unit = "base rows";
    msw_text_add(job->note,
                 "%zu base rows of %s, corrected by %zu of %s on the same design (correlation "
                 "%.4f)\nmean %.6g +-%.2g; intervals from %llu scrambles (Student's t)\n",
                 used->used, msw_fidelity_name(job->cases->outline.fidelity), did->control_rows,
                 control, did->correlation, did->mean.value, did->mean.half,
                 (unsigned long long)job->cases->outline.scrambles);
    bool rows = used->used >= MSW_CONTROL_ROWS, alike = did->correlation >= MSW_CONTROL_CORRELATION;
    if (rows && alike && did->saving >= 1)
        msw_text_add(job->note,
                     "squared errors are %.3g times smaller than without the control: up to %.3g "
                     "times fewer rows",
                     did->saving,
                     fmin(did->saving, (double)did->control_rows / (double)used->used));
    else
        msw_text_add(job->note,
                     "the control does not pay: %s (squared errors are %.2g times smaller)",
                     !rows    ? "fewer than 64 base rows"
                     : !alike ? "a correlation below 0.9"
                              : "its differences vary more than the model",
                     did->saving);
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
        show(job, slice, &indices, &used);
        note(job, &did, &used);
    }
    free(list);
    return rc;
}

int msw_effects_control(msw_effects *job, const msw_slice *slice)
{
    msw_cases *s = job->cases;
    const msw_cases *c = job->control;
    if (strcmp(s->outline.design->name, "saltelli") != 0)
        return msw_fail(s->err,
                        "--control needs the design saltelli with 'scrambles: 8' or more; "
                        "sweep '%s' has %s",
                        s->sweep.name, s->outline.design->name);
    if (job->ask.interactions > 1)
        return msw_fail(s->err, "--control gives first-order and total indices: leave --second "
                                "out");
    if (effects_check_design(s, "saltelli", "--control") || check_plans(s, c) || check_points(s, c))
        return -1;
    msw_slice all = {.first = 0, .n = c->n};
    uint64_t points = effects_points(s) > effects_points(c) ? effects_points(s) : effects_points(c);
    double *y = effects_spread(s, slice, points), *other = effects_spread(c, &all, points);
    int rc = y && other ? compute(job, slice, y, other) : msw_fail_memory(s->err);
    free(y);
    free(other);
    return rc;
}
