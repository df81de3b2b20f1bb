/* SPDX-License-Identifier: MIT */
/* Shapley effects, exact over all subsets of factors: the rows are the whole population, so nothing
 * is assumed of how the factors depend on each other. Source: Owen 2014; Song, Nelson and Staum
 * 2016. */
#include "memsweep/analysis/given.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shapley {
    const msw_population *rows;
    double *share;    /* of each subset: Var(E[y | x_u]) */
    uint32_t **group; /* per depth: group of each row by the factors taken so far */
    uint32_t *table;  /* old group x level -> new group + 1 */
    double *sum, *count, mean;
} shapley;

/* Divides groups by one more factor. Returns how many there are then. */
static uint32_t divide(shapley *s, unsigned factor, const uint32_t *from, uint32_t groups,
                       uint32_t *to)
{
    uint32_t levels = s->rows->levels[factor], next = 0;
    memset(s->table, 0, (size_t)groups * levels * sizeof *s->table);
    for (size_t i = 0; i < s->rows->n; i++) {
        uint32_t *cell = &s->table[(size_t)from[i] * levels + s->rows->level[factor][i]];
        if (!*cell)
            *cell = ++next;
        to[i] = *cell - 1;
    }
    return next;
}

static double variance_between(shapley *s, const uint32_t *group, uint32_t groups)
{
    double between = 0;
    memset(s->sum, 0, groups * sizeof *s->sum);
    memset(s->count, 0, groups * sizeof *s->count);
    for (size_t i = 0; i < s->rows->n; i++) {
        s->sum[group[i]] += s->rows->y[i] - s->mean;
        s->count[group[i]] += 1;
    }
    for (uint32_t g = 0; g < groups; g++)
        between += s->sum[g] * s->sum[g] / s->count[g];
    return between / (double)s->rows->n;
}

/* All subsets that take or leave the factors from `factor` on. */
static void visit_subsets(shapley *s, unsigned factor, uint32_t set, const uint32_t *group,
                          uint32_t groups)
{
    if (factor == s->rows->factors) {
        s->share[set] = variance_between(s, group, groups);
        return;
    }
    visit_subsets(s, factor + 1, set, group, groups);
    uint32_t *finer = s->group[factor + 1];
    uint32_t count = divide(s, factor, group, groups, finer);
    visit_subsets(s, factor + 1, set | (uint32_t)1 << factor, finer, count);
}

/* Weight of a subset of `size` others among d factors: size! (d - size - 1)! / d!. */
static double weight_of(unsigned size, unsigned d)
{
    double choose = 1;
    for (unsigned i = 1; i <= size; i++)
        choose = choose * (d - i) / i;
    return 1 / (choose * d);
}

static void add_up_shares(const shapley *s, double *effect, double *first, double *total)
{
    unsigned d = s->rows->factors;
    uint32_t all = ((uint32_t)1 << d) - 1;
    double variance = s->share[all];
    for (unsigned f = 0; f < d; f++) {
        uint32_t own = (uint32_t)1 << f;
        effect[f] = 0;
        for (uint32_t set = 0; set <= all; set++)
            if (!(set & own))
                effect[f] += weight_of((unsigned)msw_bits_count(set), d) *
                             (s->share[set | own] - s->share[set]);
        effect[f] /= variance;
        first[f] = s->share[own] / variance;
        total[f] = 1 - s->share[all & ~own] / variance;
    }
}

static bool take_memory(shapley *s)
{
    size_t n = s->rows->n, widest = 1;
    unsigned d = s->rows->factors;
    for (unsigned f = 0; f < d; f++)
        widest = s->rows->levels[f] > widest ? s->rows->levels[f] : widest;
    s->share = calloc((size_t)1 << d, sizeof *s->share);
    s->group = calloc(d + 1u, sizeof *s->group);
    s->table = malloc((n * widest + 1) * sizeof *s->table);
    s->sum = malloc((n + 1) * sizeof *s->sum);
    s->count = malloc((n + 1) * sizeof *s->count);
    bool all = s->share && s->group && s->table && s->sum && s->count;
    for (unsigned f = 0; all && f <= d; f++)
        all = (s->group[f] = calloc(n + 1, sizeof **s->group)) != NULL;
    return all;
}

static void free_memory(shapley *s)
{
    for (unsigned f = 0; s->group && f <= s->rows->factors; f++)
        free(s->group[f]);
    free(s->group);
    free(s->share);
    free(s->table);
    free(s->sum);
    free(s->count);
}

int msw_shapley(const msw_population *rows, double *effect, double *first, double *total,
                double *variance, msw_err *err)
{
    shapley s = {.rows = rows};
    if (rows->factors > MSW_SHAPLEY_FACTORS)
        return msw_fail(err, "shapley looks at all subsets of at most %d factors, not of %u",
                        MSW_SHAPLEY_FACTORS, rows->factors);
    int rc = -1;
    if (!take_memory(&s)) {
        msw_fail_memory(err);
        goto done;
    }
    for (size_t i = 0; i < rows->n; i++)
        s.mean += (rows->y[i] - s.mean) / (double)(i + 1);
    visit_subsets(&s, 0, 0, s.group[0], 1);
    add_up_shares(&s, effect, first, total);
    *variance = s.share[((uint32_t)1 << rows->factors) - 1];
    rc = 0;
done:
    free_memory(&s);
    return rc;
}
