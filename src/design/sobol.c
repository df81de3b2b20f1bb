/* SPDX-License-Identifier: MIT */
/* sobol: points of the Sobol sequence; balance is best when `points` is a power of two. */
#include "design/design_private.h"

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_sobol_config *config = input->config;
    msw_sobol *sobol;
    if (msw_sobol_new(input->factor_count, (msw_scramble)config->scramble, input->seed, &sobol,
                      err))
        return -1;
    *data = sobol;
    return 0;
}

static void release(void *data)
{
    msw_sobol_free(data);
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_sobol_config *config = input->config;
    msw_sobol_point(data, raw + (uint64_t)config->skip, 0, input->factor_count, coords);
}

static const msw_param PARAMS[] = {
    MSW_PARAM_POINTS(msw_sobol_config),
    MSW_PARAM_SCRAMBLE(msw_sobol_config),
    MSW_PARAM_SKIP(msw_sobol_config),
    {.name = NULL},
};

const msw_design msw_design_sobol = {
    .name = "sobol",
    .title = "Sobol sequence",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_sobol_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};
