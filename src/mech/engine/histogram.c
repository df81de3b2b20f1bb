/* SPDX-License-Identifier: MIT */
#include "memsweep/mech/mechanism.h"

#include <math.h>

/* Bucket 0 holds values below 1; above, 16 equal steps in each power of two, 63 powers. */
int msw_histogram_bucket(double value)
{
    if (!(value >= 1))
        return 0;
    int exponent;
    double mantissa = frexp(value, &exponent); /* value = mantissa * 2^exponent, [0.5, 1) */
    int bucket = 16 * exponent + (int)((mantissa - 0.5) * 32);
    return bucket < MSW_HISTOGRAM_BUCKETS ? bucket : MSW_HISTOGRAM_BUCKETS - 1;
}

/* Buckets 1 to 15 do not occur: bucket 0 reaches up to 1. */
double msw_histogram_edge(int bucket)
{
    if (bucket < 1)
        return 0;
    return bucket < 16 ? 1 : ldexp(0.5 + (bucket % 16) / 32.0, bucket / 16);
}

void msw_unit_record(msw_unit_out *out, int histogram, double value, double count)
{
    uint32_t slot = (uint32_t)(histogram * MSW_HISTOGRAM_BUCKETS + msw_histogram_bucket(value));
    if (out->touched && out->histograms[slot] == 0)
        out->touched[out->touched_count++] = slot;
    out->histograms[slot] += count;
}
