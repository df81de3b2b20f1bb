/* saltelli: rows from which first-order, total and (option) second-order Sobol indices follow.
 *
 * Base row b holds points A and B, the two halves of a Sobol point in 2D dimensions. Its rows are
 * A, AB_1 .. AB_D, [BA_1 .. BA_D,] B, where AB_i is A with factor i taken from B, and BA_i the
 * reverse; where factors form groups, i is a group and all its factors are taken. Source: A.
 * Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270; order as in SALib.
 */
#include "design/design_private.h"

static uint64_t group_size(const msw_design_input *input)
{
    const msw_saltelli_config *config = input->config;
    return (config->second_order ? 2 : 1) * (uint64_t)msw_design_movers(input) + 2;
}

static uint64_t wanted(const msw_design_input *input)
{
    const msw_saltelli_config *config = input->config;
    return (uint64_t)config->base_rows * group_size(input);
}

static bool conditional(const msw_design_input *input)
{
    return ((const msw_saltelli_config *)input->config)->constrained;
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_saltelli_config *config = input->config;
    msw_sobol *sobol;
    if (msw_sobol_new(2 * input->factor_count, (msw_scramble)config->scramble, input->seed, &sobol,
                      err))
        return msw_fail_prefix(err, "design saltelli (two dimensions a factor): ");
    *data = sobol;
    return 0;
}

static void release(void *data)
{
    msw_sobol_free(data);
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_saltelli_config *config = input->config;
    size_t factors = input->factor_count;
    uint64_t group = group_size(input);
    uint64_t index = raw / group + (uint64_t)config->skip, position = raw % group;
    bool mostly_b = position > msw_design_movers(input); /* BA_i and B */
    msw_sobol_point(data, index, mostly_b ? factors : 0, factors, coords);
    if (position == 0 || position == group - 1)
        return;
    size_t swapped = (size_t)(position - 1) % msw_design_movers(input);
    for (size_t j = swapped; j < factors; j++)
        if (msw_design_mover(input, j) == swapped)
            msw_sobol_point(data, index, j + (mostly_b ? 0 : factors), 1, coords + j);
}

static const msw_param PARAMS[] = {
    {.name = "base_rows",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = MSW_POINTS_MAX,
     .def = 1024,
     .doc = "base rows; a power of two keeps the balance of the sequence",
     .offset = offsetof(msw_saltelli_config, base_rows),
     MSW_PARAM_SETTING},
    {.name = "second_order",
     .kind = MSW_FLAG,
     .def = 0,
     .doc = "adds the rows that second-order indices need (2D + 2 in place of D + 2)",
     .offset = offsetof(msw_saltelli_config, second_order),
     MSW_PARAM_SETTING},
    MSW_PARAM_SCRAMBLE(msw_saltelli_config),
    MSW_PARAM_SKIP(msw_saltelli_config),
    MSW_PARAM_CONSTRAINED(msw_saltelli_config),
    {.name = NULL},
};

const msw_design msw_design_saltelli = {
    .name = "saltelli",
    .title = "Rows for Sobol sensitivity indices",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_saltelli_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REFUSE,
    .group_size = group_size,
    .conditional = conditional,
    .raw_count = msw_design_endless,
    .wanted = wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};
