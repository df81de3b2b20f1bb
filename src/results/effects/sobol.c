/* SPDX-License-Identifier: MIT */
/* Sobol indices of a Saltelli design, at all of its base rows and at the first half and quarter of
 * them: whether there were enough. */
#include "results/effects/design.h"

#include "memsweep/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An index counts as settled when it is known to this, and has moved by no more since half the base
 * rows (Sarrazin, Pianosi and Wagener, Environ. Model. Softw. 79 (2016) 135-152). */
static const double SETTLED = 0.05;

enum { PARTS = 3 }; /* a quarter, a half, all */

/* Outputs of a group by design point, and the indices at each part of the base rows. */
typedef struct sobol_job {
    msw_sobol_design design;
    double *y;
    msw_sobol_indices indices[PARTS];
    msw_used used[PARTS];
    bool there[PARTS];
    msw_estimate *list;
} sobol_job;

static void show_pairs(msw_effects *job, const msw_slice *slice, const msw_sobol_indices *indices,
                       const msw_used *used)
{
    const msw_outline *o = &job->cases->outline;
    size_t pair = 0, d = o->group_count;
    for (size_t i = 0; i < d; i++)
        for (size_t j = i + 1; j < d; j++, pair++) {
            msw_text name = MSW_TEXT_EMPTY;
            msw_text_add(&name, "%s * %s", o->group_names[i], o->group_names[j]);
            msw_effects_made_row(job, slice, &name);
            effects_set_estimate(job->builder, "interaction", &indices->second[pair]);
            msw_builder_number(job->builder, "mean", indices->mean);
            msw_builder_number(job->builder, "variance", indices->variance);
            msw_effects_used(job, used);
            msw_text_free(&name);
        }
}

static void show_sobol(msw_effects *job, const msw_slice *slice, const msw_sobol_indices *indices,
                       const msw_used *used, size_t base_rows)
{
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        msw_effects_row(job, slice, job->cases->outline.group_names[f]);
        if (base_rows)
            msw_builder_count(job->builder, "base_rows", base_rows);
        effects_set_estimate(job->builder, "first", &indices->first[f]);
        effects_set_estimate(job->builder, "total", &indices->total[f]);
        msw_builder_number(job->builder, "mean", indices->mean);
        msw_builder_number(job->builder, "variance", indices->variance);
        msw_effects_used(job, used);
    }
    if (indices->second)
        show_pairs(job, slice, indices, used);
}

/* ---- computing ---- */

static int take_memory(msw_effects *job, sobol_job *s)
{
    size_t d = job->cases->outline.group_count, size = 2 * d + d * d + 1;
    s->list = calloc(PARTS * size, sizeof *s->list);
    for (int part = 0; s->list && part < PARTS; part++) {
        msw_estimate *own = s->list + (size_t)part * size;
        s->indices[part] = (msw_sobol_indices){
            .first = own, .total = own + d, .second = s->design.second_order ? own + 2 * d : NULL};
    }
    return s->list && s->y ? 0 : msw_fail_memory(job->cases->err);
}

/* A part needs whole rows of every scramble, and enough of them to say something. */
static bool fits(const sobol_job *s, size_t rows)
{
    return rows >= 16 && rows % s->design.scrambles == 0;
}

static int compute_part(msw_effects *job, sobol_job *s, int part)
{
    msw_sobol_design design = s->design;
    msw_resampling how = effects_resampling(job);
    bool all = part == PARTS - 1;
    design.base_rows >>= PARTS - 1 - part;
    if (!all && !fits(s, design.base_rows))
        return 0;
    if (!all && design.scrambles < MSW_SCRAMBLES_MIN)
        how.resamples = 0; /* what is compared are values */
    int rc =
        msw_sobol(&design, &how, &s->indices[part], &s->used[part], all ? job->cases->err : NULL);
    s->there[part] = rc == 0;
    return all ? rc : 0;
}

static int compute(msw_effects *job, const msw_slice *slice, sobol_job *s)
{
    const msw_cases *cases = job->cases;
    uint64_t points = effects_points(cases);
    s->design = (msw_sobol_design){.base_rows = points / msw_outline_group(&cases->outline),
                                   .factors = (unsigned)cases->outline.group_count,
                                   .second_order = cases->outline.second_order,
                                   .estimator = job->ask.estimator,
                                   .both = !job->ask.one_way,
                                   .scrambles = cases->outline.scrambles};
    s->design.y = s->y = effects_spread(cases, slice, points);
    if (take_memory(job, s))
        return -1;
    for (int part = 0; part < PARTS; part++)
        if (compute_part(job, s, part))
            return -1;
    return 0;
}

/* ---- whether there were enough ---- */

typedef struct largest {
    double value;
    const char *name; /* of its factor */
} largest;

static void take_larger(largest *l, double value, const char *name)
{
    if (fabs(value) > l->value)
        *l = (largest){fabs(value), name};
}

static largest widest(const msw_effects *job, const msw_sobol_indices *at)
{
    largest l = {0};
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        take_larger(&l, at->first[f].half, job->cases->outline.group_names[f]);
        take_larger(&l, at->total[f].half, job->cases->outline.group_names[f]);
    }
    return l;
}

static largest moved(const msw_effects *job, const msw_sobol_indices *from,
                     const msw_sobol_indices *to)
{
    largest l = {0};
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        const char *name = job->cases->outline.group_names[f];
        take_larger(&l, to->first[f].value - from->first[f].value, name);
        take_larger(&l, to->total[f].value - from->total[f].value, name);
    }
    return l;
}

static bool is_thin(const sobol_job *s)
{
    return s->used[PARTS - 1].used < MSW_SCRAMBLE_ROWS_MIN * s->design.scrambles;
}

static void state_enough(msw_effects *job, const sobol_job *s)
{
    const msw_sobol_indices *half = &s->indices[PARTS - 2], *all = &s->indices[PARTS - 1];
    if (!s->there[PARTS - 2])
        return;
    largest move = moved(job, half, all), width = {0};
    if (s->design.scrambles >= MSW_SCRAMBLES_MIN && !is_thin(s)) /* else too wide to judge by */
        width = widest(job, all);
    bool enough = move.value <= SETTLED && width.value <= SETTLED;
    const largest *worst = width.value > move.value ? &width : &move;
    msw_text_add(job->note,
                 "\n%zu base rows were %s: from half of them on indices moved by at most "
                 "%.2g",
                 s->design.base_rows, enough ? "enough" : "not enough", move.value);
    if (width.value > 0)
        msw_text_add(job->note, ", and are known to +-%.2g", width.value);
    if (!enough)
        msw_text_add(job->note, " (of %s; it should be at most %g): double base_rows", worst->name,
                     SETTLED);
}

static void note_sobol(msw_effects *job, const sobol_job *s)
{
    static const char *const NAMES[] = {"Saltelli 2010", "Jansen", "Janon"};
    job->unit = "base rows";
    msw_text_add(job->note, "first order by %s, total by Jansen, outputs centred and scaled%s",
                 NAMES[job->ask.estimator],
                 !s->design.second_order ? ""
                 : s->design.both        ? ", BA rows too"
                                         : ", BA rows for pairs alone");
    if (s->design.scrambles >= MSW_SCRAMBLES_MIN && is_thin(s))
        msw_text_add(job->note,
                     "\nno intervals: %zu base rows for %zu scrambles; %d for each are needed",
                     s->used[PARTS - 1].used, s->design.scrambles, MSW_SCRAMBLE_ROWS_MIN);
    else if (s->design.scrambles >= MSW_SCRAMBLES_MIN)
        msw_text_add(job->note, "\nintervals from %zu scrambles (Student's t)",
                     s->design.scrambles);
    else if (job->ask.resamples)
        msw_text_add(job->note,
                     "\nintervals as if base rows were drawn independently: wider than the error "
                     "of a scrambled sequence; for that error, run 7 further seeds and compare "
                     "(8 times the points; 'scrambles: 8' takes it from as many points as now, but "
                     "the estimates are then 2 to 7 times worse)");
    state_enough(job, s);
}

/* ---- the method ---- */

static void show(msw_effects *job, const msw_slice *slice, sobol_job *s, bool pairs)
{
    for (int part = job->ask.convergence ? 0 : PARTS - 1; part < PARTS; part++) {
        size_t rows = s->design.base_rows >> (PARTS - 1 - part);
        if (!pairs)
            s->indices[part].second = NULL;
        if (s->there[part])
            show_sobol(job, slice, &s->indices[part], &s->used[part],
                       job->ask.convergence ? rows : 0);
    }
}

int msw_effects_sobol(msw_effects *job, const msw_slice *slice)
{
    msw_cases *cases = job->cases;
    sobol_job s = {0};
    if (effects_check_design(cases, "saltelli", "sobol"))
        return -1;
    bool pairs = cases->outline.second_order && job->ask.interactions > 1;
    if (job->ask.interactions > 1 && !pairs)
        return msw_fail(cases->err, "pairs need a sweep with 'design: {kind: saltelli, "
                                    "second_order: on}'");
    int rc = compute(job, slice, &s);
    effects_set_apart(job, slice, &s.used[PARTS - 1]);
    if (rc == 0)
        show(job, slice, &s, pairs);
    if (rc == 0 && !job->unit)
        note_sobol(job, &s);
    free(s.y);
    free(s.list);
    return rc;
}
