/* SPDX-License-Identifier: MIT */
/* Holds the choices and answers that designs share. */
#include "design/design_private.h"

const msw_choice msw_constrained_choices[] = {
    {.name = "refuse", .doc = "a sweep with constraints is refused"},
    {.name = "conditional",
     .doc = "groups are drawn until enough pass entirely; indices then describe that region"},
    {.name = NULL},
};

uint64_t msw_design_points_wanted(const msw_design_input *input)
{
    return (uint64_t) * (const int64_t *)input->config;
}

size_t msw_design_movers(const msw_design_input *input)
{
    return input->group_of ? input->group_count : input->factor_count;
}

size_t msw_design_mover(const msw_design_input *input, size_t factor)
{
    return input->group_of ? input->group_of[factor] : factor;
}

uint64_t msw_design_endless(const msw_design_input *input)
{
    (void)input;
    return UINT64_MAX;
}
