/* SPDX-License-Identifier: MIT */
/* Chooses lengths and variances: GSL's minimiser from fixed starts, on few rows; the best start
 * goes on with more. */
#include "analysis/process/process.h"

#include "memsweep/base/rng.h"
#include "memsweep/run/tasks.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 2, FIRST_ROWS = 100, FIRST_STEPS = 8 };

/* ---- rows to look at ---- */

/* Half of them spread out, half at random: rows far apart show the lengths, near ones the noise. */
static int choose_rows(const kernel_rows *rows, size_t count, uint64_t seed, uint32_t *chosen)
{
    static const double EVEN = 1;
    kernel plain = {.factors = rows->factors, .labels = rows->labels};
    uint8_t *taken = calloc(rows->n + 1, 1);
    for (unsigned f = 0; f < rows->factors; f++)
        plain.rate[f] = EVEN;
    if (!taken || order_maximin(&plain, rows, (count + 1) / 2, seed, chosen)) {
        free(taken);
        return -1;
    }
    size_t at = (count + 1) / 2;
    for (size_t i = 0; i < at; i++)
        taken[chosen[i]] = 1;
    for (size_t r = 0; r < rows->n && at < count; r++) {
        size_t i = msw_permute(r, rows->n, seed + 1);
        if (!taken[i])
            chosen[at++] = (uint32_t)i;
    }
    free(taken);
    return 0;
}

/* Takes the chosen rows out, in their order. Returns 0, or -1 without memory. */
static int take_rows(const kernel_rows *from, const uint32_t *chosen, size_t count, kernel_rows *to,
                     msw_arena *arena)
{
    unsigned d = from->factors;
    *to = (kernel_rows){.n = count, .factors = d, .labels = from->labels, .gap = from->gap};
    to->x = msw_arena_take(arena, (count * d + 1) * sizeof *to->x);
    to->y = msw_arena_take(arena, (count + 1) * sizeof *to->y);
    to->noise = from->noise ? msw_arena_take(arena, (count + 1) * sizeof *to->noise) : NULL;
    to->shared = from->shared ? msw_arena_take(arena, (count + 1) * sizeof *to->shared) : NULL;
    if (!to->x || !to->y || (from->noise && !to->noise) || (from->shared && !to->shared))
        return -1;
    for (size_t i = 0; i < count; i++) {
        memcpy(to->x + i * d, from->x + chosen[i] * d, d * sizeof *to->x);
        to->y[i] = from->y[chosen[i]];
        if (to->noise)
            to->noise[i] = from->noise[chosen[i]];
        if (to->shared)
            to->shared[i] = from->shared[chosen[i]];
    }
    return 0;
}

/* ---- one descent ---- */

typedef struct descent {
    likelihood l;
    double parameter[KERNEL_PARAMETERS];
    double value;
    /* points that the minimiser evaluates twice */
    double last[KERNEL_PARAMETERS], last_value, gradient[KERNEL_PARAMETERS];
    bool known;
} descent;

static void evaluate_at(descent *d, const gsl_vector *x)
{
    double now[KERNEL_PARAMETERS];
    size_t size = kernel_count(d->l.rows) * sizeof *now;
    for (unsigned i = 0; i < kernel_count(d->l.rows); i++)
        now[i] = gsl_vector_get(x, i);
    if (d->known && memcmp(now, d->last, size) == 0)
        return;
    memcpy(d->last, now, size);
    d->last_value = likelihood_value(&d->l, now, d->gradient);
    d->known = true;
}

static double value(const gsl_vector *x, void *context)
{
    evaluate_at(context, x);
    return ((descent *)context)->last_value;
}

static void slope(const gsl_vector *x, void *context, gsl_vector *g)
{
    descent *d = context;
    evaluate_at(d, x);
    for (unsigned i = 0; i < kernel_count(d->l.rows); i++)
        gsl_vector_set(g, i, d->gradient[i]);
}

static void value_and_slope(const gsl_vector *x, void *context, double *f, gsl_vector *g)
{
    *f = value(x, context);
    slope(x, context, g);
}

/* Goes down from d->parameter. Returns 0, or -1 without memory. */
static int descend(descent *d, unsigned steps)
{
    unsigned count = kernel_count(d->l.rows);
    gsl_multimin_function_fdf function = {value, slope, value_and_slope, count, d};
    gsl_vector_view start = gsl_vector_view_array(d->parameter, count);
    gsl_multimin_fdfminimizer *m =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, count);
    if (!m)
        return -1;
    d->known = false;
    int rc = gsl_multimin_fdfminimizer_set(m, &function, &start.vector, 0.5, 0.1);
    for (unsigned s = 0; s < steps && rc == GSL_SUCCESS; s++) {
        rc = gsl_multimin_fdfminimizer_iterate(m);
        if (gsl_multimin_test_gradient(m->gradient, 0.05) == GSL_SUCCESS)
            break;
    }
    for (unsigned i = 0; i < count; i++)
        d->parameter[i] = gsl_vector_get(m->x, i);
    d->value = m->f;
    gsl_multimin_fdfminimizer_free(m);
    return 0;
}

/* ---- all starts ---- */

static void set_start(descent *d, int start)
{
    static const double RATES[STARTS] = {0.3, 1.8}, NUGGETS[STARTS] = {-9, -2};
    unsigned count = d->l.rows->factors;
    for (unsigned f = 0; f < count; f++)
        d->parameter[f] = RATES[start];
    d->parameter[count] = 0;
    d->parameter[count + 1] = NUGGETS[start];
    d->parameter[count + 2] = 0;
}

typedef struct race {
    unsigned starts;
    kernel_rows few;
    msw_arena arena[STARTS * KERNEL_FAMILIES];
    descent run[STARTS * KERNEL_FAMILIES];
    int failed[STARTS * KERNEL_FAMILIES];
} race;

static void run_start(void *context, size_t number)
{
    race *r = context;
    descent *d = &r->run[number];
    if (likelihood_init(&d->l, &r->few, &r->arena[number])) {
        r->failed[number] = 1;
        return;
    }
    d->l.family = (kernel_family)(number / r->starts);
    set_start(d, (int)(number % r->starts));
    r->failed[number] = descend(d, FIRST_STEPS) != 0;
}

/* Returns the best of them, or NULL without memory. */
static const descent *run_starts(race *r)
{
    const descent *best = &r->run[0];
    msw_tasks(r->starts * KERNEL_FAMILIES, run_start, r);
    for (unsigned i = 0; i < r->starts * KERNEL_FAMILIES; i++) {
        if (r->failed[i])
            return NULL;
        if (r->run[i].value < best->value)
            best = &r->run[i];
    }
    return best;
}

/* Goes on with all rows there are, from the best start. */
static int finish(const kernel_rows *rows, const descent *best, unsigned steps, kernel *k,
                  msw_arena *arena)
{
    descent last = {.value = best->value};
    memcpy(last.parameter, best->parameter, sizeof last.parameter);
    if (likelihood_init(&last.l, rows, arena))
        return -1;
    last.l.family = best->l.family;
    if (descend(&last, steps))
        return -1;
    kernel_set(k, rows, last.l.family, last.parameter);
    return 0;
}

/* The likelihood costs the cube of the rows. So all starts race on a few rows, and only the best
 * one goes on, for some steps, with as many rows as the effort allows. */
int likelihood_tune(const kernel_rows *rows, const likelihood_effort *effort, uint64_t seed,
                    kernel *k)
{
    size_t count = rows->n < effort->rows ? rows->n : effort->rows;
    size_t few = count < FIRST_ROWS ? count : FIRST_ROWS;
    msw_arena arena = {0};
    kernel_rows many;
    race *r = calloc(1, sizeof *r);
    uint32_t *chosen = malloc((count + 1) * sizeof *chosen);
    const descent *best = NULL;
    int rc = -1;
    if (r)
        r->starts = effort->starts;
    if (r && chosen && choose_rows(rows, few, seed, chosen) == 0 &&
        take_rows(rows, chosen, few, &r->few, &arena) == 0)
        best = run_starts(r);
    if (best && count == few) {
        kernel_set(k, rows, best->l.family, best->parameter);
        rc = 0;
    } else if (best && choose_rows(rows, count, seed, chosen) == 0 &&
               take_rows(rows, chosen, count, &many, &arena) == 0) {
        rc = finish(&many, best, effort->steps, k, &arena);
    }
    for (int i = 0; r && i < STARTS * KERNEL_FAMILIES; i++)
        msw_arena_free(&r->arena[i]);
    msw_arena_free(&arena);
    free(r);
    free(chosen);
    return rc;
}
