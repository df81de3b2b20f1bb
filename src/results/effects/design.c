/* Methods that need the structure of their design: Sobol indices and elementary effects. */
#include "memsweep/results/effects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t design_points(const msw_cases *s)
{
    uint64_t per_point = s->outline.workload_count * s->outline.replicates;
    return per_point ? s->sweep.points / per_point : s->sweep.points;
}

static int check_design(const msw_cases *s, const char *design, const char *method)
{
    if (s->ask.factors)
        return msw_fail(s->err, "%s looks at the factors of the design: leave --factors out",
                        method);
    return strcmp(s->outline.design->name, design) == 0
               ? 0
               : msw_fail(s->err, "%s needs the design %s; sweep '%s' has %s: say --method auto",
                          method, design, s->sweep.name, s->outline.design->name);
}

void msw_effects_blocks(const msw_cases *s, const msw_slice *slice, uint64_t points, size_t *absent,
                        size_t *cut)
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
static void set_apart(msw_effects *job, const msw_slice *slice, msw_used *used)
{
    size_t absent, cut;
    msw_effects_blocks(job->cases, slice, design_points(job->cases), &absent, &cut);
    used->dropped -= absent + cut < used->dropped ? absent + cut : used->dropped;
    job->absent += absent;
    job->cut += cut;
}

static msw_resampling resampling_of(const msw_effects *job)
{
    return (msw_resampling){.resamples = (size_t)job->ask.resamples,
                            .confidence = job->ask.confidence,
                            .seed = (uint64_t)job->ask.seed};
}

static void set_estimate(msw_table_builder *builder, const char *name, const msw_estimate *e)
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

/* ---- Sobol ---- */

/* Outputs by design point; what the group has no case of is NaN. */
static double *spread(const msw_cases *s, const msw_slice *slice, uint64_t count)
{
    double *y = malloc((count + 1) * sizeof *y);
    for (uint64_t i = 0; y && i < count; i++)
        y[i] = NAN;
    for (size_t i = slice->first; y && i < slice->first + slice->n; i++)
        y[s->design[i]] = s->y[i];
    return y;
}

static void show_pairs(msw_effects *job, const msw_slice *slice, const msw_sobol_indices *indices,
                       const msw_used *used)
{
    const msw_outline *o = &job->cases->outline;
    size_t pair = 0, d = o->group_count;
    for (size_t i = 0; i < d; i++)
        for (size_t j = i + 1; j < d; j++, pair++) {
            msw_text name = MSW_TEXT_EMPTY;
            msw_text_add(&name, "%s * %s", o->group_names[i], o->group_names[j]);
            msw_effects_row(job, slice, msw_text_str(&name));
            set_estimate(job->builder, "interaction", &indices->second[pair]);
            msw_builder_number(job->builder, "mean", indices->mean);
            msw_builder_number(job->builder, "variance", indices->variance);
            msw_effects_used(job, used);
            msw_text_free(&name);
        }
}

static void show_sobol(msw_effects *job, const msw_slice *slice, const msw_sobol_indices *indices,
                       const msw_used *used)
{
    for (size_t f = 0; f < job->cases->outline.group_count; f++) {
        msw_effects_row(job, slice, job->cases->outline.group_names[f]);
        set_estimate(job->builder, "first", &indices->first[f]);
        set_estimate(job->builder, "total", &indices->total[f]);
        msw_builder_number(job->builder, "mean", indices->mean);
        msw_builder_number(job->builder, "variance", indices->variance);
        msw_effects_used(job, used);
    }
    if (indices->second)
        show_pairs(job, slice, indices, used);
}

static int compute_sobol(msw_effects *job, const msw_slice *slice, msw_sobol_indices *indices,
                         msw_used *used)
{
    msw_cases *s = job->cases;
    uint64_t group = msw_outline_group(&s->outline), points = design_points(s);
    msw_sobol_design design = {.base_rows = points / group,
                               .factors = (unsigned)s->outline.group_count,
                               .second_order = s->outline.second_order,
                               .estimator = job->ask.estimator,
                               .raw = job->ask.raw};
    msw_resampling resampling = resampling_of(job);
    double *y = spread(s, slice, points);
    design.y = y;
    int rc = y ? msw_sobol(&design, &resampling, indices, used, s->err) : msw_fail_memory(s->err);
    free(y);
    return rc;
}

static void note_sobol(msw_effects *job)
{
    static const char *const NAMES[] = {"Saltelli 2010", "Jansen", "Janon"};
    job->unit = "base rows";
    msw_text_add(job->note, "first order by %s, total by Jansen, outputs %s",
                 NAMES[job->ask.estimator], job->ask.raw ? "as they are" : "centred and scaled");
}

int msw_effects_sobol(msw_effects *job, const msw_slice *slice)
{
    msw_cases *s = job->cases;
    size_t d = s->outline.group_count;
    if (check_design(s, "saltelli", "sobol"))
        return -1;
    bool pairs = s->outline.second_order && job->ask.interactions > 1;
    if (job->ask.interactions > 1 && !pairs)
        return msw_fail(s->err, "pairs need a sweep with 'design: {kind: saltelli, second_order: "
                                "on}'");
    msw_estimate *list = calloc(2 * d + d * d + 1, sizeof *list);
    msw_sobol_indices indices = {
        .first = list, .total = list + d, .second = s->outline.second_order ? list + 2 * d : NULL};
    msw_used used = {0};
    int rc = list ? compute_sobol(job, slice, &indices, &used) : msw_fail_memory(s->err);
    set_apart(job, slice, &used);
    if (!pairs)
        indices.second = NULL;
    if (rc == 0)
        show_sobol(job, slice, &indices, &used);
    if (!job->unit)
        note_sobol(job);
    free(list);
    return rc;
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
    w->absent = design_points(s) / points - w->trajectories;
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
        set_estimate(job->builder, "mu_star", &index[f].mu_star);
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
    msw_resampling resampling = resampling_of(job);
    msw_used used = {0};
    msw_morris_index *index = calloc(d + 1, sizeof *index);
    int rc =
        index ? msw_morris(&design, &resampling, index, &used, s->err) : msw_fail_memory(s->err);
    used.dropped += w->absent;
    set_apart(job, slice, &used);
    if (rc == 0)
        show_morris(job, slice, index, &used);
    free(index);
    return rc;
}

int msw_effects_morris(msw_effects *job, const msw_slice *slice)
{
    walk w = {0};
    if (check_design(job->cases, "morris", "morris"))
        return -1;
    int rc = prepare_walk(job->cases, slice, &w) || compute_morris(job, slice, &w) ? -1 : 0;
    if (!job->unit)
        msw_text_add(job->note, "effects per whole range of a factor (log factors by their "
                                "logarithm, listed values by their place)");
    job->unit = "trajectories";
    free(w.values);
    free(w.x);
    free(w.unordered);
    return rc;
}
