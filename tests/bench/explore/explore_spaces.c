/* SPDX-License-Identifier: MIT */
/* Runs in full until the front is there, on spaces of which every design has been run: fidelity
 * auto against what else could choose them, and how often the statement of an audit is true. Prints
 * the table of docs/models/auto.md; asserts nothing. Usage: explore_spaces [--seeds N] TABLE... */
#include "space.h"

#include "explore/explorer.h"
#include "memsweep/base/rng.h"
#include "memsweep/explore/limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOLERANCE = 0.01, MOST = 0.3;
enum { BATCH = 64, PAL_BATCH = 16 };

/* ---- fidelity auto ---- */

static void tell(msw_explorer *e, const truth *t, uint32_t u)
{
    msw_explore_answer a = {.state = MSW_EXPLORE_OK, .exact = {t->exact[u]}, .open = {t->full[u]}};
    msw_explorer_tell(e, u, &a);
}

typedef struct outcome {
    reached reached;
    size_t stopped;     /* where the first search ended */
    double volume;      /* and what it had */
    double seconds_per; /* of decisions, per design run */
} outcome;

static outcome run_auto(const truth *t, double most)
{
    msw_explore_rules rules = {(uint64_t)(most * (double)t->units),
                               (uint64_t)(0.3 * most * (double)t->units),
                               BATCH,
                               0.95,
                               TOLERANCE,
                               1};
    msw_explorer *e;
    msw_explore_round round;
    msw_err err = {0};
    cover c = cover_new(t);
    outcome o = {0};
    clock_t spent = 0, start = clock();
    if (msw_explorer_new(&t->space, &rules, &e, &err))
        return o;
    while (msw_explorer_next(e, &round, &err) > 0) {
        spent += clock() - start;
        if (round.role == MSW_EXPLORE_AUDIT && !o.stopped) {
            o.stopped = o.reached.run;
            o.volume = cover_volume(&c);
        }
        for (size_t i = 0; i < round.count; i++) {
            tell(e, t, round.units[i]);
            reached_add(&o.reached, &c, round.units[i], TOLERANCE);
        }
        start = clock();
    }
    if (!o.stopped) {
        o.stopped = o.reached.run;
        o.volume = cover_volume(&c);
    }
    o.seconds_per = (double)spent / CLOCKS_PER_SEC / (double)o.reached.run;
    msw_explorer_free(e);
    cover_free(&c);
    return o;
}

/* ---- by the closed form alone ---- */

typedef struct ranked {
    double ratio, cost;
    uint32_t unit;
} ranked;

static int by_ratio(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static int by_price(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* Best first by the closed form over its best at no more cost: 0 is its own front. */
static ranked *rank_all(const truth *t)
{
    ranked *list = malloc(t->units * sizeof *list);
    double best = INFINITY;
    for (uint32_t u = 0; u < t->units; u++)
        list[u] = (ranked){t->closed[u], t->exact[u], u};
    qsort(list, t->units, sizeof *list, by_price);
    for (size_t i = 0; i < t->units; i++) {
        best = fmin(best, list[i].ratio);
        list[i].ratio -= best;
    }
    qsort(list, t->units, sizeof *list, by_ratio);
    return list;
}

static reached run_promotion(const truth *t, size_t *front, double *volume)
{
    ranked *list = rank_all(t);
    cover c = cover_new(t);
    reached r = {0};
    for (size_t i = 0; i < t->units && !(r.within && r.volume && r.all); i++) {
        if (!*front && list[i].ratio > 0) {
            *front = i;
            *volume = cover_volume(&c);
        }
        reached_add(&r, &c, list[i].unit, TOLERANCE);
    }
    free(list);
    cover_free(&c);
    return r;
}

/* ---- epsilon-PAL: its rule, with the guesses of this model in place of a Gaussian process ---- */

typedef struct pal {
    const truth *t;
    msw_model model;
    ranked *order; /* by cost */
    bool *run, *dropped;
} pal;

/* A design is dropped where another's pessimistic value is within the tolerance of its optimistic
 * one; of the others the least known is run. */
static size_t choose_pal(pal *p, uint32_t *chosen)
{
    const truth *t = p->t;
    double pessimistic = INFINITY, width[PAL_BATCH] = {0};
    size_t count = 0;
    for (size_t i = 0; i < t->units; i++) {
        uint32_t u = p->order[i].unit;
        msw_guess g =
            p->run[u] ? (msw_guess){t->full[u] - t->closed[u], 0} : msw_model_fine(&p->model, u, 0);
        double middle = t->closed[u] + g.mean, reach = 2 * g.deviation;
        if (!p->run[u] && pessimistic <= middle - reach + log1p(TOLERANCE))
            p->dropped[u] = true;
        pessimistic = fmin(pessimistic, middle + reach);
        if (p->run[u] || p->dropped[u])
            continue;
        size_t at = count < PAL_BATCH ? count++ : PAL_BATCH;
        while (at > 0 && width[at - 1] < reach) {
            if (at < PAL_BATCH) {
                width[at] = width[at - 1];
                chosen[at] = chosen[at - 1];
            }
            at--;
        }
        if (at < PAL_BATCH) {
            width[at] = reach;
            chosen[at] = u;
        }
    }
    return count;
}

static reached run_pal(const truth *t, double most)
{
    pal p = {.t = t,
             .order = malloc(t->units * sizeof(ranked)),
             .run = calloc(t->units, sizeof(bool)),
             .dropped = calloc(t->units, sizeof(bool))};
    msw_err err = {0};
    cover c = cover_new(t);
    reached r = {0};
    uint32_t chosen[PAL_BATCH];
    msw_model_new(&t->space, &p.model, &err);
    for (uint32_t u = 0; u < t->units; u++) {
        p.order[u] = (ranked){t->closed[u], t->exact[u], u};
        msw_model_watch(&p.model, u, &err);
    }
    qsort(p.order, t->units, sizeof *p.order, by_price);
    size_t count = PAL_BATCH;
    for (size_t i = 0; i < PAL_BATCH; i++) /* it begins with a few at random */
        chosen[i] = (uint32_t)msw_permute(i, t->units, 1);
    while (count && r.run < most * (double)t->units && !(r.within && r.volume && r.all)) {
        for (size_t i = 0; i < count; i++) {
            double error = t->full[chosen[i]] - t->closed[chosen[i]];
            p.run[chosen[i]] = true;
            msw_model_learn(&p.model, chosen[i], &error, &err);
            reached_add(&r, &c, chosen[i], TOLERANCE);
        }
        count = choose_pal(&p, chosen);
    }
    msw_model_free(&p.model);
    free(p.order);
    free(p.run);
    free(p.dropped);
    cover_free(&c);
    return r;
}

/* ---- coverage ---- */

static int by_cost(const void *a, const void *b)
{
    return by_price(a, b);
}

/* Designs not run that nothing announced covers. */
static uint64_t count_wrong(const truth *t, const msw_explorer *e, const ranked *order)
{
    uint64_t wrong = 0;
    double best = INFINITY;
    for (size_t i = 0, j = 0; i < t->units; i = j) {
        for (j = i; j < t->units && order[j].cost == order[i].cost; j++) {
            msw_explore_standing s = msw_explorer_standing(e, order[j].unit);
            if (s != MSW_EXPLORE_OPEN && s != MSW_EXPLORE_PROVEN)
                best = fmin(best, t->full[order[j].unit]);
        }
        for (size_t k = i; k < j; k++) {
            msw_explore_standing s = msw_explorer_standing(e, order[k].unit);
            wrong += (s == MSW_EXPLORE_OPEN || s == MSW_EXPLORE_PROVEN) &&
                     best > t->full[order[k].unit] + log1p(TOLERANCE);
        }
    }
    return wrong;
}

/* The whole procedure, seed by seed. Returns in how many the statement is true. */
static unsigned count_true(const truth *t, unsigned seeds, double share)
{
    ranked *order = malloc(t->units * sizeof *order);
    unsigned held = 0;
    for (uint32_t u = 0; u < t->units; u++)
        order[u] = (ranked){t->closed[u], t->exact[u], u};
    qsort(order, t->units, sizeof *order, by_cost);
    for (unsigned seed = 1; seed <= seeds; seed++) {
        uint64_t budget = (uint64_t)(share * (double)t->units);
        msw_explore_rules rules = {budget, budget * 3 / 10, BATCH, 0.95, TOLERANCE, seed};
        msw_explorer *e;
        msw_explore_round round;
        msw_explore_statement s;
        msw_err err = {0};
        if (msw_explorer_new(&t->space, &rules, &e, &err))
            break;
        while (msw_explorer_next(e, &round, &err) > 0)
            for (size_t i = 0; i < round.count; i++)
                tell(e, t, round.units[i]);
        msw_explorer_statement(e, &s);
        held += count_wrong(t, e, order) <= s.wrong;
        msw_explorer_free(e);
    }
    free(order);
    return held;
}

/* ---- the table ---- */

static void print_share(size_t run, size_t units, double most)
{
    if (run)
        printf(" %.2f |", 100 * (double)run / (double)units);
    else
        printf(" > %.0f |", 100 * most);
}

static void print_row(const char *path, const truth *t, unsigned seeds)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t closed_front = 0;
    double closed_volume = 1;
    outcome o = run_auto(t, MOST);
    reached promoted = run_promotion(t, &closed_front, &closed_volume), p = run_pal(t, MOST);
    printf("| %.*s | %zu | %zu |", (int)(strlen(name) - 4), name, t->units, t->front);
    print_share(o.reached.within, t->units, MOST);
    print_share(o.reached.volume, t->units, MOST);
    print_share(o.reached.all, t->units, MOST);
    printf(" %.2f | %.4f |", 100 * (double)o.stopped / (double)t->units, o.volume);
    print_share(promoted.within, t->units, 1);
    print_share(p.within, t->units, MOST);
    printf(" %.2f, %.4f | %.0f |", 100 * (double)closed_front / (double)t->units, closed_volume,
           1e6 * o.seconds_per);
    if (seeds)
        printf(" %.3f |", (double)count_true(t, seeds, 0.05) / seeds);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned seeds = 0;
    printf(
        "| space | designs | front | auto: 1 %% | 99.9 %% | all | ends at | with | promotion: 1 %% "
        "| epsilon-PAL: 1 %% | closed form's front | us each |%s\n",
        argc > 2 && strcmp(argv[1], "--seeds") == 0 ? " true |" : "");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |%s\n",
           argc > 2 && strcmp(argv[1], "--seeds") == 0 ? " --- |" : "");
    for (int i = 1; i < argc; i++) {
        truth t;
        if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) {
            seeds = (unsigned)atoi(argv[++i]);
            continue;
        }
        if (truth_read(argv[i], &t))
            return 1;
        print_row(argv[i], &t, seeds);
        truth_free(&t);
    }
    return 0;
}
