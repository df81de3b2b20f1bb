/* Activations as few numbers: their slopes go straight through the rounding. A row is a token. */
#include "sim/learn/layer.h"

#include <math.h>

#define CLAMP      8.0f
#define LEAST_UNIT 1e-30f /* what is smaller is as good as 0 */
enum { LEAST = -8, MOST = 7 };

static float largest_of(const float *x, size_t width)
{
    float most = 0;
    for (size_t j = 0; j < width; j++) {
        float size = fabsf(x[j]);
        most = size > most ? size : most;
    }
    return most;
}

static void clamp_row(size_t width, float *x)
{
    for (size_t j = 0; j < width; j++) {
        float low = x[j] > -CLAMP ? x[j] : -CLAMP;
        x[j] = low < CLAMP ? low : CLAMP;
    }
}

/* rintf, of numbers far below 2^22: adding 1.5 x 2^23 leaves no bits behind the point. */
static void round_row(size_t width, float unit, float *x)
{
    const float whole = 12582912.0f;
    float times = 1 / unit;
    for (size_t j = 0; j < width; j++) {
        float n = x[j] * times + whole;
        n -= whole;
        n = n < MOST ? n : MOST;
        x[j] = (n > LEAST ? n : LEAST) * unit;
    }
}

void learn_round(msw_net_numbers numbers, size_t rows, size_t width, size_t step, float *x)
{
    if (numbers == MSW_NET_FLOAT)
        return;
    for (size_t i = 0; i < rows; i++, x += step) {
        clamp_row(width, x);
        float unit = numbers == MSW_NET_SCALED ? largest_of(x, width) / MOST : 1;
        if (numbers >= MSW_NET_SCALED && unit > LEAST_UNIT)
            round_row(width, unit, x);
    }
}
