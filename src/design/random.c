/* SPDX-License-Identifier: MIT */
/* random: independent uniform points.
 *
 * Coordinates 2k and 2k+1 of point i are the Philox block with counter (i, k): no point needs an
 * earlier one, and a factor added at the end leaves the others as they were. */
#include "design/design_private.h"
#include "memsweep/base/rng.h"

enum { STREAM = 0x64736e }; /* keeps these numbers apart from other uses of the sweep's seed */

static double uniform(const uint32_t words[2])
{
    return msw_design_uniform((uint64_t)words[0] << 32 | words[1]);
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    (void)data;
    const uint32_t key[2] = {(uint32_t)input->seed, (uint32_t)(input->seed >> 32)};
    for (size_t j = 0; j < input->factor_count; j += 2) {
        const uint32_t counter[4] = {(uint32_t)raw, (uint32_t)(raw >> 32), (uint32_t)(j / 2),
                                     STREAM};
        uint32_t out[4];
        msw_philox(counter, key, out);
        coords[j] = uniform(out);
        if (j + 1 < input->factor_count)
            coords[j + 1] = uniform(out + 2);
    }
}

static const msw_param PARAMS[] = {MSW_PARAM_POINTS(msw_random_config), {.name = NULL}};

const msw_design msw_design_random = {
    .name = "random",
    .title = "Independent uniform points",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_random_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .point = point,
};
