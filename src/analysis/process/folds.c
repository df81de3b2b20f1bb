/* SPDX-License-Identifier: MIT */
/* Leaves rows out together: tenths of them, everything fitted again without them, or all at a
 * level, with the kernel that predicts between levels: that one is to be tested. */
#include "analysis/process/process.h"

#include "memsweep/base/rng.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cuts: so many, more while they predict fewer rows than an interval should come from. */
enum { CUTS_LEAST = 12, CUTS_MOST = 48, CUT_ROWS = 60, FITTED_LEAST = 5 };

/* Less than the whole fit gets, so that what is said of it is not too good. */
static const likelihood_effort EFFORT = {150, 1, 8};

/* A row in one of the fits. */
typedef enum role { FITTED, PREDICTED, UNUSED } role;

typedef struct parts {
    const msw_process *p;
    size_t count, levels;
    bool deviations; /* whether they are wanted: they take long */
    role (*role)(const struct parts *f, size_t part, size_t row);
    const struct cut *cut; /* of each part; NULL: tenths */
    msw_process **fit;     /* of each part */
    process_leaving *to;
    int *status;
} parts;

/* The rows that a part is fitted to. Returns 0, or -1 without memory. */
static int take_rows(const parts *f, size_t part, msw_process *to)
{
    const kernel_rows *from = &f->p->rows;
    kernel_rows *rows = &to->rows;
    unsigned d = from->factors;
    *rows = (kernel_rows){.factors = d, .labels = from->labels};
    rows->x = msw_arena_take(&to->arena, (from->n * d + 1) * sizeof *rows->x);
    rows->y = msw_arena_take(&to->arena, (from->n + 1) * sizeof *rows->y);
    rows->noise = msw_arena_take(&to->arena, (from->n + 1) * sizeof *rows->noise);
    rows->shared = msw_arena_take(&to->arena, (from->n + 1) * sizeof *rows->shared);
    if (!rows->x || !rows->y || !rows->noise || !rows->shared)
        return -1;
    for (size_t i = 0; i < from->n; i++) {
        if (f->role(f, part, i) != FITTED)
            continue;
        memcpy(rows->x + rows->n * d, from->x + i * d, d * sizeof *rows->x);
        rows->noise[rows->n] = from->noise ? from->noise[i] : 0;
        rows->shared[rows->n] = from->shared ? from->shared[i] : 0;
        rows->y[rows->n++] = from->y[i];
    }
    rows->noise = from->noise ? rows->noise : NULL;
    rows->shared = from->shared ? rows->shared : NULL;
    to->noise = f->p->noise;
    return 0;
}

static int predict_rows(const parts *f, size_t part)
{
    const msw_process *p = f->p, *fit = f->fit[part];
    for (size_t i = 0; i < p->rows.n; i++) {
        const double *x = p->rows.x + i * p->rows.factors;
        process_prediction g = {0, 1};
        if (f->role(f, part, i) != PREDICTED)
            continue;
        if (fit->exact && !f->deviations)
            g.value = process_value_exactly(fit, x);
        else if (process_predict(fit, x, &g))
            return -1;
        f->to->missed[i] = p->rows.y[i] - g.value;
        f->to->deviation[i] = g.deviation;
        f->to->part[i] = part;
    }
    return 0;
}

static int fit_part(parts *f, size_t part, msw_process *fit)
{
    uint64_t seed = f->p->seed;
    MSW_TRY(take_rows(f, part, fit));
    if (fit->rows.n < FITTED_LEAST)
        return 0;
    if (f->cut)
        fit->k = f->p->k;
    else
        MSW_TRY(likelihood_tune(&fit->rows, &EFFORT, seed, &fit->k));
    MSW_TRY(f->p->exact ? process_relate(fit) : process_condition(fit, seed));
    return predict_rows(f, part);
}

/* Each part has its own slot for the fit and its status, so parts run on any threads with the same
 * result. */
static void run_part(void *context, size_t part)
{
    parts *f = context;
    msw_process *fit = f->fit[part] = calloc(1, sizeof *fit);
    f->status[part] = fit ? fit_part(f, part, fit) : -1;
    if (!f->deviations && fit) { /* not needed again */
        msw_process_free(fit);
        f->fit[part] = NULL;
    }
}

static void free_parts(parts *f)
{
    for (size_t b = 0; f->fit && b < f->count; b++)
        msw_process_free(f->fit[b]);
    free(f->fit);
    free(f->status);
}

/* Fits and predicts. Returns the list of it, which owns the fits, or NULL without memory. */
static process_missed *run_parts(msw_process *p, parts *f)
{
    size_t n = p->rows.n;
    process_missed *made = NULL;
    process_leaving l = {.p = p, .levels = (uint32_t)f->levels};
    l.missed = malloc((2 * n + 1) * sizeof *l.missed);
    l.part = calloc(n + 1, sizeof *l.part);
    f->fit = calloc(f->count + 1, sizeof *f->fit);
    f->status = calloc(f->count + 1, sizeof *f->status);
    if (!l.missed || !l.part || !f->fit || !f->status)
        goto done;
    l.deviation = l.missed + n;
    for (size_t i = 0; i < n; i++)
        l.missed[i] = NAN;
    f->to = &l;
    msw_tasks(f->count, run_part, f);
    for (size_t b = 0; b < f->count; b++)
        if (f->status[b])
            goto done;
    made = process_gather(p, &l, f->count, (const msw_process *const *)f->fit);
    if (made)
        /* The list owns the fits now: free_parts must not free them. */
        memset(f->fit, 0, f->count * sizeof *f->fit);
done:
    free_parts(f);
    free(l.missed);
    free(l.part);
    return made;
}

/* ---- tenths ---- */

static role role_in_fold(const parts *f, size_t part, size_t row)
{
    return f->p->fold[row] == part ? PREDICTED : FITTED;
}

int process_cross(msw_process *p, size_t count)
{
    bool few = p->rows.n <= MSW_PROCESS_TUNING_ROWS;
    parts f = {.p = p, .count = count, .deviations = few, .role = role_in_fold};
    process_missed *made = run_parts(p, &f);
    if (!made)
        return -1;
    p->q2 = made->q2;
    if (few)
        p->of_rows = made;
    return 0;
}

/* ---- levels ---- */

/* One inner level of each factor of a set. */
typedef struct cut {
    uint32_t factors;
    double at[MSW_PCE_FACTORS];
} cut;

/* How many of a cut's levels a row is at: 0, 1 for some, 2 for all. */
static int count_levels(const msw_process *p, const cut *own, size_t row)
{
    const double *x = p->rows.x + row * p->rows.factors;
    bool any = false, all = true;
    for (unsigned j = 0; j < p->rows.factors; j++)
        if (own->factors >> j & 1) {
            any |= x[j] == own->at[j];
            all &= x[j] == own->at[j];
        }
    return all ? 2 : any;
}

/* A row at all levels of the cut is predicted, one at none is fitted to; others know too much. */
static role role_in_cut(const parts *f, size_t part, size_t row)
{
    static const role ROLES[] = {FITTED, UNUSED, PREDICTED};
    return ROLES[count_levels(f->p, &f->cut[part], row)];
}

/* The cut at a row's levels. Returns false where one of them is an end: what lies between levels is
 * never predicted from one side. */
static bool make_cut(const msw_process *p, uint32_t factors, size_t row, cut *made)
{
    unsigned d = p->rows.factors;
    *made = (cut){.factors = factors};
    for (unsigned j = 0; j < d; j++) {
        double low = INFINITY, high = -INFINITY, own = made->at[j] = p->rows.x[row * d + j];
        for (size_t i = 0; i < p->rows.n; i++) {
            low = fmin(low, p->rows.x[i * d + j]);
            high = fmax(high, p->rows.x[i * d + j]);
        }
        if (factors >> j & 1 && (own == low || own == high))
            return false;
    }
    return true;
}

/* Combinations of levels that there are rows at, in an order drawn by the key. Returns how many. */
static size_t list_cuts(const msw_process *p, uint32_t factors, cut *list)
{
    size_t count = 0, predicted = 0, n = p->rows.n;
    for (size_t r = 0; r < n; r++) {
        size_t row = msw_permute(r, n, p->seed), c = 0;
        if (count == CUTS_MOST || (count >= CUTS_LEAST && predicted >= CUT_ROWS))
            break;
        while (c < count && count_levels(p, &list[c], row) != 2)
            c++;
        if (c < count || !make_cut(p, factors, row, &list[count]))
            continue;
        for (size_t i = 0; i < n; i++)
            predicted += count_levels(p, &list[count], i) == 2;
        count++;
    }
    return count;
}

static process_missed *cut_levels(msw_process *p, uint32_t levels)
{
    cut list[CUTS_MOST];
    parts f = {.p = p, .levels = levels, .deviations = true, .role = role_in_cut, .cut = list};
    f.count = list_cuts(p, levels, list);
    return run_parts(p, &f);
}

process_missed *process_cut(msw_process *p, uint32_t levels)
{
    for (process_missed *m = p->missed; m; m = m->next)
        if (m->levels == levels)
            return m;
    return p->rows.n <= MSW_PROCESS_TUNING_ROWS ? cut_levels(p, levels)
                                                : process_leave_out(p, levels);
}
