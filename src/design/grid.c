/* grid: every combination of the factors' levels, the last factor fastest.
 *
 * Point i is i written in mixed radix: level_j = floor(i / stride_j) - L_j * floor(i /
 * stride_{j-1}), where stride_j is the product of the levels after j. The quotients do not wait for
 * one another, and each is a multiplication by a reciprocal kept slightly too small, so that it is
 * right or one too low. */
#include "design/design_private.h"

#include <stdlib.h>

#define TOTAL_MAX ((uint64_t)1 << 50) /* keeps the quotients below within one of the truth */

typedef struct grid_factor {
    uint64_t levels, stride;
    double reciprocal; /* of stride, rounded down */
} grid_factor;

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

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    if (total(input) > TOTAL_MAX)
        return msw_fail(err, "design grid: more than 2^50 combinations; take fewer levels, or draw "
                             "points with random, lhs or sobol");
    grid_factor *factors = malloc((input->factor_count + 1) * sizeof *factors);
    if (!factors)
        return msw_fail_memory(err);
    uint64_t stride = 1;
    for (size_t j = input->factor_count; j-- > 0; stride *= input->levels[j])
        factors[j] = (grid_factor){input->levels[j], stride, (1 - 0x1p-51) / (double)stride};
    *data = factors;
    return 0;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const grid_factor *factors = data;
    int64_t above = 0;
    for (size_t j = 0; j < input->factor_count; j++) {
        const grid_factor *f = &factors[j];
        int64_t quotient = (int64_t)((double)(int64_t)raw * f->reciprocal);
        quotient += raw - (uint64_t)quotient * f->stride >= f->stride;
        coords[j] = (double)(quotient - above * (int64_t)f->levels);
        above = quotient;
    }
}

const msw_design msw_design_grid = {
    .name = "grid",
    .title = "Every combination of the factors' levels",
    .version = 1,
    .coords = MSW_COORDS_LEVEL,
    .constrained = MSW_CONSTRAINED_FILTER,
    .distinct = true,
    .needs_levels = true,
    .raw_count = total,
    .wanted = total,
    .prepare = prepare,
    .release = free,
    .point = point,
};
