/* SPDX-License-Identifier: MIT */
/* The cells of a summary: their shape, putting two together, histograms. */
#include "memsweep/store/summary.h"

#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors with more levels, and ranges, are cut into RANGE_BINS parts. */
enum { RANGE_BINS = 16, PAIRS_MOST = 1 << 18 };
/* A workload has about so many leaves, of at least and at most so many points. With more pairs of
 * levels than a leaf has points, putting leaves together takes longer than counting them: then
 * leaves are larger, down to so many of them. */
enum { LEAVES = 4096, LEAVES_FEWEST = 128, LEAF_LEAST = 1 << 12, LEAF_MOST = 1 << 18 };

static uint64_t leaf_of(uint64_t points, uint64_t pairs)
{
    uint64_t leaf = LEAF_LEAST;
    while (leaf < LEAF_MOST &&
           (leaf * LEAVES < points || (leaf < pairs && leaf * LEAVES_FEWEST < points)))
        leaf *= 2;
    return leaf;
}

int msw_census_shape_of(const msw_plan *plan, msw_census_shape *shape, msw_err *err)
{
    if (plan->design.kind->coords == MSW_COORDS_VALUE)
        return msw_fail(err, "keep: design %s has no factors to summarise: say 'keep: all'",
                        plan->design.kind->name);
    uint64_t points = plan->points / plan->workload_count;
    *shape = (msw_census_shape){.metrics = plan->keep.summary_count,
                                .factors = plan->space.factor_count,
                                .objectives = plan->view.objective_count,
                                .cells = 1,
                                .points = points,
                                .front = plan->keep.front,
                                .within = plan->keep.within};
    for (size_t f = 0; f < shape->factors; f++) {
        uint64_t levels = plan->space.factors[f].levels;
        bool levelled = levels && levels <= MSW_CENSUS_LEVELS;
        shape->bins[f] = levelled ? levels : RANGE_BINS;
        shape->levelled |= (uint64_t)levelled << f;
        shape->first[f] = shape->cells;
        shape->cells += shape->bins[f];
        for (size_t g = 0; g < f; g++)
            shape->pairs += shape->bins[f] * shape->bins[g];
    }
    if (shape->pairs > PAIRS_MOST)
        shape->pairs = 0;
    shape->leaf = leaf_of(points, shape->pairs);
    shape->leaves = (points + shape->leaf - 1) / shape->leaf;
    return 0;
}

uint64_t msw_census_first_pair(const msw_census_shape *shape, size_t f, size_t g)
{
    uint64_t at = 0;
    for (size_t a = 0; a < shape->factors; a++)
        for (size_t b = a + 1; b < shape->factors; b++) {
            if (a == f && b == g)
                return at;
            at += shape->bins[a] * shape->bins[b];
        }
    return at;
}

msw_census *msw_census_new(const msw_census_shape *shape)
{
    msw_census *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->shape = shape;
    s->front.objectives = shape->objectives;
    s->moments = calloc(shape->metrics * shape->cells + 1, sizeof *s->moments);
    s->histograms = calloc(shape->metrics * shape->cells + 1, sizeof *s->histograms);
    s->pairs = calloc(shape->metrics * shape->pairs + 1, sizeof *s->pairs);
    if (s->moments && s->histograms && s->pairs)
        return s;
    msw_census_free(s);
    return NULL;
}

static void free_candidates(msw_candidates *c)
{
    free(c->points.items);
    free(c->values.items);
    *c = (msw_candidates){.objectives = c->objectives};
}

void msw_census_free(msw_census *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->histograms && i < s->shape->metrics * s->shape->cells; i++)
        msw_map_free(&s->histograms[i]);
    free(s->moments);
    free(s->histograms);
    free(s->pairs);
    free_candidates(&s->front);
    free(s);
}

/* ---- putting two together ---- */

void msw_census_cell_join(msw_census_cell *a, const msw_census_cell *b)
{
    if (!b->n)
        return;
    a->least = a->n ? fmin(a->least, b->least) : b->least;
    a->most = a->n ? fmax(a->most, b->most) : b->most;
    a->n += b->n;
    msw_sum_join(&a->sum, &b->sum);
    msw_sum_join(&a->squares, &b->squares);
}

static int merge_front(msw_candidates *a, const msw_candidates *b, const msw_census_shape *shape,
                       msw_err *err)
{
    msw_candidates all = {.objectives = shape->objectives};
    msw_front_filter filter = {.kept = &all, .within = shape->within};
    const msw_candidates *const parts[] = {a, b};
    int rc = 0;
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; rc == 0 && i < parts[p]->points.count; i++)
            rc = msw_front_filter_add(&filter, parts[p]->points.items[i],
                                      parts[p]->values.items + i * shape->objectives, err);
    msw_front_filter_end(&filter);
    free_candidates(rc ? &all : a);
    if (rc == 0)
        *a = all;
    return rc;
}

void msw_census_counts_add(msw_census_counts *to, const msw_census_counts *more)
{
    to->ok += more->ok;
    to->doubtful += more->doubtful;
    to->infeasible += more->infeasible;
    to->failed += more->failed;
    to->beyond += more->beyond;
    to->excluded += more->excluded;
}

int msw_census_merge(msw_census *a, const msw_census *b, msw_err *err)
{
    const msw_census_shape *shape = a->shape;
    msw_census_counts_add(&a->counts, &b->counts);
    for (size_t i = 0; i < shape->metrics * shape->cells; i++) {
        const msw_histogram *h = &b->histograms[i];
        msw_census_cell_join(&a->moments[i], &b->moments[i]);
        for (size_t e = 0; e < h->count; e++)
            MSW_TRY(msw_histogram_add(&a->histograms[i], (int32_t)h->entries[e].key,
                                      h->entries[e].value, err));
    }
    for (size_t i = 0; i < shape->metrics * shape->pairs; i++) {
        a->pairs[i].n += b->pairs[i].n;
        msw_sum_join(&a->pairs[i].sum, &b->pairs[i].sum);
    }
    return merge_front(&a->front, &b->front, shape, err);
}

/* ---- histograms ---- */

/* The first 19 bits of a number: sign, exponent and 7 bits behind the point. */
enum { CODE_SHIFT = 45 };

int32_t msw_histogram_code(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int32_t)(bits >> CODE_SHIFT);
}

/* The middle of a bin. */
static double middle_of(int32_t code)
{
    uint64_t low = (uint64_t)(uint32_t)code << CODE_SHIFT, high = low | ((UINT64_C(1) << 45) - 1);
    double ends[2];
    memcpy(&ends[0], &low, sizeof low);
    memcpy(&ends[1], &high, sizeof high);
    return code == 0 ? 0 : (ends[0] + ends[1]) / 2;
}

int msw_histogram_add(msw_histogram *h, int32_t code, uint64_t count, msw_err *err)
{
    uint64_t *here;
    MSW_TRY(msw_map_add(h, (uint64_t)(uint32_t)code, &here, err));
    *here += count;
    return 0;
}

typedef struct share {
    double value;
    uint64_t count;
} share;

static int by_value(const void *a, const void *b)
{
    const share *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

double msw_histogram_quantile(const msw_histogram *h, double wanted)
{
    share *shares = malloc((h->count + 1) * sizeof *shares);
    double all = 0, below = 0, found = NAN;
    for (size_t i = 0; shares && i < h->count; i++) {
        shares[i] = (share){middle_of((int32_t)h->entries[i].key), h->entries[i].value};
        all += (double)h->entries[i].value;
    }
    if (shares)
        msw_sort(shares, h->count, sizeof *shares, by_value);
    for (size_t i = 0; shares && i < h->count && isnan(found); i++) {
        below += (double)shares[i].count;
        if (shares[i].count && below >= wanted * all)
            found = shares[i].value;
    }
    free(shares);
    return found;
}
