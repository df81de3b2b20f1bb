/* SPDX-License-Identifier: MIT */
/* Learns how changing a factor from one level to another changes the objectives: mean and spread
 * of the latest changes, which lie near the front. */
#include "explore/seek/seek.h"

#include <math.h>
#include <stdlib.h>

enum { PAIRS_MOST = 12, BINS = 8, CLASSES = 6, REMEMBERED = 8, CHANGES_MOST = 2 };

static size_t cells_of(uint32_t levels)
{
    return levels <= PAIRS_MOST ? (size_t)levels * levels : (size_t)BINS * 2 * CLASSES;
}

static unsigned class_of(uint32_t distance)
{
    static const uint32_t LIMITS[CLASSES - 1] = {1, 3, 15, 255, 65535};
    unsigned c = 0;
    while (c < CLASSES - 1 && distance > LIMITS[c])
        c++;
    return c;
}

static seek_cell *cell_at(const seek_effects *e, const msw_seek_factor *f, size_t factor,
                          uint32_t from, uint32_t to)
{
    seek_cell *cells = e->cells + e->first[factor];
    if (f->levels <= PAIRS_MOST)
        return cells + (size_t)from * f->levels + to;
    unsigned class = class_of(to > from ? to - from : from - to);
    size_t bin = (size_t)((uint64_t)from * BINS / f->levels);
    return cells + (bin * 2 + (to > from)) * CLASSES + class;
}

static seek_cell *direction_at(const seek_effects *e, const msw_seek_factor *f, size_t factor,
                               bool up)
{
    return e->cells + e->first[factor] + cells_of(f->levels) + (f->ordered && up);
}

int seek_effects_new(const msw_seek_space *space, seek_effects *e, msw_err *err)
{
    size_t count = 0;
    *e = (seek_effects){.factors = space->factor_count, .costs = space->objectives + 1};
    e->first = calloc(space->factor_count + 1, sizeof *e->first);
    for (size_t f = 0; e->first && f < space->factor_count; f++) {
        e->first[f] = count;
        count += cells_of(space->factors[f].levels) + 2;
    }
    e->cells = calloc(count + 1, sizeof *e->cells);
    return e->first && e->cells ? 0 : msw_fail_memory(err);
}

void seek_effects_free(seek_effects *e)
{
    free(e->first);
    free(e->cells);
}

static void learn_cell(seek_cell *cell, unsigned costs, float weight, float most, const double *x)
{
    cell->n = cell->n + weight < most ? cell->n + weight : most;
    float part = weight / cell->n;
    for (unsigned k = 0; k < costs; k++) {
        float before = (float)x[k] - cell->mean[k];
        cell->mean[k] += part * before;
        cell->square[k] += part * (before * ((float)x[k] - cell->mean[k]) - cell->square[k]);
    }
}

static void learn_one(seek_effects *e, const msw_seek_space *space, size_t factor, uint32_t from,
                      uint32_t to, float weight, const double *x)
{
    const msw_seek_factor *f = &space->factors[factor];
    learn_cell(cell_at(e, f, factor, from, to), e->costs, weight, REMEMBERED, x);
    learn_cell(direction_at(e, f, factor, to > from), e->costs, weight, 4 * REMEMBERED, x);
    learn_cell(&e->all, e->costs, weight, 64 * REMEMBERED, x);
}

void seek_effects_learn(seek_effects *e, const msw_seek_space *space, const uint32_t *from,
                        const uint32_t *to, const double *difference)
{
    size_t changed[CHANGES_MOST], count = 0;
    for (size_t f = 0; f < e->factors; f++)
        if (from[f] != to[f]) {
            if (count == CHANGES_MOST)
                return;
            changed[count++] = f;
        }
    seek_guess each[CHANGES_MOST] = {0};
    for (size_t c = 0; c < count; c++)
        seek_effects_add(e, space, changed[c], from[changed[c]], to[changed[c]], &each[c]);
    for (size_t c = 0; c < count; c++) {
        double x[SEEK_COSTS];
        for (unsigned k = 0; k < e->costs; k++)
            x[k] = difference[k] - (count > 1 ? each[1 - c].mean[k] : 0);
        learn_one(e, space, changed[c], from[changed[c]], to[changed[c]], count > 1 ? 0.5F : 1, x);
    }
}

/* A change that was never made is expected to do half of what others in its direction did; how
 * much it may do then is open. */
void seek_effects_add(const seek_effects *e, const msw_seek_space *space, size_t factor,
                      uint32_t from, uint32_t to, seek_guess *guess)
{
    const msw_seek_factor *f = &space->factors[factor];
    const seek_cell *cell = cell_at(e, f, factor, from, to);
    const seek_cell *way = direction_at(e, f, factor, to > from);
    double own = cell->n / (cell->n + 0.5), n = cell->n + 1;
    for (unsigned k = 0; k < e->costs; k++) {
        double general = way->n > 0 ? way->square[k] + way->mean[k] * way->mean[k]
                                    : e->all.square[k] + e->all.mean[k] * e->all.mean[k];
        guess->mean[k] += own * cell->mean[k] + (1 - own) * 0.5 * way->mean[k];
        guess->variance[k] += own * cell->square[k] * (1 + 1 / n) + (1 - own) * general;
    }
}
