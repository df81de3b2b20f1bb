// HIST: numbers of [0, 1) counted in 256 bins: atomic additions in shared memory give one histogram
// per CTA, a second launch adds them up.
#include "../common.h"

enum { BINS = 256 };

extern "C" __global__ void histogram(const float *in, unsigned *parts, int n)
{
    __shared__ unsigned bins[BINS];
    int threads = gridDim.x * blockDim.x;
    STRIDE
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
    STRIDE
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        int bin = (int)(in[i] * BINS);
        atomicAdd(&bins[min(max(bin, 0), BINS - 1)], 1u);
    }
    __syncthreads();
    STRIDE
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        parts[blockIdx.x * BINS + b] = bins[b];
}

extern "C" __global__ void add_parts(const unsigned *parts, unsigned *out, int count)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (bin >= BINS)
        return;
    LOOP
    for (int p = 0; p < count; p++)
        sum += parts[p * BINS + bin];
    out[bin] = sum;
}
