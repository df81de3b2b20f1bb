/* SPDX-License-Identifier: MIT */
/* Does what the paper's sweeps show hang on what the paper does not say? All design points of a
 * sweep, for settings drawn from the weights and as many of the prior. */
#include "reproduce/calibrate/conclusions.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points at the closed form for all sweeps together. */
enum { CLOSED_MOST = 262144 };

/* ---- settings ---- */

static int draw_nearest(const msw_calibration *c, size_t draws, size_t *times)
{
    msw_placed *list = msw_calibration_by_worst(c);
    if (!list)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; k < c->count && k < draws; k++)
        times[list[k].at] = 1;
    free(list);
    return 0;
}

/* Settings of the first wave, evenly spread over it. */
static void draw_prior(const msw_calibration *c, size_t draws, size_t *times)
{
    size_t all = c->waves[0].settings;
    for (size_t k = 0; k < draws && k < all; k++)
        times[k * all / (draws < all ? draws : all)] = 1;
}

static int draw_given(const msw_calibration *c, size_t draws, size_t *times)
{
    msw_rng rng;
    if (!(c->effective > 0))
        return draw_nearest(c, draws, times);
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed,
                 msw_hash_string("settings of conclusions").lo);
    size_t *chosen = malloc((draws + 1) * sizeof *chosen);
    if (!chosen)
        return msw_fail_memory(c->paper->err);
    msw_resample(c->weights, c->count, msw_rng_uniform(&rng), draws, chosen);
    for (size_t i = 0; i < draws; i++)
        times[chosen[i]]++;
    free(chosen);
    return 0;
}

static void take_settings(const msw_calibration *c, struct msw_conclusions *to, size_t *times[])
{
    double sum[MSW_SIDES] = {0};
    for (size_t k = 0; k < c->count; k++) {
        if (!times[MSW_GIVEN][k] && !times[MSW_PRIOR][k])
            continue;
        for (int side = 0; side < MSW_SIDES; side++) {
            to->weights[side][to->count] = (double)times[side][k];
            sum[side] += (double)times[side][k];
        }
        to->settings[to->count++] = k;
    }
    for (int side = 0; side < MSW_SIDES; side++)
        for (size_t s = 0; s < to->count; s++)
            to->weights[side][s] /= sum[side];
}

static int choose_settings(const msw_calibration *c, struct msw_conclusions *to)
{
    size_t draws = (size_t)c->ask->conclusions, *times[MSW_SIDES];
    to->nearest = !(c->effective > 0);
    for (int side = 0; side < MSW_SIDES; side++) {
        times[side] = calloc(c->count + 1, sizeof(size_t));
        to->weights[side] = calloc(2 * draws + 2, sizeof(double));
    }
    to->settings = calloc(2 * draws + 2, sizeof *to->settings);
    bool room = to->settings && times[0] && times[1] && to->weights[0] && to->weights[1];
    int rc = room ? draw_given(c, draws, times[MSW_GIVEN]) : msw_fail_memory(c->paper->err);
    if (rc == 0) {
        draw_prior(c, draws, times[MSW_PRIOR]);
        take_settings(c, to, times);
    }
    free(times[0]);
    free(times[1]);
    return rc;
}

/* ---- what is judged by ---- */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool names(const char *sql, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = sql; (at = strstr(at, word)); at++)
        if ((at == sql || !is_word(at[-1])) && !is_word(at[size]))
            return true;
    return false;
}

/* Whether a claim takes its value from a sweep, at the closed form where it is used. */
static bool reads(const msw_calibration *c, size_t claim, const msw_paper_sweep *sweep)
{
    const msw_claim *it = &c->paper->claims.list[claim];
    return c->asks[claim] && msw_claim_answers_at(it, c->screens ? "analytic" : NULL) &&
           msw_paper_reads(c->paper, it, sweep);
}

static void add_objective(msw_concluded *to, const char *name, msw_goal goal)
{
    if (to->objectives == MSW_PARETO_OBJECTIVES)
        return;
    to->names[to->objectives] = name;
    to->goals[to->objectives++] = goal;
}

/* The sweep's objectives; else the metrics with a better direction that values are taken from. */
static void find_objectives(const msw_calibration *c, msw_concluded *to)
{
    const msw_plan *plan = to->sweep->plan;
    for (size_t i = 0; i < plan->view.objective_count; i++)
        add_objective(to, plan->view.objectives[i].name, plan->view.objectives[i].goal);
    for (size_t m = 0; !plan->view.objective_count && m < plan->mech->metric_count; m++) {
        const msw_metric *metric = &plan->mech->metrics[m];
        bool named = false;
        for (size_t i = 0; metric->goal && !named && i < c->paper->claims.count; i++)
            named = names(c->paper->claims.list[i].sql, metric->name) && reads(c, i, to->sweep);
        if (named)
            add_objective(to, metric->name, metric->goal);
    }
}

/* ---- design points ---- */

static bool same_level(const msw_factor *factor, const double *values, size_t count, size_t a,
                       size_t b)
{
    for (size_t t = 0; t < factor->target_count; t++)
        if (values[a * count + factor->targets[t]] != values[b * count + factor->targets[t]])
            return false;
    return true;
}

/* A factor's levels, each called by the first point that has it. Returns whether it varies. */
static bool find_levels(const msw_concluded *to, const msw_factor *factor, const double *values,
                        size_t *level)
{
    bool varies = false;
    for (size_t i = 0; i < to->points; i++) {
        level[i] = 0;
        while (!same_level(factor, values, to->sweep->plan->schema.count, i, level[i]))
            level[i]++;
        varies = varies || level[i] > 0;
    }
    return varies;
}

/* Values of all parameters of all design points: points x parameters, to be freed; or NULL. */
static double *read_points(const msw_calibration *c, const msw_concluded *to)
{
    const msw_plan *plan = to->sweep->plan;
    double *values = malloc((to->points * plan->schema.count + 1) * sizeof *values);
    msw_pointer *pointer = NULL;
    msw_point point;
    int rc =
        values ? msw_pointer_new(plan, &pointer, c->paper->err) : msw_fail_memory(c->paper->err);
    for (size_t i = 0; rc == 0 && i < to->points; i++) {
        rc = msw_pointer_at(pointer, i * to->replicates, false, &point, c->paper->err);
        for (size_t v = 0; rc == 0 && v < plan->schema.count; v++)
            values[i * plan->schema.count + v] = msw_schema_get(&plan->schema, v, point.block);
    }
    msw_pointer_free(pointer);
    if (rc) {
        free(values);
        return NULL;
    }
    return values;
}

static int find_factors(const msw_calibration *c, msw_concluded *to)
{
    const msw_space *space = &to->sweep->plan->space;
    double *values = read_points(c, to);
    if (!values)
        return -1;
    to->factor = calloc(space->factor_count + 1, sizeof *to->factor);
    to->level = calloc(space->factor_count * to->points + 1, sizeof *to->level);
    int rc = to->factor && to->level ? 0 : msw_fail_memory(c->paper->err);
    for (size_t f = 0; rc == 0 && f < space->factor_count; f++)
        if (find_levels(to, &space->factors[f], values, &to->level[to->factors * to->points]))
            to->factor[to->factors++] = f;
    free(values);
    return rc;
}

/* ---- rows ---- */

static size_t find_load(const msw_plan *plan, const msw_column *column, double label)
{
    size_t at = 0;
    while (at < plan->workload_count &&
           (isnan(label) || !column->labels || (size_t)label >= column->label_count ||
            strcmp(plan->workloads[at].name, column->labels[(size_t)label]) != 0))
        at++;
    return at;
}

/* Puts rows in their places, those of settings from `first` on; of replicates the mean. */
static void take_rows(const struct msw_conclusions *all, const msw_concluded *to,
                      const msw_table *table, size_t first, double *values)
{
    size_t settings = all->count + 1, cells = to->loads * settings * to->points;
    for (size_t r = 0; r < table->rows; r++) {
        size_t design = (size_t)table->columns[0].values[r];
        size_t setting = first + design / to->points, point = design % to->points;
        size_t load = find_load(to->sweep->plan, &table->columns[1], table->columns[1].values[r]);
        if (load == to->loads || setting >= settings)
            continue;
        for (unsigned o = 0; o < to->objectives; o++) {
            const msw_column *column = &table->columns[2 + o];
            double *cell = &values[o * cells + (load * settings + setting) * to->points + point];
            double value = column->labels ? NAN : column->values[r] / (double)to->replicates;
            *cell = isinf(*cell) ? value : *cell + value; /* infinite: nothing came before */
        }
    }
}

static int read_rows(const msw_calibration *c, const msw_concluded *to, const char *file,
                     const msw_plan *plan, msw_table *table)
{
    const msw_paper *p = c->paper;
    msw_store *store = NULL;
    msw_text columns = MSW_TEXT_EMPTY;
    char *called = NULL;
    msw_text_add(&columns, "design_index, workload");
    for (unsigned o = 0; o < to->objectives; o++)
        msw_text_add(&columns, ", %s", to->names[o]);
    int rc = columns.failed
                 ? msw_fail_memory(p->err)
                 : msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err);
    if (rc == 0 && !(called = msw_store_called(store, plan, p->err)))
        rc = -1;
    msw_query query = {.sweep = called,
                       .columns = msw_text_str(&columns),
                       .limit = -1,
                       .within_limits = true, /* as `pareto` has it */
                       .trusted = true};
    if (rc == 0)
        rc = msw_store_read(store, &query, table, p->err);
    msw_store_close(store, NULL);
    msw_text_free(&columns);
    free(called);
    return rc;
}

static int run_part(msw_calibration *c, const struct msw_conclusions *all, const msw_concluded *to,
                    const msw_spread *s, msw_samples part, size_t first, double *values)
{
    msw_paper *p = c->paper;
    msw_paper_plan plan = {0};
    msw_table table = {0};
    char *file = msw_paper_database(p, s->suffix);
    int rc = !file                                           ? msw_fail_memory(p->err)
             : msw_paper_cross(p, s, part, to->sweep, &plan) ? -1
                                                             : msw_paper_run(p, file, &plan, 1);
    c->interrupted = p->interrupted;
    if (rc == 0 && !c->interrupted)
        rc = read_rows(c, to, file, plan.plan, &table);
    if (rc == 0 && !c->interrupted)
        take_rows(all, to, &table, first + part.first, values);
    msw_table_free(&table);
    msw_plan_free(plan.plan);
    msw_origin_free(&plan.origin);
    free(file);
    return rc;
}

/* All settings, and the defaults behind them: a sample without unknowns. */
static int run_settings(msw_calibration *c, const struct msw_conclusions *all,
                        const msw_concluded *to, double *values)
{
    msw_spread s = {0}, shipped;
    int rc = msw_calibration_spread(c, c->screens ? MSW_CLOSED : MSW_WHOLE, all->settings,
                                    all->count, &s);
    s.needed = false;
    size_t most = rc ? 1 : msw_paper_part(c->paper, &s);
    for (size_t first = 0; rc == 0 && !c->interrupted && first < all->count; first += most) {
        size_t left = all->count - first;
        rc = run_part(c, all, to, &s, (msw_samples){first, left < most ? left : most}, 0, values);
    }
    shipped = s;
    shipped.unknown_count = 0;
    if (rc == 0 && !c->interrupted)
        rc = run_part(c, all, to, &shipped, (msw_samples){0, 1}, all->count, values);
    msw_spread_free(&s);
    return rc;
}

static int look_at(msw_calibration *c, const struct msw_conclusions *all, msw_concluded *to)
{
    size_t cells = to->objectives * to->loads * (all->count + 1) * to->points;
    double *values = malloc((cells + 1) * sizeof *values);
    if (!values)
        return msw_fail_memory(c->paper->err);
    for (size_t i = 0; i < cells; i++)
        values[i] = INFINITY;
    int rc = run_settings(c, all, to, values);
    for (size_t i = 0; i < cells; i++)
        values[i] = isinf(values[i]) ? NAN : values[i];
    if (rc == 0 && !c->interrupted)
        rc = msw_concluded_judge(c, to, values);
    free(values);
    return rc;
}

/* ---- all ---- */

/* Whether a sweep compares design points, and what by. Returns 1 or 0, or -1. */
static int compares(const msw_calibration *c, const msw_paper_sweep *sweep, msw_concluded *to)
{
    const msw_plan *plan = sweep->plan;
    bool read = false;
    for (size_t i = 0; plan && sweep->sampled && !read && i < c->paper->claims.count; i++)
        read = reads(c, i, sweep);
    if (!read)
        return 0;
    *to = (msw_concluded){.sweep = sweep, .loads = plan->workload_count};
    to->replicates = plan->replicates ? (size_t)plan->replicates : 1;
    to->points = (size_t)(plan->points / plan->workload_count / to->replicates);
    if (to->points < 2)
        return 0;
    find_objectives(c, to);
    return find_factors(c, to) ? -1 : to->factors > 0;
}

static void free_sweep(msw_concluded *to)
{
    void *const owned[] = {to->factor,     to->level,     to->front[0],  to->front[1],
                           to->shipped,    to->logs,      to->shares[0], to->shares[1],
                           to->largest[0], to->largest[1]};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}

static int conclude(msw_calibration *c, struct msw_conclusions *all)
{
    const msw_paper *p = c->paper;
    uint64_t left = c->screens ? CLOSED_MOST : (uint64_t)c->ask->full_conclusions;
    all->sweeps = calloc(p->sweep_count + 1, sizeof *all->sweeps);
    int rc = all->sweeps ? choose_settings(c, all) : msw_fail_memory(p->err);
    for (size_t i = 0; rc == 0 && !c->interrupted && i < p->sweep_count; i++) {
        msw_concluded *to = &all->sweeps[all->sweep_count];
        int found = compares(c, &p->sweeps[i], to);
        if (found <= 0) {
            free_sweep(to);
            *to = (msw_concluded){0};
            rc = found;
            continue;
        }
        all->sweep_count++;
        to->cost = (uint64_t)((all->count + 1) * to->points * to->loads * to->replicates);
        to->why = !to->objectives ? "no better direction" : to->cost > left ? "points" : NULL;
        if (to->why)
            continue;
        left -= to->cost;
        rc = look_at(c, all, to);
    }
    return rc;
}

int msw_calibration_conclude(msw_calibration *c)
{
    if (!c->ask->conclusions)
        return 0;
    c->conclusions = calloc(1, sizeof *c->conclusions);
    return c->conclusions ? conclude(c, c->conclusions) : msw_fail_memory(c->paper->err);
}

void msw_calibration_free_conclusions(struct msw_conclusions *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->sweep_count; i++)
        free_sweep(&all->sweeps[i]);
    free(all->sweeps);
    free(all->settings);
    free(all->weights[0]);
    free(all->weights[1]);
    free(all);
}
