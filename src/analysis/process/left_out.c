/* What rows left out miss: one by one with the kernel of all, or by folds with everything anew. */
#include "analysis/process/cholesky.h"
#include "analysis/process/likelihood.h"
#include "analysis/process/process.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 };

/* Less than the whole fit gets, so that what is said of it is not too good. */
static const likelihood_effort EFFORT = {150, 1, 8};

/* ---- row by row ---- */

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

typedef struct leaving {
    const msw_process *p;
    uint32_t levels;
    double *missed, *deviation; /* of each row; NaN: it could not be left out */
    const double *inverse;      /* U'^-1 where exact */
} leaving;

/* From the inverse Q of the covariance, the centre taken out: missed is alpha / Q_ii, and 1 / Q_ii
 * its variance (Dubrule 1983). */
static void leave_exactly(void *context, size_t number)
{
    leaving *l = context;
    const msw_process *p = l->p;
    for (size_t i = number * ROWS; i < (number + 1) * ROWS && i < p->rows.n; i++) {
        double square = 0;
        for (size_t k = i; k < p->order; k++)
            square += l->inverse[k * p->order + i] * l->inverse[k * p->order + i];
        square -= p->ones[i] * p->ones[i] / p->ones_weight;
        l->missed[i] = p->alpha[i] / square;
        l->deviation[i] = sqrt(1 / square);
    }
}

/* Inner levels only: what lies between levels is never predicted from one side. */
static bool has_both_sides(const msw_process *p, size_t i, uint32_t levels)
{
    unsigned d = p->rows.factors;
    for (unsigned f = 0; f < d; f++)
        if (levels >> f & 1) {
            bool below = false, above = false;
            for (size_t j = 0; j < p->rows.n && !(below && above); j++) {
                below |= p->rows.x[j * d + f] < p->rows.x[i * d + f];
                above |= p->rows.x[j * d + f] > p->rows.x[i * d + f];
            }
            if (!below || !above)
                return false;
        }
    return true;
}

static void leave_nearby(void *context, size_t number)
{
    leaving *l = context;
    const msw_process *p = l->p;
    for (size_t i = number * ROWS; i < (number + 1) * ROWS && i < p->rows.n; i++) {
        l->missed[i] = l->deviation[i] = NAN;
        if (!has_both_sides(p, i, l->levels))
            continue;
        process_guess g = process_guess_nearby(p, p->rows.x + i * p->rows.factors, i, l->levels);
        l->missed[i] = p->rows.y[i] - g.value;
        l->deviation[i] = g.deviation;
    }
}

/* Lists what was missed; a list for the same levels that was there is not found any more. Returns
 * it, or NULL without memory. */
static process_missed *gather(msw_process *p, const leaving *l)
{
    process_missed *m = msw_arena_zero(&p->arena, 1, sizeof *m);
    double squares = 0, all = 0;
    if (!m || !(m->ratio = msw_arena_take(&p->arena, (p->rows.n + 1) * sizeof *m->ratio)))
        return NULL;
    m->levels = l->levels;
    for (size_t i = 0; i < p->rows.n; i++)
        if (!isnan(l->missed[i])) {
            m->ratio[m->count++] = fabs(l->missed[i]) / l->deviation[i];
            squares += l->missed[i] * l->missed[i];
            all += p->rows.y[i] * p->rows.y[i];
        }
    qsort(m->ratio, m->count, sizeof *m->ratio, falling);
    m->q2 = all > 0 ? 1 - squares / all : NAN;
    m->next = p->missed;
    p->missed = m;
    return m;
}

process_missed *process_leave_out(msw_process *p, uint32_t levels)
{
    for (process_missed *m = p->missed; m; m = m->next)
        if (m->levels == levels)
            return m;
    size_t n = p->rows.n;
    process_missed *made = NULL;
    double *inverse = NULL, *missed = malloc((2 * n + 1) * sizeof *missed);
    bool exact = p->exact && !levels;
    if (exact)
        inverse = malloc((p->order * p->order + 1) * sizeof *inverse);
    if (missed && (inverse || !exact)) {
        leaving l = {p, levels, missed, missed + n, inverse};
        if (exact)
            cholesky_invert(p->factor, p->order, inverse);
        msw_tasks_if(n >= 256, msw_div_up(n, ROWS), exact ? leave_exactly : leave_nearby, &l);
        made = gather(p, &l);
    }
    free(missed);
    free(inverse);
    return made;
}

/* ---- by folds ---- */

typedef struct folds {
    const msw_process *p;
    uint64_t seed;
    leaving *to;
    int *status;
} folds;

/* The rows of all folds but one. Returns 0, or -1 without memory. */
static int take_others(const msw_process *p, size_t fold, msw_process *to)
{
    const kernel_rows *from = &p->rows;
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
        if (p->fold[i] == fold)
            continue;
        memcpy(rows->x + rows->n * d, from->x + i * d, d * sizeof *rows->x);
        rows->noise[rows->n] = from->noise ? from->noise[i] : 0;
        rows->shared[rows->n] = from->shared ? from->shared[i] : 0;
        rows->y[rows->n++] = from->y[i];
    }
    rows->noise = from->noise ? rows->noise : NULL;
    rows->shared = from->shared ? rows->shared : NULL;
    to->noise = p->noise;
    return 0;
}

/* Deviations are only asked for where the list of them is used: they take long. */
static int leave_fold(const msw_process *p, size_t fold, const msw_process *others, leaving *to)
{
    bool all = p->rows.n <= MSW_PROCESS_TUNING_ROWS;
    for (size_t i = 0; i < p->rows.n; i++) {
        const double *x = p->rows.x + i * p->rows.factors;
        process_guess g = {0, 1};
        if (p->fold[i] != fold)
            continue;
        if (!others->exact)
            g = process_guess_nearby(others, x, SIZE_MAX, 0);
        else if (!all)
            g.value = process_value_exactly(others, x);
        else if (process_guess_exactly(others, x, &g))
            return -1;
        to->missed[i] = p->rows.y[i] - g.value;
        to->deviation[i] = g.deviation;
    }
    return 0;
}

static void run_fold(void *context, size_t number)
{
    folds *f = context;
    msw_process others = {0};
    int rc = take_others(f->p, number, &others);
    if (rc == 0)
        rc = likelihood_tune(&others.rows, &EFFORT, f->seed, &others.k);
    if (rc == 0)
        rc = f->p->exact ? process_relate(&others) : process_condition(&others, f->seed);
    if (rc == 0)
        rc = leave_fold(f->p, number, &others, f->to);
    f->status[number] = rc;
    msw_arena_free(&others.arena);
}

int process_cross(msw_process *p, size_t count, uint64_t seed)
{
    size_t n = p->rows.n;
    double *missed = malloc((2 * n + 1) * sizeof *missed);
    leaving l = {.p = p, .missed = missed, .deviation = missed + n};
    folds f = {p, seed, &l, calloc(count + 1, sizeof *f.status)};
    int rc = missed && f.status ? 0 : -1;
    if (rc == 0)
        msw_tasks(count, run_fold, &f);
    for (size_t b = 0; rc == 0 && b < count; b++)
        rc = f.status[b];
    process_missed *before = p->missed, *made = rc ? NULL : gather(p, &l);
    if (made) {
        p->q2 = made->q2;
        p->missed = n <= MSW_PROCESS_TUNING_ROWS ? made : before;
    }
    free(missed);
    free(f.status);
    return made ? 0 : -1;
}
