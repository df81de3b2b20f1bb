/* SPDX-License-Identifier: MIT */
/* Effects from the rows of any design: regression on ranks and a polynomial's Sobol indices; and,
 * with no model of the output, correlations, classes of a factor and Shapley effects. */
#include "memsweep/results/effects.h"

#include "memsweep/analysis/given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct given {
    msw_regression_index *index;
    double r2;
    msw_used used;
    msw_pce *pce;
    msw_pce_quality quality;
} given;

/* Factors that vary freely in a sweep may not within its limits. */
static int explain_limits(const msw_effects *job)
{
    msw_err *err = job->cases->err, before = *err;
    char beyond[32];
    if (job->cases->left_out.beyond && err->kind == MSW_ERR_USAGE)
        msw_fail(err,
                 "%s (%s rows beyond the limits of the sweep are left out: --limits off takes "
                 "them in; --method classes or shapley takes factors as they are)",
                 before.text, msw_count_text(job->cases->left_out.beyond, beyond));
    return -1;
}

/* Regresses a group's outputs, or their ranks, on its factors; `index` has one per factor. Returns
 * 0, or -1. */
static int regress_on(msw_effects *job, const msw_slice *slice, bool ranks,
                      msw_regression_index *index, double *r2, msw_used *used)
{
    size_t d = slice->factor_count;
    const double **x = calloc(d + 1, sizeof *x);
    const char **names = calloc(d + 1, sizeof *names);
    bool *unordered = calloc(d + 1, sizeof *unordered);
    for (size_t f = 0; x && names && unordered && f < d; f++) {
        names[f] = slice->factors[f]->name;
        x[f] = slice->factors[f]->x + slice->first;
        unordered[f] = slice->factors[f]->unordered;
    }
    msw_given_data data = {.n = slice->n,
                           .factors = (unsigned)d,
                           .names = names,
                           .x = x,
                           .unordered = unordered,
                           .y = job->cases->y + slice->first};
    int rc = x && names && unordered ? msw_regression(&data, ranks, job->ask.confidence, index, r2,
                                                      used, job->cases->err)
                                     : msw_fail_memory(job->cases->err);
    free(x);
    free(names);
    free(unordered);
    return rc ? explain_limits(job) : 0;
}

static int regress(msw_effects *job, const msw_slice *slice, given *g)
{
    g->index = calloc(slice->factor_count + 1, sizeof *g->index);
    return g->index ? regress_on(job, slice, true, g->index, &g->r2, &g->used)
                    : msw_fail_memory(job->cases->err);
}

static int fit_polynomial(msw_effects *job, const msw_slice *slice, given *g)
{
    msw_fit_options ask = {.degree = (unsigned)job->ask.degree, .seed = (uint64_t)job->ask.seed};
    g->pce = msw_fit(job->cases, slice, &ask, &g->quality);
    if (!g->pce)
        return -1;
    if (!g->index)
        g->used = (msw_used){g->quality.used, g->quality.dropped};
    return 0;
}

static void show_factor(msw_effects *job, const given *g, unsigned f)
{
    if (g->index) {
        const msw_regression_index *index = &g->index[f];
        msw_builder_number(job->builder, "srrc", index->standardized);
        msw_builder_number(job->builder, "prcc", index->partial.value);
        msw_builder_number(job->builder, "prcc_low", index->partial.low);
        msw_builder_number(job->builder, "prcc_high", index->partial.high);
        msw_builder_number(job->builder, "r2", g->r2);
    }
    if (g->pce) {
        msw_builder_number(job->builder, "first", msw_pce_part(g->pce, (uint32_t)1 << f));
        msw_builder_number(job->builder, "total", msw_pce_total(g->pce, f));
        msw_builder_number(job->builder, "q2", g->quality.q2);
    }
}

static void show_pairs(msw_effects *job, const msw_slice *slice, const given *g)
{
    for (unsigned i = 0; i < slice->factor_count; i++)
        for (unsigned j = i + 1; j < slice->factor_count; j++) {
            uint32_t set = (uint32_t)1 << i | (uint32_t)1 << j;
            msw_text name = MSW_TEXT_EMPTY;
            msw_effects_factor_names(slice, set, &name);
            msw_effects_made_row(job, slice, &name);
            msw_builder_number(job->builder, "interaction", msw_pce_part(g->pce, set));
            msw_builder_number(job->builder, "q2", g->quality.q2);
            if (g->index)
                msw_builder_number(job->builder, "r2", g->r2);
            msw_effects_used(job, &g->used);
            msw_text_free(&name);
        }
}

static double closed_share(const void *context, uint32_t set)
{
    return msw_pce_closed(((const given *)context)->pce, set);
}

static void finish_group(msw_effects *job, const msw_shares *shares)
{
    const given *g = shares->context;
    msw_builder_number(job->builder, "q2", g->quality.q2);
    msw_effects_used(job, shares->used);
}

static void note_polynomial(msw_effects *job, const msw_slice *slice, const given *g)
{
    if (g->index)
        msw_text_add(job->note,
                     "regression on ranks: read r2 first, below 0.7 srrc and prcc mean little%s",
                     g->pce ? "\n" : "");
    if (g->pce)
        msw_text_add(job->note,
                     "first and total from a polynomial of degree %d: read q2 first, 1 - q2 is "
                     "what it cannot predict",
                     (int)job->ask.degree);
    if (g->pce && slice->n > MSW_FIT_ROWS)
        msw_text_add(job->note, "; ");
    if (g->pce)
        msw_fit_note(slice->n, (uint64_t)job->ask.seed, job->note);
    job->unit = "points";
}

int msw_effects_given(msw_effects *job, const msw_slice *slice, bool regression, bool pce)
{
    given g = {0};
    int rc = regression ? regress(job, slice, &g) : 0;
    if (rc == 0 && pce)
        rc = fit_polynomial(job, slice, &g);
    for (unsigned f = 0; rc == 0 && f < slice->factor_count; f++) {
        msw_effects_row(job, slice, slice->factors[f]->name);
        show_factor(job, &g, f);
        msw_effects_used(job, &g.used);
    }
    if (rc == 0 && g.pce && job->ask.interactions > 1)
        show_pairs(job, slice, &g);
    if (rc == 0 && g.pce)
        rc = msw_effects_groups(job, slice, &(msw_shares){&g, &g.used, closed_share, finish_group});
    if (rc == 0 && !job->unit)
        note_polynomial(job, slice, &g);
    msw_pce_free(g.pce);
    free(g.index);
    return rc;
}

/* The cases of a group that have a value. */
typedef struct rows {
    size_t n;
    size_t *at; /* their numbers */
    double *y, *x;
    msw_used used;
} rows;

static int copy_rows(msw_effects *job, const msw_slice *slice, rows *r)
{
    *r = (rows){.at = malloc((slice->n + 1) * sizeof *r->at),
                .y = malloc((slice->n + 1) * sizeof *r->y),
                .x = malloc((slice->n + 1) * sizeof *r->x)};
    if (!r->at || !r->y || !r->x)
        return msw_fail_memory(job->cases->err);
    for (size_t i = slice->first; i < slice->first + slice->n; i++)
        if (!isnan(job->cases->y[i])) {
            r->at[r->n] = i;
            r->y[r->n++] = job->cases->y[i];
        }
    r->used = (msw_used){r->n, slice->n - r->n};
    return 0;
}

static void free_rows(rows *r)
{
    free(r->at);
    free(r->y);
    free(r->x);
}

static void locate_rows(const msw_case_factor *factor, rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->x[i] = factor->x[r->at[i]];
}

/* ---- correlations ---- */

typedef struct regressions {
    msw_regression_index *plain, *ranks;
    double r2, r2_ranks;
} regressions;

static int regress_values(msw_effects *job, const msw_slice *slice, regressions *g)
{
    msw_used used;
    MSW_TRY(regress_on(job, slice, false, g->plain, &g->r2, &used));
    return regress_on(job, slice, true, g->ranks, &g->r2_ranks, &used);
}

static void show_regression(msw_effects *job, const regressions *g, size_t f)
{
    msw_table_builder *b = job->builder;
    msw_builder_number(b, "src", g->plain[f].standardized);
    msw_builder_number(b, "pcc", g->plain[f].partial.value);
    msw_builder_number(b, "pcc_low", g->plain[f].partial.low);
    msw_builder_number(b, "pcc_high", g->plain[f].partial.high);
    msw_builder_number(b, "srrc", g->ranks[f].standardized);
    msw_builder_number(b, "prcc", g->ranks[f].partial.value);
    msw_builder_number(b, "r2", g->r2);
    msw_builder_number(b, "r2_ranks", g->r2_ranks);
}

static int show_correlations(msw_effects *job, const msw_slice *slice, const regressions *g,
                             rows *r)
{
    for (size_t f = 0; f < slice->factor_count; f++) {
        msw_correlation c;
        locate_rows(slice->factors[f], r);
        if (msw_correlate(r->x, r->y, r->n, &c, job->cases->err))
            return -1;
        bool ordered = !slice->factors[f]->unordered;
        msw_effects_row(job, slice, slice->factors[f]->name);
        msw_builder_number(job->builder, "pearson", ordered ? c.pearson : NAN);
        msw_builder_number(job->builder, "spearman", ordered ? c.spearman : NAN);
        show_regression(job, g, f);
        msw_effects_used(job, &r->used);
    }
    return 0;
}

int msw_effects_correlation(msw_effects *job, const msw_slice *slice)
{
    rows r = {0};
    size_t d = slice->factor_count + 1;
    regressions g = {.plain = calloc(d, sizeof *g.plain), .ranks = calloc(d, sizeof *g.ranks)};
    int rc = g.plain && g.ranks ? regress_values(job, slice, &g) : msw_fail_memory(job->cases->err);
    if (rc == 0)
        rc = copy_rows(job, slice, &r); /* after what takes most memory */
    if (rc == 0)
        rc = show_correlations(job, slice, &g, &r);
    if (!job->unit)
        msw_text_add(job->note,
                     "log factors by their logarithm; src and pcc read with r2, srrc and "
                     "prcc with r2_ranks: below 0.7 they mean little");
    job->unit = "points";
    free_rows(&r);
    free(g.plain);
    free(g.ranks);
    return rc;
}

/* ---- classes ---- */

enum { RESAMPLES_MOST = 200 }; /* each smooths all densities again */

/* A group whose outputs are sorted, and one factor after the other cut into classes. `chances` are
 * what numbers of classes came up, with the level of chance of each. */
typedef struct classed {
    rows rows;
    msw_given_outputs outputs;
    msw_given_classes classes;
    msw_resampling how;
    msw_given_index *chances;
    size_t chance_count;
} classed;

static int open_classes(msw_effects *job, const msw_slice *slice, classed *c)
{
    size_t resamples = (size_t)job->ask.resamples;
    msw_err *err = job->cases->err;
    c->how = (msw_resampling){.resamples = resamples < RESAMPLES_MOST ? resamples : RESAMPLES_MOST,
                              .confidence = job->ask.confidence,
                              .seed = (uint64_t)job->ask.seed};
    MSW_TRY(copy_rows(job, slice, &c->rows));
    c->classes.of = malloc((c->rows.n + 1) * sizeof *c->classes.of);
    c->chances = calloc(slice->factor_count + 1, sizeof *c->chances);
    if (!c->classes.of || !c->chances)
        return msw_fail_memory(err);
    return msw_given_sort(c->rows.y, c->rows.n, &c->outputs, err);
}

static void close_classes(classed *c)
{
    msw_given_outputs_free(&c->outputs);
    free(c->classes.of);
    free(c->chances);
    free_rows(&c->rows);
}

static void show_classes(msw_effects *job, const msw_slice *slice, const classed *c,
                         const char *name, const msw_given_index *index)
{
    msw_effects_row(job, slice, name);
    msw_builder_number(job->builder, "first", index->first);
    msw_builder_number(job->builder, "pawn", index->pawn);
    msw_builder_number(job->builder, "pawn_max", index->pawn_max);
    msw_builder_number(job->builder, "delta", index->delta);
    msw_builder_number(job->builder, "delta_spread", index->delta_spread);
    msw_builder_count(job->builder, "classes", index->classes);
    msw_effects_used(job, &c->rows.used);
}

/* The level of chance depends on the number of classes: each that comes up is dealt once. */
static int find_chance(classed *c, msw_err *err)
{
    for (size_t i = 0; i < c->chance_count; i++)
        if (c->chances[i].classes == c->classes.count)
            return 0;
    msw_given_index *chance = &c->chances[c->chance_count++];
    MSW_TRY(msw_given_chance(&c->outputs, &c->classes, &c->how, chance, err));
    chance->delta_spread = NAN;
    return 0;
}

static int measure_classes(msw_effects *job, const msw_slice *slice, const msw_case_factor *factor,
                           classed *c)
{
    msw_err *err = job->cases->err;
    msw_given_index index;
    locate_rows(factor, &c->rows);
    MSW_TRY(
        msw_given_cut(c->rows.x, c->rows.n, msw_given_classes_most(c->rows.n), &c->classes, err));
    MSW_TRY(msw_given_measure(&c->outputs, &c->classes, &c->how, &index, err));
    show_classes(job, slice, c, factor->name, &index);
    return find_chance(c, err);
}

int msw_effects_classes(msw_effects *job, const msw_slice *slice)
{
    classed c = {0};
    int rc = open_classes(job, slice, &c);
    for (size_t f = 0; rc == 0 && f < slice->factor_count; f++)
        rc = measure_classes(job, slice, slice->factors[f], &c);
    for (size_t i = 0; rc == 0 && i < c.chance_count; i++)
        show_classes(job, slice, &c, "(chance)", &c.chances[i]);
    if (rc == 0 && !job->unit)
        msw_text_add(job->note,
                     "each factor by itself, its values or equal parts of its range as classes; "
                     "'(chance)': a factor of so many classes without any effect exceeds this in "
                     "%.3g %% of %zu dealings",
                     100 * (1 - c.how.confidence), msw_given_dealings(c.rows.n, c.how.confidence));
    job->unit = "points";
    close_classes(&c);
    return rc;
}

/* ---- Shapley effects ---- */

static int check_levels(const msw_effects *job, const msw_slice *slice)
{
    for (size_t f = 0; f < slice->factor_count; f++)
        if (!slice->factors[f]->level)
            return msw_fail(job->cases->err,
                            "shapley needs factors with levels: '%s' is a range, of which no value "
                            "comes twice",
                            slice->factors[f]->name);
    return slice->factor_count <= MSW_SHAPLEY_FACTORS
               ? 0
               : msw_fail(job->cases->err,
                          "shapley looks at all subsets of at most %d factors; %zu vary: name them "
                          "by --factors",
                          MSW_SHAPLEY_FACTORS, slice->factor_count);
}

static int show_shapley(msw_effects *job, const msw_slice *slice, const msw_population *p,
                        const rows *r)
{
    double effect[MSW_SHAPLEY_FACTORS], first[MSW_SHAPLEY_FACTORS], total[MSW_SHAPLEY_FACTORS];
    double variance;
    if (msw_shapley(p, effect, first, total, &variance, job->cases->err))
        return -1;
    for (size_t f = 0; f < slice->factor_count; f++) {
        msw_effects_row(job, slice, slice->factors[f]->name);
        msw_builder_number(job->builder, "shapley", effect[f]);
        msw_builder_number(job->builder, "first", first[f]);
        msw_builder_number(job->builder, "total", total[f]);
        msw_builder_number(job->builder, "variance", variance);
        msw_effects_used(job, &r->used);
    }
    return 0;
}

static int compute_shapley(msw_effects *job, const msw_slice *slice, const rows *r)
{
    uint32_t *all = malloc((slice->factor_count * r->n + 1) * sizeof *all);
    const uint32_t *level[MSW_SHAPLEY_FACTORS];
    uint32_t levels[MSW_SHAPLEY_FACTORS] = {0};
    if (!all)
        return msw_fail_memory(job->cases->err);
    for (size_t f = 0; f < slice->factor_count; f++) {
        uint32_t *own = all + f * r->n;
        level[f] = own;
        for (size_t i = 0; i < r->n; i++) {
            own[i] = slice->factors[f]->level[r->at[i]];
            levels[f] = own[i] >= levels[f] ? own[i] + 1 : levels[f];
        }
    }
    msw_population p = {.n = r->n,
                        .factors = (unsigned)slice->factor_count,
                        .level = level,
                        .levels = levels,
                        .y = r->y};
    int rc = show_shapley(job, slice, &p, r);
    free(all);
    return rc;
}

int msw_effects_shapley(msw_effects *job, const msw_slice *slice)
{
    rows r = {0};
    int rc = -1;
    if (check_levels(job, slice) || copy_rows(job, slice, &r) || compute_shapley(job, slice, &r))
        goto done;
    rc = 0;
done:
    if (rc == 0 && !job->unit)
        msw_text_add(job->note,
                     "shapley sums up to 1: the points are the whole population, however "
                     "factors depend on each other in it");
    job->unit = "points";
    free_rows(&r);
    return rc;
}
