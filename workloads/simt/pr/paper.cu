// PR: sum of an array; every CTA leaves one partial sum, made by a tree in shared memory.
#include "../common.h"

enum { THREADS = 128 };

extern "C" __global__ void reduce(const float *in, float *partial, int n)
{
    __shared__ float sums[THREADS];
    int lane = threadIdx.x, threads = gridDim.x * THREADS;
    float sum = 0;
    STRIDE
    for (int i = blockIdx.x * THREADS + lane; i < n; i += threads)
        sum += in[i];
    sums[lane] = sum;
    __syncthreads();
    LOOP
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (lane < half)
            sums[lane] += sums[lane + half];
        __syncthreads();
    }
    if (lane == 0)
        partial[blockIdx.x] = sums[0];
}
