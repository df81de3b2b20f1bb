/* SPDX-License-Identifier: MIT */
/* The splitting of variance from the summary of a complete grid: effects of single factors and of
 * pairs are exact, and what is left over bounds the total effects. */
#include "memsweep/results/effects.h"

#include "memsweep/store/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one workload and metric. */
typedef struct parts {
    const msw_census_shape *shape;
    const msw_census_cell *cells;
    const msw_census_pair *pairs;
    double mean, variance, rest; /* rest: of three factors and more */
    double first[MSW_KEEP_FACTORS], pair[MSW_KEEP_FACTORS][MSW_KEEP_FACTORS];
} parts;

/* The number of a metric in "summary: [a, b]". Returns it, or -1. */
static int find_metric(const char *canonical, const char *metric)
{
    const char *at;
    size_t size;
    for (int m = 0; (at = msw_keep_summarised(canonical, (size_t)m, &size)); m++)
        if (strlen(metric) == size && strncmp(at, metric, size) == 0)
            return m;
    return -1;
}

static bool is_asked(const msw_effects *job)
{
    const msw_cases *s = job->cases;
    const msw_cases_options *ask = &s->ask;
    bool one =
        s->outline.workload_count == 1 || (ask->group_by && strcmp(ask->group_by, "workload") == 0);
    return one && !s->sweep.over && !job->control && !job->ask.groups && !ask->filter &&
           !ask->factors && !ask->doubtful && !ask->beyond && job->ask.interactions <= 2 &&
           (!ask->group_by || strcmp(ask->group_by, "workload") == 0) &&
           s->outline.replicates == 1 && strcmp(s->outline.design->name, "grid") == 0 &&
           (strcmp(job->ask.method, "auto") == 0 || strcmp(job->ask.method, "anova") == 0);
}

/* Every combination once, with a value. */
static bool is_complete(const msw_census *all)
{
    const msw_census_shape *shape = all->shape;
    uint64_t cells = 1;
    for (size_t f = 0; f < shape->factors; f++) {
        if (!(shape->levelled >> f & 1) || cells > shape->points)
            return false;
        cells *= shape->bins[f];
    }
    return shape->pairs && cells == shape->points && all->counts.ok == cells &&
           !all->counts.doubtful && !all->counts.beyond;
}

static double spread(const msw_census_cell *cells, uint64_t count, double mean)
{
    double sum = 0;
    for (uint64_t l = 0; l < count; l++) {
        double off = msw_sum_mean(&cells[l].sum, cells[l].n) - mean;
        sum += off * off;
    }
    return sum / (double)count;
}

static double spread_of_pairs(const msw_census_pair *pairs, uint64_t count, double mean)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        double off = msw_sum_mean(&pairs[i].sum, pairs[i].n) - mean;
        sum += off * off;
    }
    return sum / (double)count;
}

static void split(parts *p)
{
    const msw_census_shape *shape = p->shape;
    const msw_census_cell *all = p->cells;
    p->mean = msw_sum_mean(&all->sum, all->n);
    p->variance = p->rest = msw_sum_about_mean(&all->sum, &all->squares, all->n) / (double)all->n;
    for (size_t f = 0; f < shape->factors; f++)
        p->rest -= p->first[f] = spread(p->cells + shape->first[f], shape->bins[f], p->mean);
    for (size_t f = 0; f < shape->factors; f++)
        for (size_t g = f + 1; g < shape->factors; g++) {
            double both = spread_of_pairs(p->pairs + msw_census_first_pair(shape, f, g),
                                          shape->bins[f] * shape->bins[g], p->mean);
            p->pair[f][g] = p->pair[g][f] = both - p->first[f] - p->first[g];
            p->rest -= p->pair[f][g];
        }
    p->rest = fmax(p->rest, 0);
}

static void end_row(msw_effects *job, const parts *p)
{
    msw_builder_number(job->builder, "mean", p->mean);
    msw_builder_number(job->builder, "variance", p->variance);
    msw_effects_used(job, &(msw_used){.used = p->cells[0].n});
}

static void begin_row(msw_effects *job, size_t workload, const char *factor)
{
    msw_builder_row(job->builder);
    if (job->cases->ask.group_by)
        msw_builder_text(job->builder, "workload", job->cases->outline.workload_names[workload]);
    msw_builder_text(job->builder, "factor", factor);
}

/* Below this share of the variance nothing is left over for three factors and more. */
#define NOTHING 1e-9

static void show(msw_effects *job, size_t workload, const parts *p)
{
    const msw_outline_factor *factors = job->cases->outline.factors;
    for (size_t f = 0; f < p->shape->factors; f++) {
        double known = p->first[f];
        for (size_t g = 0; g < p->shape->factors; g++)
            known += g == f ? 0 : p->pair[f][g];
        begin_row(job, workload, factors[f].name);
        msw_builder_number(job->builder, "first", p->first[f] / p->variance);
        if (p->rest <= NOTHING * p->variance) {
            msw_builder_number(job->builder, "total", known / p->variance);
        } else {
            msw_builder_number(job->builder, "total_low", known / p->variance);
            msw_builder_number(job->builder, "total_high", (known + p->rest) / p->variance);
        }
        end_row(job, p);
    }
    for (size_t f = 0; job->ask.interactions >= 2 && f < p->shape->factors; f++)
        for (size_t g = f + 1; g < p->shape->factors; g++) {
            char name[256];
            snprintf(name, sizeof name, "%s * %s", factors[f].name, factors[g].name);
            begin_row(job, workload, name);
            msw_builder_number(job->builder, "interaction", p->pair[f][g] / p->variance);
            end_row(job, p);
        }
}

/* Returns 1; 0 when rows have to be read; or -1. */
static int show_workload(msw_effects *job, const msw_forest *forest, size_t workload, int metric)
{
    msw_census *all = msw_forest_whole(forest, workload, job->cases->err);
    const msw_census_shape *shape = &forest->shape;
    if (!all)
        return -1;
    parts p = {shape,
               all->moments + (size_t)metric * shape->cells,
               all->pairs + (size_t)metric * shape->pairs,
               0,
               0,
               0,
               {0},
               {{0}}};
    int usable = is_complete(all) && p.cells[0].n == shape->points &&
                 shape->factors == job->cases->outline.factor_count;
    if (usable)
        split(&p);
    usable = usable && p.variance > 0;
    if (usable)
        show(job, workload, &p);
    msw_census_free(all);
    return usable;
}

int msw_effects_from_summary(msw_effects *job)
{
    msw_cases *s = job->cases;
    msw_forest forest = {0};
    MSW_TRY(msw_cases_choose(s));
    MSW_TRY(msw_kept_rows_read(s->store, &s->sweep, &s->kept, s->err));
    int metric = s->kept.summary ? find_metric(s->sweep.canonical, s->metric) : -1;
    if (metric < 0 || !s->kept.done || !is_asked(job))
        return 0;
    int rc = msw_forest_read(&forest, s->store, s->sweep.id, s->outline.workload_count, s->err);
    int usable = rc ? -1 : 1;
    for (size_t w = 0; usable > 0 && w < s->outline.workload_count; w++)
        usable = show_workload(job, &forest, w, metric);
    if (usable > 0) {
        job->total = job->last;
        job->unit = "points";
        job->summarised = true;
        msw_text_add(job->note,
                     "anova of a complete grid, from its summary: first and pairs are exact; "
                     "total lies between total_low and total_high, as effects of three factors and "
                     "more are not summarised");
    }
    msw_forest_close(&forest);
    return usable;
}
