// AXPY: c = a + b, 12 bytes per addition in three streams. Grid-stride.
#include "../common.h"

extern "C" __global__ void axpy(const float *a, const float *b, float *c, int n)
{
    int threads = gridDim.x * blockDim.x;
    STRIDE
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        c[i] = a[i] + b[i];
}
