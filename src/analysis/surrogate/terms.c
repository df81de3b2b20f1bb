/* SPDX-License-Identifier: MIT */
/* Makes the orthonormal functions of a factor, lists the terms that are products of them, and
 * chooses how many terms, and of which degree: those that predict bins best that took no part. */
#include "analysis/surrogate/surrogate.h"

#include "memsweep/base/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Degree that a function counts for. */
static inline unsigned basis_degree(const basis *own, unsigned function)
{
    return own->unordered && function > 1 ? 1 : function;
}

const char *surrogate_name(const msw_pce *pce, unsigned factor, char text[80])
{
    if (pce->names[factor])
        snprintf(text, 80, "'%s'", pce->names[factor]);
    else
        snprintf(text, 80, "factor %u", factor);
    return text;
}

/* ---- functions of a factor ---- */

/* sqrt(2 n + 1) P_n(t) is orthonormal under the uniform distribution on [-1, 1]. */
static void legendre(double t, unsigned functions, double *value)
{
    double before = 0, p = 1;
    for (unsigned n = 0; n < functions; n++) {
        value[n] = sqrt(2.0 * n + 1) * p;
        double next = ((2.0 * n + 1) * t * p - n * before) / (n + 1);
        before = p;
        p = next;
    }
}

/* Makes column f of the table orthonormal to those before it, under the weights. */
static void orthonormalize(basis *own, unsigned f, const double *weight)
{
    unsigned m = own->functions;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned g = 0; g < f; g++) {
            double dot = 0;
            for (size_t l = 0; l < own->levels; l++)
                dot += weight[l] * own->table[l * m + f] * own->table[l * m + g];
            for (size_t l = 0; l < own->levels; l++)
                own->table[l * m + f] -= dot * own->table[l * m + g];
            own->overlap[f * m + g] += dot;
        }
    double square = 0;
    for (size_t l = 0; l < own->levels; l++)
        square += weight[l] * own->table[l * m + f] * own->table[l * m + f];
    own->length[f] = sqrt(square);
    for (size_t l = 0; l < own->levels; l++)
        own->table[l * m + f] /= own->length[f];
}

/* Where a value lies between the first level and the last, -1 to 1. */
static double position_of(const basis *own, double x)
{
    double first = own->values[0], last = own->values[own->levels - 1];
    return (x - (first + last) / 2) / fmax((last - first) / 2, 1e-300);
}

/* Before they are made orthonormal: for ordered levels the previous function times the level, so
 * that degrees rise one by one; for unordered ones the mark of a level. */
static void fill_table(basis *own, const double *weight)
{
    unsigned m = own->functions;
    for (unsigned f = 0; f < m; f++) {
        for (size_t l = 0; l < own->levels; l++) {
            double previous = f ? own->table[l * m + f - 1] : 1;
            double position = position_of(own, own->values[l]);
            own->table[l * m + f] = f == 0 ? 1 : own->unordered ? l == f : previous * position;
        }
        orthonormalize(own, f, weight);
    }
}

static int take_weights(const msw_pce_factor *factor, double *weight, msw_err *err)
{
    double sum = 0;
    for (size_t l = 0; l < factor->levels; l++) {
        weight[l] = factor->weights ? factor->weights[l] : 1;
        if (!(weight[l] > 0))
            return msw_fail(err, "level %zu has weight %g; it must be positive", l, weight[l]);
        sum += weight[l];
    }
    for (size_t l = 0; l < factor->levels; l++)
        weight[l] /= sum;
    return 0;
}

static int make_levels(const msw_pce_factor *factor, unsigned degree, basis *own, msw_arena *arena,
                       msw_err *err)
{
    size_t n = factor->levels;
    own->functions = own->unordered || n <= degree ? (unsigned)n : degree + 1;
    own->values = msw_arena_take(arena, n * sizeof *own->values);
    own->table = msw_arena_take(arena, n * own->functions * sizeof *own->table);
    own->overlap = msw_arena_zero(arena, (size_t)own->functions * own->functions, sizeof(double));
    own->length = msw_arena_take(arena, own->functions * sizeof *own->length);
    double *weight = msw_arena_take(arena, n * sizeof *weight);
    if (!own->values || !own->table || !own->overlap || !own->length || !weight)
        return msw_fail_memory(err);
    for (size_t l = 0; l < n; l++) {
        own->values[l] = factor->values ? factor->values[l] : (double)l;
        if (l > 0 && !(own->values[l] > own->values[l - 1]))
            return msw_fail(err, "levels must rise, but %g follows %g", own->values[l],
                            own->values[l - 1]);
    }
    if (take_weights(factor, weight, err))
        return -1;
    fill_table(own, weight);
    return 0;
}

int basis_make(const msw_pce_factor *factor, unsigned degree, basis *own, msw_arena *arena,
               msw_err *err)
{
    *own = (basis){.low = factor->low,
                   .high = factor->high,
                   .levels = factor->levels,
                   .unordered = factor->unordered};
    if (factor->levels)
        return make_levels(factor, degree, own, arena, err);
    if (!(factor->low < factor->high))
        return msw_fail(err, "the range %g .. %g of a factor is empty", factor->low, factor->high);
    own->functions = degree + 1;
    return 0;
}

/* The level nearest to x, if it is x up to rounding. */
int64_t basis_level(const basis *own, double x)
{
    size_t above = msw_upper_bound_f64(own->values, own->levels, x), low = above ? above - 1 : 0;
    if (low + 1 < own->levels && own->values[low + 1] - x < x - own->values[low])
        low++;
    return fabs(own->values[low] - x) <= 1e-9 * fmax(fabs(x), 1) ? (int64_t)low : -1;
}

/* The same steps as for the levels: previous function times position, less the earlier ones. */
static void evaluate_between(const basis *own, double x, double *value)
{
    unsigned m = own->functions;
    double position = position_of(own, x);
    for (unsigned f = 0; f < m; f++) {
        value[f] = f ? value[f - 1] * position : 1;
        for (unsigned g = 0; g < f; g++)
            value[f] -= own->overlap[f * m + g] * value[g];
        value[f] /= own->length[f];
    }
}

int basis_at(const basis *own, double x, double *value)
{
    if (!own->table) {
        legendre((2 * x - own->low - own->high) / (own->high - own->low), own->functions, value);
        return 0;
    }
    int64_t level = basis_level(own, x);
    if (level >= 0) {
        memcpy(value, own->table + (size_t)level * own->functions, own->functions * sizeof *value);
        return 0;
    }
    if (own->unordered || !(x > own->values[0] && x < own->values[own->levels - 1]))
        return -1;
    evaluate_between(own, x, value);
    return 0;
}

/* ---- terms ---- */

/* More candidate terms than this are a mistake in the settings. */
enum { MOST_TERMS = 20000 };

typedef struct listing {
    msw_pce *pce;
    uint16_t current[MSW_PCE_FACTORS];
    size_t count;
    bool count_only;
} listing;

/* Extends the current term from factor `j` on with what is left of degree and interaction. */
static void extend(listing *job, unsigned j, unsigned degree, unsigned interaction)
{
    msw_pce *pce = job->pce;
    if (job->count > MOST_TERMS)
        return;
    if (j == pce->factors) {
        if (!job->count_only)
            memcpy(pce->function + job->count * pce->factors, job->current,
                   pce->factors * sizeof *job->current);
        job->count++;
        return;
    }
    job->current[j] = 0;
    extend(job, j + 1, degree, interaction);
    for (unsigned f = 1; f < pce->bases[j].functions && interaction > 0; f++) {
        unsigned own = basis_degree(&pce->bases[j], f);
        if (own > degree)
            break;
        job->current[j] = (uint16_t)f;
        extend(job, j + 1, degree - own, interaction - 1);
    }
    job->current[j] = 0;
}

static unsigned degree_of(const msw_pce *pce, size_t term)
{
    unsigned degree = 0;
    for (unsigned j = 0; j < pce->factors; j++)
        degree += basis_degree(&pce->bases[j], pce->function[term * pce->factors + j]);
    return degree;
}

static void allow(msw_pce *pce)
{
    for (unsigned d = 1; d <= pce->settings.degree; d++)
        for (size_t t = 0; t < pce->terms; t++)
            pce->allowed[(d - 1) * pce->terms + t] = degree_of(pce, t) <= d;
}

int surrogate_terms(msw_pce *pce, msw_err *err)
{
    unsigned degree = pce->settings.degree;
    unsigned interaction = pce->settings.interaction ? pce->settings.interaction : pce->factors;
    listing job = {.pce = pce, .count_only = true};
    extend(&job, 0, degree, interaction);
    if (job.count > MOST_TERMS)
        return msw_fail(err,
                        "degree %u in %u factors makes more than %d terms: lower the degree or "
                        "limit interactions",
                        degree, pce->factors, MOST_TERMS);
    pce->function = msw_arena_take(&pce->arena, job.count * pce->factors * sizeof *pce->function);
    pce->allowed = msw_arena_take(&pce->arena, job.count * degree * sizeof *pce->allowed);
    if (!pce->function || !pce->allowed)
        return msw_fail_memory(err);
    job.count = 0;
    job.count_only = false;
    extend(&job, 0, degree, interaction);
    pce->terms = job.count;
    allow(pce);
    return 0;
}

double surrogate_term(const msw_pce *pce, size_t term, const double *value, unsigned stride)
{
    const uint16_t *function = pce->function + term * pce->factors;
    double product = 1;
    for (unsigned j = 0; j < pce->factors; j++)
        if (function[j])
            product *= value[j * stride + function[j]];
    return product;
}

unsigned surrogate_stride(const msw_pce *pce)
{
    unsigned most = 1;
    for (unsigned j = 0; j < pce->factors; j++)
        most = pce->bases[j].functions > most ? pce->bases[j].functions : most;
    return most;
}

int surrogate_evaluate(const msw_pce *pce, const uint32_t *row, tiles *x, msw_arena *arena,
                       msw_err *err)
{
    unsigned stride = surrogate_stride(pce);
    double *value = msw_arena_take(arena, (size_t)stride * pce->factors * sizeof *value);
    char name[80];
    if (!value)
        return msw_fail_memory(err);
    for (size_t i = 0; i < x->rows; i++) {
        for (unsigned j = 0; j < pce->factors; j++)
            if (basis_at(&pce->bases[j], pce->rows.x[j][row[i]], value + j * stride))
                return msw_fail(err, "%g is not a level of %s", pce->rows.x[j][row[i]],
                                surrogate_name(pce, j, name));
        for (unsigned t = 0; t < x->columns; t++)
            *tiles_at(x, i, t) = surrogate_term(pce, t, value, stride);
    }
    return 0;
}

/* ---- the choice of terms ---- */

/* Degree and number of terms by the error at bins left out. */
typedef struct surrogate_choice {
    unsigned degree;
    size_t terms;
} surrogate_choice;

/* Terms without a lower error after which no more are tried. */
enum { PATIENCE = 20 };

/* Errors below this share of the output's square are rounding: the smaller model wins. */
#define ROUNDING 1e-22

static size_t most_terms(const pursuit_table *t, uint32_t set)
{
    size_t most = SIZE_MAX;
    for (unsigned b = 0; b < t->bins; b++)
        if (set >> b & 1 && set & ~((uint32_t)1 << b)) {
            size_t own = pursuit_most(t, set & ~((uint32_t)1 << b));
            most = own < most ? own : most;
        }
    return most == SIZE_MAX ? 1 : most;
}

/* One fit per bin of the set, to the others, side by side. */
typedef struct race {
    unsigned count;
    pursuit_request request[PURSUIT_BINS];
    pursuit *fit[PURSUIT_BINS];
} race;

static int start_race(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      race *all)
{
    size_t most = most_terms(t, set);
    all->count = 0;
    for (unsigned b = 0; b < t->bins; b++) {
        uint32_t rest = set & ~((uint32_t)1 << b);
        if (rest == set || !rest || t->start[b] == t->start[b + 1])
            continue;
        pursuit_request *request = &all->request[all->count];
        *request = (pursuit_request){.train = rest,
                                     .held = (int)b,
                                     .allowed = pce->allowed + (degree - 1) * pce->terms,
                                     .most = most};
        if (!(all->fit[all->count++] = pursuit_new(t, request)))
            return -1;
    }
    return 0;
}

/* All take one more term. Returns whether any did, or -1 without memory. */
static int step_race(race *all, double *error)
{
    int moved = 0;
    *error = 0;
    for (unsigned f = 0; f < all->count; f++) {
        int status = pursuit_step(all->fit[f]);
        if (status < 0)
            return -1;
        moved |= status;
        *error += pursuit_error(all->fit[f]);
    }
    return moved;
}

/* The number of terms with the least error of all bins together, each predicted from the others. */
static int run_race(race *all, double floor, unsigned degree, double *least,
                    surrogate_choice *choice)
{
    double own = INFINITY, error;
    size_t best = 0;
    for (size_t terms = 1; terms <= best + PATIENCE; terms++) {
        int moved = step_race(all, &error);
        if (moved <= 0)
            return moved;
        error = fmax(error, floor);
        if (error < own) {
            own = error;
            best = terms;
        }
        if (error < *least) {
            *least = error;
            *choice = (surrogate_choice){degree, terms};
        }
    }
    return 0;
}

static int try_degree(const msw_pce *pce, pursuit_table *t, uint32_t set, unsigned degree,
                      double floor, double *least, surrogate_choice *choice)
{
    int rc = -1;
    race all;
    if (start_race(pce, t, set, degree, &all) || run_race(&all, floor, degree, least, choice))
        goto done;
    rc = 0;
done:
    for (unsigned f = 0; f < all.count; f++)
        pursuit_free(all.fit[f]);
    return rc;
}

/* Chooses from the rows of a set of bins. Returns 0, or -1 without memory. */
static int surrogate_choose(const msw_pce *pce, pursuit_table *t, uint32_t set,
                            surrogate_choice *choice)
{
    unsigned lowest = pce->settings.best ? 1 : pce->settings.degree;
    double least = INFINITY, floor = 0;
    for (unsigned b = 0; b < t->bins; b++)
        floor += ROUNDING * t->spread[b];
    *choice = (surrogate_choice){lowest, 1};
    for (unsigned d = lowest; d <= pce->settings.degree; d++)
        MSW_TRY(try_degree(pce, t, set, d, floor, &least, choice));
    return 0;
}

int surrogate_choose_fit(const msw_pce *pce, pursuit_table *t, uint32_t set, pursuit_model *model,
                         unsigned *degree, msw_arena *arena)
{
    surrogate_choice choice;
    if (surrogate_choose(pce, t, set, &choice))
        return -1;
    pursuit_request request = {.train = set,
                               .held = -1,
                               .allowed = pce->allowed + (choice.degree - 1) * pce->terms,
                               .most = choice.terms};
    *degree = choice.degree;
    return pursuit_fit(t, &request, model, arena);
}
