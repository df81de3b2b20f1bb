/* SPDX-License-Identifier: MIT */
/* Judges by what was left out. The whole choice, of degree and of terms, is made again without the
 * rows that are then predicted. */
#include "analysis/surrogate/surrogate.h"

#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows into bins ---- */

/* Visits the blocks in random order; within a bin the first rows are then a random part of it. */
static void fill_bins(const msw_pce *pce, const int8_t *fixed, unsigned folds, int pass,
                      size_t next[PURSUIT_BINS + 1], uint32_t *row)
{
    const surrogate_rows *rows = &pce->rows;
    size_t turn = 0;
    for (size_t r = 0; r < rows->blocks; r++) {
        size_t block = msw_permute(r, rows->blocks, pce->settings.seed);
        bool any = false;
        for (size_t i = rows->block[block]; i < rows->block[block + 1]; i++) {
            bool free_row = !fixed || fixed[i] < 0;
            unsigned bin = free_row ? (unsigned)(turn % folds) : (unsigned)fixed[i];
            if (pass)
                row[next[bin]] = (uint32_t)i;
            next[bin]++;
            any |= free_row;
        }
        turn += any;
    }
}

/* Puts the rows into bins in an order drawn at random: row i into bin `fixed[i]` where that is not
 * negative, the others, block by block, into `folds` bins. Returns 0, or -1 with `err`. */
static int surrogate_table(const msw_pce *pce, const int8_t *fixed, unsigned folds, unsigned bins,
                           pursuit_table *t, msw_err *err)
{
    size_t n = pce->rows.n, next[PURSUIT_BINS + 1] = {0};
    uint32_t *row = msw_arena_take(t->arena, (n + 1) * sizeof *row);
    double *y = msw_arena_take(t->arena, (n + 1) * sizeof *y);
    if (!row || !y)
        return msw_fail_memory(err);
    t->bins = bins;
    fill_bins(pce, fixed, folds, 0, next, row);
    t->start[0] = 0;
    for (unsigned b = 0; b < bins; b++)
        t->start[b + 1] = t->start[b] + next[b];
    memcpy(next, t->start, bins * sizeof *next);
    fill_bins(pce, fixed, folds, 1, next, row);
    for (size_t i = 0; i < n; i++)
        y[i] = pce->rows.y[row[i]];
    t->y = y;
    if (tiles_init(&t->x, n, (unsigned)pce->terms, t->arena))
        return msw_fail_memory(err);
    if (surrogate_evaluate(pce, row, &t->x, t->arena, err))
        return -1;
    return pursuit_start(t) ? msw_fail_memory(err) : 0;
}

/* ---- residuals ---- */

/* Adds a part: a model and what it misses in a bin it has not seen. */
static int add_part(msw_pce *pce, const pursuit_table *t, unsigned bin, surrogate_cross *cross,
                    double sums[2])
{
    unsigned part = cross->parts++;
    size_t n = t->start[bin + 1] - t->start[bin];
    double *missed = msw_arena_take(&pce->arena, (n + 1) * sizeof *missed);
    if (!missed)
        return -1;
    for (size_t i = 0; i < n; i++) {
        double y = t->y[t->start[bin] + i];
        double gap = y - pursuit_predict(t, &cross->model[part], t->start[bin] + i);
        missed[i] = fabs(gap);
        sums[0] += gap * gap;
        sums[1] += y * y;
    }
    msw_sort_falling(missed, n);
    cross->missed[part] = missed;
    cross->count[part] = n;
    cross->residuals += n;
    return 0;
}

static surrogate_cross *new_cross(msw_pce *pce, uint32_t between)
{
    surrogate_cross *cross = msw_arena_zero(&pce->arena, 1, sizeof *cross);
    if (cross)
        cross->between = between;
    return cross;
}

static void finish_cross(msw_pce *pce, surrogate_cross *cross, const double sums[2])
{
    cross->q2 = sums[1] > 0 ? 1 - sums[0] / sums[1] : NAN;
    surrogate_cross **end = &pce->crosses;
    while (*end)
        end = &(*end)->next;
    *end = cross;
}

/* ---- rows at random ---- */

static void explain(msw_pce *pce, const pursuit_table *t)
{
    double missed = 0, all = 0;
    for (size_t i = 0; i < t->x.rows; i++) {
        double gap = t->y[i] - pursuit_predict(t, &pce->whole, i);
        missed += gap * gap;
        all += t->y[i] * t->y[i];
    }
    pce->r2 = all > 0 ? 1 - fmin(missed / all, 1) : NAN;
}

/* Number `bins` is the fit to all. */
typedef struct fits {
    msw_pce *pce;
    pursuit_table *table;
    surrogate_cross *cross;
    unsigned degree[PURSUIT_BINS + 1];
    int status[PURSUIT_BINS + 1];
} fits;

static void run_fit(void *context, size_t number)
{
    fits *f = context;
    uint32_t all = ((uint32_t)1 << f->table->bins) - 1;
    bool whole = number == f->table->bins;
    pursuit_model *model = whole ? &f->pce->whole : &f->cross->model[number];
    f->status[number] =
        surrogate_choose_fit(f->pce, f->table, whole ? all : all & ~((uint32_t)1 << number), model,
                             &f->degree[number], &f->pce->fold_arena[number]);
}

static int cross_fit(msw_pce *pce, pursuit_table *t)
{
    surrogate_cross *cross = new_cross(pce, 0);
    fits f = {.pce = pce, .table = t, .cross = cross};
    double sums[2] = {0, 0};
    if (!cross)
        return -1;
    run_fit(&f, t->bins); /* first: the products it needs serve all others */
    msw_tasks_if(t->x.rows * pce->terms >= 20000, t->bins, run_fit, &f);
    for (unsigned b = 0; b <= t->bins; b++)
        if (f.status[b])
            return -1;
    pce->degree = f.degree[t->bins];
    explain(pce, t);
    for (unsigned b = 0; b < t->bins; b++)
        if (add_part(pce, t, b, cross, sums))
            return -1;
    finish_cross(pce, cross, sums);
    return 0;
}

int surrogate_fit(msw_pce *pce, msw_err *err)
{
    size_t blocks = pce->rows.blocks;
    unsigned folds = blocks < SURROGATE_FOLDS ? (unsigned)blocks : SURROGATE_FOLDS;
    if (folds < 3)
        return msw_fail(err,
                        "%zu rows, base rows or trajectories with an output: a fit and its test "
                        "need 3",
                        blocks);
    msw_arena own = {0};
    pursuit_table table = {.arena = &own};
    int rc = -1;
    if (surrogate_table(pce, NULL, folds, folds, &table, err))
        goto done;
    rc = cross_fit(pce, &table) ? msw_fail_memory(err) : 0;
done:
    pursuit_end(&table);
    msw_arena_free(&own);
    return rc;
}

/* ---- levels ---- */

/* One level of each factor of a set, counted from 0. */
typedef struct cut {
    uint32_t factors;
    size_t level[MSW_PCE_FACTORS];
} cut;

/* The ends stay: what lies between levels is never predicted from one side. */
static size_t inner_levels(const msw_pce *pce, unsigned factor)
{
    return pce->bases[factor].levels - 2;
}

static size_t count_cuts(const msw_pce *pce, uint32_t factors)
{
    size_t count = 1;
    for (unsigned j = 0; j < pce->factors; j++)
        if (factors >> j & 1)
            count *= inner_levels(pce, j);
    return count;
}

static cut make_cut(const msw_pce *pce, uint32_t factors, size_t number)
{
    cut made = {.factors = factors};
    for (unsigned j = 0; j < pce->factors; j++)
        if (factors >> j & 1) {
            made.level[j] = 1 + number % inner_levels(pce, j);
            number /= inner_levels(pce, j);
        }
    return made;
}

/* Rows at all levels of the cut are predicted, rows at none of them are fitted to; the others know
 * too much. Returns how many are predicted. */
static size_t mark_rows(const msw_pce *pce, const cut *own, unsigned folds, int8_t *fixed)
{
    size_t predicted = 0;
    for (size_t i = 0; i < pce->rows.n; i++) {
        bool any = false, all = true;
        for (unsigned j = 0; j < pce->factors; j++)
            if (own->factors >> j & 1) {
                bool at = basis_level(&pce->bases[j], pce->rows.x[j][i]) == (int64_t)own->level[j];
                any |= at;
                all &= at;
            }
        fixed[i] = (int8_t)(all ? (int)folds : any ? (int)folds + 1 : -1);
        predicted += all;
    }
    return predicted;
}

static size_t fitted_blocks(const msw_pce *pce, const int8_t *fixed)
{
    size_t count = 0;
    for (size_t b = 0; b < pce->rows.blocks; b++) {
        bool any = false;
        for (size_t i = pce->rows.block[b]; i < pce->rows.block[b + 1]; i++)
            any |= fixed[i] < 0;
        count += any;
    }
    return count;
}

static int try_cut(msw_pce *pce, const cut *own, surrogate_cross *cross, double sums[2],
                   msw_err *err)
{
    msw_arena arena = {0};
    pursuit_table table = {.arena = &arena};
    unsigned folds = SURROGATE_FOLDS, degree;
    int8_t *fixed = msw_arena_take(&arena, pce->rows.n + 1);
    if (!fixed)
        return msw_fail_memory(err);
    int rc = 0;
    if (!mark_rows(pce, own, folds, fixed) || fitted_blocks(pce, fixed) < 3)
        goto done;
    uint32_t set = ((uint32_t)1 << folds) - 1;
    rc = -1;
    if (surrogate_table(pce, fixed, folds, folds + 2, &table, err))
        goto done;
    if (surrogate_choose_fit(pce, &table, set, &cross->model[cross->parts], &degree, &pce->arena) ||
        add_part(pce, &table, folds, cross, sums)) {
        msw_fail_memory(err);
        goto done;
    }
    rc = 0;
done:
    pursuit_end(&table);
    msw_arena_free(&arena);
    return rc;
}

static int check_levels(const msw_pce *pce, uint32_t factors, msw_err *err)
{
    char name[80];
    for (unsigned j = 0; j < pce->factors; j++)
        if (factors >> j & 1 && pce->bases[j].levels < 4)
            return msw_fail(err,
                            "%s has %zu levels: what lies between them can only be judged with 4 "
                            "or more, of which some are left out",
                            surrogate_name(pce, j, name), pce->bases[j].levels);
    return 0;
}

surrogate_cross *surrogate_between(msw_pce *pce, uint32_t factors, msw_err *err)
{
    if (check_levels(pce, factors, err))
        return NULL;
    surrogate_cross *cross = new_cross(pce, factors);
    double sums[2] = {0, 0};
    size_t count = count_cuts(pce, factors);
    if (!cross) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t c = 0; c < count && cross->parts < SURROGATE_CUTS; c++) {
        cut own = make_cut(pce, factors, msw_permute(c, count, pce->settings.seed));
        if (try_cut(pce, &own, cross, sums, err))
            return NULL;
    }
    if (cross->parts == 0) {
        msw_fail(err, "too few rows are left to judge what lies between levels");
        return NULL;
    }
    finish_cross(pce, cross, sums);
    return cross;
}
