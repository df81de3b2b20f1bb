/* SPDX-License-Identifier: MIT */
/* grid: every combination of the factors' levels, the last factor fastest.
 *
 * Point i is i written in mixed radix: level_j = floor(i / stride_j) - L_j * floor(i /
 * stride_{j-1}), where stride_j is the product of the levels after j. The quotients do not wait for
 * one another, and each is a multiplication by a reciprocal kept slightly too small, so that it is
 * right or one too low.
 *
 * With `sample: n`, point i is the cell at place i of a keyed permutation: a smaller sample is the
 * beginning of a larger one. */
#include "design/design_private.h"

#include "memsweep/base/rng.h"

#include <stdlib.h>

typedef struct grid_config {
    int64_t sample; /* cells; 0: all */
} grid_config;

enum { SAMPLE_KEY = 78 }; /* keeps these numbers apart from other uses of the sweep's seed */

#define TOTAL_MAX ((uint64_t)1 << 50) /* keeps the quotients below within one of the truth */

typedef struct grid_factor {
    uint64_t levels, stride;
    double reciprocal; /* of stride, rounded down */
} grid_factor;

/* The factors, and before them what a sample needs. */
typedef struct grid {
    uint64_t cells; /* 0: all of them, in order */
    uint64_t key;
    grid_factor factors[];
} grid;

/* Product of all levels. Returns UINT64_MAX when it does not fit. */
static uint64_t total(const msw_design_input *input)
{
    uint64_t product = 1;
    for (size_t j = 0; j < input->factor_count; j++) {
        uint64_t levels = input->levels[j];
        if (levels != 0 && product > UINT64_MAX / levels)
            return UINT64_MAX;
        product *= levels;
    }
    return product;
}

/* Cells that are looked at. */
static uint64_t taken(const msw_design_input *input)
{
    const grid_config *config = input->config;
    uint64_t all = total(input), sample = config ? (uint64_t)config->sample : 0;
    return sample && sample < all ? sample : all;
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    if (total(input) > TOTAL_MAX)
        return msw_fail(err, "design grid: more than 2^50 combinations; take fewer levels, or draw "
                             "points with random, lhs or sobol");
    grid *g = malloc(sizeof *g + input->factor_count * sizeof *g->factors);
    if (!g)
        return msw_fail_memory(err);
    const grid_config *config = input->config;
    *g = (grid){config && config->sample ? total(input) : 0,
                msw_design_key(input->seed, SAMPLE_KEY, 0)};
    uint64_t stride = 1;
    for (size_t j = input->factor_count; j-- > 0; stride *= input->levels[j])
        g->factors[j] = (grid_factor){input->levels[j], stride, (1 - 0x1p-51) / (double)stride};
    *data = g;
    return 0;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const grid *g = data;
    const grid_factor *factors = g->factors;
    if (g->cells)
        raw = msw_permute(raw, g->cells, g->key);
    int64_t above = 0;
    for (size_t j = 0; j < input->factor_count; j++) {
        const grid_factor *f = &factors[j];
        int64_t quotient = (int64_t)((double)(int64_t)raw * f->reciprocal);
        quotient += raw - (uint64_t)quotient * f->stride >= f->stride;
        coords[j] = (double)(quotient - above * (int64_t)f->levels);
        above = quotient;
    }
}

static const msw_param PARAMS[] = {
    {.name = "sample",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = MSW_POINTS_MAX,
     .def = 0,
     .doc = "cells to take, drawn by the seed without repetition; 0: all of them",
     .offset = offsetof(grid_config, sample),
     .unit = "",
     .neutral = MSW_NEUTRAL(0),
     .source = MSW_PUBLIC,
     .reference = "a choice of the experiment"},
    {.name = NULL},
};

const msw_design msw_design_grid = {
    .name = "grid",
    .title = "Every combination of the factors' levels",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(grid_config),
    .coords = MSW_COORDS_LEVEL,
    .constrained = MSW_CONSTRAINED_FILTER,
    .distinct = true,
    .needs_levels = true,
    .raw_count = taken,
    .wanted = taken,
    .prepare = prepare,
    .release = free,
    .point = point,
};
