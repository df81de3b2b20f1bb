/* lhs: Latin hypercube: along each factor, one point in each of n equal strata.
 *
 * Point i of a block of n lies in stratum p = permutation_j(i) of factor j, at (p + jitter) / n.
 * A factor with L <= n levels uses one jitter for the whole block, so that each level is taken
 * floor(n / L) or ceil(n / L) times and, over seeds, equally often. Blocks follow one another when
 * constraints leave points out. Source: M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21
 * (1979) 239-245. */
#include "design/design_private.h"
#include "memsweep/base/rng.h"

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

static double coordinate(const msw_lhs_config *config, uint64_t levels, uint64_t i, uint64_t key)
{
    uint64_t n = (uint64_t)config->points;
    uint64_t stratum = msw_permute(i, n, key);
    bool shared = levels > 0 && levels <= n;
    uint64_t jitter_key = msw_design_mix(~key + (shared ? 0 : 0x9E3779B97F4A7C15u * (stratum + 1)));
    double position = (double)stratum + jitter(config, jitter_key);
    return levels > 0 ? level_middle(position, (double)n, levels) : position / (double)n;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    (void)data;
    const msw_lhs_config *config = input->config;
    uint64_t block = raw / (uint64_t)config->points, i = raw % (uint64_t)config->points;
    for (size_t j = 0; j < input->factor_count; j++)
        coords[j] = coordinate(config, input->levels[j], i, msw_design_key(input->seed, block, j));
}

static const msw_param PARAMS[] = {
    MSW_PARAM_POINTS(msw_lhs_config),
    {.name = "centred",
     .kind = MSW_FLAG,
     .def = 0,
     .doc = "points lie in the middle of their strata, not anywhere in them",
     .offset = offsetof(msw_lhs_config, centred),
     MSW_PARAM_SETTING},
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
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .point = point,
};
