/* SPDX-License-Identifier: MIT */
/* lhs: Latin hypercube: along each factor, one point in each of n equal strata.
 *
 * Point i of a block of n lies in stratum p = permutation_j(i) of factor j, at (p + jitter) / n.
 * A factor with L <= n levels uses one jitter for the whole block, so that each level is taken
 * floor(n / L) or ceil(n / L) times and, over seeds, equally often. Blocks follow one another when
 * constraints leave points out.
 *
 * With `optimise: n` the permutations of the first block are improved by n exchanges in turn: two
 * points swap their strata of one factor where that lowers the centred discrepancy. Source: M. D.
 * McKay, R. J. Beckman, W. J. Conover, Technometrics 21 (1979) 239-245. */
#include "design/design_private.h"
#include "memsweep/base/rng.h"
#include "memsweep/design/discrepancy.h"

#include <stdlib.h>

enum { OPTIMISED_MOST = 10000, SWAP_KEY = 79 };

#define JITTER_BITS 22 /* stratum (30 bits) + jitter, never on an edge, is exact in a double */

static double jitter(const msw_lhs_config *config, uint64_t key)
{
    if (config->centred)
        return 0.5;
    return ((double)(int64_t)(key >> (64 - JITTER_BITS)) + 0.5) / (double)(1 << JITTER_BITS);
}

/* Middle of the level at `position` of n strata: no rounding can move it to a neighbour. */
static double level_middle(double position, double n, uint64_t levels)
{
    uint64_t level = (uint64_t)(position * (double)levels / n);
    if (level >= levels)
        level = levels - 1;
    return ((double)level + 0.5) / (double)levels;
}

static double coordinate(const msw_lhs_config *config, uint64_t levels, uint64_t stratum,
                         uint64_t key)
{
    uint64_t n = (uint64_t)config->points;
    bool shared = levels > 0 && levels <= n;
    uint64_t jitter_key = msw_design_mix(~key + (shared ? 0 : 0x9E3779B97F4A7C15u * (stratum + 1)));
    double position = (double)stratum + jitter(config, jitter_key);
    return levels > 0 ? level_middle(position, (double)n, levels) : position / (double)n;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_lhs_config *config = input->config;
    const uint32_t *strata = data;
    uint64_t n = (uint64_t)config->points, block = raw / n, i = raw % n;
    for (size_t j = 0; j < input->factor_count; j++) {
        uint64_t key = msw_design_key(input->seed, block, j);
        uint64_t stratum =
            strata && block == 0 ? strata[i * input->factor_count + j] : msw_permute(i, n, key);
        coords[j] = coordinate(config, input->levels[j], stratum, key);
    }
}

/* ---- exchanges ---- */

typedef struct exchange {
    const msw_design_input *input;
    size_t n, factors;
    uint32_t *strata; /* n x factors */
    double *x;        /* coordinates of the same */
} exchange;

static double position_of(const exchange *e, uint32_t stratum, size_t factor)
{
    return coordinate(e->input->config, e->input->levels[factor], stratum,
                      msw_design_key(e->input->seed, 0, factor));
}

static void swap(exchange *e, size_t a, size_t b, size_t factor)
{
    size_t from = a * e->factors + factor, to = b * e->factors + factor;
    uint32_t stratum = e->strata[from];
    double x = e->x[from];
    e->strata[from] = e->strata[to];
    e->x[from] = e->x[to];
    e->strata[to] = stratum;
    e->x[to] = x;
}

/* Tries to swap two rows' strata of a factor. What other rows have among themselves stays. */
static void try_swap(exchange *e, uint64_t number)
{
    uint64_t key = msw_design_key(e->input->seed, SWAP_KEY, number);
    size_t factor = number % e->factors, a = (size_t)(key % e->n);
    size_t b = (size_t)(msw_design_mix(key) % e->n);
    if (a == b)
        return;
    double before = msw_discrepancy_rows(e->x, e->n, e->factors, a, b);
    swap(e, a, b, factor);
    if (msw_discrepancy_rows(e->x, e->n, e->factors, a, b) >= before)
        swap(e, a, b, factor);
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_lhs_config *config = input->config;
    exchange e = {.input = input, .n = (size_t)config->points, .factors = input->factor_count};
    size_t cells = e.n * e.factors;
    if (!config->optimise)
        return 0;
    if (e.n > OPTIMISED_MOST)
        return msw_fail(err, "design lhs: 'optimise' takes at most %d points, and %zu are wanted",
                        OPTIMISED_MOST, e.n);
    e.strata = malloc((cells + 1) * sizeof *e.strata);
    e.x = malloc((cells + 1) * sizeof *e.x);
    if (!e.strata || !e.x) {
        free(e.strata);
        free(e.x);
        return msw_fail_memory(err);
    }
    for (size_t c = 0; c < cells; c++) {
        size_t j = c % e.factors;
        e.strata[c] = (uint32_t)msw_permute(c / e.factors, e.n, msw_design_key(input->seed, 0, j));
        e.x[c] = position_of(&e, e.strata[c], j);
    }
    for (uint64_t s = 0; s < (uint64_t)config->optimise; s++)
        try_swap(&e, s);
    free(e.x);
    *data = e.strata;
    return 0;
}

static const msw_param PARAMS[] = {
    MSW_PARAM_POINTS(msw_lhs_config),
    {.name = "centred",
     .kind = MSW_FLAG,
     .def = 0,
     .doc = "points lie in the middle of their strata, not anywhere in them",
     .offset = offsetof(msw_lhs_config, centred),
     MSW_PARAM_SETTING},
    {.name = "optimise",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 1e7,
     .def = 0,
     .doc = "exchanges that lower the centred discrepancy; 0: a plain hypercube",
     .offset = offsetof(msw_lhs_config, optimise),
     .unit = "",
     .neutral = MSW_NEUTRAL(0),
     .source = MSW_PUBLIC,
     .reference = "a choice of the experiment"},
    {.name = NULL},
};

const msw_design msw_design_lhs = {
    .name = "lhs",
    .title = "Latin hypercube",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_lhs_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .prepare = prepare,
    .release = free,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .point = point,
};
