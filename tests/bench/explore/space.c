/* SPDX-License-Identifier: MIT */
#include "space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

static int read_head(FILE *file, truth *t)
{
    if (fscanf(file, "%zu %u", &t->units, &t->factors) != 2 || t->factors > TRUTH_FACTORS)
        return -1;
    for (unsigned f = 0; f < t->factors; f++)
        if (fscanf(file, "%u", &t->levels[f]) != 1 || t->levels[f] > MSW_EXPLORE_LEVELS)
            return -1;
    for (unsigned f = 0; f < t->factors; f++) {
        int ordered;
        if (fscanf(file, "%d", &ordered) != 1)
            return -1;
        t->ordered[f] = ordered != 0;
        t->level[f] = malloc(t->units);
    }
    return fscanf(file, "%lf", &t->floor) == 1 ? 0 : -1;
}

static int read_rows(FILE *file, truth *t)
{
    for (size_t u = 0; u < t->units; u++) {
        unsigned level;
        double closed, full;
        for (unsigned f = 0; f < t->factors; f++) {
            if (fscanf(file, "%u", &level) != 1)
                return -1;
            t->level[f][u] = (uint8_t)level;
        }
        if (fscanf(file, "%lf %lf %lf", &t->exact[u], &closed, &full) != 3)
            return -1;
        t->closed[u] = log(closed);
        t->full[u] = log(full);
        t->stratum[u] = t->level[t->factors - 1][u]; /* the bottleneck stands last */
    }
    return 0;
}

static void make_space(truth *t)
{
    for (unsigned f = 0; f < t->factors; f++)
        t->list[f] = (msw_explore_factor){t->level[f], t->levels[f], t->ordered[f]};
    t->space = (msw_explore_space){.units = t->units,
                                   .groups = 1,
                                   .group = t->group,
                                   .stratum = t->stratum,
                                   .strata = t->levels[t->factors - 1],
                                   .exact_count = 1,
                                   .open_count = 1,
                                   .exact = {t->exact},
                                   .open = {t->closed},
                                   .floor = {t->floor > 0 ? log(t->floor) : -INFINITY},
                                   .factor_count = t->factors,
                                   .factors = t->list};
}

/* ---- the true front ---- */

typedef struct pair {
    double cost, value;
} pair;

static int by_cost(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static void find_front(truth *t)
{
    pair *list = malloc(t->units * sizeof *list);
    double best = INFINITY;
    for (size_t u = 0; u < t->units; u++)
        list[u] = (pair){t->exact[u], t->full[u]};
    qsort(list, t->units, sizeof *list, by_cost);
    t->cost = malloc(t->units * sizeof(double));
    t->value = malloc(t->units * sizeof(double));
    for (size_t u = 0; u < t->units; u++)
        if (list[u].value < best) {
            best = t->value[t->front] = list[u].value;
            t->cost[t->front++] = list[u].cost;
        }
    free(list);
}

int truth_read(const char *path, truth *t)
{
    FILE *file = fopen(path, "r");
    *t = (truth){0};
    int rc = file ? read_head(file, t) : -1;
    if (rc == 0) {
        t->exact = malloc(t->units * sizeof(double));
        t->closed = malloc(t->units * sizeof(double));
        t->full = malloc(t->units * sizeof(double));
        t->stratum = malloc(t->units * sizeof(uint32_t));
        t->group = calloc(t->units, sizeof(uint32_t));
        rc = read_rows(file, t);
    }
    if (file)
        fclose(file);
    if (rc) {
        fprintf(stderr, "%s: no table of a space\n", path);
        return -1;
    }
    make_space(t);
    find_front(t);
    return 0;
}

void truth_free(truth *t)
{
    for (unsigned f = 0; f < t->factors; f++)
        free(t->level[f]);
    free(t->exact);
    free(t->closed);
    free(t->full);
    free(t->stratum);
    free(t->group);
    free(t->cost);
    free(t->value);
}

/* ---- covers ---- */

cover cover_new(const truth *t)
{
    cover c = {t, malloc(t->front * sizeof(double))};
    cover_clear(&c);
    return c;
}

void cover_free(cover *c)
{
    free(c->best);
}

void cover_clear(cover *c)
{
    for (size_t i = 0; i < c->t->front; i++)
        c->best[i] = INFINITY;
}

void cover_add(cover *c, size_t unit)
{
    size_t low = 0, high = c->t->front;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->t->cost[middle] < c->t->exact[unit])
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < c->t->front && c->best[i] > c->t->full[unit]; i++)
        c->best[i] = c->t->full[unit];
}

bool cover_within(const cover *c, double tolerance)
{
    for (size_t i = 0; i < c->t->front; i++)
        if (c->best[i] > c->t->value[i] + log1p(tolerance))
            return false;
    return true;
}

double cover_volume(const cover *c)
{
    const truth *t = c->t;
    size_t last = t->front - 1;
    double right = log(t->cost[last] + 1), top = t->value[0], all = 0, part = 0;
    right += fmax(0.1 * (right - log(t->cost[0] + 1)), 1e-3);
    top += fmax(0.1 * (top - t->value[last]), 1e-3);
    for (size_t i = 0; i <= last; i++) {
        double width = (i < last ? log(t->cost[i + 1] + 1) : right) - log(t->cost[i] + 1);
        all += width * (top - t->value[i]);
        part += c->best[i] < top ? width * (top - c->best[i]) : 0;
    }
    return part / all;
}

void reached_add(reached *r, cover *c, size_t unit, double tolerance)
{
    cover_add(c, unit);
    r->run++;
    if (!r->within && cover_within(c, tolerance))
        r->within = r->run;
    if (!r->volume && cover_volume(c) >= 0.999)
        r->volume = r->run;
    if (!r->all && cover_within(c, 0))
        r->all = r->run;
}
