/* SPDX-License-Identifier: MIT */
/* Methods that need the structure of their design: what they share, and elementary effects. */
#include "results/effects/design.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t effects_points(const msw_cases *s)
{
    uint64_t per_point = s->outline.workload_count * s->outline.replicates;
    return per_point ? s->sweep.points / per_point : s->sweep.points;
}

int effects_check_design(const msw_cases *s, const char *design, const char *method)
{
    if (s->ask.factors)
        return msw_fail(s->err, "%s looks at the factors of the design: leave --factors out",
                        method);
    return strcmp(s->outline.design->name, design) == 0
               ? 0
               : msw_fail(s->err, "%s needs the design %s; sweep '%s' has %s: say --method auto",
                          method, design, s->sweep.name, s->outline.design->name);
}

/* Counts, among the blocks of a design of `points` points, those of which a group has no case and
 * those of which it has some. */
static void count_blocks(const msw_cases *s, const msw_slice *slice, uint64_t points,
                         size_t *absent, size_t *cut)
{
    uint64_t size = msw_outline_group(&s->outline), seen = 0;
    size_t end = slice->first + slice->n;
    *cut = 0;
    for (size_t i = slice->first, next; i < end; i = next, seen++) {
        uint64_t block = s->design[i] / size;
        for (next = i + 1; next < end && s->design[next] / size == block;)
            next++;
        *cut += next - i < size;
    }
    *absent = points / size > seen ? points / size - seen : 0;
}

/* Moves what was never looked at from the blocks dropped for want of a value to their own count. */
void effects_set_apart(msw_effects *job, const msw_slice *slice, msw_used *used)
{
    size_t absent, cut;
    count_blocks(job->cases, slice, effects_points(job->cases), &absent, &cut);
    used->dropped -= absent + cut < used->dropped ? absent + cut : used->dropped;
    job->absent += absent;
    job->cut += cut;
}

msw_resampling effects_resampling(const msw_effects *job)
{
    return (msw_resampling){.resamples = (size_t)job->ask.resamples,
                            .confidence = job->ask.confidence,
                            .seed = (uint64_t)job->ask.seed};
}

void effects_set_estimate(msw_table_builder *builder, const char *name, const msw_estimate *e)
{
    static const char *const PARTS[] = {"%s_low", "%s_high", "%s_hw"};
    const double values[] = {e->low, e->high, e->half};
    msw_builder_number(builder, name, e->value);
    for (int i = 0; i < 3; i++) {
        char part[64];
        snprintf(part, sizeof part, PARTS[i], name);
        if (!isnan(values[i]))
            msw_builder_number(builder, part, values[i]);
    }
}

double *effects_spread(const msw_cases *s, const msw_slice *slice, uint64_t count)
{
    double *y = malloc((count + 1) * sizeof *y);
    for (uint64_t i = 0; y && i < count; i++)
        y[i] = NAN;
    for (size_t i = slice->first; y && i < slice->first + slice->n; i++)
        y[s->design[i]] = s->y[i];
    return y;
}

/* ---- Morris ---- */

/* Position in the range, or level as a share of the levels, since that is what a step of the design
 * moves: 0 to 1. */
static double coordinate(const msw_case_factor *f, size_t i)
{
    return f->positions && f->levels > 1 ? f->level[i] / (double)(f->levels - 1) : f->x[i];
}

typedef struct walk {
    size_t trajectories, absent;
    double *values; /* factors + 1 columns, the last one the output */
    const double **x;
    bool *unordered;
} walk;

static void copy_trajectory(const msw_cases *s, size_t first, size_t points, walk *w, size_t rows)
{
    size_t d = s->factor_count, at = w->trajectories++ * points;
    for (size_t i = 0; i < points; i++) {
        for (size_t f = 0; f < d; f++)
            w->values[f * rows + at + i] = coordinate(&s->factors[f], first + i);
        w->values[d * rows + at + i] = s->y[first + i];
    }
}

/* Keeps the trajectories all of whose points are there. */
static void gather(const msw_cases *s, const msw_slice *slice, walk *w, size_t rows)
{
    size_t points = s->outline.group_count + 1, end = slice->first + slice->n;
    for (size_t i = slice->first, next; i < end; i = next) {
        uint64_t trajectory = s->design[i] / points;
        for (next = i + 1; next < end && s->design[next] / points == trajectory;)
            next++;
        if (next - i == points)
            copy_trajectory(s, i, points, w, rows);
    }
    w->absent = effects_points(s) / points - w->trajectories;
}

static int prepare_walk(const msw_cases *s, const msw_slice *slice, walk *w)
{
    size_t d = s->factor_count;
    w->values = malloc((slice->n + 1) * (d + 1) * sizeof *w->values);
    w->x = malloc((d + 1) * sizeof *w->x);
    w->unordered = malloc((d + 1) * sizeof *w->unordered);
    if (!w->values || !w->x || !w->unordered)
        return msw_fail_memory(s->err);
    for (size_t f = 0; f <= d; f++)
        w->x[f] = w->values + f * slice->n;
    for (size_t f = 0; f < d; f++)
        w->unordered[f] = s->factors[f].unordered;
    gather(s, slice, w, slice->n);
    return 0;
}

static void show_morris(msw_effects *job, const msw_slice *slice, const msw_morris_index *index,
                        const msw_used *used)
{
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        msw_effects_row(job, slice, job->cases->outline.group_names[f]);
        effects_set_estimate(job->builder, "mu_star", &index[f].mu_star);
        msw_builder_number(job->builder, "mu", index[f].mu);
        msw_builder_number(job->builder, "sigma", index[f].sigma);
        msw_effects_used(job, used);
    }
}

static int compute_morris(msw_effects *job, const msw_slice *slice, const walk *w)
{
    msw_cases *s = job->cases;
    size_t d = s->factor_count;
    msw_morris_design design = {.trajectories = w->trajectories,
                                .factors = (unsigned)s->outline.group_count,
                                .columns = (unsigned)d,
                                .x = w->x,
                                .group_of = s->outline.group_of,
                                .unordered = w->unordered,
                                .y = w->x[d]};
    msw_resampling resampling = effects_resampling(job);
    msw_used used = {0};
    msw_morris_index *index = calloc(d + 1, sizeof *index);
    int rc =
        index ? msw_morris(&design, &resampling, index, &used, s->err) : msw_fail_memory(s->err);
    used.dropped += w->absent;
    effects_set_apart(job, slice, &used);
    if (rc == 0)
        show_morris(job, slice, index, &used);
    free(index);
    return rc;
}

int msw_effects_morris(msw_effects *job, const msw_slice *slice)
{
    walk w = {0};
    if (effects_check_design(job->cases, "morris", "morris"))
        return -1;
    int rc = -1;
    if (prepare_walk(job->cases, slice, &w) || compute_morris(job, slice, &w))
        goto done;
    rc = 0;
done:
    if (!job->unit)
        msw_text_add(job->note, "effects per whole range of a factor (log factors by their "
                                "logarithm, listed values by their place)");
    job->unit = "trajectories";
    free(w.values);
    free(w.x);
    free(w.unordered);
    return rc;
}
