/* SPDX-License-Identifier: MIT */
/* list: the points a user wrote down, in their order. */
#include "design/design_private.h"

static uint64_t rows(const msw_design_input *input)
{
    return input->list_rows;
}

static double value_at(const msw_list_column *column, uint64_t row)
{
    switch (column->width) {
    case 1:
        return column->values[((const uint8_t *)column->codes)[row]];
    case 2:
        return column->values[((const uint16_t *)column->codes)[row]];
    default:
        return column->values[((const uint32_t *)column->codes)[row]];
    }
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    (void)data;
    for (size_t f = 0; f < input->factor_count; f++)
        coords[f] = value_at(&input->list_columns[f], raw);
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
