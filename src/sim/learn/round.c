/* SPDX-License-Identifier: MIT */
/* Activations as few numbers: their slopes go straight through the rounding. A row is a token. */
#include "sim/learn/layer.h"

#define LEAST_UNIT 1e-30f /* smaller units count as 0 */
enum { MOST = 7 };

float learn_unit(msw_net_numbers numbers, float largest)
{
    float unit = numbers == MSW_NET_SCALED ? largest / MOST : 1;
    return numbers >= MSW_NET_SCALED && unit > LEAST_UNIT ? unit : 0;
}

void learn_round(const learn_loops *loops, msw_net_numbers numbers, size_t rows, size_t width,
                 float *x)
{
    if (numbers == MSW_NET_FLOAT)
        return;
    for (size_t i = 0; i < rows; i++, x += width) {
        float unit = learn_unit(numbers, loops->clamp(width, x));
        if (unit > 0)
            loops->round(width, unit, x);
    }
}
