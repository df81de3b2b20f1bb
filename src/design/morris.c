/* SPDX-License-Identifier: MIT */
/* morris: trajectories that move one factor at a time, for elementary effects.
 *
 * A trajectory has D + 1 points: a random start, then each factor in random order moves once. All
 * positions of a factor form a ring of L places: the levels of a factor that has them, else p
 * places at 0, 1/(p-1), .. 1. Factors of a group move in the same step, each on its own ring. A
 * move goes L/2 places (rounded down) on round the ring. For even L that is Morris's step delta = p
 * / (2 (p - 1)), in the direction that stays inside. For odd L it is (L - 1)/2 places up or, where
 * that would wrap, (L + 1)/2 places down. The ring makes every place equally likely before and
 * after the move, whatever L is. Source: M. D. Morris, Technometrics 33 (1991) 161-174. */
#include "design/design_private.h"

#define ORDER ((uint64_t)1 << 32) /* numbers the order of moves among the keys of a trajectory */

static uint64_t group_size(const msw_design_input *input)
{
    return (uint64_t)msw_design_movers(input) + 1;
}

static uint64_t wanted(const msw_design_input *input)
{
    const msw_morris_config *config = input->config;
    return (uint64_t)config->trajectories * group_size(input);
}

static bool conditional(const msw_design_input *input)
{
    return ((const msw_morris_config *)input->config)->constrained;
}

static uint64_t positions(const void *config)
{
    return (uint64_t)((const msw_morris_config *)config)->levels;
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_morris_config *config = input->config;
    *data = NULL;
    if (config->levels % 2)
        return msw_fail(err, "design morris: levels is %lld, and must be even",
                        (long long)config->levels);
    for (size_t j = 0; j < input->factor_count; j++)
        if (input->levels[j] == 1)
            return msw_fail(err,
                            "design morris: factor %zu has one value and cannot move; give it "
                            "more, or fix it",
                            j + 1);
    return 0;
}

static uint64_t position(uint64_t ring, uint64_t key, bool moved)
{
    uint64_t at = (uint64_t)(msw_design_uniform(key) * (double)ring);
    return moved ? (at + ring / 2) % ring : at;
}

/* Puts into coords when each factor or group moves: a random permutation (Fisher and Yates, from
 * the inside out). */
static void order_moves(const msw_design_input *input, uint64_t trajectory, double *coords)
{
    for (size_t j = 0; j < msw_design_movers(input); j++) {
        uint64_t key = msw_design_key(input->seed, trajectory, ORDER + j);
        size_t other = (size_t)(msw_design_uniform(key) * (double)(j + 1));
        coords[j] = coords[other];
        coords[other] = (double)j;
    }
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    (void)data;
    const msw_morris_config *config = input->config;
    uint64_t size = group_size(input), trajectory = raw / size, moves = raw % size;
    order_moves(input, trajectory, coords);
    /* From the last to the first: no group has a higher number than its factors. */
    for (size_t j = input->factor_count; j-- > 0;) {
        uint64_t levels = input->levels[j], ring = levels ? levels : (uint64_t)config->levels;
        bool moved = coords[msw_design_mover(input, j)] < (double)moves;
        double at = (double)position(ring, msw_design_key(input->seed, trajectory, j), moved);
        coords[j] = levels ? (at + 0.5) / (double)levels : at / (double)(ring - 1);
    }
}

static const msw_param PARAMS[] = {
    {.name = "trajectories",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = MSW_POINTS_MAX,
     .def = 20,
     .doc = "trajectories of one point more than there are factors",
     .offset = offsetof(msw_morris_config, trajectories),
     MSW_PARAM_SETTING},
    {.name = "levels",
     .kind = MSW_INTEGER,
     .min = 2,
     .max = 1024,
     .def = 4,
     .doc = "places on the grid of a continuous factor, an even number",
     .offset = offsetof(msw_morris_config, levels),
     MSW_PARAM_SETTING},
    MSW_PARAM_CONSTRAINED(msw_morris_config),
    {.name = NULL},
};

const msw_design msw_design_morris = {
    .name = "morris",
    .title = "Trajectories for elementary effects",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_morris_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REFUSE,
    .group_size = group_size,
    .conditional = conditional,
    .positions = positions,
    .raw_count = msw_design_endless,
    .wanted = wanted,
    .prepare = prepare,
    .point = point,
};
