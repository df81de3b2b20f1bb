/* list: the points a user wrote down, in their order. */
#include "design/design_private.h"

#include <string.h>

static uint64_t rows(const msw_design_input *input)
{
    return input->list_rows;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    (void)data;
    size_t width = input->factor_count;
    memcpy(coords, input->list_values + raw * width, width * sizeof *coords);
}

const msw_design msw_design_list = {
    .name = "list",
    .title = "Points written down by the user",
    .version = 1,
    .coords = MSW_COORDS_VALUE,
    .constrained = MSW_CONSTRAINED_FILTER,
    .raw_count = rows,
    .wanted = rows,
    .point = point,
};
