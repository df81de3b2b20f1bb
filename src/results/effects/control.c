/* SPDX-License-Identifier: MIT */
/* Sobol indices of an expensive model from few rows of it and many of a cheap one: the rows of both
 * are found by their place in one design. */
#include "results/effects/control.h"

#include "memsweep/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
